package agent

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// veil hands on events without secrets. Text that streams is held back where it could become one
// (see [secret.Set.Live]). A proposal is handed on as it is: what is shown of a change is what is
// written.
type veil struct {
	set      secret.Set
	on       func(Event)
	text     *secret.Stream
	message  strings.Builder // what the message has said, as the model wrote it
	thinking *secret.Stream
	calls    map[string]*secret.Stream // arguments that stream, by call
	output   map[string]*secret.Stream // of calls that run
}

func newVeil(set secret.Set, on func(Event)) *veil {
	return &veil{set: set, on: on, text: set.Live(), thinking: set.Live(), calls: map[string]*secret.Stream{},
		output: map[string]*secret.Stream{}}
}

func (v *veil) event(e Event) {
	switch e := e.(type) {
	case Text:
		if e.Delta != "" {
			v.settle(v.thinking, func(s string) Event { return Thinking{s} })
			v.message.WriteString(e.Delta)
			v.piece(v.text.Write(e.Delta), func(s string) Event { return Text{s} })
		}
		return
	case Thinking:
		if e.Delta != "" {
			v.settle(v.text, func(s string) Event { return Text{s} })
			v.piece(v.thinking.Write(e.Delta), func(s string) Event { return Thinking{s} })
		}
		return
	case Usage: // may come within a text
		v.on(e)
		return
	case ToolStream:
		v.said()
		if e.Name != "" || e.JSON == "" {
			v.on(ToolStream{ID: v.set.Redact(e.ID), Name: v.set.Redact(e.Name)})
		}
		v.piece(stream(v.calls, v.set, e.ID).Write(e.JSON), func(s string) Event {
			return ToolStream{ID: v.set.Redact(e.ID), JSON: s}
		})
		return
	case ToolProgress:
		v.piece(stream(v.output, v.set, e.ID).Write(e.Text), func(s string) Event {
			return ToolProgress{v.set.Redact(e.ID), s}
		})
		return
	}
	v.said()
	v.on(v.whole(e))
}

// whole returns an event whose texts are whole.
func (v *veil) whole(e Event) Event {
	clean := v.set.Redact
	switch e := e.(type) {
	case ToolCall:
		if s := v.calls[e.ID]; s != nil {
			v.settle(s, func(text string) Event { return ToolStream{ID: clean(e.ID), JSON: text} })
			delete(v.calls, e.ID)
		}
		return ToolCall{ID: clean(e.ID), Name: clean(e.Name), Input: json.RawMessage(v.set.RedactJSON(string(e.Input)))}
	case ToolStart:
		e.ID, e.Name, e.Title = clean(e.ID), clean(e.Name), clean(e.Title)
		return e
	case Approval:
		e.Call, e.Decision.Reason = clean(e.Call), clean(e.Decision.Reason)
		return e
	case ToolEnd:
		if s := v.output[e.ID]; s != nil {
			v.settle(s, func(text string) Event { return ToolProgress{clean(e.ID), text} })
			delete(v.output, e.ID)
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
		e.Text = clean(v.message.String())
		v.message.Reset()
		return e
	case Retracted:
		v.message.Reset()
		return e
	case Retry:
		v.message.Reset()
		e.Err = provider.Redact(e.Err, v.set)
		return e
	case Compacted:
		e.Text, e.Why = clean(e.Text), v.set.Error(e.Why)
		return e
	case Reported:
		e.Text = clean(e.Text)
		return e
	case JobsEnded:
		e.Text, e.Jobs = clean(e.Text), slices.Clone(e.Jobs)
		for i := range e.Jobs {
			j := &e.Jobs[i]
			j.Label, j.Text, j.Output = clean(j.Label), clean(j.Text), clean(j.Output)
		}
		return e
	case Steered:
		return Steered{clean(e.Text)}
	case Notice:
		return Notice{clean(e.Text)}
	case TurnEnd:
		e.Err = provider.Redact(e.Err, v.set)
		return e
	}
	return e
}

// said ends the texts that stream.
func (v *veil) said() {
	v.settle(v.thinking, func(s string) Event { return Thinking{s} })
	v.settle(v.text, func(s string) Event { return Text{s} })
}

func (v *veil) settle(s *secret.Stream, event func(string) Event) { v.piece(s.Flush(), event) }

func (v *veil) piece(text string, event func(string) Event) {
	if text != "" {
		v.on(event(text))
	}
}

func stream(all map[string]*secret.Stream, set secret.Set, id string) *secret.Stream {
	if all[id] == nil {
		all[id] = set.Live()
	}
	return all[id]
}
