package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A verdict is what is wrong on the tape: scrollback and grid at the end, soft-wrapped rows joined.
type verdict struct {
	Lost     int `json:"lost"`         // expected rows that are nowhere
	Dup      int `json:"dup"`          // extra copies of expected rows
	Garbage  int `json:"garbage"`      // rows that are nothing known
	Stale    int `json:"stale_footer"` // footer rows above the live region
	Blank    int `json:"blank"`
	LostIDs  int `json:"lost_ids"` // the first three by words, wherever rows are broken
	DupIDs   int `json:"dup_ids"`
	Extra    int `json:"extra_words"`
	Shell    int `json:"shell_lost"`
	Erasures int `json:"erasures_3j"`
	Grid     int `json:"grid_rows_wrong"` // a pane's rows, where the script shows one
}

const shellRows = 40

var (
	sgr    = regexp.MustCompile("\x1b\\[[0-9;:]*m")
	footer = regexp.MustCompile(`^(. Working · |>( |$)|  model peer-1 · )`)
	id     = regexp.MustCompile(`^r\d{6}$`)
)

// judge plays the log in an emulator that has seen a shell before.
func judge(p profile.Profile, log []record, want []string) *verdict {
	var rows []string
	for _, r := range want {
		rows = append(rows, strings.TrimRight(sgr.ReplaceAllString(r, ""), " "))
	}
	t := p.New(log[0].cols, log[0].rows, 250_000)
	for i := range shellRows {
		t.WriteString("shell " + pad(i) + "\r\n")
	}
	v := &verdict{}
	for _, r := range log {
		v.Erasures += bytes.Count(r.data, []byte("\x1b[3J"))
		r.play(t)
	}
	if t.AltScreen() {
		v.grid(t, rows)
		return v
	}
	v.tape(t.Lines(), rows)
	return v
}

// String names the counts that are not zero.
func (v *verdict) String() string {
	if v == nil || *v == (verdict{}) {
		return "clean"
	}
	b, _ := json.Marshal(v)
	var parts []string
	for _, p := range strings.Split(strings.Trim(string(b), "{}"), ",") {
		if !strings.HasSuffix(p, ":0") {
			parts = append(parts, strings.ReplaceAll(p, `"`, ""))
		}
	}
	return strings.Join(parts, " ")
}

func pad(i int) string {
	s := "0000"
	for n := len(s) - 1; i > 0; n, i = n-1, i/10 {
		s = s[:n] + string(rune('0'+i%10)) + s[n+1:]
	}
	return s
}

// grid compares a pane.
func (v *verdict) grid(t *vt.Terminal, rows []string) {
	for y, got := range t.Screen() {
		if y >= len(rows) || got != rows[y] {
			v.Grid++
		}
	}
}

func (v *verdict) tape(lines, want []string) {
	for i := len(lines) - 1; i >= 0; i-- { // the last status row and what is below it is live
		if strings.Contains(lines[i], " Working · ") {
			lines = lines[:i]
			break
		}
	}
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
	shell := 0
	for _, l := range lines {
		switch {
		case strings.HasPrefix(l, "shell "):
			shell++
			continue
		case footer.MatchString(l):
			v.Stale++
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
	v.Shell = shellRows - shell
}
