package approval

import "slices"

// Reads parses a command line that does nothing but run commands: it writes no file and takes no
// variable from the environment. It returns the line without its cd commands. For any other line,
// why is the reason. The caller has to check whether the commands in Parts only read.
func Reads(command string, at Location) (line ParsedCommand, why string) {
	line = at.Parse(command)
	switch {
	case CountHidden(command) > 0:
		return ParsedCommand{}, "it has hidden characters"
	case line.unread != "":
		return ParsedCommand{}, line.unread
	case len(line.Variables) > 0:
		return ParsedCommand{}, "a command that only reads gets no variable " + line.Variables[0]
	case len(line.Writes) > 0:
		return ParsedCommand{}, "it writes " + line.Writes[0]
	}
	line.Parts = slices.DeleteFunc(line.Parts, func(p Part) bool { return isCd(p.Words) })
	return line, ""
}
