package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// threeFiles is a message that changes three files.
const threeFiles = `{"say":"Three.","tool_calls":[` +
	`{"id":"a","name":"write_file","input":{"path":"new/a.txt","content":"aa\n"}},` +
	`{"id":"b","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"the"}},` +
	`{"id":"c","name":"write_file","input":{"path":"new/c.txt","content":"cc\n"}}]}`

// ask begins a turn and waits until its first pane is armed.
func (s *session) ask() {
	s.Type("go")
	s.Press("enter")
	s.pass(3 * time.Second)
}

func TestSeveralChangesStandInOnePane(t *testing.T) {
	play(t, []string{threeFiles, `{"expect":["user denied this tool call"],"say":"Done."}`}, func(s *session) {
		s.ask()
		s.holds("1/3 write new/a.txt  new file, 1 line", "[}] next  [A]ll")
		s.Press("}", "}") // the second one before the first one's frame
		s.Settle()
		s.holds("3/3 write new/c.txt")
		s.Press("y") // not a second yet
		s.pass(2 * time.Second)
		if got := s.file("new/c.txt"); got != "(none)" {
			t.Errorf("a y before its time wrote %q", got)
		}
		s.Press("y")
		s.pass(3 * time.Second)
		if got := s.file("new/c.txt"); got != "cc\n" {
			t.Errorf("new/c.txt is %q", got)
		}
		s.holds("1/3 write new/a.txt") // around
		s.Press("{")
		s.pass(3 * time.Second)
		s.holds("2/3 edit notes.md:3")
		s.Press("n")
		s.pass(3 * time.Second)
		if got := s.file("notes.md"); got != notes {
			t.Errorf("a denied edit wrote %q", got)
		}
		s.holds("1/3 write new/a.txt")
		s.lacks("[A]ll") // there is only one left
		s.Press("y")     // its directory was made meanwhile, by the change that was approved with it
		s.pass(3 * time.Second)
		if got := s.file("new/a.txt"); got != "aa\n" {
			t.Errorf("new/a.txt is %q\n%s", got, s.tape())
		}
		s.holds("Done.")
		s.lacks("[y]es", "1/3", "file changed while")
	})
}

func TestOneAnswerIsForAllThatWereShown(t *testing.T) {
	play(t, []string{threeFiles, `{"say":"Done."}`}, func(s *session) {
		s.ask()
		s.Press("}")
		s.pass(2 * time.Second)
		s.Press("A")
		s.pass(100 * time.Millisecond)
		s.holds("all changes", "One answer for all of these changes, which you have seen:",
			"1  write new/a.txt  new file, 1 line", "2  edit notes.md:3", "Not for these:",
			"3  write new/c.txt  new file, 1 line: not shown yet", "(y)es to 2  [n]o to 2")
		s.Press("y") // the list has not been there for a second
		s.pass(3 * time.Second)
		if a, b := s.file("new/a.txt"), s.file("notes.md"); a != "(none)" || b != notes {
			t.Fatalf("a y before its time wrote %q and %q", a, b)
		}
		s.Press("y")
		s.pass(3 * time.Second)
		if a, b, c := s.file("new/a.txt"), s.file("notes.md"), s.file("new/c.txt"); a != "aa\n" ||
			!strings.HasSuffix(b, "the end\n") || c != "(none)" {
			t.Errorf("files are %q, %q, %q\n%s", a, b, c, s.tape())
		}
		s.holds("3/3 write new/c.txt")
		s.Press("A")
		s.pass(100 * time.Millisecond)
		s.Press("n")
		s.pass(3 * time.Second)
		s.holds("✗ write new/c.txt", "Done.")
	})
}

func TestAChangeThatWasPassedByIsNotOneOfThoseThatWereShown(t *testing.T) {
	play(t, []string{threeFiles, `{"say":"Done."}`}, func(s *session) {
		s.ask()
		s.Press("}")
		s.pass(900 * time.Millisecond)
		s.Press("}")
		s.pass(2 * time.Second)
		s.Press("A")
		s.pass(100 * time.Millisecond)
		s.holds("(y)es to 2")
		s.lacks("[y]es to 2")
		s.pass(2 * time.Second)
		s.holds("2  edit notes.md:3  +1 -1 in 1 hunk: not shown yet", "[y]es to 2")
	})
}

// A pane may hear of its file, or get back from its editor, when it is not on the table any more:
// it was replaced, the turn was stopped, or it has ended.
func TestAPaneThatWasTakenAwayAnswersNothing(t *testing.T) {
	for _, proposals := range []string{threeFiles, oneEdit} {
		late := func(n *pane, edited bool) {
			if edited {
				n.giveAnswer(approval.Revise{ID: n.proposal.ID, After: []byte("mine")})
			} else {
				n.markStale()
			}
		}
		for _, edited := range []bool{false, true} {
			play(t, []string{proposals, `{"say":"Done."}`}, func(s *session) {
				s.ask()
				var at int
				s.sh.app.Do(func() {
					d := s.sh.question
					at = d.current
					old := d.panes[at]
					d.replaceProposal(at, old.proposal)
					late(old, edited)
					if n := d.panes[at]; n == nil || n == old || n.answered {
						t.Error("the answer of a pane that was replaced counts")
					}
				})
				s.pass(2 * time.Second)
				s.holds("[y]es")
				s.sh.app.Do(func() {
					d := s.sh.question
					old := d.panes[at]
					d.close()
					late(old, edited)
				})
				s.pass(time.Second)
				s.lacks("✓", "[y]es")
			})
		}
	}
}

func TestAStopTakesAllPanesAway(t *testing.T) {
	play(t, []string{threeFiles, `{"say":"Not reached."}`}, func(s *session) {
		s.ask()
		s.Press("f")
		s.pass(time.Second)
		s.Press("}")
		s.pass(2 * time.Second)
		if got := s.Visible(); !strings.Contains(got, "2/3 edit notes.md:3") || !strings.Contains(got, "[f] small") {
			t.Errorf("on the whole screen\n%s", got)
		}
		s.Press("escape") // closes the full screen
		s.pass(2 * time.Second)
		s.lacks("[f] small")
		s.Press("escape")
		s.pass(3 * time.Second)
		s.holds("✗ write new/a.txt", "✗ edit notes.md", "✗ write new/c.txt", "stopped")
		s.lacks("[y]es", "Not reached", "2/3")
		if _, err := os.Stat(filepath.Join(s.dir, "new")); err == nil {
			t.Error("something was written")
		}
	})
}

func TestOneOfSeveralFilesThatChangesIsShownAfresh(t *testing.T) {
	play(t, []string{threeFiles, `{"say":"Done."}`}, func(s *session) {
		s.ask()
		s.Press("}")
		s.pass(2 * time.Second)
		if err := os.WriteFile(filepath.Join(s.dir, "notes.md"), []byte("somebody\nteh end\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.pass(600 * time.Millisecond)
		s.holds("2/3 edit notes.md:2", "this is the new diff", "1  1    somebody")
		s.Press("y") // it has not been there for a second
		s.pass(100 * time.Millisecond)
		if got := s.file("notes.md"); got != "somebody\nteh end\n" {
			t.Fatalf("a y that was meant for the old diff wrote %q", got)
		}
		s.pass(3 * time.Second)
		s.Press("tab") // the y went to the prompt, if the pane had no focus yet: now it has been seen with the keys
		s.pass(1100 * time.Millisecond)
		s.Press("A")
		s.pass(1100 * time.Millisecond)
		s.Press("y")
		s.pass(3 * time.Second)
		if got := s.file("notes.md"); got != "somebody\nthe end\n" {
			t.Errorf("notes.md is %q\n%s", got, s.tape())
		}
	})
}
