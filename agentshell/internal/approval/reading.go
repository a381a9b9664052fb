package approval

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Reads returns the simple commands of a line if each of them only reads the files that it names
// and nothing else in the line writes, runs or sets anything. Otherwise why is the reason. What is
// not known counts as a reason. Reads does not check where the named paths lead.
func Reads(command string) (simple []SimpleCommand, why string) {
	p := ParseCommand(command)
	switch {
	case CountHidden(command) > 0:
		return nil, "it has hidden characters"
	case p.shape != "":
		return nil, p.shape
	}
	for _, c := range p.Simple {
		if why := program.Reads(c); why != "" {
			return nil, why
		}
	}
	return p.Simple, ""
}
