package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// answer turns the chunks of one stream into events and collects the message.
type answer struct {
	yield   func(provider.Event, error) bool
	tally   *provider.Tally
	text    strings.Builder
	refused bool
	calls   []*call
	usage   provider.Usage
	stop    string
}

// call is a tool call whose arguments arrive in pieces.
type call struct {
	index    int64
	id, name string
	input    []byte
	done     bool // its ToolCall was yielded
}

// chunk takes one chunk; false means that the consumer has left.
func (a *answer) chunk(c sdk.ChatCompletionChunk) bool {
	if u := c.Usage; u.TotalTokens > 0 {
		a.usage = provider.Usage{Input: int(u.PromptTokens), Output: int(u.CompletionTokens),
			CacheRead: int(u.PromptTokensDetails.CachedTokens)}
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 { // we ask for one
			continue
		}
		d := choice.Delta
		if text := thought(d); text != "" {
			if err := a.tally.Thinking(len(text)); err != nil {
				return a.excess(err)
			}
			if !a.yield(provider.ThinkingDelta{Text: text}, nil) {
				return false
			}
		}
		if text := d.Content + d.Refusal; text != "" {
			if err := a.tally.Text(len(text)); err != nil {
				return a.excess(err)
			}
			a.text.WriteString(text)
			a.refused = a.refused || d.Refusal != ""
			if !a.yield(provider.TextDelta{Text: text}, nil) {
				return false
			}
		}
		for _, part := range d.ToolCalls {
			if !a.call(part) {
				return false
			}
		}
		if choice.FinishReason != "" {
			a.stop = a.reason(choice.FinishReason)
		}
	}
	return true
}

// thought is what other servers than the provider's own tell of a model's thinking.
func thought(d sdk.ChatCompletionChunkChoiceDelta) string {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		var text string
		if f, ok := d.JSON.ExtraFields[name]; ok && json.Unmarshal([]byte(f.Raw()), &text) == nil && text != "" {
			return text
		}
	}
	return ""
}

// call takes a piece of a call. Some servers give each call the index 0, or no id.
func (a *answer) call(part sdk.ChatCompletionChunkChoiceDeltaToolCall) bool {
	var c *call
	for _, known := range a.calls {
		if known.index == part.Index && (part.ID == "" || part.ID == known.id) {
			c = known
		}
	}
	if c == nil {
		if !a.complete() {
			return false
		}
		if err := a.tally.Call(len(part.ID) + len(part.Function.Name)); err != nil {
			return a.excess(err)
		}
		c = &call{index: part.Index, id: strings.Clone(part.ID), name: strings.Clone(part.Function.Name)}
		if c.id == "" {
			c.id = fmt.Sprintf("call_%d", len(a.calls)+1)
		}
		a.calls = append(a.calls, c)
		if !a.yield(provider.ToolCallStart{ID: c.id, Name: c.name}, nil) {
			return false
		}
	}
	if args := part.Function.Arguments; args != "" {
		if err := a.tally.Arguments(len(c.input), len(args)); err != nil {
			return a.excess(err)
		}
		c.input = append(c.input, args...)
		return a.yield(provider.ToolCallDelta{ID: c.id, JSON: args}, nil)
	}
	return true
}

func (a *answer) excess(err error) bool {
	a.yield(nil, err)
	return false
}

// complete yields the calls that nothing is added to any more.
func (a *answer) complete() bool {
	for _, c := range a.calls {
		if !c.done {
			c.done = true
			if !a.yield(c.toolCall(), nil) {
				return false
			}
		}
	}
	return true
}

func (c *call) toolCall() provider.ToolCall {
	input := c.input
	if len(input) == 0 {
		input = []byte("{}")
	}
	return provider.ToolCall{ID: c.id, Name: c.name, Input: input}
}

// finish ends a complete message.
func (a *answer) finish() {
	m := provider.Message{Role: provider.Assistant}
	if a.text.Len() > 0 {
		m.Parts = append(m.Parts, provider.Text{Text: a.text.String()})
	}
	for _, c := range a.calls {
		m.Parts = append(m.Parts, c.toolCall())
	}
	if a.complete() && a.yield(a.usage, nil) {
		a.yield(provider.End{Stop: a.stop, Message: m}, nil)
	}
}

// reason maps the reasons of the API. Calls are calls whatever the reason: some servers say "stop"
// behind them.
func (a *answer) reason(r string) string {
	switch {
	case r == "length":
		return "length"
	case r == "content_filter", a.refused:
		return "refusal"
	case len(a.calls) > 0:
		return "tool"
	}
	return "end"
}
