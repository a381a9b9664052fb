package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/profile"
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

// picture is what an emulator shows at the end.
type picture struct {
	Alt  bool     `json:"alt"`  // the alternate screen
	Tape []string `json:"tape"` // scrollback and grid, soft-wrapped rows joined
	Grid []string `json:"grid"`
}

// judge compares what is shown with the expected rows.
func judge(got picture, log []record, want []string) *verdict {
	var rows []string
	for _, r := range want {
		rows = append(rows, strings.TrimRight(sgr.ReplaceAllString(r, ""), " "))
	}
	v := &verdict{}
	for _, r := range log {
		v.Erasures += bytes.Count(r.data, []byte("\x1b[3J"))
	}
	if got.Alt {
		v.grid(got.Grid, rows)
	} else {
		v.tape(got.Tape, rows)
	}
	return v
}

// replay plays the log in the emulator of this module, which has seen a shell before.
func replay(p profile.Profile, log []record) picture {
	t := p.New(log[0].cols, log[0].rows, 250_000)
	for i := range shellRows {
		fmt.Fprintf(t, "shell %04d\r\n", i)
	}
	for _, r := range log {
		r.play(t)
	}
	return picture{Alt: t.AltScreen(), Tape: t.Lines(), Grid: t.Screen()}
}

// foreign plays the log in another emulator (xtermjs or ghostty), by tape.mjs in folder oracle.
func foreign(emulator, oracle string, log []record) (picture, error) {
	var got picture
	f, err := os.CreateTemp("", "workload")
	if err != nil {
		return got, err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(encode(log)); err != nil {
		return got, errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return got, err
	}
	cmd := exec.Command("node", filepath.Join(oracle, "tape.mjs"), "--log", f.Name(), "--emulator", emulator, "--graphemes", "--shell", strconv.Itoa(shellRows))
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return got, fmt.Errorf("%s: %w: %s", emulator, err, exit.Stderr)
	}
	if err != nil {
		return got, fmt.Errorf("%s: %w", emulator, err)
	}
	return got, json.Unmarshal(out, &got)
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

// grid compares a pane.
func (v *verdict) grid(grid, rows []string) {
	for y, got := range grid {
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
