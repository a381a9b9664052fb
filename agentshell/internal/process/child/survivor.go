package child

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// The largest number of survivors that are reported for a command, and the number of bytes after
// which their command lines are cut.
const (
	maxSurvivors   = 20
	maxSurvivorArg = 200
)

// Survivor describes a process that still ran when the command that had started it ended.
type Survivor struct {
	PID     int    `json:"pid"`
	Command string `json:"command"` // its arguments, shortened if they are long
	// It has left the process group of the command, and runs until [Family.Close] or [Process.End].
	GoesOn bool `json:"goes_on,omitempty"`
}

// Survivors returns the descendants that still ran when the program ended, if StartShell started
// it. Call it after Done. It returns nil on systems other than Linux.
func (p *Process) Survivors() []Survivor { return p.survivors }

func newSurvivor(pid int, args []string, goesOn bool) Survivor {
	line := strings.ToValidUTF8(strings.Join(args, " "), "\uFFFD")
	if len(line) > maxSurvivorArg {
		line = width.Head(line, maxSurvivorArg) + "..."
	}
	return Survivor{PID: pid, Command: line, GoesOn: goesOn}
}
