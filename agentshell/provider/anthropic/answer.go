package anthropic

import (
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// answer turns the events of one message stream into ours and collects the message.
type answer struct {
	yield  func(provider.Event, error) bool
	blocks []block // by index
	usage  provider.Usage
	stop   string
	ended  bool
}

type block struct {
	kind      string // text, thinking, redacted_thinking, tool_use; others are passed over
	text      string // of text and thinking; the data of redacted_thinking
	signature string
	id, name  string
	input     []byte // arguments so far
	given     []byte // arguments that came with the start
}

// event takes one event; false means that the consumer has left or an error was yielded.
func (a *answer) event(e sdk.MessageStreamEventUnion) bool {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.usage = provider.Usage{Input: int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens), Output: int(u.OutputTokens)}
	case "content_block_start":
		if int(e.Index) != len(a.blocks) {
			return a.broken("a block of the answer is missing")
		}
		return a.start(e.ContentBlock)
	case "content_block_delta":
		if e.Index < 0 || int(e.Index) >= len(a.blocks) {
			return a.broken("a piece of the answer belongs to no block")
		}
		return a.delta(&a.blocks[e.Index], e.Delta)
	case "content_block_stop":
		if e.Index < 0 || int(e.Index) >= len(a.blocks) {
			return a.broken("a block of the answer ends that never began")
		}
		if b := a.blocks[e.Index]; b.kind == "tool_use" {
			return a.yield(b.call(), nil)
		}
	case "message_delta":
		a.usage.Output = int(e.Usage.OutputTokens)
		if e.Usage.JSON.InputTokens.Valid() {
			a.usage.Input = int(e.Usage.InputTokens + e.Usage.CacheReadInputTokens + e.Usage.CacheCreationInputTokens)
		}
		a.stop = stop(e.Delta.StopReason)
	case "message_stop":
		a.ended = true
	}
	return true
}

func (a *answer) start(c sdk.ContentBlockStartEventContentBlockUnion) bool {
	b := block{kind: c.Type}
	ok := true
	switch c.Type {
	case "text":
		if b.text = c.Text; b.text != "" {
			ok = a.yield(provider.TextDelta{Text: b.text}, nil)
		}
	case "thinking":
		b.signature = c.Signature
		if b.text = c.Thinking; b.text != "" {
			ok = a.yield(provider.ThinkingDelta{Text: b.text}, nil)
		}
	case "redacted_thinking":
		b.text = c.Data
	case "tool_use":
		b.id, b.name = c.ID, c.Name
		b.given, _ = json.Marshal(c.Input)
		ok = a.yield(provider.ToolCallStart{ID: b.id, Name: b.name}, nil)
	}
	a.blocks = append(a.blocks, b)
	return ok
}

func (a *answer) delta(b *block, d sdk.MessageStreamEventUnionDelta) bool {
	switch d.Type {
	case "text_delta":
		b.text += d.Text
		return a.yield(provider.TextDelta{Text: d.Text}, nil)
	case "thinking_delta":
		b.text += d.Thinking
		return a.yield(provider.ThinkingDelta{Text: d.Thinking}, nil)
	case "signature_delta":
		b.signature += d.Signature
	case "input_json_delta":
		b.input = append(b.input, d.PartialJSON...)
		if d.PartialJSON != "" {
			return a.yield(provider.ToolCallDelta{ID: b.id, JSON: d.PartialJSON}, nil)
		}
	}
	return true
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
			if b.text != "" {
				m.Parts = append(m.Parts, provider.Text{Text: b.text})
			}
		case "thinking":
			m.Parts = append(m.Parts, provider.Thinking{Text: b.text, Signature: b.signature})
		case "redacted_thinking":
			m.Parts = append(m.Parts, provider.Thinking{Redacted: b.text})
		case "tool_use":
			m.Parts = append(m.Parts, b.call())
		}
	}
	return m
}

func (b block) call() provider.ToolCall {
	input := b.input
	if len(input) == 0 {
		input = b.given
	}
	return provider.ToolCall{ID: b.id, Name: b.name, Input: input}
}

func (a *answer) broken(what string) bool {
	a.yield(nil, &provider.Error{Message: what})
	return false
}

// stop maps the reasons of the API. A reason that we do not know ends the turn.
func stop(r sdk.StopReason) string {
	switch r {
	case sdk.StopReasonToolUse:
		return "tool"
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return "length"
	case sdk.StopReasonRefusal:
		return "refusal"
	}
	return "end"
}
