package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// todoRows is the most items of the model's list that are shown.
const todoRows = 5

// todo is the model's list (SH-21), above the prompt while something in it is open. Where there is
// little room it is one row, or none.
type todo []tool.TodoItem

// rows are the items from the last one that is done before the active one.
func (list todo) rows(s tui.Space) []tui.Line {
	t := s.Look()
	active, closed := -1, 0
	for i, item := range list {
		switch item.State {
		case "active":
			active = i
		case "done", "dropped":
			closed++
		}
	}
	if active < 0 {
		return nil
	}
	s.Width = max(s.Width-2, 1)
	if s.Height <= 0 {
		return nil
	}
	if s.Height <= todoRows {
		return []tui.Line{s.Cut(tui.Span{Text: fmt.Sprintf("%d of %d  ", closed+1, len(list)), Style: t.Dim},
			tui.Span{Text: list[active].Name})}
	}
	from := max(min(active-1, len(list)-todoRows), 0)
	to := min(from+todoRows, len(list))
	var rows []tui.Line
	for i, item := range list[from:to] {
		mark, style := "[ ] ", t.Dim
		switch item.State {
		case "active":
			mark, style = "[>] ", tui.Style{}
		case "done":
			mark = "[x] "
		case "dropped":
			mark = "[-] "
		}
		spans := []tui.Span{{Text: mark + item.Name, Style: style}}
		if more := len(list) - to; more > 0 && from+i == to-1 {
			spans = append(spans, tui.Span{Text: fmt.Sprintf("  and %d more", more), Style: t.Dim})
		}
		rows = append(rows, s.Cut(spans...))
	}
	return rows
}
