package agent

import (
	"context"

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
	for i, p := range turn.makeChanges(files, "bring", tool.BringName, true) {
		r, _ := p.(provider.ToolResult)
		results = append(results, BringResult{Path: files[i].Path, OK: p != nil && !r.IsError, Text: r.Text,
			Denied: r.Kind == KindDenied})
	}
	turn.sendNews()
	turn.on(TurnEnd{Reason: Done})
	return results, turn.ctx.Err() != nil, nil
}
