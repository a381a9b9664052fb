package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

func vtdump(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, strings.NewReader(stdin), &out, &errs); code != 0 {
		t.Fatalf("vtdump %v: exit %d: %s", args, code, &errs)
	}
	return out.String()
}

func decode(t *testing.T, line string) screen.Dump {
	t.Helper()
	var d screen.Dump
	if err := json.Unmarshal([]byte(line), &d); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return d
}

const sample = "one\r\n\x1b[1;4:3;38;5;9;58:2::1:2:3mtwo 世e\u0301\x1b[0m\r\n" +
	"\x1b]8;;http://x\x1b\\three\x1b]8;;\x1b\\ wraps\x1b]2;title\a\x1b[5n\a\x1b[4h\x1b[6 q\x1b[1\"qP"

func TestOneDumpAtEndOfInputHasEveryField(t *testing.T) {
	out := vtdump(t, sample, "--cols", "9", "--rows", "3", "--scrollback", "10")
	d := decode(t, out)
	if strings.Count(out, "\n") != 1 {
		t.Errorf("not one line: %q", out)
	}
	want := map[string]any{
		"emu": "scrollkeep vt", "cols": 9, "rows": 3, "screen": "normal", "scrollback_len": 1, "title": "title",
		"bells":       1,
		"cursor":      map[string]any{"row": 2, "col": 3, "visible": true, "pending_wrap": false, "shape": "bar"},
		"replies":     "G1swbg==",
		"unsupported": []any{}, "images": []any{},
		"scrollback": []any{map[string]any{"text": "one",
			"cells": []any{map[string]any{"t": "o"}, map[string]any{"t": "n"}, map[string]any{"t": "e"}}}},
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for key, value := range want {
		w, _ := json.Marshal(value)
		if g, _ := json.Marshal(got[key]); string(g) != string(w) {
			t.Errorf("%s: got %s, want %s", key, g, w)
		}
	}
	for i, text := range []string{"two 世e\u0301", "three wra", "psP"} {
		if d.Grid[i].Text != text || d.Grid[i].Wrapped != (i == 1) {
			t.Errorf("row %d: got %q, wrapped %v; want %q", i, d.Grid[i].Text, d.Grid[i].Wrapped, text)
		}
	}
	for i, want := range []string{
		`{"t":"t","fg":"idx:9","attrs":["bold"],"ul":"curly","ulc":"rgb:010203"}`,
		`{"t":"世","w":2,"fg":"idx:9","attrs":["bold"],"ul":"curly","ulc":"rgb:010203"}`,
		`{"w":0,"fg":"idx:9","attrs":["bold"],"ul":"curly","ulc":"rgb:010203"}`,
	} {
		if got, _ := json.Marshal(d.Grid[0].Cells[[]int{0, 4, 5}[i]]); string(got) != want {
			t.Errorf("cell %d: got %s, want %s", i, got, want)
		}
	}
	if c := d.Grid[2].Cells[2]; !c.Prot || c.Text != "P" {
		t.Errorf("protected cell: %+v", c)
	}
	if c := d.Grid[1].Cells[0]; c.Link != "http://x" {
		t.Errorf("linked cell: %+v", c)
	}
	if len(d.Modes) == 0 || d.Modes[0] != "4" {
		t.Errorf("modes %v", d.Modes)
	}
}

func TestChunksDoNotMatter(t *testing.T) {
	want := vtdump(t, sample, "--cols", "9", "--rows", "3")
	for _, k := range []string{"1", "2", "3", "7", "64"} {
		if got := vtdump(t, sample, "--cols", "9", "--rows", "3", "--chunk", k); got != want {
			t.Errorf("chunk %s:\n%swant\n%s", k, got, want)
		}
	}
}

func TestAScriptDrivesOneTerminalAfterAnother(t *testing.T) {
	out := vtdump(t, `{"write":"aGVsbG8="}
{"dump":"brief"}
{"reset":{"cols":4,"rows":2,"scrollback":5}}
{"write":"aGVsbG8="}
{"dump":"screen"}
{"resize":[5,2]}
{"dump":true}`, "--script", "--cols", "20", "--rows", "5")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines: %s", len(lines), out)
	}
	brief, small, wide := decode(t, lines[0]), decode(t, lines[1]), decode(t, lines[2])
	if brief.Cols != 20 || brief.Cursor.Col != 5 || brief.Grid != nil || strings.Contains(lines[0], `"grid"`) ||
		strings.Contains(lines[0], `"images"`) {
		t.Errorf("brief: %s", lines[0])
	}
	if small.Cols != 4 || !small.Grid[0].Wrapped || small.Grid[1].Text != "o" ||
		strings.Contains(lines[1], `"scrollback":`) {
		t.Errorf("screen: %s", lines[1])
	}
	if wide.Grid[0].Text != "hello" || !strings.Contains(lines[2], `"scrollback":[]`) {
		t.Errorf("after the resize: %s", lines[2])
	}
}

func TestLiveAnswersBeforeMoreIsRead(t *testing.T) {
	in, ask := io.Pipe()
	answer, out := io.Pipe()
	done := make(chan int)
	go func() { done <- run([]string{"--live", "--cols", "30", "--rows", "7"}, in, out, io.Discard) }()
	for _, tt := range [][2]string{{"\x1b[5n", "\x1b[0n"}, {"ab\x1b[6n", "\x1b[1;3R"}, {"\x1b[18t", "\x1b[8;7;30t"}} {
		go ask.Write([]byte(tt[0]))
		got := make([]byte, len(tt[1]))
		if _, err := io.ReadFull(answer, got); err != nil || string(got) != tt[1] {
			t.Fatalf("%q: got %q, %v, want %q", tt[0], got, err, tt[1])
		}
	}
	ask.Close()
	if code := <-done; code != 0 {
		t.Errorf("exit %d", code)
	}
}

func TestBenchPrintsWhatItFed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bytes")
	if err := os.WriteFile(file, bytes.Repeat([]byte("line\r\n"), 30_000), 0o600); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Bytes         int
		Seconds       float64
		MBs           float64 `json:"mb_s"`
		ScrollbackLen int     `json:"scrollback_len"`
	}
	if err := json.Unmarshal([]byte(vtdump(t, "", "--bench", file, "--rows", "10", "--scrollback", "500")),
		&got); err != nil {
		t.Fatal(err)
	}
	if got.Bytes != 180_000 || got.ScrollbackLen != 500 || got.Seconds <= 0 || got.MBs <= 0 {
		t.Errorf("got %+v", got)
	}
}

func TestBadUseIsRefused(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		stdin string
		code  int
	}{
		{[]string{"--cols", "0"}, "", 2},
		{[]string{"--scrollback", "-1"}, "", 2},
		{[]string{"--script", "--live"}, "", 2},
		{[]string{"file"}, "", 2},
		{[]string{"--nonsense"}, "", 2},
		{[]string{"--bench", "no such file"}, "", 1},
		{[]string{"--script"}, `{"dump":"everything"}`, 1},
		{[]string{"--script"}, `{"write":"not base64!"}`, 1},
		{[]string{"--script"}, `{}`, 1},
	} {
		var errs bytes.Buffer
		if code := run(tt.args, strings.NewReader(tt.stdin), io.Discard, &errs); code != tt.code || errs.Len() == 0 {
			t.Errorf("%v: exit %d, message %q; want exit %d", tt.args, code, &errs, tt.code)
		}
	}
}
