package shell

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
)

// storedBlock is a transcript block of a stored conversation. size is roughly the number of bytes
// that it shows.
type storedBlock struct {
	kind blockKind
	rows staticBlock
	size int
}

// ownCallRows returns the transcript block of a command or code cell that the user has run. output
// returns the rows of its output.
func ownCallRows(end agent.ToolEnd, output func(text string, s tui.Space) []tui.Line) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		glyph, style := t.Glyphs.Tool, t.Accent
		if end.Kind == agent.KindInterrupted {
			glyph, style = t.Glyphs.Problem, t.Error
		}
		rows := titleRows(s, glyph, style, displayTitle(end.Title), end.Result.Summary)
		return append(append(rows, output(end.Result.Detail, s)...), changedRows(end, 0, s)...)
	}
}

// messageBlocks returns the transcript blocks of a stored message that the model has not written.
// output returns the rows of a command's output.
func messageBlocks(m provider.Message, output func(text string, s tui.Space) []tui.Line) (list []storedBlock) {
	add := func(kind blockKind, rows staticBlock, size int) { list = append(list, storedBlock{kind, rows, size}) }
	addOutput := func(kind blockKind, text string) {
		add(kind, func(s tui.Space) []tui.Line { return output(text, s) }, len(text))
	}
	switch text, from := m.MainText(); {
	case text == "":
	case from == provider.Left:
		add(notice, paragraphs(true,
			"The conversation went back to here. The model has this summary of the branch that it left:"), 0)
		addOutput(toolCall, sessionlog.SummaryText(text))
	case from == provider.Report:
		add(notice,
			paragraphs(true, "The model went back to its checkpoint. It has this report of the work after it:"), 0)
		addOutput(toolCall, text)
	case from == provider.Job:
		addOutput(notice, text)
	case from == provider.Rule:
		add(notice, paragraphs(true, "The model was told the rule "+strings.Join(rulesOf(m), ", ")+"."), 0)
	case from.IsFromPerson():
		add(person, personBlock(agent.AsTyped(text, from)), min(len(text), maxEchoBytes))
		switch from {
		case provider.Command, provider.Cell:
			if end, ok := agent.StoredOwnEnd(m); ok {
				add(toolCall, ownCallRows(end, output), len(end.Result.Detail))
				break
			}
			_, printed := agent.SplitCommand(text)
			addOutput(toolCall, printed)
		case provider.Undone, provider.Restored:
			addOutput(toolCall, text)
		case provider.Todo:
			add(toolCall, paragraphs(false, todo.Parse(todo.FromPerson(text)).Lines()...), 0)
		}
	}
	for _, p := range m.Parts {
		if t, ok := p.(provider.Text); ok && t.Origin == provider.Attached {
			for _, f := range attach.Files(t.Text) {
				add(toolCall, attachedRows(f), 0)
			}
		}
	}
	return list
}
