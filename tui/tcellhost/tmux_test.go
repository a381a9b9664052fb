//go:build linux || darwin || freebsd

package tcellhost

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// The example in a real tmux: history and screen are as before, with what was written since.
func TestTheTranscriptIsAsItWasInTmux(t *testing.T) {
	need.Time(t)
	need.Program(t, "tmux")
	dir := t.TempDir()
	binary := filepath.Join(dir, "host")
	if out, err := exec.Command("go", "build", "-o", binary, "../examples/host_tcell").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tmux := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux",
			append([]string{"-S", filepath.Join(dir, "s"), "-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tape := func() string { return strings.TrimRight(tmux("capture-pane", "-p", "-J", "-S", "-"), "\n") }
	until := func(text string) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !strings.Contains(tape(),
			text); <-time.After(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%q does not come; the tape is\n%s", text, tape())
			}
		}
	}
	tmux("new-session", "-d", "-x", "60", "-y", "12", "env", "PS1=$ ", "TERM=tmux-256color", "sh")
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", filepath.Join(dir, "s"), "kill-server").Run() })
	tmux("send-keys", "seq -f 'shell %g' 20; "+binary, "Enter")
	until("Enter opens")
	said := ""
	for _, text := range []string{"one", "two", "three"} {
		before := tape()
		tmux("send-keys", text, "Enter")
		until("full screen: " + text)
		if got := strings.TrimSpace(tmux("display-message", "-p", "#{alternate_on}")); got != "1" {
			t.Fatalf("the alternate screen is %s", got)
		}
		tmux("send-keys", "x")
		said += "> " + text + "\nback\n"
		until(said)
		until("Enter opens") // the editor again
		kept := strings.TrimSpace(strings.Split(before, "Enter opens")[0])
		kept = strings.TrimSpace(strings.TrimSuffix(kept, "›"))
		if !strings.HasPrefix(tape(), kept) {
			t.Errorf("before it stood\n%s\nnow\n%s", kept, tape())
		}
	}
	if n := strings.Count(tape(), "shell "); n != 21 { // and the command itself
		t.Errorf("%d rows of the shell:\n%s", n, tape())
	}
	if strings.Contains(tape(), "full screen: ") {
		t.Errorf("a hosted row is in history:\n%s", tape())
	}
}
