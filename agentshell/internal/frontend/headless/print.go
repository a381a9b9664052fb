package headless

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
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

// Print is one prompt, run to its end.
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
	// Leftover is the number of script lines that nobody used; nil if the model is no script.
	Leftover func() int
}

// printer turns the events of a turn into one form.
type printer interface {
	event(agent.Event)
	// end writes what is left; leftover lines have made their reason and code.
	end(end agent.TurnEnd, code int) error
}

// Run runs one turn and gives the exit code of the process.
func (p Print) Run(ctx context.Context, prompt string) int {
	out := p.printer()
	var last agent.TurnEnd
	alone := false // something was denied for want of a person
	for _, pic := range p.Pictures {
		say(p.Stderr, "%s", pic.Line())
	}
	said := agent.Message{Text: prompt, Attached: p.Attached, Pictures: p.Pictures}
	_ = p.Agent.RunTurn(ctx, said, func(e agent.Event) {
		switch e := e.(type) {
		case agent.Retry:
			say(p.Stderr, "scrollkeep: %v; trying again in %v (attempt %d of %d)", e.Err, e.Wait, e.Attempt, e.Of)
		case agent.Retracted:
			say(p.Stderr, "scrollkeep: %s", e.Line())
		case agent.ToolEnd:
			if e.Kind == agent.KindDenied {
				alone = alone || e.Decision.By == "no_terminal"
				say(p.Stderr, "denied: %s (%s)", e.Title, cmp.Or(e.Decision.Reason, "stopped"))
			}
		case agent.Compacted:
			say(p.Stderr, "%s", e.Line())
		case agent.Reported:
			say(p.Stderr, "%s", e.Line())
		case agent.JobsEnded:
			say(p.Stderr, "%s", e.Line())
		case agent.Notice:
			say(p.Stderr, "scrollkeep: %s", e.Text)
		case agent.TurnEnd:
			last = e
		}
		out.event(e)
	})
	result := code(last)
	problem(p.Stderr, last)
	if alone && result == ExitDenied {
		say(p.Stderr, "Without a terminal, use --allow 'tool(pattern)' to permit calls, or --mode edits to permit "+
			"file changes; see --help.")
	}
	if p.Leftover != nil {
		if n := p.Leftover(); n > 0 {
			say(p.Stderr, "scrollkeep: the conversation ended with %d script lines left over", n)
			result = worst(result, ExitScript)
			if result == ExitScript {
				last.Reason = agent.Mismatch
			}
		}
	}
	if err := out.end(last, result); err != nil {
		say(p.Stderr, "scrollkeep: cannot write the output: %v", err)
		result = worst(result, ExitError)
	}
	return result
}

func (p Print) printer() printer {
	switch p.Output {
	case JSON:
		return &whole{w: p.Stdout, session: p.Session}
	case StreamJSON:
		s := &stream{w: p.Stdout}
		s.write(sessionRecord{"session", p.Session})
		return s
	}
	if p.Terminal {
		return &live{sieve: sieve{w: p.Stdout}}
	}
	return &text{w: p.Stdout}
}

// text prints what the model says, byte for byte, one message after the other, with a newline after
// a message that has none. A message is printed when it is final: an attempt that breaks and is
// made again prints nothing.
type text struct {
	w   io.Writer
	err error
}

func (t *text) event(e agent.Event) {
	end, ok := e.(agent.MessageEnd)
	if !ok || end.Text == "" {
		return
	}
	said := strings.TrimSuffix(end.Text, "\n") + "\n"
	if _, err := io.WriteString(t.w, said); t.err == nil {
		t.err = err
	}
}

func (t *text) end(agent.TurnEnd, int) error { return t.err }

// live prints the same on a terminal, harmless and line by line as it comes. What a broken attempt
// said stays, and a line of ours says so.
type live struct {
	sieve
	open bool // the last byte was no newline
	said bool // in this message
}

func (l *live) event(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		_, _ = io.WriteString(&l.sieve, e.Delta)
		if e.Delta != "" {
			l.said, l.open = true, e.Delta[len(e.Delta)-1] != '\n'
		}
	case agent.TextWasThinking:
		l.close()
		if l.said {
			_, _ = io.WriteString(&l.sieve, "["+e.Line()+"]\n")
		}
		l.said = false
	case agent.Retry, agent.Retracted:
		l.close()
		if l.said {
			_, _ = io.WriteString(&l.sieve, "[the answer broke off here and starts again]\n")
		}
		l.said = false
	case agent.MessageEnd:
		l.close()
		l.said = false
	}
}

func (l *live) close() {
	if l.open {
		_, _ = io.WriteString(&l.sieve, "\n")
	}
	l.open = false
	_ = l.sieve.Close()
}

func (l *live) end(agent.TurnEnd, int) error { return l.err }
