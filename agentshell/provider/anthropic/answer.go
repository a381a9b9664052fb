package anthropic

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// answer turns the events of one message stream into ours and collects the message.
type answer struct {
	yield  func(provider.Event, error) bool
	tally  *provider.Tally
	blocks []*block // by index
	usage  provider.Usage
	stop   string
	ended  bool
}

type block struct {
	kind      string          // text, thinking, redacted_thinking, tool_use; others are passed over
	text      strings.Builder // of text and thinking; the data of redacted_thinking
	signature strings.Builder
	id, name  string
	input     []byte // arguments so far
	given     []byte // arguments that came with the start
}

// blockBytes is what a block counts of itself, so that a million empty ones are too many.
const blockBytes = 256

// event takes one event; false means that the consumer has left or an error was yielded.
func (a *answer) event(e sdk.MessageStreamEventUnion) bool {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		a.usage = provider.Usage{Input: int(u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens),
			Output: int(u.OutputTokens), CacheRead: int(u.CacheReadInputTokens),
			CacheWrite: int(u.CacheCreationInputTokens)}
	case "content_block_start":
		if int(e.Index) != len(a.blocks) {
			return a.broken("a block of the answer is missing")
		}
		return a.start(e.ContentBlock)
	case "content_block_delta":
		if e.Index < 0 || int(e.Index) >= len(a.blocks) {
			return a.broken("a piece of the answer belongs to no block")
		}
		return a.delta(a.blocks[e.Index], e.Delta)
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
			a.usage.CacheRead = int(e.Usage.CacheReadInputTokens)
			a.usage.CacheWrite = int(e.Usage.CacheCreationInputTokens)
		}
		a.stop = stop(e.Delta.StopReason)
	case "message_stop":
		a.ended = true
	}
	return true
}

func (a *answer) start(c sdk.ContentBlockStartEventContentBlockUnion) bool {
	b := &block{kind: c.Type}
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
		given, _ := json.Marshal(c.Input)
		if err := cmp.Or(a.tally.Call(len(c.ID)+len(c.Name)), a.tally.Arguments(0, len(given))); err != nil {
			return a.excess(err)
		}
		b.id, b.name, b.given = strings.Clone(c.ID), strings.Clone(c.Name), given
		return a.yield(provider.ToolCallStart{ID: b.id, Name: b.name}, nil)
	}
	return true
}

func (a *answer) delta(b *block, d sdk.MessageStreamEventUnionDelta) bool {
	switch d.Type {
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
		return a.yield(provider.ToolCallDelta{ID: b.id, JSON: d.PartialJSON}, nil)
	}
	return true
}

// text, thinking and sign add to a block.
func (a *answer) text(b *block, s string) bool {
	if err := a.tally.Text(len(s)); err != nil {
		return a.excess(err)
	}
	b.text.WriteString(s)
	return s == "" || a.yield(provider.TextDelta{Text: s}, nil)
}

func (a *answer) thinking(b *block, s string) bool {
	if err := a.tally.Thinking(len(s)); err != nil {
		return a.excess(err)
	}
	b.text.WriteString(s)
	return s == "" || a.yield(provider.ThinkingDelta{Text: s}, nil)
}

func (a *answer) sign(b *block, s string) bool {
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

func (b *block) call() provider.ToolCall {
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
	case sdk.StopReasonMaxTokens:
		return "length"
	case sdk.StopReasonModelContextWindowExceeded:
		return "window"
	case sdk.StopReasonRefusal:
		return "refusal"
	}
	return "end"
}
