package agent

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxFill is the largest number of bytes of a command's output that is inserted into a message.
const maxFill = 16 << 10

// fill runs the command lines of a message, and sets its text from their outputs. Rules, modes and
// hooks apply to the commands as to calls of the model, and the user may be asked. If a reason is
// returned, the turn has to end: a command was denied, or the turn was stopped.
func (t *turn) fill(message *Message) (Reason, error) {
	if message.Fill == nil || len(message.Lines) == 0 {
		return "", nil
	}
	outputs := make([]string, len(message.Lines))
	for i, line := range message.Lines {
		input, err := json.Marshal(map[string]string{"command": line})
		if err != nil {
			return Failed, err
		}
		var result provider.ToolResult
		denied := t.denied
		t.withBatch(len(message.Lines), func(b *batch) {
			result = b.runCall(provider.ToolCall{ID: "line-" + strconv.Itoa(i+1), Name: "bash", Input: input})
		})
		switch {
		case t.ctx.Err() != nil:
			return Interrupted, nil
		case t.denied > denied:
			t.on(Notice{fmt.Sprintf("The message was not sent: its command line %d was not approved.", i+1)})
			return Done, nil
		}
		outputs[i] = result.Text
		if len(outputs[i]) > maxFill {
			outputs[i] = width.Head(outputs[i], maxFill) + fmt.Sprintf("\n[cut after %d KiB]", maxFill>>10)
		}
	}
	message.Text = message.Fill(outputs)
	return "", nil
}
