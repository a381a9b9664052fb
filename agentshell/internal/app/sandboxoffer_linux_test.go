package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// undecidedPane returns a pane on a machine with a sandbox, whose person has not decided about it.
func undecidedPane(t *testing.T) *pane {
	t.Helper()
	need.Program(t, "bash")
	if r := sandbox.Find(context.Background(), new(child.Family), t.TempDir(), ""); r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	p := newPane(t, 80, 24)
	p.config("")
	return p
}

// twoCommands is a script of two turns with a command each.
func twoCommands() (script []string) {
	for i := range 2 {
		script = append(script, fmt.Sprintf(`{"delay_ms":0,"tool_calls":[{"id":"b%d","name":"bash",`+
			`"input":{"command":"touch f%[1]d"}}]}`, i), fmt.Sprintf(`{"say":"Step %d.","delay_ms":0}`, i))
	}
	return script
}

// The first command of a workspace asks about the sandbox. With "here" that command and all later
// ones run in it without a question, in later sessions, too, and /sandbox turns it off again.
func TestTheFirstCommandOffersTheSandbox(t *testing.T) {
	t.Parallel()
	p := undecidedPane(t)
	p.start(twoCommands()...)
	p.line("go")
	p.sees("use sandbox")
	p.sees("writes   this workspace")
	(&film{pane: p}).bright("[h]ere")
	p.keys("h")
	p.sees("Commands run in the sandbox from now on.")
	p.sees("Step 0.")
	p.line("go")
	p.sees("Step 1.")
	for _, f := range []string{"f0", "f1"} {
		if _, err := os.Lstat(filepath.Join(p.path("w"), f)); err != nil {
			t.Error(err)
		}
	}
	p.line("/sandbox off")
	p.sees("Commands are not confined any more")
	p.line("/sandbox on")
	p.wait("the sandbox", func() bool {
		return strings.Count(p.history(), "Commands run in the sandbox from now on.") == 2
	})
	p.line("/sandbox")
	p.sees("/sandbox off turns it off.")
	p.line("/quit")
	p.wait("the end of the shell", func() bool { return strings.HasSuffix(p.history(), "$") })
	p.start(twoCommands()...)
	p.sees("all other changes need your yes.")
	p.line("go")
	p.wait("the first command", func() bool { return strings.Count(p.history(), "Step 0.") == 2 })
	if n := strings.Count(p.history(), "use sandbox"); n > 0 {
		t.Errorf("the question stands %d times in the history:\n%s", n, p.history())
	}
}

// After "not now" commands are asked about, and the sandbox is not offered again.
func TestTheAnswerAboutTheSandboxIsKept(t *testing.T) {
	t.Parallel()
	p := undecidedPane(t)
	p.start(twoCommands()...)
	p.line("go")
	p.sees("use sandbox")
	(&film{pane: p}).bright("[h]ere")
	p.keys("n")
	p.sees("Commands are asked about, as before.")
	p.sees("touch f0")
	p.armed()
	p.keys("y")
	p.sees("Step 0.")
	p.line("/quit")
	p.wait("the end of the shell", func() bool { return strings.HasSuffix(p.history(), "$") })
	p.start(twoCommands()...)
	p.wait("the second shell", func() bool { return strings.Count(p.history(), "Type a message") == 2 })
	p.line("go")
	p.wait("the question", func() bool { return strings.Count(p.history(), "touch f0") > 1 })
	p.armed()
	p.keys("n")
	p.sees("denied")
	p.line("/quit")
	p.wait("the end of the shell", func() bool { return strings.HasSuffix(p.history(), "$") })
}
