//go:build terminals

package realterm

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/nested"
	"github.com/scrollkeep/scrollkeep/stress/soak"
)

// inner is a terminal that is a program in a terminal.
type inner struct {
	program nested.Program
	*nested.Terminal
}

func (n *inner) start(t *testing.T, command string) {
	n.Terminal = nested.New(t, n.program)
	n.Start(command, soak.Cols, soak.Rows)
}

func (n *inner) resize(_ *testing.T, cols, rows int) { n.Resize(cols, rows) }

func (n *inner) send(_ *testing.T, keys string) { n.Send(keys) }

func (n *inner) tape(*testing.T) string { return n.Tape() }

// shown returns the screen. It does not hold the program up, as copy mode of GNU screen does.
func (n *inner) shown(*testing.T) string { return n.Screen() }

// nestedPlayers are the terminals within programs, as players.
func nestedPlayers() (all []entry) {
	for _, p := range nested.Programs() {
		all = append(all, entry{p.Name, p.Needs, func(*testing.T) player { return &inner{program: p} }})
	}
	return all
}
