package shell

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// mapped returns a configuration with keys of the person's own.
func mapped(t *testing.T, settings map[string][]string) func(*Config) {
	t.Helper()
	m, err := keymap.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return func(cfg *Config) { cfg.Keys = m }
}

var others = map[string][]string{"submit": {"Ctrl+S"}, "newline": {"Enter"}, "stop": {"F9"}, "delete-or-quit": {},
	"right": {"Ctrl+D"}, "mode": {"F5"}, "offer-accept": {"F2"}, "row-down": {"d"}, "tree-label": {"F4"}}

func TestThePersonsKeysWorkAndTheOldOnesDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, small, mapped(t, others), `{"say":"Sent.","delay_ms":60000}`)
		s.holds("press Ctrl+S", "/quit quits")
		s.Type("one")
		s.Press("enter")
		s.Type("two")
		s.Settle()
		if got := s.prompt(); got != "one\ntwo" {
			t.Fatalf("after Enter the prompt is %q", got)
		}
		for _, k := range []string{"ctrl+d", "ctrl+d", "shift+enter", "ctrl+j", "shift+tab"} { // none does what it did
			s.Press(k)
			s.Settle()
		}
		if got := s.prompt(); got != "one\ntwo" {
			t.Fatalf("keys that are free now made %q of the prompt", got)
		}
		s.Press("ctrl+s")
		s.pass(time.Second)
		s.holds("F9 stops")
		s.Press("esc")
		s.pass(time.Second)
		s.holds("F9 stops")
		s.Press("f9")
		s.pass(time.Second)
		s.lacks("F9 stops")
		for range 3 {
			s.Press("ctrl+d") // in an empty prompt it quits no more
		}
		s.Settle()
		s.send2("/mo", "f2")
		if got := s.prompt(); got != "/model " {
			t.Errorf("the offer gave %q", got)
		}
	})
}

// send2 types text and presses a key.
func (s *session) send2(text, key string) {
	s.Type(text)
	s.Settle()
	s.Press(key)
	s.Settle()
}

func TestAKeyOfThePersonsAnswersNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := map[string][]string{"submit": {"Ctrl+S"}, "row-down": {"d"}, "newline": {"Enter"}}
		s := stage{screen: small, files: map[string]string{"notes.md": notes},
			seen: func(sh *Shell) approval.Approver { return sh }, change: mapped(t, all)}.begin(t,
			oneEdit, `{"say":"Done."}`)
		s.send2("go", "ctrl+s")
		s.pass(5 * time.Second)
		for _, k := range []string{"d", "ctrl+s", "enter", "j", "space"} {
			s.Press(k)
			s.pass(2 * time.Second)
		}
		if got := s.file("notes.md"); got != notes {
			t.Fatalf("a key that is not y wrote %q", got)
		}
		s.holds("[y]es")
		s.Press("?")
		s.pass(time.Second)
		s.holds("d k")
		s.Press("j") // moves no more
		s.pass(time.Second)
		s.holds("keys 1-")
		s.Press("d")
		s.pass(time.Second)
		s.holds("keys 2-")
		s.Press("?")
		s.pass(2 * time.Second)
		s.Press("y")
		s.pass(2 * time.Second)
		if got := s.file("notes.md"); got == notes {
			t.Error("y did not approve")
		}
	})
}

func TestHowKeysLook(t *testing.T) {
	for _, size := range []struct {
		name       string
		cols, rows int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}} {
		t.Run(size.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: size.cols, Rows: size.rows}, mapped(t, map[string][]string{
					"submit": {"Ctrl+S"}, "newline": {"Enter"}, "undo": {}}))
				s.send2("/keys", "ctrl+s")
				s.pass(time.Second)
				s.send2("/keys submit", "ctrl+s")
				s.send2("/keys nothing", "ctrl+s")
				s.pass(time.Second)
				// How many rows have left the grid depends on which frames were merged.
				file := strings.ReplaceAll(t.Name(), "/", "_") + ".golden"
				tuitest.Golden(t, filepath.Join("testdata", file), []byte(s.tape()+"\n"))
			})
		})
	}
}

func TestKeysListsEveryAction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 120, Rows: 40}, mapped(t, others))
		s.send2("/keys", "ctrl+s")
		s.pass(time.Second)
		tape := s.tape()
		for _, g := range (keymap.Map{}).List() {
			for _, r := range g.Rows {
				marked := strings.Contains(tape, "\n* "+r.Name+" ")
				_, changed := others[r.Name]
				if !strings.Contains(tape, "\n  "+r.Name+" ") && !marked || marked != changed {
					t.Errorf("%s is not listed, or its mark is wrong", r.Name)
				}
			}
		}
	})
}
