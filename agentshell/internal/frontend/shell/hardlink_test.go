package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAHardLinkedFileIsWrittenInPlaceByItsOwnAnswer(t *testing.T) {
	play(t, []string{oneEdit, `{"say":"Done."}`}, func(s *session) {
		if err := os.Link(filepath.Join(s.dir, "notes.md"), filepath.Join(s.dir, "other.md")); err != nil {
			t.Fatal(err)
		}
		s.ask()
		s.holds("hardlinked: the file has 2 names; the others keep the old content", "[i]n place", "press Y to approve")
		s.Press("i")
		s.pass(100 * time.Millisecond)
		s.Press("Y") // the new proposal has not been there for a second
		s.pass(3 * time.Second)
		if got := s.file("notes.md"); got != notes {
			t.Fatalf("i wrote %q", got)
		}
		s.Press("tab") // that Y is in the prompt
		s.pass(1100 * time.Millisecond)
		s.holds("all 2 names of the file change", "[i] new file")
		s.Press("Y")
		s.pass(3 * time.Second)
		if a, b := s.file("notes.md"), s.file("other.md"); a != b || !strings.HasSuffix(a, "the end\n") {
			t.Errorf("the names hold %q and %q", a, b)
		}
	})
}
