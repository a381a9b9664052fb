package shell

import (
	"context"
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Commander is implemented by an [Agent] that runs shell commands of the user (SH-6). A command
// that the user types after ! needs no approval.
type Commander interface {
	Command(ctx context.Context, command string, on func(agent.Event)) error
}

// CellRunner is implemented by an [Agent] that runs Python code cells that the user has typed. With
// told the model sees the code and its output.
type CellRunner interface {
	Cell(ctx context.Context, code string, told bool, on func(agent.Event)) error
}

// Undoer is implemented by an [Agent] that can undo the file change with number n, or the last one
// if n is 0. It asks the user first.
type Undoer interface {
	Undo(ctx context.Context, n int, on func(agent.Event)) error
}

// Teller is implemented by an [Agent] that can tell the model about an action of the user, as an
// entry of the conversation.
type Teller interface {
	Tell(ctx context.Context, from provider.Origin, text string, on func(agent.Event)) error
}

// message starts a turn. It is a text for the model, a command line of the person, or an action
// that runs instead of asking the model.
type message struct {
	text string
	// text is a command line of the person
	userCommand bool
	cell        bool // text is a cell of the person
	untold      bool // the model is not told of the cell
	// runs instead of asking the model; text is its command
	action func(ctx context.Context, ag Agent, on func(agent.Event)) error
	lines  []string                      // command lines that run before text is sent
	fill   func(outputs []string) string // returns text with their outputs
	hidden bool                          // text is not shown; the action shows what it does

	work func(ctx context.Context) (then func()) // runs instead of a turn, see Shell.runBeside
}

// errCannot is the error for an agent that does not support the action.
var errCannot = errors.New("this cannot be done here")

// parseMessage returns the message for a text of the prompt. With a leading ! it is a command line.
// With a leading $ or $$ it is a cell, where there are cells.
func (sh *Shell) parseMessage(text string) message {
	if sh.hasCell(text) {
		code := strings.TrimPrefix(text, "$")
		rest, untold := strings.CutPrefix(code, "$")
		return message{text: strings.TrimSpace(rest), cell: true, untold: untold}
	}
	if command, userCommand := strings.CutPrefix(text, "!"); userCommand {
		return message{text: strings.TrimSpace(command), userCommand: true}
	}
	return message{text: strings.TrimSpace(text)}
}

// String returns the text as it was typed.
func (m message) String() string {
	switch {
	case m.userCommand:
		return "!" + m.text
	case m.untold:
		return "$$" + m.text
	case m.cell:
		return "$" + m.text
	}
	return m.text
}

// hasCell reports whether a text of the prompt is a cell of the person: it begins with $, but not
// as a placeholder does.
func (sh *Shell) hasCell(text string) bool {
	return sh.cfg.Programs.Cells != nil && strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "${")
}

// commandPrompt stands before the prompt while it holds a command line.
const commandPrompt = "$ "

// The status row while the prompt holds a command line. While a turn runs, a command waits for its
// end.
const (
	commandStatus       = "your command: {submit} runs it at once; the model sees it and its output"
	queuedCommandStatus = "your command: {submit} runs it after this turn; the model sees it and its output"
)

// cellPrompt stands before the prompt while it holds a cell.
const cellPrompt = "py "

// The status row while the prompt holds a cell.
const (
	cellStatus       = "your cell: {submit} runs it at once; the model sees it and its output"
	queuedCellStatus = "your cell: {submit} runs it after this turn"
	untoldCellStatus = "your cell: {submit} runs it at once; the model does not see it"
)

// runMessage runs a message to its end. It is called on the goroutine of runTurns.
func (sh *Shell) runMessage(ctx context.Context, ag Agent, m message, on func(agent.Event)) error {
	if m.action != nil {
		return m.action(ctx, ag, on)
	}
	if c, ok := ag.(Commander); ok && m.userCommand {
		return c.Command(ctx, m.text, on)
	}
	if c, ok := ag.(CellRunner); ok && m.cell {
		return c.Cell(ctx, m.text, !m.untold, on)
	}
	return ag.RunTurn(ctx, sh.withFiles(ctx, m), on)
}

// withFiles returns a message together with the files and pictures that it names, and shows those.
// It may be called on any goroutine.
func (sh *Shell) withFiles(ctx context.Context, m message) agent.Message {
	return agent.Message{Text: m.String(), Lines: m.lines, Fill: m.fill, Attached: sh.attachedText(ctx, m.text),
		Pictures: sh.attachedPictures(ctx, m.text)}
}

// attachedText returns the text of the files that a message names, and shows their names. It may be
// called on any goroutine.
func (sh *Shell) attachedText(ctx context.Context, text string) string {
	if sh.cfg.Files.Attach == nil {
		return ""
	}
	a := sh.cfg.Files.Attach(ctx, text)
	for _, f := range a.Files {
		sh.addBlock(toolCall, attachedRows(f))
	}
	for _, p := range a.Problems {
		sh.addBlock(toolCall, problem(p))
	}
	return a.Text
}

// attachedRows returns the block of a file that goes with a message.
func attachedRows(f attach.File) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		return titleRows(s, t.Glyphs.Tool, t.Accent, visibleLine(f.Name, t), f.About+", attached")
	}
}

// maxCommandRows is the number of output rows that are shown of a command of the person, who asked
// to see the output.
const maxCommandRows = 500

// setPrompt sets the prompt for what would be sent, and returns the status row for it: "" for a
// message.
func (sh *Shell) setPrompt() (status string) {
	sh.editor.Prompt = ""
	switch {
	case sh.editor.HasPrefix("!"):
		sh.editor.Prompt = commandPrompt
		if sh.busy() {
			return queuedCommandStatus
		}
		return commandStatus
	case sh.cfg.Programs.Cells == nil || !sh.editor.HasPrefix("$") || sh.editor.HasPrefix("${"):
		return ""
	}
	sh.editor.Prompt = cellPrompt
	if sh.busy() {
		return queuedCellStatus
	}
	if sh.editor.HasPrefix("$$") {
		return untoldCellStatus
	}
	return cellStatus
}
