package play

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// transcript is n rows of 74 columns and more, that every greedy wrapper breaks in the same places
// at 80 columns.
func transcript(n int) []string {
	var rows []string
	for i := range n {
		row := fmt.Sprintf("r%06d", i)
		for j := 0; len(row) < 68; j++ {
			row += " " + strings.Repeat(string(rune('a'+(i+j)%26)), 3+(i*7+j*5)%4)
		}
		rows = append(rows, row+" "+strings.Repeat("z", 77-len(row)))
	}
	return rows
}

func chatScript(rows []string) workload.Script {
	s := workload.Script{Ops: []workload.Op{{K: "size", W: 80, H: 24}, {K: "begin", T: "all"}}, Expect: rows}
	text := strings.Join(rows[:5], " ") + "\n"
	for len(text) > 0 {
		n := min(16, len(text))
		s.Ops = append(s.Ops, workload.Op{K: "s", T: text[:n]})
		text = text[n:]
	}
	s.Ops = append(s.Ops, workload.Op{K: "hist", Rows: []string{strings.Join(rows[5:10], " "),
		strings.Join(rows[10:15], " ")}}, workload.Op{K: "msgend"},
		workload.Op{K: "out", Rows: rows[15:60]}, workload.Op{K: "tick"}, workload.Op{K: "key", T: "x"},
		workload.Op{K: "key", T: "y"},
		workload.Op{K: "resize", W: 100, H: 20}, workload.Op{K: "resize", W: 80, H: 24}, workload.Op{K: "tick"},
		workload.Op{K: "end"})
	return s
}

func TestAScriptLeavesItsRowsOnTheTape(t *testing.T) {
	script := chatScript(transcript(60))
	for _, policy := range []string{"para", "msg"} {
		for _, terminal := range []string{"xtermjs", "ghostty", "tmux", "xterm"} {
			t.Run(policy+"/"+terminal, func(t *testing.T) {
				log := filepath.Join(t.TempDir(), "log")
				synctest.Test(t, func(t *testing.T) {
					r, err := play(script, options{Policy: policy, Resize: "preserve", Profile: terminal, Log: log})
					if err != nil {
						t.Fatal(err)
					}
					if *r.Tape != (verdict{}) {
						t.Errorf("%+v", *r.Tape)
					}
					w := r.Windows[0]
					if w.Frames != len(script.Ops)-3 || w.Bytes == 0 || w.Writes < w.Frames/2 || w.CPU <= 0 ||
						w.Allocs == 0 {
						t.Errorf("%+v of %d ops", w, len(script.Ops))
					}
				})
				checkLog(t, log)
			})
		}
	}
}

// checkLog reads a log as the format says and requires the sizes of the script.
func checkLog(t *testing.T, file string) {
	t.Helper()
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []string
	for first := true; len(log) > 0; first = false {
		kind, n := log[0], binary.LittleEndian.Uint32(log[1:])
		data := log[5 : 5+n]
		log = log[5+n:]
		if kind == 'R' {
			sizes = append(sizes, fmt.Sprintf("%dx%d", binary.LittleEndian.Uint16(data),
				binary.LittleEndian.Uint16(data[2:])))
		} else if kind != 'D' || first {
			t.Fatalf("record %c", kind)
		}
	}
	if got := strings.Join(sizes, " "); got != "80x24 100x20 80x24" {
		t.Errorf("sizes %s", got)
	}
}

func TestAPaneShowsItsRows(t *testing.T) {
	rows := transcript(200)
	script := workload.Script{Expect: rows[57:81],
		Ops: []workload.Op{{K: "size", W: 80, H: 24}, {K: "pane", Rows: rows}, {K: "begin", T: "down"},
			{K: "scroll", N: 60}, {K: "scroll", N: -3}, {K: "end"}}}
	synctest.Test(t, func(t *testing.T) {
		r, err := play(script, options{Policy: "para", Resize: "preserve", Profile: "xtermjs"})
		if err != nil || *r.Tape != (verdict{}) || r.Windows[0].Frames != 2 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// What is made in memory and what is written to files and read back is the same script.
func TestAScriptIsSavedAndLoaded(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"w5s", "w4s"} {
		s, err := workload.Make(name, 80, 24, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := Save(s, dir, name); err != nil {
			t.Fatal(err)
		}
		got, err := Load(filepath.Join(dir, name+"-80x24.jsonl"), filepath.Join(dir, name+"-80x24.expect"))
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%s is not the same: %v", name, err)
		}
	}
	if _, err := Load(filepath.Join(dir, "none"), ""); err == nil {
		t.Error("a file that does not exist is loaded")
	}
}

// The table has a line for each window of each contestant, and says what is over its budget.
func TestTheTableNamesTheBudgets(t *testing.T) {
	var out strings.Builder
	inProcess := func(c contestant, file string, o options) (r *result, err error) {
		s, err := Load(file, "")
		if err != nil {
			return nil, err
		}
		if c.name != ours { // a peer that loses a row, and writes more
			s.Ops = append(s.Ops[:2:2], s.Ops[3:]...)
		}
		synctest.Test(t, func(*testing.T) { r, err = play(s, o) })
		if c.name != ours && err == nil {
			r.Windows[0].Bytes *= 3
		}
		return r, err
	}
	tb := table{w: &out, who: []contestant{{name: ours}, {name: "peer", only: []string{"w4"}}},
		names: []string{"w6", "w4", "w2-1000"}, sizes: []string{"100x30"},
		policies: []string{"para"}, terminals: []string{"xtermjs", "ghostty"}, seed: 1, rounds: 1, play: inProcess,
		dir: t.TempDir()}
	if err := tb.run(options{Resize: "preserve"}); err != nil {
		t.Fatal(err)
	}
	lines, summary, _ := strings.Cut(out.String(), "\n\n")
	if n := strings.Count(lines, "\n"); n != 3*2+2+1+2 {
		t.Errorf("%d lines:\n%s", n, lines)
	}
	for _, want := range []string{"W6 bytes a line, up", "W4 bytes a frame", "W2 bytes a tick"} {
		if !strings.Contains(summary, want) {
			t.Errorf("no %q in\n%s", want, summary)
		}
	}
	if !regexp.MustCompile(`(?m)^W4 .* 1049 +peer [0-9.]+!$`).MatchString(summary) {
		t.Errorf("the peer's tape is not called wrong:\n%s", summary)
	}
	if strings.Contains(summary, "OVER") {
		t.Errorf("over the budget:\n%s", summary)
	}
	for i := range tb.lines {
		tb.lines[i].bytes *= 10
		tb.lines[i].tape = &verdict{Lost: 1}
	}
	out.Reset()
	if err := tb.summary(); err != nil || strings.Count(out.String(), "OVER") != 4+1 {
		t.Errorf("ten times the bytes are within the budgets:\n%s", out.String())
	}
	tb.names = []string{"w0"}
	if err := tb.run(options{}); err == nil {
		t.Error("a workload that does not exist is measured")
	}
}

// Each fault is put into the bytes of a good run, and must be counted.
func TestFaultsAreCounted(t *testing.T) {
	rows := transcript(4)
	footer := "⠋ Working · 4 tokens · esc to interrupt\r\n> \r\n  model peer-1 · 100% context left"
	good := strings.Join(rows, "\r\n") + "\r\n" + footer
	for _, c := range []struct {
		name, bytes string
		want        verdict
	}{
		{"nothing wrong", good, verdict{}},
		{"a row lost", strings.Replace(good, rows[2]+"\r\n", "", 1), verdict{Lost: 1, LostIDs: 1}},
		{"a row doubled", rows[1] + "\r\n" + good, verdict{Dup: 1, DupIDs: 1, Extra: len(strings.Fields(rows[1])) - 1}},
		{"a torn row", strings.Replace(good, rows[1], rows[1][:20], 1), verdict{Lost: 1, Garbage: 1, Extra: 1}},
		{"a footer left behind", footer + "\r\n" + good, verdict{StaleFooterRows: 3}},
		{"a blank row", "\r\n" + good, verdict{Blank: 1}},
		{"history erased", "\x1b[H\x1b[2J\x1b[3J" + good, verdict{Shell: shellRows, Erasures: 1}},
	} {
		p, _ := profile.ByName("xtermjs")
		log := []workload.Record{{Cols: 80, Rows: 24}, {Data: []byte(c.bytes)}}
		if got := (trial{script: workload.Script{Expect: rows}, profile: p, log: log}).check(replay(p,
			log)); *got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	script := workload.Script{Ops: []workload.Op{{K: "size", W: 80, H: 24}}}
	for _, o := range []options{{Policy: "para", Resize: "preserve", Profile: "vt52"},
		{Policy: "half", Resize: "preserve", Profile: "xterm"}, {Policy: "para", Resize: "never", Profile: "xterm"}} {
		if _, err := play(script, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	for _, size := range []string{"", "80", "80x", "x24"} {
		if _, _, err := Dimensions(size); err == nil {
			t.Errorf("%q is a size", size)
		}
	}
}

// The whole path from a piece of text to the bytes of its frame: at most 5 allocations, however
// long the transcript is, and the same bytes.
func TestAFrameCostsTheSameAtAnyLength(t *testing.T) {
	s, err := workload.Make("w1scale", 100, 30, 3)
	if err != nil {
		t.Fatal(err)
	}
	end := 0
	for i, o := range s.Ops { // up to 10,000 rows: more is for the table
		if o.K == "begin" && o.T == "100000" {
			break
		}
		if o.K == "end" {
			end = i + 1
		}
	}
	s.Ops, s.Expect = s.Ops[:end], nil
	synctest.Test(t, func(t *testing.T) {
		r, err := play(s, options{Policy: "para", Resize: "preserve", Profile: "ghostty"})
		if err != nil || len(r.Windows) != 3 {
			t.Fatal(err, r)
		}
		first, last := r.Windows[0], r.Windows[2]
		per := func(w window) float64 { return float64(w.Bytes) / float64(w.Frames) }
		if ratio := per(last) / per(first); ratio > 1.05 {
			t.Errorf("%.1f bytes a frame at 10,000 rows, %.1f at 100", per(last), per(first))
		}
		for _, w := range r.Windows {
			if n := float64(w.Allocs) / float64(w.Frames); n > 5 {
				t.Errorf("%s rows: %.1f allocations a frame", w.Name, n)
			}
		}
	})
}

// Text that streams while the window changes its size stands once and in order on the tape of every
// terminal, but for live rows that it has pushed out by itself. (The cursor of a kitty may have
// left its text, and that of xterm.js leaves it where a live row takes another number of rows: what
// is in doubt there is left behind.)
func TestNothingIsDoubledWhileTheSizeChanges(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}} {
		s, err := workload.Make("w5s", size[0], size[1], 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range []string{"para", "msg"} {
			for _, terminal := range []string{"ghostty", "tmux", "xterm", "vte", "xtermjs", "alacritty", "foot",
				"konsole", "urxvt", "screen"} {
				known := terminal == "tmux" || terminal == "ghostty"
				if !everything && (size[0] == 100 || policy == "msg" && !known) {
					continue
				}
				t.Run(fmt.Sprint(size, policy, terminal), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						r, err := play(s, options{Policy: policy, Resize: "preserve", Profile: terminal})
						if err != nil {
							t.Fatal(err)
						}
						v := *r.Tape
						pushes := terminal == "xtermjs" || policy == "msg" &&
							(terminal == "vte" || terminal == "alacritty" || terminal == "urxvt")
						// in 150 sizes: rows of an unfinished message, where a lower window pushes
						// them though there are others below
						if pushes && v.Dup+v.Left <= 100 && v.StaleFooterRows <= 10 {
							v.Dup, v.DupIDs, v.Extra, v.StaleFooterRows, v.Garbage, v.Blank = 0, 0, 0, 0, 0, 0
						}
						if !v.clean() || policy == "para" && v.Left > 0 {
							t.Errorf("%v, %s, %s: %s", size, policy, terminal, r.Tape)
						}
					})
				})
			}
		}
	}
}
