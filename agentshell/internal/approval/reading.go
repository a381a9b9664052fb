package approval

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Reads returns a line, without its changes of the directory, if each part of it only reads the
// files that it names and nothing else in the line writes or runs anything. Otherwise why is the
// reason. What is not known counts as a reason. Reads does not check where the named paths lead.
func Reads(command string, at Location) (line ParsedCommand, why string) {
	line = at.Parse(command)
	switch {
	case CountHidden(command) > 0:
		return ParsedCommand{}, "it has hidden characters"
	case line.Opaque != "":
		return ParsedCommand{}, line.Opaque
	case len(line.Writes) > 0:
		return ParsedCommand{}, "it writes " + line.Writes[0]
	}
	line.Parts = slices.DeleteFunc(line.Parts, func(p Part) bool { return isCd(p.Words) })
	for _, p := range line.Parts {
		if why := program.Reads(p.Words); why != "" {
			return ParsedCommand{}, why
		}
	}
	return line, ""
}
