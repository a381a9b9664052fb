//go:build linux || darwin || freebsd

package tcellhost

import (
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/tmux"
)

// The example in a real tmux: history and screen are as before, with what was written since.
func TestTheTranscriptIsAsItWasInTmux(t *testing.T) {
	m := tmux.New(t)
	// What has been erased in a row are blanks of tmux's, as long as tmux has not said its name.
	blanks := regexp.MustCompile(`(?m) +$`)
	tape := func() string { return blanks.ReplaceAllString(m.Tape(), "") }
	until := func(text string) {
		t.Helper()
		m.Until(text, func() bool { return strings.Contains(tape(), text) })
	}
	m.Start(60, 12)
	m.Line("seq -f 'shell %g' 20; " + tmux.Example(t, "host_tcell"))
	until("Enter opens")
	said := ""
	for _, text := range []string{"one", "two", "three"} {
		before := tape()
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
