package play

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// verdict counts what is wrong in the text that the terminal has at the end: scrollback and grid,
// with soft-wrapped rows joined. The zero value means that nothing is wrong.
//
// If the rows need not be broken as in the expected text (see sequence), lost, doubled and broken
// text is counted in lines and words.
type verdict struct {
	Lost            int `json:"lost"`         // expected rows, or stretches of text, that are missing
	Dup             int `json:"dup"`          // extra copies of rows, or lines, that were expected once
	Garbage         int `json:"garbage"`      // rows that are no expected text, or that break within a word
	StaleFooterRows int `json:"stale_footer"` // rows of the footer that were left above the live region
	Blank           int `json:"blank"`
	LostIDs         int `json:"lost_ids"`
	LostWords       int `json:"lost_words"`
	DupIDs          int `json:"dup_ids"`
	Extra           int `json:"extra_words"`
	Shell           int `json:"shell_lost"`
	Erasures        int `json:"erasures_3j"`
	Grid            int `json:"grid_rows_wrong"` // wrong rows of a full-screen pane, if the script shows one
	exempt
}

// exempt counts what a terminal has done to rows by itself at a change of its size, before any byte
// of the program could prevent it.
type exempt struct {
	Left    int `json:"left"`     // lines of live rows that the terminal pushed into its history
	LeftIDs int `json:"left_ids"` // words with a row's number, such as r000123, in these lines
	Cut     int `json:"cut"`      // rows whose end the terminal cut off
	Split   int `json:"split"`    // lines that the terminal broke into two
}

// clean reports whether nothing is wrong except what the terminal did by itself.
func (v verdict) clean() bool {
	v.exempt = exempt{}
	return v == verdict{}
}

const shellRows = 40

var (
	sgr    = regexp.MustCompile("\x1b\\[[0-9;:]*m")
	footer = regexp.MustCompile(`^(. Working · |>( |$)|  model peer-1 · )`)
	id     = regexp.MustCompile(`^r\d{6}$`)
	shell  = regexp.MustCompile(`^shell \d{4}$`)
	blanks = regexp.MustCompile(` {2,}`)
)

// picture holds what a terminal emulator shows at the end of a script.
type picture struct {
	Alt     bool     `json:"alt"`  // the alternate screen is shown
	Tape    []string `json:"tape"` // scrollback and grid, soft-wrapped rows joined
	Grid    []string `json:"grid"`
	Moments []moment `json:"moments"` // the grid before and after each change of size
}

// trial holds a script that a program has played, and all that is needed to judge the terminal
// afterwards.
type trial struct {
	script  workload.Script
	whole   bool            // messages become final as a whole
	profile profile.Profile // the terminal that the program believed to write to
	foreign bool            // the emulator that has shown the rows does not emulate that terminal
	log     []workload.Record
	real    bool // a real terminal, not an emulator, has shown the rows
}

// check compares what the terminal shows at the end with the rows that the script expects.
func (t trial) check(got picture) *verdict {
	var rows []string
	for _, r := range t.script.Expect {
		rows = append(rows, strings.TrimRight(sgr.ReplaceAllString(r, ""), " "))
	}
	v := &verdict{}
	sizes := 0
	for _, r := range t.log {
		v.Erasures += bytes.Count(r.Data, []byte("\x1b[3J"))
		if r.Cols > 0 {
			sizes++
		}
	}
	switch {
	case got.Alt:
		v.grid(got.Grid, rows)
	case sizes > 1 || t.profile.Differs.NoGraphemeClusters && doubtful(rows):
		t.sequence(v, got)
	default:
		v.tape(aboveFooter(got.Tape), rows)
	}
	return v
}

// doubtful reports whether some row has another width in a terminal that has not confirmed mode
// 2027, so that it may be broken elsewhere.
func doubtful(rows []string) bool {
	narrow, wide := width.Model{Method: width.Grapheme}, width.Model{}
	for _, r := range rows {
		if narrow.String(r) != wide.String(r) {
			return true
		}
	}
	return false
}

// sequence compares the text of the terminal's rows with the expected text, wherever rows are
// broken.
func (t trial) sequence(v *verdict, got picture) {
	s := sequence{v: v, text: expectedText(t.script.Ops)}
	s.p = len(s.text)
	if t.real {
		s.rules.behind = 3 // xterm 379
	}
	live := unfinishedTexts(t.script.Ops, t.whole)
	cut := !t.foreign && t.profile.Differs.Reflow == profile.Cut
	for _, m := range got.Moments {
		s.rules.widest = max(s.rules.widest, m.Before.Cols)
	}
	for i, m := range got.Moments {
		rows, part := m.pushedRows(live[i], cut)
		s.rules.left = append(s.rules.left, rows...)
		if part > 0 {
			s.rules.parts = append(s.rules.parts, rows[len(rows)-1][:part])
		}
		if cut && m.After.Cols < s.rules.widest {
			s.rules.cut = append(s.rules.cut, m.After.Cols)
		}
		if !t.foreign && t.profile.Differs.Layout == profile.LayoutApart && m.After.Cols != m.Before.Cols {
			s.rules.pieces++
		}
	}
	v.Shell = shellRows
	for _, l := range aboveFooter(got.Tape) {
		if shell.MatchString(l) {
			v.Shell--
			continue
		}
		l = withoutDoubtfulGaps(l)
		// what kitty has taken apart it may put together again with the blanks that were behind the
		// first part
		if s.rules.pieces > 0 {
			s.lines = append(s.lines, blanks.Split(l, -1)...)
			continue
		}
		s.lines = append(s.lines, l)
	}
	s.compare()
}

// expectedText returns all text that the script adds to the transcript.
func expectedText(ops []workload.Op) string {
	var b strings.Builder
	for _, o := range ops {
		switch o.K {
		case "s":
			b.WriteString(o.T)
		case "hist", "out":
			for _, r := range o.Rows {
				b.WriteString(strings.TrimRight(sgr.ReplaceAllString(r, ""), " ") + "\n")
			}
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// aboveFooter returns the rows above the last status row. The status row and the rows below it are
// live.
func aboveFooter(tape []string) []string {
	for i := len(tape) - 1; i >= 0; i-- {
		if strings.Contains(tape[i], " Working · ") {
			return tape[:i]
		}
	}
	return tape
}

// replay plays the log in an emulated terminal with profile p, which first shows some rows of a
// shell. It returns what the terminal shows at the end.
func replay(p profile.Profile, log []workload.Record) picture {
	t := p.New(log[0].Cols, log[0].Rows, 250_000)
	for i := range shellRows {
		fmt.Fprintf(t, "shell %04d\r\n", i)
	}
	var moments []moment
	for i, r := range log {
		if r.Cols == 0 || i == 0 {
			playRecord(t, r)
			continue
		}
		before := viewOf(t)
		playRecord(t, r)
		moments = append(moments, moment{before, viewOf(t)})
	}
	return picture{Alt: t.AltScreen(), Tape: t.Lines(), Grid: t.Screen(), Moments: moments}
}

// foreign plays the log in another emulator, by a script in the folder dir. emulator is xtermjs,
// ghostty or the installed kitty.
func foreign(emulator, dir string, log []workload.Record) (picture, error) {
	var got picture
	out, err := oracle.Tape(dir, emulator, workload.EncodeLog(log), shellRows, true)
	if err != nil {
		return got, err
	}
	return got, json.Unmarshal(out, &got)
}

// String lists the counts that are not zero, or returns "clean".
func (v *verdict) String() string {
	if v == nil || *v == (verdict{}) {
		return "clean"
	}
	if v.clean() {
		return strings.TrimSpace("clean but " + v.counts())
	}
	return v.counts()
}

func (v *verdict) counts() string {
	b, _ := json.Marshal(v)
	var parts []string
	for _, p := range strings.Split(strings.Trim(string(b), "{}"), ",") {
		if !strings.HasSuffix(p, ":0") {
			parts = append(parts, strings.ReplaceAll(p, `"`, ""))
		}
	}
	return strings.Join(parts, " ")
}

// grid compares the terminal's grid with the expected rows of a full-screen pane.
func (v *verdict) grid(grid, rows []string) {
	for y, got := range grid {
		if y >= len(rows) || got != rows[y] {
			v.Grid++
		}
	}
}

func (v *verdict) tape(lines, want []string) {
	left, ids := map[string]int{}, map[string]int{}
	for _, r := range want {
		left[r]++
		for _, w := range strings.Fields(r) {
			ids[w]++
		}
	}
	seen := map[string]bool{}
	for r := range left {
		seen[r] = true
	}
	v.Shell = shellRows
	for _, l := range lines {
		switch {
		case shell.MatchString(l):
			v.Shell--
			continue
		case footer.MatchString(l):
			v.StaleFooterRows++
			continue
		case l == "":
			v.Blank++
			continue
		case left[l] > 0:
			left[l]--
		case seen[l]:
			v.Dup++
		default:
			v.Garbage++
		}
		for _, w := range strings.Fields(l) {
			ids[w]--
		}
	}
	for _, n := range left {
		v.Lost += n
	}
	for w, n := range ids {
		switch isID := id.MatchString(w); {
		case isID && n > 0:
			v.LostIDs += n
		case isID && n < 0:
			v.DupIDs -= n
		case n < 0:
			v.Extra -= n
		}
	}
}
