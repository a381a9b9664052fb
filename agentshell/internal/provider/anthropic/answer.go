package anthropic

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// event is an event of the stream; what is not of its type is empty.
type event struct {
	Type    string
	Message struct{ Usage usage }
	Index   int
	Content opening `json:"content_block"`
	Delta   struct {
		Type, Text, Thinking, Signature string
		PartialJSON                     string `json:"partial_json"`
		StopReason                      string `json:"stop_reason"`
	}
	Usage usage
	Error struct{ Type, Message string }
}

// opening is a block as it begins.
type opening struct {
	Type, Text, Thinking, Signature, Data string
	ID, Name                              string
	Input                                 json.RawMessage
}

// usage counts tokens; what is missing is nil.
type usage struct {
	Input      *int `json:"input_tokens"`
	CacheRead  *int `json:"cache_read_input_tokens"`
	CacheWrite *int `json:"cache_creation_input_tokens"`
	Output     *int `json:"output_tokens"`
}

// add puts what u counts into out.
func (u usage) add(out *provider.Usage) {
	count := func(n *int) int {
		if n == nil {
			return 0
		}
		return *n
	}
	if u.Input != nil {
		out.CacheRead, out.CacheWrite = count(u.CacheRead), count(u.CacheWrite)
		out.Input = *u.Input + out.CacheRead + out.CacheWrite
	}
	if u.Output != nil {
		out.Output = *u.Output
	}
}

// answer turns the events of one message stream into ours and collects the message.
type answer struct {
	yield  func(provider.Event, error) bool
	tally  *provider.Tally
	ids    *provider.CallIDs
	blocks []*piece // by index
	usage  provider.Usage
	stop   string
	ended  bool
}

// piece is a block of the answer so far.
type piece struct {
	kind      string          // text, thinking, redacted_thinking, tool_use; others are passed over
	text      strings.Builder // of text and thinking; the data of redacted_thinking
	signature strings.Builder
	as        provider.ToolCall
	input     []byte // arguments so far
	given     []byte // arguments that came with the start
}

// blockBytes is what a block counts of itself, so that a million empty ones are too many.
const blockBytes = 256

// event takes one event; false means that the consumer has left or an error was yielded.
func (a *answer) event(e event) bool {
	switch e.Type {
	case "message_start":
		e.Message.Usage.add(&a.usage)
	case "content_block_start":
		if e.Index != len(a.blocks) {
			return a.broken("a block of the answer is missing")
		}
		return a.start(e.Content)
	case "content_block_delta":
		if e.Index < 0 || e.Index >= len(a.blocks) {
			return a.broken("a piece of the answer belongs to no block")
		}
		return a.delta(a.blocks[e.Index], e)
	case "content_block_stop":
		if e.Index < 0 || e.Index >= len(a.blocks) {
			return a.broken("a block of the answer ends that never began")
		}
		if b := a.blocks[e.Index]; b.kind == "tool_use" {
			return a.yield(b.call(), nil)
		}
	case "message_delta":
		e.Usage.add(&a.usage)
		a.stop = stop(e.Delta.StopReason)
	case "error":
		err := &provider.Error{Status: status(e.Error.Type), Message: remote.Cut(e.Error.Message)}
		err.TooLong = tooLong(err)
		return a.excess(err)
	case "message_stop":
		a.ended = true
	}
	return true
}

func (a *answer) start(c opening) bool {
	b := &piece{kind: c.Type}
	a.blocks = append(a.blocks, b)
	if err := a.tally.Keep(blockBytes); err != nil {
		return a.excess(err)
	}
	switch c.Type {
	case "text":
		return a.text(b, c.Text)
	case "thinking":
		return a.sign(b, c.Signature) && a.thinking(b, c.Thinking)
	case "redacted_thinking":
		if err := a.tally.Keep(len(c.Data)); err != nil {
			return a.excess(err)
		}
		b.text.WriteString(c.Data)
	case "tool_use":
		given := c.Input
		if err := cmp.Or(a.tally.Call(len(c.ID)+len(c.Name)), a.tally.Arguments(0, len(given))); err != nil {
			return a.excess(err)
		}
		b.as, b.given = a.ids.New(c.ID), given
		b.as.Name = strings.Clone(c.Name)
		return a.yield(provider.ToolCallStart{ID: b.as.ID, Name: b.as.Name}, nil)
	}
	return true
}

func (a *answer) delta(b *piece, e event) bool {
	switch d := e.Delta; d.Type {
	case "text_delta":
		return a.text(b, d.Text)
	case "thinking_delta":
		return a.thinking(b, d.Thinking)
	case "signature_delta":
		return a.sign(b, d.Signature)
	case "input_json_delta":
		if d.PartialJSON == "" {
			return true
		}
		if err := a.tally.Arguments(len(b.input), len(d.PartialJSON)); err != nil {
			return a.excess(err)
		}
		b.input = append(b.input, d.PartialJSON...)
		return a.yield(provider.ToolCallDelta{ID: b.as.ID, JSON: d.PartialJSON}, nil)
	}
	return true
}

// text, thinking and sign add to a block.
func (a *answer) text(b *piece, s string) bool {
	if err := a.tally.Text(len(s)); err != nil {
		return a.excess(err)
	}
	b.text.WriteString(s)
	return s == "" || a.yield(provider.TextDelta{Text: s}, nil)
}

func (a *answer) thinking(b *piece, s string) bool {
	if err := a.tally.Thinking(len(s)); err != nil {
		return a.excess(err)
	}
	b.text.WriteString(s)
	return s == "" || a.yield(provider.ThinkingDelta{Text: s}, nil)
}

func (a *answer) sign(b *piece, s string) bool {
	if err := a.tally.Keep(len(s)); err != nil {
		return a.excess(err)
	}
	b.signature.WriteString(s)
	return true
}

func (a *answer) excess(err error) bool {
	a.yield(nil, err)
	return false
}

// finish ends a complete message.
func (a *answer) finish() {
	if a.yield(a.usage, nil) {
		a.yield(provider.End{Stop: a.stop, Message: a.message()}, nil)
	}
}

func (a *answer) message() provider.Message {
	m := provider.Message{Role: provider.Assistant}
	for _, b := range a.blocks {
		switch b.kind {
		case "text":
			if b.text.Len() > 0 {
				m.Parts = append(m.Parts, provider.Text{Text: b.text.String()})
			}
		case "thinking":
			m.Parts = append(m.Parts, provider.Thinking{Text: b.text.String(), Signature: b.signature.String()})
		case "redacted_thinking":
			m.Parts = append(m.Parts, provider.Thinking{Redacted: b.text.String()})
		case "tool_use":
			m.Parts = append(m.Parts, b.call())
		}
	}
	return m
}

func (b *piece) call() provider.ToolCall {
	input := b.input
	if len(input) == 0 {
		input = b.given
	}
	call := b.as
	call.Input = input
	return call
}

func (a *answer) broken(what string) bool {
	a.yield(nil, &provider.Error{Message: what})
	return false
}

// stop maps the reasons of the API. A reason that we do not know ends the turn.
func stop(r string) string {
	switch r {
	case "tool_use":
		return "tool"
	case "max_tokens":
		return "length"
	case "model_context_window_exceeded":
		return "window"
	case "refusal":
		return "refusal"
	}
	return "end"
}
