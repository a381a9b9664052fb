package shell

import (
	"context"
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Commander is an [Agent] that runs commands of the person's own (SH-6). What they type after ! is
// nobody's to approve.
type Commander interface {
	Command(ctx context.Context, command string, on func(agent.Event)) error
}

// Undoer is an [Agent] that takes back a change of a file, 0 for the last one. It asks first.
type Undoer interface {
	Undo(ctx context.Context, n int, on func(agent.Event)) error
}

// Teller is an [Agent] that takes something into its conversation that the person did.
type Teller interface {
	Tell(ctx context.Context, from provider.Origin, text string, on func(agent.Event)) error
}

// message is what a turn begins with: text, a command line of the person's own, or a deed: what the
// text, a command, does instead of asking the model.
type message struct {
	text  string
	own   bool
	deed  func(ctx context.Context, ag Agent, on func(agent.Event)) error
	quiet bool // the deed shows itself what it does

	work func(ctx context.Context) (then func()) // no turn but this, see Shell.beside
}

// errCannot says that what answers here is no agent of ours.
var errCannot = errors.New("this cannot be done here")

// typed returns text from the prompt: with ! at its very beginning it is a command.
func typed(text string) message {
	if command, own := strings.CutPrefix(text, "!"); own {
		return message{text: strings.TrimSpace(command), own: true}
	}
	return message{text: strings.TrimSpace(text)}
}

// String returns what was typed.
func (m message) String() string {
	if m.own {
		return "!" + m.text
	}
	return m.text
}

// ownPrompt stands before the prompt's rows while they are a command.
const ownPrompt = "$ "

// ownFacts is the row below it.
const ownFacts = "your command: {submit} runs it at once; the model sees it and its output"

// run runs a message to its end, on the goroutine of turns.
func (sh *Shell) run(ctx context.Context, ag Agent, m message, on func(agent.Event)) error {
	if m.deed != nil {
		return m.deed(ctx, ag, on)
	}
	if c, ok := ag.(Commander); ok && m.own {
		return c.Command(ctx, m.text, on)
	}
	return ag.Say(ctx, sh.full(ctx, m), on)
}

// full returns a message with what it brings, told below it. Any goroutine.
func (sh *Shell) full(ctx context.Context, m message) agent.Message {
	return agent.Message{Text: m.String(), Attached: sh.attached(ctx, m.text), Pictures: sh.brought(ctx, m.text)}
}

// attached returns what goes with a message because it names files, told below it. Any goroutine.
func (sh *Shell) attached(ctx context.Context, text string) string {
	if sh.cfg.Files.Attach == nil {
		return ""
	}
	a := sh.cfg.Files.Attach(ctx, text)
	for _, f := range a.Files {
		sh.append(tooling, still(func(s tui.Space) []tui.Line {
			t := s.Look()
			return heading1(s, t.Glyphs.Tool, t.Accent, clean(f.Name, t), f.About+", attached")
		}))
	}
	for _, p := range a.Problems {
		sh.append(tooling, problem(p))
	}
	return a.Text
}

// ownRows is the most rows of the output of a command of the person's own that are shown: they
// asked to see it.
const ownRows = 500

// dress makes the prompt look like what would be sent.
func (sh *Shell) dress() (own bool) {
	own = sh.editor.Starts("!")
	sh.editor.Prompt = ""
	if own {
		sh.editor.Prompt = ownPrompt
	}
	return own
}
