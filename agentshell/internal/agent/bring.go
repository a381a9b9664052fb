package agent

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// BringResult says what happened to one of the files passed to [Agent.Bring].
type BringResult struct {
	Path   string
	OK     bool
	Text   string // the text of the result for this file, or of the error
	Denied bool
}

// Bring makes file changes that were prepared elsewhere, such as those of a sub-agent in a copy of
// the workspace, as if the model had called for them together: rules, modes, hooks and the user
// decide. Nothing is added to the conversation. stopped says that ctx ended before all changes were
// decided. Bring calls on as [Agent.Rewind] does. It returns [ErrBusy] while a turn runs.
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
