package approval

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Reads takes a command line apart into its simple commands if each of them only reads what it
// names, and nothing around them writes, runs or sets anything; else why says what is in the way.
// What is not known is in the way. Where the named paths lead is not looked at.
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
