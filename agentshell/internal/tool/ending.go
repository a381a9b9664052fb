package tool

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// ending describes how a command has ended: its status, and the processes that it had started and
// that were running then.
type ending struct {
	// status is a text such as "exit 0" or "killed by signal terminated".
	status string
	// left lists processes that the command had started and that were still running.
	left []child.Survivor
}

// maxNamedLeft is the number of remaining processes that a message names.
const maxNamedLeft = 5

// leftText returns messages about the processes that a command has left, one for the model and one
// for the user, or "" if there are none. They matter because a server in the background ends with
// its command, which is not obvious. redact removes secrets.
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

// namedLeft joins names with commas. Of many names only the first are listed, and the others
// counted.
func namedLeft(names []string) string {
	if more := len(names) - maxNamedLeft; more > 1 {
		return strings.Join(names[:maxNamedLeft], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
