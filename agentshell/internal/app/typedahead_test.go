package app

import (
	"strings"
	"testing"
)

// An Enter that is typed while the program is still built or started arrives as a line feed, since
// the terminal turns it into one. It leaves the prompt empty and its suggestion in sight.
func TestAnEnterTypedBeforeTheStartChangesNothing(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.line("read x; TMPDIR=$PWD ./agentshell --demo") // reads one line, and then no more
	p.keys("Enter", "Enter", "Enter")
	p.sees("sends: ")
	if strings.Count(p.screen(), "›") != 1 || strings.Contains(p.history(), "Show me what you can do\n\n›") {
		t.Errorf("the prompt is not as at any start:\n%s", p.screen())
	}
	p.text("a")
	p.keys("C-j")
	p.text("b")
	p.sees("› a")
	p.sees("  b")
}
