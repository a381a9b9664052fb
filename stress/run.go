package stress

import (
	"github.com/scrollkeep/scrollkeep/stress/harness"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Run plays the test program p with a renderer and an emulated terminal, and returns the first
// error of the renderer that a check finds, or nil. Panics of the renderer are returned as errors,
// too.
func Run(p program.Program) error { return harness.Run(p) }

// Record plays p as [Run] does. It also returns all that the terminal was given, and the terminal
// as it was at the end.
func Record(p program.Program) ([]harness.Event, *vt.Terminal, error) { return harness.Record(p) }
