package approval

import "slices"

// Reads parses a line and returns it without its cd commands, if it does nothing besides running
// commands: it writes no file and uses no variable. Otherwise why is the reason. The caller has to
// check whether the commands in Parts only read.
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
