package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// event is one event of the stream. Fields that do not belong to its type are empty.
type event struct {
	Type    string
	Message struct{ Usage usage }
	Index   *int    // The index of the block that the event is about; nil: the server has left it out.
	Content opening `json:"content_block"`
	Delta   struct {
		Type, Text, Thinking, Signature string
		PartialJSON                     string `json:"partial_json"`
		StopReason                      string `json:"stop_reason"`
	}
	Usage usage
	Error struct{ Type, Message string }
}

// opening is the content of the event that begins a block.
type opening struct {
	Type, Text, Thinking, Signature, Data string
	ID, Name                              string
	Input                                 json.RawMessage
}

// usage holds counts of tokens. A count that the server has not sent is nil.
type usage struct {
	Input      *int `json:"input_tokens"`
	CacheRead  *int `json:"cache_read_input_tokens"`
	CacheWrite *int `json:"cache_creation_input_tokens"`
	Output     *int `json:"output_tokens"`
}

// addTo copies the counts that u contains to out.
func (u usage) addTo(out *provider.Usage) {
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

// answer converts the events of one response to provider events, which it yields, and collects the
// message.
type answer struct {
	yield  func(provider.Event, error) bool
	tally  *provider.Tally
	ids    *provider.CallIDs
	from   string
	habit  *provider.ThoughtHabit
	stops  *provider.Stops
	blocks []*piece
	usage  provider.Usage
	reason string // The server's reason for the end of the answer; "": the answer has not ended.
	ended  bool
}

// piece is one block of the answer, as far as it has arrived.
type piece struct {
	index int // The server's index of the block.
	// The type: text, thinking, redacted_thinking or tool_use. Blocks of other types are ignored.
	kind      string
	speech    provider.Speech // The content of a text block.
	text      strings.Builder // The content of a thinking block, or the data of a redacted_thinking block.
	signature strings.Builder
	// The tool call, without its input.
	as    provider.ToolCall
	input []byte // The arguments of the tool call that have arrived in pieces.
	given []byte // The arguments that came with the start of the block.
	done  bool   // The block has ended.
}

// blockBytes is the number of bytes that each block counts in addition to its content, so that a
// flood of empty blocks meets a bound, too.
const blockBytes = 256

// data handles the data of one event. It returns false if the consumer wants no more events, or an
// error was yielded.
func (a *answer) data(data []byte) bool {
	if text, index, is := textDelta(data); is {
		e := event{Type: "content_block_delta", Index: &index}
		e.Delta.Type, e.Delta.Text = "text_delta", text
		return a.event(e)
	}
	if string(bytes.TrimSpace(data)) == "[DONE]" { // of servers that speak another protocol, too
		a.ended = a.complete()
		return true
	}
	var e event
	err := json.Unmarshal(data, &e)
	if err != nil && !wrongType(err) {
		return a.fail(remote.Early())
	}
	if err != nil || e.Type == "" {
		e.decodeLoosely(data)
	}
	return a.event(e)
}

// wrongType reports whether err only says that fields have other types than in the API.
func wrongType(err error) bool {
	var kind *json.UnmarshalTypeError
	return errors.As(err, &kind)
}

// decodeLoosely sets the fields of e that have other types in data than in the API.
func (e *event) decodeLoosely(data []byte) {
	var l struct {
		Error, Message, Detail json.RawMessage
		Delta                  struct {
			Partial json.RawMessage `json:"partial_json"`
		}
	}
	_ = json.Unmarshal(data, &l) // a field of another type is missing
	if p := bytes.TrimSpace(l.Delta.Partial); len(p) > 0 && p[0] == '{' {
		e.Delta.PartialJSON = string(p)
	}
	if e.Type == "" && len(l.Error) > 0 && string(l.Error) != "null" {
		e.Type = "error"
	}
	if e.Type == "error" && e.Error.Message == "" {
		for _, text := range []json.RawMessage{l.Error, l.Message, l.Detail} {
			if json.Unmarshal(text, &e.Error.Message) == nil && e.Error.Message != "" {
				return
			}
		}
	}
}

// complete reports whether the answer may have ended: it has content, and each tool call has all
// its arguments.
func (a *answer) complete() bool {
	for _, b := range a.blocks {
		if b.kind == "tool_use" && len(b.input) > 0 && !json.Valid(b.input) {
			return false
		}
	}
	return len(a.blocks) > 0
}

// event handles one event. It returns false if the consumer wants no more events, or an error was
// yielded.
func (a *answer) event(e event) bool {
	switch e.Type {
	case "message_start":
		e.Message.Usage.addTo(&a.usage)
	case "content_block_start":
		return a.closeText() && a.start(e.Content, e.Index)
	case "content_block_delta":
		b := a.blockOf(e)
		if b == nil {
			return a.broken("a piece of the answer belongs to no block")
		}
		return a.delta(b, e)
	case "content_block_stop":
		if b := a.last(e.Index); b != nil {
			return a.close(b)
		}
	case "message_delta":
		e.Usage.addTo(&a.usage)
		if r := e.Delta.StopReason; r != "" {
			a.reason = r
		}
		if stop, _ := provider.StopOf(a.reason); stop == provider.Failed {
			return a.fail(&provider.Error{Status: 500,
				Message: fmt.Sprintf("the server ended its answer with the reason %q", a.reason)})
		}
	case "error":
		err := &provider.Error{Status: status(e.Error.Type), Message: remote.Cut(e.Error.Message)}
		err.TooLong = tooLong(err)
		return a.fail(err)
	case "message_stop":
		a.ended = true
	}
	return true
}

// last returns the last block with the given index. If index is nil it returns the last block of
// all. It returns nil if there is none.
func (a *answer) last(index *int) *piece {
	for _, b := range slices.Backward(a.blocks) {
		if index == nil || b.index == *index {
			return b
		}
	}
	return nil
}

// blockKind returns the type of block that a delta of the given type belongs to; "": the type is
// not known.
func blockKind(deltaKind string) string {
	switch deltaKind {
	case "text_delta":
		return "text"
	case "thinking_delta", "signature_delta":
		return "thinking"
	case "input_json_delta":
		return "tool_use"
	}
	return ""
}

// blockOf returns the block that a delta belongs to. If there is none, a delta of text or reasoning
// begins a new block. For any other delta it returns nil.
func (a *answer) blockOf(e event) *piece {
	b, kind := a.last(e.Index), blockKind(e.Delta.Type)
	if b != nil && (b.kind == kind || kind == "") {
		return b
	}
	if kind == "tool_use" || kind == "" && b == nil || e.Index != nil && *e.Index < 0 {
		return nil
	}
	if !a.closeText() || !a.start(opening{Type: kind}, e.Index) {
		return a.last(e.Index)
	}
	return a.last(e.Index)
}

// close ends a block and yields what is complete with it. It returns false if the consumer wants no
// more events.
func (a *answer) close(b *piece) bool {
	switch {
	case b.done:
		return true
	case b.kind == "tool_use":
		b.done = true
		return a.give(b.call())
	case b.kind == "text":
		b.done = true
		return a.goesOn(b.speech.Flush(a.habit))
	}
	return true
}

// closeText ends all text blocks that are still open.
func (a *answer) closeText() bool {
	for _, b := range a.blocks {
		if b.kind == "text" && !a.close(b) {
			return false
		}
	}
	return true
}

// give yields an event. It returns false if the consumer wants no more.
func (a *answer) give(e provider.Event) bool { return a.yield(e, nil) }

// goesOn reports whether the answer goes on. Its parameters are the results of a method of
// [provider.Speech]. It yields err, if there is one.
func (a *answer) goesOn(more bool, err error) bool {
	if err != nil {
		return a.fail(err)
	}
	return more
}

// start begins a block. It returns false if the consumer wants no more events, or an error was
// yielded.
func (a *answer) start(c opening, index *int) bool {
	b := &piece{kind: c.Type, index: len(a.blocks)}
	if index != nil {
		b.index = *index
	}
	if b.kind == "text" {
		b.speech = provider.NewSpeech(a.habit, a.tally, a.give)
		if len(a.blocks) > 0 {
			b.speech.ServerSeparatesThinking()
		}
	}
	a.blocks = append(a.blocks, b)
	if err := a.tally.CountOther(blockBytes); err != nil {
		return a.fail(err)
	}
	switch c.Type {
	case "text":
		return a.text(b, c.Text)
	case "thinking":
		return a.sign(b, c.Signature) && a.thinking(b, c.Thinking)
	case "redacted_thinking":
		if err := a.tally.CountOther(len(c.Data)); err != nil {
			return a.fail(err)
		}
		b.text.WriteString(c.Data)
	case "tool_use":
		given := c.Input
		var text string
		if json.Unmarshal(given, &text) == nil { // the object as its text
			given = json.RawMessage(text)
		}
		if err := cmp.Or(a.tally.CountCall(len(c.ID)+len(c.Name)), a.tally.CountArguments(0, len(given))); err != nil {
			return a.fail(err)
		}
		b.as, b.given = a.ids.New(c.ID), given
		b.as.Name = strings.Clone(c.Name)
		return a.yield(provider.ToolCallStart{ID: b.as.ID, Name: b.as.Name}, nil)
	}
	return true
}

// delta adds the content of a delta to block b. It returns false if the consumer wants no more
// events, or an error was yielded.
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
		if err := a.tally.CountArguments(len(b.input), len(d.PartialJSON)); err != nil {
			return a.fail(err)
		}
		b.input = append(b.input, d.PartialJSON...)
		return a.yield(provider.ToolCallDelta{ID: b.as.ID, JSON: d.PartialJSON}, nil)
	}
	return true
}

// text adds text to block b.
func (a *answer) text(b *piece, s string) bool { return a.goesOn(b.speech.Write(s)) }

// thinking adds reasoning to block b, and yields it.
func (a *answer) thinking(b *piece, s string) bool {
	if err := a.tally.CountThinking(len(s)); err != nil {
		return a.fail(err)
	}
	b.text.WriteString(s)
	return s == "" || a.yield(provider.ThinkingDelta{Text: s}, nil)
}

// sign adds a piece of the signature to block b.
func (a *answer) sign(b *piece, s string) bool {
	if err := a.tally.CountOther(len(s)); err != nil {
		return a.fail(err)
	}
	b.signature.WriteString(s)
	return true
}

// fail yields an error and returns false.
func (a *answer) fail(err error) bool {
	a.yield(nil, err)
	return false
}

// finish closes all blocks of a complete answer, and yields the usage and the End.
func (a *answer) finish() {
	for _, b := range a.blocks {
		if !a.close(b) {
			return
		}
	}
	m := a.message()
	stop, _ := provider.StopOf(a.reason)
	calls := slices.ContainsFunc(a.blocks, func(b *piece) bool { return b.kind == "tool_use" })
	switch {
	case stop == "end" && calls:
		stop = "tool"
	case stop == "tool" && !calls:
		stop = "end"
	}
	if n, tell := a.stops.Notice(a.reason); tell && !a.give(n) {
		return
	}
	if a.give(a.usage) {
		a.give(provider.End{Stop: stop, Message: m})
	}
}

// message returns the answer as a message.
func (a *answer) message() provider.Message {
	m := provider.Message{Role: provider.Assistant}
	for _, b := range a.blocks {
		switch b.kind {
		case "text":
			m.Parts = append(m.Parts, b.speech.Parts(a.from)...)
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

// call returns a tool_use block as a tool call with its input.
func (p *piece) call() provider.ToolCall {
	input := p.input
	if len(input) == 0 {
		input = p.given
	}
	call := p.as
	call.Input = input
	return call
}

// broken yields an error with the text what, and returns false.
func (a *answer) broken(what string) bool {
	a.yield(nil, &provider.Error{Message: what})
	return false
}
