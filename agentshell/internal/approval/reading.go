package approval

import "slices"

// Reads returns a line without its changes of the directory if nothing but its parts may do more
// than read. Otherwise why is the reason. What is not known counts as a reason. Reads does not
// check what the parts do.
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
