package tool

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// neighbours records what other sessions are told.
type neighbours struct {
	changed []string
	also    map[string]string
}

func (n *neighbours) Changed(path string)            { n.changed = append(n.changed, path) }
func (n *neighbours) AlsoChanged(path string) string { return n.also[path] }

// What another session has changed is said on the proposal, before anything is written. Other
// sessions are told of each change that was made, and of no other one.
func TestAProposalSaysWhatAnotherSessionChanged(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	full := func(name string) string { return filepath.Join(b.ws.Dir(), name) }
	const by = "also changed by session 20261128-1 (terminal) at 12:03"
	n := &neighbours{also: map[string]string{full("a.txt"): by}}
	b.env.Sessions, b.env.History = n, new(undo.History)
	b.reg = Builtin(b.env)
	edit := args{"old_string": "one", "new_string": "two"}
	for file, want := range map[string]bool{"a.txt": true, "b.txt": false} {
		edit["path"] = file
		call := b.must("edit_file", edit)
		if got := slices.Contains(call.Proposal.Notes, by); got != want {
			t.Errorf("%s: %q", file, call.Proposal.Notes)
		}
		if len(n.changed) > 0 {
			t.Errorf("%s: told before it is written", file)
		}
	}
	edit["path"] = "a.txt"
	call := b.must("edit_file", edit)
	b.write("a.txt", "other\n")
	if _, err := call.Run(t.Context(), func(string) {}); err == nil || len(n.changed) > 0 {
		t.Errorf("a change that failed: %v, told %q", err, n.changed)
	}
	b.run("edit_file", args{"path": "b.txt", "old_string": "one", "new_string": "two"})
	b.run("bash", args{"command": "echo new > c.txt"})
	if want := []string{full("b.txt"), full("c.txt")}; !slices.Equal(n.changed, want) {
		t.Errorf("told %q, want %q", n.changed, want)
	}
}
