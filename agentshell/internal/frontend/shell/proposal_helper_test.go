package shell

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// The first row of a question says what a command line starts, where that is more than a command.
func TestTheTitleOfACommandSaysWhatItStarts(t *testing.T) {
	for what, want := range map[string]string{"": "a command", "a program in dlv": "a program in dlv"} {
		p := &approval.Proposal{Payload: approval.Command{What: what}}
		if verb, path, text := proposalTitle(p); verb != "run" || path != "" || text != want {
			t.Errorf("%q: %q %q %q", what, verb, path, text)
		}
	}
}
