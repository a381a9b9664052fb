package headless

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Output is the form of a printed turn.
type Output string

// The forms. Text is what the model says, JSON one object at the end, StreamJSON one object a line
// as things happen.
const (
	Text       Output = "text"
	JSON       Output = "json"
	StreamJSON Output = "stream-json"
)

// IsText reports whether the form is Text.
func (o Output) IsText() bool { return o == Text || o == "" }

// Print runs one prompt to its end.
type Print struct {
	Agent   *agent.Agent // without an approver
	Session string       // the id that JSON forms name
	Output  Output       // "" is Text
	Stdout  io.Writer
	Stderr  io.Writer
	// Terminal says that Stdout is a terminal: Text is made harmless then, and byte-exact otherwise
	// (PANE-15).
	Terminal bool
	// Pictures are sent with the prompt; a line about each goes to Stderr.
	Pictures []picture.Picture
	Attached string // sent with the prompt, too
	// Crew is the agents that the model starts; nil: it starts none.
	Crew *crew.Crew
	// UnusedScriptLines returns the number of script lines that no turn has used. It is nil if the
	// model is no script.
	UnusedScriptLines func() int
}

// printer prints the events of a turn in one form.
type printer interface {
	event(agent.Event)
	// end writes what is left. The reason, the code and the number of denials already count unused
	// lines of a script and what was denied to agents.
	end(end agent.TurnEnd, toAgents []denialRecord, code int) error
}

// Run runs one turn and returns the exit code of the process.
func (p Print) Run(ctx context.Context, prompt string) int {
	out := p.printer()
	var last agent.TurnEnd
	deniedUnasked := false // something was denied for want of a person
	questions := map[string]json.RawMessage{}
	for _, pic := range p.Pictures {
		say(p.Stderr, "%s", pic.Line())
	}
	agents := feed(p.Crew, func(e crew.Event) {
		p.sayAgentEvent(e)
		if s, is := out.(*streamPrinter); is {
			s.agentEvent(e)
		}
	})
	denials := collectDenials(p.Crew)
	said := agent.Message{Text: prompt, Attached: p.Attached, Pictures: p.Pictures}
	_ = p.Agent.RunTurn(ctx, said, func(e agent.Event) {
		switch e := e.(type) {
		case agent.Retry:
			say(p.Stderr, "agentshell: %s", e.Line())
		case agent.Retracted:
			say(p.Stderr, "agentshell: %s", e.Line())
		case agent.ToolCall:
			if e.Name == tool.AskName {
				questions[e.ID] = e.Input
			}
		case agent.ToolEnd:
			if e.Name == tool.AskName && e.Text == tool.ErrNobody.Error() && p.Output.IsText() {
				p.sayUnasked(questions[e.ID])
			}
			deniedUnasked = deniedUnasked || e.Kind == agent.KindDenied && e.Decision.By == "no_terminal"
			p.sayCall("", e)
		case agent.Compacted:
			say(p.Stderr, "%s", e.Line())
		case agent.Reported:
			say(p.Stderr, "%s", e.Line())
		case agent.JobsEnded:
			say(p.Stderr, "%s", e.Line())
		case agent.Notice:
			say(p.Stderr, "agentshell: %s", e.Text)
		case agent.TurnEnd:
			last = e
		}
		out.event(e)
	})
	agents.Stop()
	toAgents := denials.Stop()
	last.Denied += len(toAgents)
	for _, d := range toAgents {
		deniedUnasked = deniedUnasked || d.By == "no_terminal"
	}
	result := exitCode(last)
	if context.Cause(ctx) == ErrNoReader {
		say(p.Stderr, "agentshell: stopped: %v", ErrNoReader)
		_ = out.end(last, toAgents, result)
		return worstCode(result, ExitInterrupted)
	}
	reportEnd(p.Stderr, last)
	if deniedUnasked && result == ExitDenied {
		say(p.Stderr, "Without a terminal, use --allow 'tool(pattern)' to permit calls, or --mode edits to permit "+
			"file changes; see --help.")
	}
	if p.UnusedScriptLines != nil {
		if n := p.UnusedScriptLines(); n > 0 {
			say(p.Stderr, "agentshell: the conversation ended with %d script lines left over", n)
			result = worstCode(result, ExitScript)
			if result == ExitScript {
				last.Reason = agent.Mismatch
			}
		}
	}
	if err := out.end(last, toAgents, result); err != nil {
		say(p.Stderr, "agentshell: cannot write the output: %v", err)
		result = worstCode(result, ExitError)
	}
	return result
}

// sayUnasked tells the standard error of questions of the model that nobody could answer.
func (p Print) sayUnasked(call json.RawMessage) {
	var in struct{ Questions []tool.Question }
	_ = json.Unmarshal(call, &in)
	for _, q := range in.Questions {
		say(p.Stderr, "? %s  (nobody to ask: the model decides by itself)", oneRow(q.Text))
	}
}

// refusedKind is the kind of a call that was refused before anybody could be asked, such as one of
// a file outside of the workspace (FS-46).
const refusedKind = "fs_denied"

// sayCall tells the standard error what was denied. As text it also says what was run and changed:
// the other forms have records of that. by is the agent that made the call and a colon, or "".
func (p Print) sayCall(by string, e agent.ToolEnd) {
	switch {
	case e.Kind == agent.KindDenied:
		say(p.Stderr, "denied: %s%s (%s)", by, e.Title, cmp.Or(e.Decision.Reason, "stopped"))
	case !p.Output.IsText(), e.Proposal == nil && e.Kind != refusedKind:
	case e.OK:
		words := e.Result.Summary
		if e.Decision.By != "" {
			words = strings.TrimPrefix(words+", allowed by "+e.Decision.By, ", ")
		}
		title := e.Title
		if e.Proposal.File() {
			title = strings.Replace(title, " workspace/", " ", 1)
		}
		say(p.Stderr, "+ %s%s  %s", by, title, words)
	default:
		say(p.Stderr, "! %s%s  %s", by, e.Title, firstLine(e.Text))
	}
}

func (p Print) printer() printer {
	switch p.Output {
	case JSON:
		return &jsonPrinter{w: p.Stdout, session: p.Session}
	case StreamJSON:
		s := &streamPrinter{w: p.Stdout}
		s.write(sessionRecord{"session", p.Session})
		return s
	}
	return &linePrinter{visibleWriter: visibleWriter{w: p.Stdout, exact: !p.Terminal}}
}

// textPrinter prints the model's text, byte for byte, one message after the other. A message
// without a newline at its end gets one. A message is printed when it is final: an attempt that
// breaks and is made again prints nothing.
type textPrinter struct {
	w   io.Writer
	err error
}

func (t *textPrinter) event(e agent.Event) {
	end, ok := e.(agent.MessageEnd)
	if !ok || end.Text == "" {
		return
	}
	said := strings.TrimSuffix(end.Text, "\n") + "\n"
	if _, err := io.WriteString(t.w, said); t.err == nil {
		t.err = err
	}
}

func (t *textPrinter) end(agent.TurnEnd, []denialRecord, int) error { return t.err }

// linePrinter prints the model's text line by line as it comes. A message without a newline at its
// end gets one. The lines of a broken attempt stay, and a line of this program says that it broke
// off; what had not become a line by then is dropped.
type linePrinter struct{ visibleWriter }

func (p *linePrinter) event(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		_, _ = io.WriteString(&p.visibleWriter, e.Delta)
	case agent.TextWasThinking:
		p.void("[" + e.Line() + "]\n")
	case agent.Retry, agent.Retracted:
		p.void("[the answer broke off here and starts again]\n")
	case agent.MessageEnd:
		p.endLine()
	}
}

// void says that the lines of this message do not count.
func (p *linePrinter) void(note string) {
	if p.drop() {
		_, _ = io.WriteString(&p.visibleWriter, note)
	}
	p.lines = 0
}

// endLine ends the message.
func (p *linePrinter) endLine() {
	if p.held.Len() > 0 {
		_, _ = io.WriteString(&p.visibleWriter, "\n")
	}
	p.lines = 0
}

func (p *linePrinter) end(agent.TurnEnd, []denialRecord, int) error {
	p.endLine()
	return p.err
}
