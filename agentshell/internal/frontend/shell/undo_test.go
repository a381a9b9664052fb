package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// line types a line and lets the time pass that a pane needs.
func (s *session) line(text string) {
	s.t.Helper()
	s.Type(text)
	s.Press("enter")
	s.pass(3 * time.Second)
}

// A change that is taken back is shown first, and written after a yes only; the model is told of
// it; and it can be taken back as well.
func TestAChangeIsTakenBackAsItIsShown(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`,
		`{"expect":["I undid change 1 of notes.md: the file ` +
			`is as it was before, 3 lines."],"say":"I see."}`}, func(s *session) {
		s.line("/undo")
		s.holds("! undo  nothing was changed in this session yet")
		s.line("/undo list")
		s.holds("No file was changed in this session yet.")
		s.line("go")
		s.Press("y")
		s.pass(3 * time.Second)
		changed := strings.Replace(notes, "teh", "the", 1)
		if got := s.file("notes.md"); got != changed {
			t.Fatalf("%q", got)
		}
		s.line("/undo list")
		s.holds("1  edit notes.md  +1 -1, now")
		s.line("/undo")
		s.holds("› /undo", "undo notes.md  +1 -1 in 1 hunk", "3 + teh end", "[y]es")
		if got := s.file("notes.md"); got != changed {
			t.Fatalf("before the answer it is %q", got)
		}
		s.Press("n")
		s.pass(3 * time.Second)
		s.holds("✗ undo notes.md  +1 -1, denied")
		s.line("/undo 1")
		s.Press("y")
		s.pass(3 * time.Second)
		if got := s.file("notes.md"); got != notes {
			t.Errorf("%q", got)
		}
		s.holds("✓ undo notes.md  +1 -1")
		s.line("/undo list")
		s.holds("2  undo 1 notes.md  +1 -1, now", "1  edit notes.md  +1 -1  (undone), now")
		s.line("and now?")
		s.holds("I see.")
		s.line("/undo 2")
		s.Press("y")
		s.pass(3 * time.Second)
		if got := s.file("notes.md"); got != changed {
			t.Errorf("taken back twice: %q", got)
		}
		for text, want := range map[string]string{
			"/undo 2 3": "There is no change 2 3.", "/undo -1": "There is no change -1.",
			"/undo 0": "There is no change 0.", "/undo 9": "! undo 9  there is no change 9 in this session",
		} {
			s.line(text)
			s.holds(want)
		}
	})
}

// A file that was created goes again, and comes again, with the mode that it had.
func TestACreationIsTakenBack(t *testing.T) {
	play(
		t, []string{`{"say":"Now.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"d/new.txt",` +
			`"content":"x\ny\n"}}]}`, `{"say":"Done."}`}, func(s *session) {
			s.line("go")
			s.Press("y")
			s.pass(3 * time.Second)
			name := filepath.Join(s.dir, "d/new.txt")
			mode := func() os.FileMode {
				info, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				return info.Mode()
			}
			was := mode()
			s.line("/undo")
			s.holds("undo d/new.txt  removes the file, -2", "1 - x",
				"! This removes the file and what is empty then of d")
			s.Press("v") // there is no other view
			s.Press("e") // and nothing to edit
			s.pass(time.Second)
			s.holds("1 - x")
			if s.file("d/new.txt") != "x\ny\n" {
				t.Error("it is gone before the answer")
			}
			s.Press("y")
			s.pass(3 * time.Second)
			if _, err := os.Stat(filepath.Join(s.dir, "d")); !os.IsNotExist(err) {
				t.Errorf("the directory: %v", err)
			}
			s.holds("✓ undo d/new.txt  removes the file, -2")
			s.line("/undo 2")
			s.holds("undo d/new.txt  makes the file again, +2", "mode 0644")
			s.Press("y")
			s.pass(3 * time.Second)
			if s.file("d/new.txt") != "x\ny\n" || mode() != was {
				t.Errorf("%q %v, want %v", s.file("d/new.txt"), mode(), was)
			}
		})
}

// What somebody else writes while the pane is open is neither taken away nor asked about any more.
func TestAnUndoThatGoesStaleIsOver(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		s.line("go")
		s.Press("y")
		s.pass(3 * time.Second)
		s.line("/undo")
		s.holds("[y]es")
		if err := os.WriteFile(filepath.Join(s.dir, "notes.md"), []byte("theirs\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.pass(3 * time.Second)
		s.Press("y")
		s.pass(3 * time.Second)
		s.holds("workspace/notes.md is not what change 1 left: it was changed since")
		if got := s.file("notes.md"); got != "theirs\n" {
			t.Errorf("%q", got)
		}
		if s.sh.busy() {
			t.Error("it still waits")
		}
	})
}

// The person's own gesture is asked whatever mode and rules say: none allows it, and a deny rule is
// for the model.
func TestAnUndoIsAlwaysAsked(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		s.line("go")
		s.Press("y")
		s.pass(3 * time.Second)
		deny, err := approval.ParseRule(approval.Deny, "edit_file(**)")
		if err != nil {
			t.Fatal(err)
		}
		if s.sh.cfg.Approval.Policy, err = approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted,
			Rules: []approval.Entry{{Rule: deny}}}); err != nil {
			t.Fatal(err)
		}
		s.line("/undo")
		s.lacks("[a]lways")
		s.holds("[y]es")
		s.Press("escape")
		s.pass(3 * time.Second)
		if strings.Contains(s.file("notes.md"), "teh") {
			t.Error("it was taken back without a yes")
		}
	})
}

func TestUndoWaitsForTheTurn(t *testing.T) {
	play(t, []string{`{"say":"So","hang":true}`}, func(s *session) {
		s.line("go")
		s.line("/undo")
		s.holds("A turn is running.", "then try /undo again")
		s.sh.app.Do(func() { s.sh.cfg.Files.Changes = nil })
		s.line("/undo")
		s.holds("This session keeps no changes")
	})
}
