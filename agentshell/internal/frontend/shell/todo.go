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

// mostTodo is the most items of the list that stand above the prompt.
const mostTodo = 5

// todoRows returns the list (SH-21) above the prompt while something in it is open: the items from
// the last one that is done before the active one. Where there is little room it is one row, or
// none.
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
	if s.Height <= mostTodo {
		_, closed := list.Count()
		return []tui.Line{s.Cut(tui.Span{Text: fmt.Sprintf("%d of %d  ", closed+1, len(items)), Style: t.Dim},
			tui.Span{Text: items[active].Name})}
	}
	from := max(min(active-1, len(items)-mostTodo), 0)
	to := min(from+mostTodo, len(items))
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

// list handles /todo: the whole list, or a change of it by the person, which the model is told. On
// the loop.
func (sh *Shell) list(arg string) {
	board := sh.cfg.Todo
	switch {
	case board == nil:
		sh.append(notice, problem("There is no todo list in this session."))
		return
	case arg == "":
		sh.append(notice, words(false, board.List().Lines()...))
		return
	case sh.busy():
		sh.append(notice, problem("A turn is running.",
			sh.cfg.Keys.Say("{stop} stops it; then the list can be changed.")))
		return
	}
	ops, err := board.List().Typed(arg)
	if err != nil {
		sh.append(notice, problem("The list was not changed: "+err.Error()+".", todo.Usage+"."))
		return
	}
	sh.begin(message{text: "/todo " + arg, deed: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
		ear, ok := ag.(Teller)
		if !ok {
			return errCannot
		}
		list, wrong := board.Apply(ops)
		if len(wrong) > 0 {
			sh.append(notice, problem("The list was not changed: "+strings.Join(wrong, "; ")+"."))
			return ear.Tell(ctx, provider.Todo, "", on)
		}
		sh.app.Do(sh.measure)
		sh.append(tooling, words(false, list.Lines()...))
		return ear.Tell(ctx, provider.Todo, list.Edited(), on)
	}})
}
