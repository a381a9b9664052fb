package child

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// What is said of survivors: of how many, and how many bytes of a command line.
const (
	maxSurvivors   = 20
	maxSurvivorArg = 200
)

// Survivor is a process that was there when the command that started it had ended.
type Survivor struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`           // its arguments, or the beginning of many
	GoesOn  bool   `json:"goes_on,omitempty"` // it has left the process group: it ends with the family
}

// Survivors returns what p had left when it ended, if StartShell started it. It is for use after
// Done. Only Linux knows it.
func (p *Process) Survivors() []Survivor { return p.survivors }

func newSurvivor(pid int, args []string, goesOn bool) Survivor {
	line := strings.ToValidUTF8(strings.Join(args, " "), "\uFFFD")
	if len(line) > maxSurvivorArg {
		line = width.Head(line, maxSurvivorArg) + "..."
	}
	return Survivor{PID: pid, Command: line, GoesOn: goesOn}
}
