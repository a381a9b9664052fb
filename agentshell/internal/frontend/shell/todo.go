package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
)

// maxTodoRows is the largest number of todo items that are shown above the prompt.
const maxTodoRows = 5

// todoRows returns the rows of the todo list (SH-21) for the space above the prompt. They begin
// with the item before the active one. In a low window there is one row. It returns nil if no item
// is active or there is no room.
func todoRows(list todo.List, s tui.Space) []tui.Line {
	t := s.Look()
	items := list.Items()
	active := -1
	for i, item := range items {
		if item.State == todo.Active {
			active = i
		}
	}
	if active < 0 {
		return nil
	}
	s.Width = max(s.Width-2, 1)
	if s.Height <= 0 {
		return nil
	}
	if s.Height <= maxTodoRows {
		_, closed := list.Count()
		return []tui.Line{s.Cut(tui.Span{Text: fmt.Sprintf("%d of %d  ", closed+1, len(items)), Style: t.Dim},
			tui.Span{Text: items[active].Name})}
	}
	from := max(min(active-1, len(items)-maxTodoRows), 0)
	to := min(from+maxTodoRows, len(items))
	var rows []tui.Line
	for i, item := range items[from:to] {
		style := t.Dim
		if item.State == todo.Active {
			style = tui.Style{}
		}
		spans := []tui.Span{{Text: item.State.Mark() + item.Name, Style: style}}
		if more := len(items) - to; more > 0 && from+i == to-1 {
			spans = append(spans, tui.Span{Text: fmt.Sprintf("  and %d more", more), Style: t.Dim})
		}
		rows = append(rows, s.Cut(spans...))
	}
	return rows
}

// handleTodo runs /todo: it shows the todo list, or changes it and tells the model. It is called on
// the event loop.
func (sh *Shell) handleTodo(arg string) {
	board := sh.cfg.Todo
	switch {
	case board == nil:
		sh.addBlock(notice, problem("There is no todo list in this session."))
		return
	case arg == "":
		sh.addBlock(notice, paragraphs(false, board.List().Lines()...))
		return
	case sh.busy():
		sh.addBlock(notice, problem("A turn is running.",
			sh.cfg.Keys.Expand("{stop} stops it; then the list can be changed.")))
		return
	}
	ops, err := board.List().ParseCommand(arg)
	if err != nil {
		sh.addBlock(notice, problem("The list was not changed: "+err.Error()+".", todo.Usage+"."))
		return
	}
	sh.startTurn(message{text: "/todo " + arg, action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
		teller, ok := ag.(Teller)
		if !ok {
			return errCannot
		}
		list, wrong := board.Apply(ops)
		if len(wrong) > 0 {
			sh.addBlock(notice, problem("The list was not changed: "+strings.Join(wrong, "; ")+"."))
			return teller.Tell(ctx, provider.Todo, "", on)
		}
		sh.app.Do(sh.refreshCounts)
		sh.addBlock(toolCall, paragraphs(false, list.Lines()...))
		return teller.Tell(ctx, provider.Todo, list.EditMessage(), on)
	}})
}
