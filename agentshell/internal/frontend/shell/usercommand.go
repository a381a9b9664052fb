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

// message is what starts a turn: a text for the model, a shell command or code cell of the user, or
// an action of the shell.
type message struct {
	text string
	// text is a shell command line of the user.
	userCommand bool
	cell        bool // text is a Python code cell of the user.
	untold      bool // The model is not told of the code cell.
	// Runs instead of a request to the model; nil: there is none. text is the slash command that
	// has started it.
	action func(ctx context.Context, ag Agent, on func(agent.Event)) error
	lines  []string                      // Shell command lines to run before text is sent to the model.
	fill   func(outputs []string) string // Returns text with the outputs of lines inserted.
	hidden bool                          // The transcript does not show text; the action shows what it does.

	// Runs instead of a turn; see Shell.runBeside. nil: this is a turn.
	work func(ctx context.Context) (then func())
}

// errCannot is the error of an action that the Agent does not support.
var errCannot = errors.New("this cannot be done here")

// parseMessage returns the message for a text that the user has sent from the prompt. A leading !
// makes it a shell command, and a leading $ or $$ a code cell, if the session has an interpreter.
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

// String returns the text as the user has typed it.
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

// hasCell reports whether a text of the prompt is a code cell: it begins with $, but not with the
// ${ of a placeholder.
func (sh *Shell) hasCell(text string) bool {
	return sh.cfg.Programs.Cells != nil && strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "${")
}

// commandPrompt is the text before the input field while the field holds a shell command.
const commandPrompt = "$ "

// Texts of the status row while the prompt holds a shell command: if no turn runs, and while one
// runs, whose end the command waits for.
const (
	commandStatus       = "your command: {submit} runs it at once; the model sees it and its output"
	queuedCommandStatus = "your command: {submit} runs it after this turn; the model sees it and its output"
)

// cellPrompt is the text before the input field while the field holds a Python code cell.
const cellPrompt = "py "

// Texts of the status row while the prompt holds a code cell.
const (
	cellStatus       = "your cell: {submit} runs it at once; the model sees it and its output"
	queuedCellStatus = "your cell: {submit} runs it after this turn"
	untoldCellStatus = "your cell: {submit} runs it at once; the model does not see it"
)

// runMessage runs the turn of message m to its end, and passes its events to on. It is called on
// the goroutine of runTurns.
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

// withFiles returns m in the form for the model, with the files and pictures that its text names.
// It shows them in the transcript. It may be called on any goroutine.
func (sh *Shell) withFiles(ctx context.Context, m message) agent.Message {
	return agent.Message{Text: m.String(), Lines: m.lines, Fill: m.fill, Attached: sh.attachedText(ctx, m.text),
		Pictures: sh.attachedPictures(ctx, m.text)}
}

// attachedText returns the contents of the files that a message names with an @, as text for the
// model. It shows the names in the transcript. It may be called on any goroutine.
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

// attachedRows returns the transcript block that names a file attached to a message.
func attachedRows(f attach.File) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		return titleRows(s, t.Glyphs.Tool, t.Accent, visibleLine(f.Name, t), f.About+", attached")
	}
}

// maxCommandRows is the largest number of output rows that the transcript shows of a command of the
// user. It is large because the user asked for that output.
const maxCommandRows = 500

// setPrompt sets the text before the input field, which shows whether the field holds a message, a
// shell command or a code cell. It returns the text of the status row for that, or "" for a
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
