package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
)

// lostTexts returns what a killed session says of its calls, in their order: run, or not.
func lostTexts(t *testing.T, got []provider.Message) string {
	t.Helper()
	var said []string
	for _, p := range got[len(got)-1].Parts {
		r, _ := p.(provider.ToolResult)
		switch {
		case strings.Contains(r.Text, "may have had effects"):
			said = append(said, r.ID+" perhaps")
		case strings.Contains(r.Text, "it had no effect"):
			said = append(said, r.ID+" not")
		default:
			t.Errorf("%+v", r)
		}
	}
	return strings.Join(said, ", ")
}

func TestACallThatWasNotBegunHadNoEffect(t *testing.T) {
	asks := assistant(call("1", "{}"), call("2", "{}"), call("12", "{}"))
	for name, c := range map[string]struct {
		act  func(l *session.Log, now *weather) error
		want string
	}{
		"none": {func(*session.Log, *weather) error { return nil }, "1 not, 2 not, 12 not"},
		"the first": {func(l *session.Log, _ *weather) error { return l.BeginCall("1") },
			"1 perhaps, 2 not, 12 not"},
		"a part of one": {func(l *session.Log, _ *weather) error { return l.BeginCall("12.2") },
			"1 not, 2 not, 12 perhaps"},
		"a label, and one": {func(l *session.Log, _ *weather) error {
			return errors.Join(l.Label("3", "here"), l.BeginCall("2"))
		}, "1 not, 2 perhaps, 12 not"},
		"it has moved": {func(l *session.Log, _ *weather) error { _, err := l.Move("3", ""); return err },
			"1 perhaps, 2 perhaps, 12 perhaps"},
		"no room for the note": {func(l *session.Log, now *weather) error {
			now.set(fault{write: syscall.ENOSPC})
			if err := l.BeginCall("1"); err == nil || !strings.Contains(err.Error(), "no space") {
				t.Errorf("a call begins without its note: %v", err)
			}
			return nil
		}, "1 not, 2 not, 12 not"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, now := broken(t)
			l := create(t, cfg, user(parsedText("x")), asks)
			defer l.Close()
			if err := c.act(l, now); err != nil {
				t.Fatal(err)
			}
			if got := lostTexts(t, afterKill(t, cfg, l)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// A message that had to wait for room says nothing of its calls, so they begin without a note.
func TestAMessageThatWaitsProvesNothing(t *testing.T) {
	for name, f := range map[string]fault{
		"no room":                            {write: syscall.ENOSPC},
		"not on the disk, and cannot be cut": {sync: syscall.EIO, truncate: syscall.EIO},
	} {
		cfg, now := broken(t)
		l := create(t, cfg, user(parsedText("x")))
		now.set(f)
		if err := l.Append(assistant(call("1", "{}"))); err != nil {
			t.Fatal(err)
		}
		began := l.BeginCall("1")
		now.set(fault{})
		if err := l.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := lostTexts(t, afterKill(t, cfg, l)); got != "1 perhaps" && began == nil {
			t.Errorf("%s: %s", name, got)
		}
		l.Close()
	}
}

// Wherever the file is cut off behind the note, the call may have had effects.
func TestNoCutMakesARunCallOneThatWasNot(t *testing.T) {
	cfg := config(t)
	l := create(t, cfg, user(parsedText("x")), assistant(call("1", "{}")))
	before := len(readFile(t, l))
	if err := l.BeginCall("1"); err != nil {
		t.Fatal(err)
	}
	whole := readFile(t, l)
	l.Close()
	for cut := before; cut <= len(whole)+1; cut++ {
		text := whole[:min(cut, len(whole))]
		if cut > len(whole) { // a damaged note proves nothing
			text = strings.Replace(whole, `"kind":"run"`, `"kind":"rrn`, 1)
		}
		cfg.Dir = filepath.Join(t.TempDir(), "sessions")
		there := filepath.Join(cfg.Dir, filepath.Base(filepath.Dir(l.Path())), filepath.Base(l.Path()))
		if err := errors.Join(os.MkdirAll(filepath.Dir(there), 0o700),
			os.WriteFile(there, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		r, got := resume(t, cfg, l.ID())
		want := "1 perhaps"
		if cut == before {
			want = "1 not"
		}
		if said := lostTexts(t, got); said != want {
			t.Errorf("cut at %d of %d: %s, want %s", cut-before, len(whole)-before, said, want)
		}
		r.Close()
	}
}
