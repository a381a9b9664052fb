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

// Output is the format in which a turn is printed.
type Output string

// Output formats. Text prints what the model says, JSON one object at the end of the turn, and
// StreamJSON one object a line for each event, as it happens.
const (
	Text       Output = "text"
	JSON       Output = "json"
	StreamJSON Output = "stream-json"
)

// IsText reports whether the format is Text, which is also the default.
func (o Output) IsText() bool { return o == Text || o == "" }

// Print runs the agent for one prompt and prints the result, without a user who could be asked.
type Print struct {
	Agent   *agent.Agent // The agent; it must have no approver.
	Session string       // The session's id, for the JSON formats.
	Output  Output       // The output format; "" means Text.
	// Gets the answer.
	Stdout io.Writer
	// Gets everything else.
	Stderr io.Writer
	// Terminal is true if Stdout is a terminal. Then control characters in Text output are made
	// visible; else the output is exact to the byte (PANE-15).
	Terminal bool
	// Pictures are sent to the model with the prompt. A line about each is written to Stderr.
	Pictures []picture.Picture
	Attached string // The text of files that the prompt names, which is sent with it.
	// Crew manages the agents that the model starts; nil if it cannot start any.
	Crew *crew.Crew
	// UnusedScriptLines returns the number of lines of the scripted model that no turn has used. It
	// is nil if the model is not scripted.
	UnusedScriptLines func() int
}

// printer prints the events of one turn in one output format.
type printer interface {
	event(agent.Event)
	// end writes what is left at the end of the turn. end.Reason, end.Denied and code already take
	// into account unused lines of a scripted model and the calls that were denied to agents
	// (toAgents).
	end(end agent.TurnEnd, toAgents []denialRecord, code int) error
}

// Run sends prompt to the model, prints the events of the turn, and returns the exit code of the
// process.
func (p Print) Run(ctx context.Context, prompt string) int {
	out := p.printer()
	var last agent.TurnEnd
	deniedUnasked := false // something was denied because nobody could be asked
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

// sayUnasked writes the model's questions, which nobody could answer, to Stderr. call is the input
// of the tool call that asked them.
func (p Print) sayUnasked(call json.RawMessage) {
	var in struct{ Questions []tool.Question }
	_ = json.Unmarshal(call, &in)
	for _, q := range in.Questions {
		say(p.Stderr, "? %s  (nobody to ask: the model decides by itself)", oneRow(q.Text))
	}
}

// refusedKind is the kind of result of a call that was refused before anybody could be asked, such
// as a change of a file outside of the workspace (FS-46).
const refusedKind = "fs_denied"

// sayCall writes a line to Stderr about a tool call that was denied. In the Text format it also
// writes lines about calls that ran a command or changed a file; the other formats have records of
// them. by names the agent that made the call, with a colon after it, or is "".
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

// textPrinter collects the model's text, byte for byte, for the JSON format. A message without a
// newline at its end gets one. A message is printed only when it is complete, so that an attempt
// that breaks off and is repeated prints nothing.
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

// linePrinter prints the model's text line by line as it arrives. A message without a newline at
// its end gets one. If an answer breaks off, its complete lines have been printed already, so a
// note says that they do not count; an incomplete line is dropped.
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

// void drops the incomplete line. If lines of this message have been printed already, it prints
// note, which says that they do not count.
func (p *linePrinter) void(note string) {
	if p.drop() {
		_, _ = io.WriteString(&p.visibleWriter, note)
	}
	p.lines = 0
}

// endLine ends the model's message: an incomplete line gets a newline.
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
