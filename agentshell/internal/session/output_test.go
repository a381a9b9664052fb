package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// outputsOf returns the directory of the outputs of l.
func outputsOf(l *session.Log) string { return strings.TrimSuffix(l.Path(), ".jsonl") + ".outputs" }

func TestAResumedSessionHasTheOutputsOfTheEarlierOne(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	if n := l.LastOutput(); n != 0 {
		t.Errorf("a new session has %d outputs", n)
	}
	for n, text := range map[int]string{1: "one", 2: "with " + secret} {
		if err := l.KeepOutput(n, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.KeepOutput(2, "another"); err != nil { // no caller does that; the newest counts
		t.Error(err)
	}
	if err := l.KeepOutput(2, "with "+secret); err != nil {
		t.Error(err)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700 | os.ModeDir, "1": 0o600} {
		if info, err := os.Stat(filepath.Join(outputsOf(l), name)); err != nil || info.Mode() != mode {
			t.Errorf("%q is %v, %v", name, info.Mode(), err)
		}
	}
	l.Close()
	l, _ = resume(t, cfg, l.ID())
	if one, err := l.Output(1); err != nil || one != "one" {
		t.Errorf("%q, %v", one, err)
	}
	if two, err := l.Output(2); err != nil || !strings.HasPrefix(two, "with ") || strings.Contains(two, "sk-ant") {
		t.Errorf("%q, %v", two, err)
	}
	if text, err := l.Output(3); err == nil {
		t.Errorf("an output that was never kept is %q", text)
	}
	if n := l.LastOutput(); n != 2 {
		t.Errorf("the last one is %d", n)
	}
	fork, _, err := l.Fork()
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	if one, err := fork.Output(1); err != nil || one != "one" || fork.LastOutput() != 2 {
		t.Errorf("the copy has %q, %v, up to %d", one, err, fork.LastOutput())
	}
}

// A number that a conversation names is not given again, also where its output is gone. A number
// that nobody can have given counts for nothing.
func TestTheNumberOfAnOutputIsGivenOnce(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"read_file artifact://output-7 has all of it", 7},
		{"artifact://output-7 and artifact://output-12:40-50", 12},
		{"artifact://output-999999999", 999999999},
		{"artifact://output-9999999999 artifact://output-99999999999999999999", 0},
		{"artifact://output- artifact://output--3 artifact://output-x output-5", 0},
	} {
		l := create(t, config(t), user(provider.Text{Text: c.text}))
		if got := l.LastOutput(); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}

func TestOutputsAreKeptWithinTheirBound(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, talk...)
	for n := 1; n <= 10; n++ {
		if err := l.KeepOutput(n, strings.Repeat("x", 4<<20)); err != nil {
			t.Fatal(err)
		}
		at := cfg.Now()
		if err := os.Chtimes(filepath.Join(outputsOf(l), fmt.Sprint(n)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	l, _ = resume(t, cfg, l.ID())
	for n, kept := range map[int]bool{1: false, 2: false, 3: true, 10: true} {
		if _, err := l.Output(n); (err == nil) != kept {
			t.Errorf("output %d: %v", n, err)
		}
	}
	if n := l.LastOutput(); n != 10 {
		t.Errorf("the last one is %d", n)
	}
}

// Outputs go with their session, however it goes.
func TestOutputsAreRemovedWithTheirSession(t *testing.T) {
	cfg := config(t)
	empty := create(t, cfg)
	if err := empty.KeepOutput(1, "text"); err != nil {
		t.Fatal(err)
	}
	gone, stays := create(t, cfg, talk...), create(t, cfg, talk...)
	for _, l := range []*session.Log{gone, stays} {
		if err := l.KeepOutput(1, "text"); err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	empty.Close()
	if _, err := os.Stat(outputsOf(empty)); err == nil {
		t.Error("the outputs of a session without a message stay")
	}
	if err := os.Remove(gone.Path()); err != nil {
		t.Fatal(err)
	}
	create(t, cfg, talk...)
	for l, want := range map[*session.Log]bool{gone: false, stays: true} {
		if _, err := os.Stat(outputsOf(l)); (err == nil) != want {
			t.Errorf("%s: %v", outputsOf(l), err)
		}
	}
}
