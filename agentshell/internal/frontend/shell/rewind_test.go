package shell

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// changing is a script that writes a.txt and b.txt in three turns.
var changing = []string{
	writing("a.txt", "one\n"), `{"say":"First.","delay_ms":0}`,
	`{"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":"a.txt","content":"two\n"}},` +
		`{"id":"2","name":"write_file","input":{"path":"b.txt","content":"b\n"}}]}`, `{"say":"Second.","delay_ms":0}`,
	writing("a.txt", "three\n"), `{"say":"Third.","delay_ms":0}`,
}

func writing(name, text string) string {
	return fmt.Sprintf(`{"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":%q,"content":%q}}]}`,
		name, text)
}

// thrice returns a session in which the script was played.
func thrice(t *testing.T, cols, rows int, more ...string) (*session, *logged) {
	t.Helper()
	s, l := beginLogged(t, tuitest.Config{Cols: cols, Rows: rows}, nil, append(changing[:len(changing):len(changing)],
		more...)...)
	for i, text := range []string{"begin it", "the second step", "and a third"} {
		s.send(text)
		s.pass(2 * time.Second)
		for range []int{1, 2, 1}[i] {
			s.Press("y")
			s.pass(4 * time.Second)
		}
	}
	if s.file("a.txt") != "three\n" || s.file("b.txt") != "b\n" {
		t.Fatalf("%q %q\n%s", s.file("a.txt"), s.file("b.txt"), s.tape())
	}
	return s, l
}

// back opens /rewind, goes so many messages up from the last one and chooses.
func (s *session) back(up int, what string) {
	s.t.Helper()
	s.send("/rewind")
	for range up {
		s.Press("up")
		s.Settle()
	}
	s.Press("enter")
	s.pass(time.Second)
	if what != "" {
		s.Type(what)
		s.Press("enter")
		s.pass(3 * time.Second)
	}
}

func TestARewindShowsEachDiffBeforeAByteIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := thrice(t, 90, 30, `{"expect":"other words","expect_not":"the second step","say":"On.","delay_ms":0}`)
		s.back(1, "the conversation and")
		v := s.Visible()
		if !strings.Contains(v, "1/2 undo a.txt") || s.file("a.txt") != "three\n" || s.file("b.txt") != "b\n" {
			t.Fatalf("before an answer: %q %q\n%s", s.file("a.txt"), s.file("b.txt"), v)
		}
		s.holds("undo a.txt  +1 -1")
		s.Press("y")
		s.pass(4 * time.Second)
		if s.file("a.txt") != "one\n" || s.file("b.txt") != "b\n" {
			t.Errorf("after one answer: %q %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.holds("undo b.txt  removes the file")
		s.Press("y")
		s.pass(4 * time.Second)
		if s.file("a.txt") != "one\n" || s.file("b.txt") != "(none)" {
			t.Errorf("after both answers: %q %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.holds(`Went back to before "the second step".`, "files are restored")
		if got := s.sh.editor.Text(); got != "the second step" {
			t.Errorf("the prompt holds %q", got)
		}
		s.Press("ctrl+u")
		s.send("other words")
		s.holds("On.")
		s.send("/tree") // the other branch is still there
		s.holds("and a third", "Third.", "other words")
	})
}

// What somebody else wrote since is a conflict and stays; the model is told of it.
func TestARewindLeavesWhatSomebodyElseHasWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := thrice(t, 90, 30, `{"expect":["stay as they are now: a.txt"],"say":"On.","delay_ms":0}`)
		if err := os.WriteFile(filepath.Join(s.dir, "a.txt"), []byte("theirs\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.back(2, "the conversation and")
		s.holds("! undo a.txt  workspace/a.txt is not what change 1 left: it was changed since")
		s.Press("y") // b.txt alone is asked
		s.pass(4 * time.Second)
		if s.file("a.txt") != "theirs\n" || s.file("b.txt") != "(none)" {
			t.Errorf("%q %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.holds(`Went back to before "begin it".`, "except a.txt")
		s.Press("ctrl+u")
		s.send("on")
		s.holds("On.")
	})
}

// Only what was approved is written, a stop moves nothing else, and each part can be had alone.
func TestARewindIsStoppedOrHadInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := thrice(t, 90, 30,
			`{"expect":"I restored files to what they were earlier.\nUndid change 2","say":"I see.","delay_ms":0}`)
		count := l.CountMessages()
		s.back(1, "the conversation and")
		s.Press("y")
		s.pass(4 * time.Second)
		s.Press("escape")
		s.pass(4 * time.Second)
		if s.file("a.txt") != "one\n" || s.file("b.txt") != "b\n" {
			t.Errorf("stopped behind the first: %q %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.holds("The conversation stays where it was.")
		if l.CountMessages() != count+1 { // what was taken back is told
			t.Errorf("%d messages of the person's, want %d", l.CountMessages(), count+1)
		}
		s.back(3, "the conversation stays")
		s.Press("n")
		s.pass(4 * time.Second)
		s.Press("n")
		s.pass(4 * time.Second)
		if s.file("a.txt") != "one\n" || s.file("b.txt") != "b\n" {
			t.Errorf("denied: %q %q", s.file("a.txt"), s.file("b.txt"))
		}
		s.Press("ctrl+u")
		s.send("what now?")
		s.holds("I see.")
		s.back(0, "")
		s.holds(`Went back to before "what now?".`)
		if s.file("a.txt") != "one\n" || s.file("b.txt") != "b\n" {
			t.Errorf("the conversation alone: %q %q", s.file("a.txt"), s.file("b.txt"))
		}
	})
}

func TestHowARewindLooks(t *testing.T) {
	// All of it fits: whether the status row pushes a row depends on what comes first in a moment.
	for _, size := range [][2]int{{80, 48}, {120, 48}} {
		for _, c := range []struct {
			name string
			do   func(s *session)
		}{
			{"messages", func(s *session) { s.send("/rewind") }},
			{"what", func(s *session) { s.back(1, "") }},
			{"done", func(s *session) {
				s.back(1, "the conversation and")
				s.Press("y")
				s.pass(4 * time.Second)
				s.Press("y")
				s.pass(4 * time.Second)
			}},
		} {
			t.Run(fmt.Sprintf("%s_%dx%d", c.name, size[0], size[1]), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, _ := thrice(t, size[0], size[1])
					c.do(s)
					s.Golden()
				})
			})
		}
	}
}
