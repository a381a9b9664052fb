package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// redactor removes secrets from events before it passes them on. It delays the end of a streamed
// text if that could be the beginning of a secret (see [secret.Set.Live]). Proposals pass
// unchanged, because the user must see exactly what will be written.
type redactor struct {
	set      secret.Set
	on       func(Event)
	text     *secret.Stream
	message  strings.Builder // the text of the current message, not redacted
	thinking *secret.Stream
	calls    map[string]*secret.Stream // the streamed arguments of each call, by its id
	output   map[string]*secret.Stream // the streamed output of each running call, by its id
}

func newRedactor(set secret.Set, hold bool, on func(Event)) *redactor {
	text := set.Live()
	if hold {
		text = set.Stream()
	}
	return &redactor{set: set, on: on, text: text, thinking: set.Live(), calls: map[string]*secret.Stream{},
		output: map[string]*secret.Stream{}}
}

func (r *redactor) handle(e Event) {
	switch e := e.(type) {
	case Text:
		if e.Delta != "" {
			r.flush(r.thinking, func(s string) Event { return Thinking{s} })
			r.message.WriteString(e.Delta)
			r.pass(r.text.Write(e.Delta), func(s string) Event { return Text{s} })
		}
		return
	case Thinking:
		if e.Delta != "" {
			r.flush(r.text, func(s string) Event { return Text{s} })
			r.pass(r.thinking.Write(e.Delta), func(s string) Event { return Thinking{s} })
		}
		return
	case Usage: // may come within a text
		r.on(e)
		return
	case ToolStream:
		r.flushTexts()
		if e.Name != "" || e.JSON == "" {
			r.on(ToolStream{ID: r.set.Redact(e.ID), Name: r.set.Redact(e.Name)})
		}
		r.pass(streamFor(r.calls, r.set, e.ID).Write(e.JSON), func(s string) Event {
			return ToolStream{ID: r.set.Redact(e.ID), JSON: s}
		})
		return
	case ToolProgress:
		r.pass(streamFor(r.output, r.set, e.ID).Write(e.Text), func(s string) Event {
			return ToolProgress{r.set.Redact(e.ID), s}
		})
		return
	}
	r.flushTexts()
	r.on(r.redactWhole(e))
}

// redactWhole returns the event without secrets. The texts of the event are complete, not streamed.
func (r *redactor) redactWhole(e Event) Event {
	clean := r.set.Redact
	switch e := e.(type) {
	case ToolCall:
		if s := r.calls[e.ID]; s != nil {
			r.flush(s, func(text string) Event { return ToolStream{ID: clean(e.ID), JSON: text} })
			delete(r.calls, e.ID)
		}
		return ToolCall{ID: clean(e.ID), Name: clean(e.Name), Input: json.RawMessage(r.set.RedactJSON(string(e.Input)))}
	case ToolStart:
		e.ID, e.Name, e.Title = clean(e.ID), clean(e.Name), clean(e.Title)
		return e
	case Approval:
		e.Call, e.Decision.Reason = clean(e.Call), clean(e.Decision.Reason)
		return e
	case ToolEnd:
		if s := r.output[e.ID]; s != nil {
			r.flush(s, func(text string) Event { return ToolProgress{clean(e.ID), text} })
			delete(r.output, e.ID)
		}
		e.ID, e.Name, e.Title, e.Text = clean(e.ID), clean(e.Name), clean(e.Title), clean(e.Text)
		e.Result.Text, e.Result.Summary, e.Result.Detail = clean(e.Result.Text), clean(e.Result.Summary),
			clean(e.Result.Detail)
		e.Result.Changed = slices.Clone(e.Result.Changed)
		for i := range e.Result.Changed {
			e.Result.Changed[i] = clean(e.Result.Changed[i])
		}
		e.Decision.Reason = clean(e.Decision.Reason)
		return e
	case MessageEnd:
		e.Text = clean(r.message.String())
		r.message.Reset()
		return e
	case Retracted:
		r.message.Reset()
		return e
	case TextWasThinking:
		r.message.Reset()
		return TextWasThinking{clean(e.Text)}
	case Retry:
		r.message.Reset()
		e.Err = provider.Redact(e.Err, r.set)
		return e
	case Compacted:
		e.Text, e.Why = clean(e.Text), r.set.Error(e.Why)
		return e
	case Reported:
		e.Text = clean(e.Text)
		return e
	case JobsEnded:
		e.Text, e.Jobs = clean(e.Text), slices.Clone(e.Jobs)
		for i := range e.Jobs {
			j := &e.Jobs[i]
			j.Label, j.Result, j.Output = clean(j.Label), clean(j.Result), clean(j.Output)
		}
		return e
	case Steered:
		return Steered{clean(e.Text)}
	case Notice:
		return Notice{clean(e.Text)}
	case TurnEnd:
		e.Err = provider.Redact(e.Err, r.set)
		return e
	}
	return e
}

// flushTexts passes on the ends of streamed texts that were delayed.
func (r *redactor) flushTexts() {
	r.flush(r.thinking, func(s string) Event { return Thinking{s} })
	r.flush(r.text, func(s string) Event { return Text{s} })
}

func (r *redactor) flush(s *secret.Stream, event func(string) Event) { r.pass(s.Flush(), event) }

func (r *redactor) pass(text string, event func(string) Event) {
	if text != "" {
		r.on(event(text))
	}
}

func streamFor(all map[string]*secret.Stream, set secret.Set, id string) *secret.Stream {
	if all[id] == nil {
		all[id] = set.Live()
	}
	return all[id]
}
