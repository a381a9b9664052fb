package stress

import (
	"github.com/scrollkeep/scrollkeep/stress/harness"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Run plays p and returns the first contradiction, nil if there is none. Panics of the renderer are
// errors, too.
func Run(p program.Program) error { return harness.Run(p) }

// Record plays p as Run does, and returns what the terminal was given, and the terminal as it is at
// the end.
func Record(p program.Program) ([]harness.Event, *vt.Terminal, error) { return harness.Record(p) }
