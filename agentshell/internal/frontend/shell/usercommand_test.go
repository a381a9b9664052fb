package shell

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// Esc leaves a command line that was begun, and Ctrl+Y brings it back. It takes no text away, and
// while a turn runs it stops that one.
func TestEscLeavesACommandLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 80, Rows: 24}, nil, `{"say":"Long.","delay_ms":60000}`)
		esc := func() {
			s.Press("esc")
			s.pass(time.Second)
		}
		s.Type("!rm -r x")
		s.Settle()
		s.holds("your command")
		esc()
		if v := s.Visible(); strings.Contains(v, "rm -r x") || strings.Contains(v, "your command") {
			t.Errorf("it is still there:\n%s", v)
		}
		s.Press("ctrl+y")
		s.Settle()
		if v := s.Visible(); !strings.Contains(v, "$ !rm -r x") {
			t.Errorf("it does not come back:\n%s", v)
		}
		esc()
		s.Type("a text")
		esc()
		s.holds("› a text")
		s.Press("enter")
		s.pass(time.Second)
		s.Type("!ls")
		esc()
		s.holds("stopped", "$ !ls")
	})
}
