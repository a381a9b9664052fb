//go:build linux || darwin || freebsd

package tcellhost

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/tmux"
)

// The example in a real tmux: history and screen are as before, with what was written since.
func TestTheTranscriptIsAsItWasInTmux(t *testing.T) {
	m := tmux.New(t)
	until := func(text string) {
		t.Helper()
		m.Until(text, func() bool { return strings.Contains(m.Tape(), text) })
	}
	m.Start(60, 12)
	m.Line("seq -f 'shell %g' 20; " + tmux.Example(t, "host_tcell"))
	until("Enter opens")
	said := ""
	for _, text := range []string{"one", "two", "three"} {
		before := m.Tape()
		m.Line(text)
		until("full screen: " + text)
		if got := m.Says("#{alternate_on}"); got != "1" {
			t.Fatalf("the alternate screen is %s", got)
		}
		m.Run("send-keys", "x")
		said += "> " + text + "\nback\n"
		until(said)
		until("Enter opens") // the editor again
		kept := strings.TrimSpace(strings.Split(before, "Enter opens")[0])
		kept = strings.TrimSpace(strings.TrimSuffix(kept, "›"))
		if !strings.HasPrefix(m.Tape(), kept) {
			t.Errorf("before it stood\n%s\nnow\n%s", kept, m.Tape())
		}
	}
	if n := strings.Count(m.Tape(), "shell "); n != 21 { // and the command itself
		t.Errorf("%d rows of the shell:\n%s", n, m.Tape())
	}
	if strings.Contains(m.Tape(), "full screen: ") {
		t.Errorf("a hosted row is in history:\n%s", m.Tape())
	}
}
