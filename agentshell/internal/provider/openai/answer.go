package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// completionAnswer converts the chunks of one chat completion to provider events, which it yields,
// and collects the message.
type completionAnswer struct {
	*collector
	decoder   chunkDecoder
	speech    provider.Speech
	thinking  strings.Builder
	field     string // The name of the JSON field in which the reasoning arrived.
	inContent strings.Builder
	refused   bool
	calls     []*call
	reason    string // The server's reason for the end of the answer.
	ended     bool   // The server has said that the answer is complete.
}

// newCompletion returns the state for a new chat completion.
func newCompletion(c *collector) *completionAnswer {
	return &completionAnswer{collector: c, speech: provider.NewSpeech(c.habit, c.tally, c.give)}
}

// event handles the data of one event. It returns false if no more events are wanted.
func (a *completionAnswer) event(data []byte) bool {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		a.ended = a.ended || a.hasCompleteCalls()
		return false
	}
	c, err := a.decoder.decode(data)
	switch {
	case err != nil && bytes.Contains(data, []byte("\n")):
		return a.takeMergedEvents(bytes.Split(data, []byte("\n")))
	case err != nil && a.over():
		return false
	case err != nil:
		return a.fail(err)
	case c.Error != nil:
		return a.fail(c.Error.error(0, data))
	}
	return a.takeChunk(c, data)
}

// takeMergedEvents handles several events that arrived as one, because the server left out the
// empty lines between them.
func (a *completionAnswer) takeMergedEvents(data [][]byte) bool {
	for _, line := range data {
		if !a.event(line) {
			return false
		}
	}
	return true
}

// over reports whether the server has said that the answer is complete. Counts of tokens may still
// follow.
func (a *completionAnswer) over() bool { return a.ended }

// hasCompleteCalls reports whether each tool call has all its arguments, so that the answer may
// have ended.
func (a *completionAnswer) hasCompleteCalls() bool {
	for _, c := range a.calls {
		if len(c.input) > 0 && !json.Valid(c.input) {
			return false
		}
	}
	return true
}

// takeChunk handles the chunk c, which was decoded from data. It returns false if the consumer
// wants no more events, or an error was yielded.
func (a *completionAnswer) takeChunk(c chunk, data []byte) bool {
	if u := c.Usage; u != nil && u.Total > 0 {
		a.usage = provider.Usage{Input: u.Prompt, Output: u.Completion, CacheRead: u.Details.Cached}
	}
	for i := range c.Choices {
		choice := &c.Choices[i]
		if choice.Index != 0 { // we ask for one
			continue
		}
		if choice.Error != nil {
			return a.fail(choice.Error.error(0, data))
		}
		d := &choice.Delta
		if choice.Message != nil && d.empty() && a.isEmpty() {
			d = choice.Message
		}
		if !a.takeDelta(d) {
			return false
		}
		if r := choice.Finish; r != "" && r != "null" {
			if stop, _ := provider.StopOf(r); stop == provider.Failed {
				f := failure{Message: fmt.Sprintf("the server ended its answer with the reason %q", r)}
				return a.fail(f.error(0, data))
			}
			a.reason, a.ended = r, true
		}
	}
	return true
}

// isEmpty reports whether nothing of the answer has arrived yet.
func (a *completionAnswer) isEmpty() bool {
	return a.speech.Empty() && a.thinking.Len() == 0 && a.inContent.Len() == 0 && len(a.calls) == 0
}

// takeDelta handles a piece of the message. It returns false if the consumer wants no more events,
// or an error was yielded.
func (a *completionAnswer) takeDelta(d *delta) bool {
	if text, field := d.thought(); text != "" {
		a.field = field
		a.speech.ServerSeparatesThinking()
		if !a.takeThinking(&a.thinking, text) {
			return false
		}
	}
	if d.inContent != "" {
		a.speech.ServerSeparatesThinking()
	}
	if d.inContent != "" && !a.takeThinking(&a.inContent, d.inContent) {
		return false
	}
	if text := d.Content + d.Refusal; text != "" {
		a.refused = a.refused || d.Refusal != ""
		if !a.goesOn(a.speech.Write(text)) {
			return false
		}
	}
	for _, part := range d.Calls {
		if !a.takeCallPart(part) {
			return false
		}
	}
	return d.Call == nil || a.takeCallPart(callPart{Function: *d.Call})
}

// takeThinking adds a piece of reasoning to one of the builders of a, and yields it.
func (a *completionAnswer) takeThinking(into *strings.Builder, text string) bool {
	if err := a.tally.CountThinking(len(text)); err != nil {
		return a.fail(err)
	}
	into.WriteString(text)
	return a.give(provider.ThinkingDelta{Text: text})
}

// finish yields the end of a complete answer: all tool calls that were not yielded, the usage, and
// the message.
func (a *completionAnswer) finish() {
	if !a.goesOn(a.speech.Flush(a.habit)) {
		return
	}
	m := provider.Message{Role: provider.Assistant}
	if a.thinking.Len() > 0 {
		m.Parts = append(m.Parts, provider.Thinking{Text: a.thinking.String(), Signature: a.field, From: a.from})
	}
	if a.inContent.Len() > 0 {
		m.Parts = append(m.Parts, provider.Thinking{Text: a.inContent.String(), From: a.from})
	}
	m.Parts = append(m.Parts, a.speech.Parts(a.from)...)
	for _, c := range a.calls {
		if !a.startCall(c) {
			return
		}
		m.Parts = append(m.Parts, c.toolCall())
	}
	if a.closeCalls(true) && a.setStop() {
		a.end(m)
	}
}

// setStop sets the reason for which the answer ended. An answer with tool calls ends with "tool"
// even if the server's reason is "stop", as some servers say. It returns false if the consumer
// wants no more events.
func (a *completionAnswer) setStop() bool {
	stop, _ := provider.StopOf(a.reason)
	switch {
	case stop != "end" && stop != "tool":
	case a.refused:
		stop = "refusal"
	case len(a.calls) > 0:
		stop = "tool"
	default:
		stop = "end"
	}
	a.stop = stop
	notice, tell := a.stops.Notice(a.reason)
	return !tell || a.give(notice)
}
