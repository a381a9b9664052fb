package openai

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// chunk is an event of Chat Completions, as far as we use it.
type chunk struct {
	Error   *failure
	Usage   *usage
	Choices []struct {
		Index  int
		Delta  delta
		Finish string `json:"finish_reason"`
	}
}

type (
	// delta is a piece of a message. What a model thinks is told by other servers than the
	// provider's own, by one of two names.
	delta struct {
		Content, Refusal string
		ReasoningContent string     `json:"reasoning_content"`
		Reasoning        string     `json:"reasoning"`
		Calls            []callPart `json:"tool_calls"`
	}
	callPart struct {
		Index    int
		ID       string
		Function struct{ Name, Arguments string }
	}
	usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
)

// completion turns the chunks of one stream into events and collects the message.
type completion struct {
	*collector
	text, thinking strings.Builder
	field          string // by which name thinking came
	refused        bool
	calls          []*call
}

// call is a tool call whose arguments arrive in pieces.
type call struct {
	index    int
	id, name string
	input    []byte
	done     bool // its ToolCall was yielded
}

func (a *completion) event(data []byte) bool {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return false
	}
	var c chunk
	if err := remote.Decode(data, &c); err != nil {
		if a.over() {
			return false
		}
		return a.fail(err)
	}
	if c.Error != nil {
		return a.fail(c.Error.error(0, data))
	}
	return a.chunk(c)
}

// over: there is a reason why it ended. Usage may come behind it.
func (a *completion) over() bool { return a.stop != "" }

// chunk takes one chunk; false means that the consumer has left.
func (a *completion) chunk(c chunk) bool {
	if u := c.Usage; u != nil && u.Total > 0 {
		a.usage = provider.Usage{Input: u.Prompt, Output: u.Completion, CacheRead: u.Details.Cached}
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 { // we ask for one
			continue
		}
		d := choice.Delta
		if !a.thought("reasoning_content", d.ReasoningContent) ||
			d.ReasoningContent == "" && !a.thought("reasoning", d.Reasoning) {
			return false
		}
		if text := d.Content + d.Refusal; text != "" {
			if err := a.tally.Text(len(text)); err != nil {
				return a.fail(err)
			}
			a.text.WriteString(text)
			a.refused = a.refused || d.Refusal != ""
			if !a.give(provider.TextDelta{Text: text}) {
				return false
			}
		}
		for _, part := range d.Calls {
			if !a.call(part) {
				return false
			}
		}
		if choice.Finish != "" {
			a.stop = a.reason(choice.Finish)
		}
	}
	return true
}

func (a *completion) thought(field, text string) bool {
	if text == "" {
		return true
	}
	if err := a.tally.Thinking(len(text)); err != nil {
		return a.fail(err)
	}
	a.field = field
	a.thinking.WriteString(text)
	return a.give(provider.ThinkingDelta{Text: text})
}

// call takes a piece of a call. Some servers give each call the index 0, or no id.
func (a *completion) call(part callPart) bool {
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
			return a.fail(err)
		}
		c = &call{index: part.Index, id: part.ID, name: part.Function.Name}
		if c.id == "" {
			c.id = fmt.Sprintf("call_%d", len(a.calls)+1)
		}
		a.calls = append(a.calls, c)
		if !a.give(provider.ToolCallStart{ID: c.id, Name: c.name}) {
			return false
		}
	}
	if args := part.Function.Arguments; args != "" {
		if err := a.tally.Arguments(len(c.input), len(args)); err != nil {
			return a.fail(err)
		}
		c.input = append(c.input, args...)
		return a.give(provider.ToolCallDelta{ID: c.id, JSON: args})
	}
	return true
}

// complete yields the calls that nothing is added to any more.
func (a *completion) complete() bool {
	for _, c := range a.calls {
		if !c.done {
			c.done = true
			if !a.give(c.toolCall()) {
				return false
			}
		}
	}
	return true
}

func (c *call) toolCall() provider.ToolCall { return toolCall(c.id, c.name, c.input) }

// toolCall returns a call as either API gives it; one without arguments may come with an empty
// text.
func toolCall(id, name string, input []byte) provider.ToolCall {
	if len(input) == 0 {
		input = []byte("{}")
	}
	return provider.ToolCall{ID: id, Name: name, Input: input}
}

// finish ends a complete message.
func (a *completion) finish() {
	m := provider.Message{Role: provider.Assistant}
	if a.thinking.Len() > 0 {
		m.Parts = append(m.Parts, provider.Thinking{Text: a.thinking.String(), Signature: a.field, From: a.from})
	}
	if a.text.Len() > 0 {
		m.Parts = append(m.Parts, provider.Text{Text: a.text.String()})
	}
	for _, c := range a.calls {
		m.Parts = append(m.Parts, c.toolCall())
	}
	if a.complete() {
		a.end(m)
	}
}

// reason maps the reasons of the API. Calls are calls whatever the reason: some servers say "stop"
// behind them.
func (a *completion) reason(r string) string {
	switch {
	case r == "length":
		return "length"
	case r == "content_filter":
		return "filter"
	case a.refused:
		return "refusal"
	case len(a.calls) > 0:
		return "tool"
	}
	return "end"
}
