package tool

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// ending is how a command ended, and what was there then of all that it had started.
type ending struct {
	status string
	left   []child.Survivor
}

// maxNamedLeft is how many processes are named.
const maxNamedLeft = 5

// leftText says what a command left, to the model and to the person; "" if nothing: a server in the
// background ends with its command, which nobody would know. redact takes secrets out.
func (e ending) leftText(redact func(string) string) (model, person string) {
	var ended, going []string
	for _, s := range e.left {
		name := fmt.Sprintf("%s (pid %d)", titled(redact(s.Command), 200), s.PID)
		if s.GoesOn {
			going = append(going, name)
		} else {
			ended = append(ended, name)
		}
	}
	if len(ended) > 0 {
		names := namedLeft(ended)
		model += "[ended with the command: " + names + "; use async for what has to go on, without & or nohup]\n"
		person += "Ended with the command: " + names + ".\n"
	}
	if len(going) > 0 {
		names := namedLeft(going)
		model += "[still running, until the session ends: " + names + "]\n"
		person += "Still running, until the session ends: " + names + ".\n"
	}
	return model, person
}

// namedLeft joins names, the first of many.
func namedLeft(names []string) string {
	if more := len(names) - maxNamedLeft; more > 1 {
		return strings.Join(names[:maxNamedLeft], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
