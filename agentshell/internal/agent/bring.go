package agent

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// BringResult tells what became of a file that was brought into the workspace.
type BringResult struct {
	Path   string
	OK     bool
	Text   string // of the result, or why there is none
	Denied bool
}

// Bring makes changes that were prepared elsewhere, as if the model had called for them together:
// rules, modes, hooks and the person decide. Nothing of it joins the conversation. stopped reports
// that ctx ended before all was decided. It calls on like [Agent.Rewind]. While a turn runs it
// returns [ErrBusy].
func (a *Agent) Bring(ctx context.Context, files []tool.Return, on func(Event)) (results []BringResult, stopped bool,
	err error) {
	turn, finish, err := a.startTurn(ctx, on)
	if err != nil {
		return nil, false, err
	}
	defer finish()
	parts := make([]provider.Part, len(files))
	calls := make([]provider.ToolCall, len(files))
	index := map[string]int{}
	for i, f := range files {
		input, err := json.Marshal(map[string]string{"path": f.Path})
		if err != nil { // a string has no way to fail
			input = nil
		}
		calls[i] = provider.ToolCall{ID: "bring-" + strconv.Itoa(i), Name: tool.BringName, Input: input}
		index[calls[i].ID] = i
	}
	denied := map[string]bool{}
	turn.withBatch(len(calls), func(b *batch) {
		b.ruled = true
		b.preparePersonal = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) {
			return files[index[c.ID]].Prepare(ctx, c.ID)
		}
		emit := b.emit
		b.emit = func(e Event) {
			if end, is := e.(ToolEnd); is && end.Kind == KindDenied {
				denied[end.ID] = true
			}
			emit(e)
		}
		for i := range calls {
			if parts[i] == nil {
				b.runChange(calls, parts, i)
			}
		}
	})
	for i, p := range parts {
		r, _ := p.(provider.ToolResult)
		results = append(results, BringResult{Path: files[i].Path, OK: p != nil && !r.IsError, Text: r.Text,
			Denied: denied[calls[i].ID]})
	}
	turn.sendNews()
	turn.on(TurnEnd{Reason: Done})
	return results, turn.ctx.Err() != nil, nil
}
