package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// transcript is n rows of 74 columns and more, that every greedy wrapper breaks in the same places at 80 columns.
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

// prepare writes ops and expected rows to files and returns the ops.
func prepare(t *testing.T, rows []string, lines ...any) (ops []op, expect string) {
	t.Helper()
	dir := t.TempDir()
	var b bytes.Buffer
	for _, l := range lines {
		line, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	file := filepath.Join(dir, "w.jsonl")
	expect = filepath.Join(dir, "w.expect")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(expect, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ops, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	return ops, expect
}

type m = map[string]any

func chatScript(rows []string) []any {
	lines := []any{m{"k": "size", "w": 80, "h": 24}, m{"k": "begin", "t": "all"}}
	text := strings.Join(rows[:5], " ") + "\n"
	for len(text) > 0 {
		n := min(16, len(text))
		lines = append(lines, m{"k": "s", "t": text[:n]})
		text = text[n:]
	}
	return append(lines, m{"k": "hist", "rows": []string{strings.Join(rows[5:10], " "), strings.Join(rows[10:15], " ")}}, m{"k": "msgend"}, m{"k": "out", "rows": rows[15:60]},
		m{"k": "tick"}, m{"k": "key", "t": "x"}, m{"k": "key", "t": "y"}, m{"k": "resize", "w": 100, "h": 20}, m{"k": "resize", "w": 80, "h": 24}, m{"k": "tick"}, m{"k": "end", "t": "all"})
}

func TestAScriptLeavesItsRowsOnTheTape(t *testing.T) {
	rows := transcript(60)
	for _, policy := range []string{"para", "msg"} {
		for _, terminal := range []string{"xtermjs", "ghostty", "tmux", "xterm"} {
			t.Run(policy+"/"+terminal, func(t *testing.T) {
				ops, expect := prepare(t, rows, chatScript(rows)...)
				log := filepath.Join(t.TempDir(), "log")
				synctest.Test(t, func(t *testing.T) {
					r, err := play(ops, options{Policy: policy, Resize: "preserve", Profile: terminal, Expect: expect, Log: log})
					if err != nil {
						t.Fatal(err)
					}
					if *r.Tape != (verdict{}) {
						t.Errorf("%+v", *r.Tape)
					}
					w := r.Windows[0]
					if w.Frames != len(ops)-3 || w.Bytes == 0 || w.Writes < w.Frames/2 || w.CPU <= 0 || w.Allocs == 0 {
						t.Errorf("%+v of %d ops", w, len(ops))
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
			sizes = append(sizes, fmt.Sprintf("%dx%d", binary.LittleEndian.Uint16(data), binary.LittleEndian.Uint16(data[2:])))
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
	ops, expect := prepare(t, rows[57:81], m{"k": "size", "w": 80, "h": 24}, m{"k": "pane", "rows": rows}, m{"k": "begin", "t": "down"},
		m{"k": "scroll", "n": 60}, m{"k": "scroll", "n": -3}, m{"k": "end", "t": "down"})
	synctest.Test(t, func(t *testing.T) {
		r, err := play(ops, options{Policy: "para", Resize: "preserve", Profile: "xtermjs", Expect: expect})
		if err != nil || *r.Tape != (verdict{}) || r.Windows[0].Frames != 2 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// Each fault is put into the bytes of a good run, and must be counted.
func TestFaultsAreCounted(t *testing.T) {
	rows := transcript(4)
	_, expect := prepare(t, rows, m{"k": "size", "w": 80, "h": 24})
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
		{"a footer left behind", footer + "\r\n" + good, verdict{Stale: 3}},
		{"a blank row", "\r\n" + good, verdict{Blank: 1}},
		{"history erased", "\x1b[H\x1b[2J\x1b[3J" + good, verdict{Shell: shellRows, Erasures: 1}},
	} {
		p, _ := profile.ByName("xtermjs")
		got, err := judge(p, []record{{cols: 80, rows: 24}, {data: []byte(c.bytes)}}, expect)
		if err != nil || *got != c.want {
			t.Errorf("%s: %+v, want %+v, %v", c.name, *got, c.want, err)
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.jsonl")
	for _, text := range []string{"", "{\"k\":\"s\"}\n", "nonsense\n"} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := read(file); err == nil {
			t.Errorf("%q is taken for a script", text)
		}
	}
	size := op{K: "size", W: 80, H: 24}
	for _, o := range []options{{Policy: "para", Resize: "preserve", Profile: "vt52"}, {Policy: "half", Resize: "preserve", Profile: "xterm"}, {Policy: "para", Resize: "never", Profile: "xterm"}} {
		if _, err := play([]op{size}, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
