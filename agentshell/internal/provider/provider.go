// Package provider is what the shell knows of a language model.
package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Model answers a conversation. Stream yields events until the answer ends (the last one is an End)
// or an error is yielded; cancelling ctx ends it. A Model may be used by one Stream at a time.
type Model interface {
	Name() string // for the screen: "demo script", "claude-..."
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// Request is the whole conversation so far.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// Force is the name of the tool that the answer has to call, where the provider can force it.
	// "": the model chooses.
	Force string
	// TakenID reports whether a call has the id, also one that has left Messages. Nil: the calls in
	// Messages have theirs, and no other one is taken.
	TakenID func(id string) bool
}

// Tool describes one tool to a model. Schema is the JSON schema of its input.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
	ReadOnly          bool // no call of it changes anything: its calls do not wait for an open approval (PANE-11)
}

// Names of the tools that mark and take back a part of the conversation itself: what is kept of a
// conversation depends on their calls.
const (
	CheckpointName = "checkpoint"
	RewindName     = "rewind"
)

type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message; its parts are Text, Thinking, ToolCall (assistant), Image, ToolResult
// or Compaction (user).
type Message struct {
	Role  Role
	Parts []Part
}

// Size returns about how many bytes the text of the message takes, without pictures.
func (m Message) Size() int {
	n := 0
	for _, p := range m.Parts {
		switch p := p.(type) {
		case Text:
			n += len(p.Text)
		case Thinking:
			n += len(p.Text) + len(p.Signature) + len(p.Redacted)
		case ToolCall:
			n += len(p.ID) + len(p.Name) + len(p.Input) + len(p.Given) + len(p.From)
		case ToolResult:
			n += len(p.ID) + len(p.Text)
		case Compaction:
			n += len(p.Text) + len(p.Facts)
		}
	}
	return n
}

// Silent reports whether there is neither text nor a call in it.
func (m Message) Silent() bool {
	for _, p := range m.Parts {
		switch p := p.(type) {
		case Text:
			if p.Text != "" {
				return false
			}
		case ToolCall:
			return false
		}
	}
	return true
}

// Part is a part of a message: Text, Thinking, ToolCall, ToolResult, Image or Compaction.
type Part interface{ part() }

// Text is what was said. Origin is about the texts of the role User alone, Rule about those of
// [Rule].
type Text struct {
	Text   string
	Origin Origin
	Rule   string // its name
	// Summary is how a command or a cell of the person ended, such as "exit 0". No model gets it.
	Summary string
}

// Thinking is what a model thought. Signature and Redacted are the provider's own and go back to it
// as they came, and to nobody else: From names who takes them, "" is Anthropic.
type Thinking struct{ Text, Signature, Redacted, From string }

// ToolCall asks for a tool. Input is as the model sent it, and may be broken JSON.
//
// No other call of the conversation has the ID, see [CallIDs]. Given is what the server called it,
// where that is something else. From is the server that knows the call by the ID; "" is none.
type ToolCall struct {
	ID, Name    string
	Input       json.RawMessage
	Given, From string
}

// Object returns Input as it goes back to a provider, which wants a JSON object. Broken input,
// which had an error as its result, becomes an empty object.
func (c ToolCall) Object() json.RawMessage {
	if json.Valid(c.Input) && bytes.HasPrefix(bytes.TrimSpace(c.Input), []byte("{")) {
		return c.Input
	}
	return json.RawMessage("{}")
}

// ToolResult is what came of the call ID.
type ToolResult struct {
	ID, Text string
	IsError  bool
	Images   []picture.Picture // what the tool has seen
	Rules    []string          // names of those of which Text begins with a reminder
	// Summary and Kind are for the person, and no model gets them: what stands behind the title of
	// the call, such as "exit 0", and why it failed, where that is not just "failed".
	Summary, Kind string
}

// Image is a picture that the person brought.
type Image struct{ picture.Picture }

// Compaction stands in place of the messages before it, which were too many: Text is what a model
// is told of them, and Facts, which no model gets, is what the next compaction goes on from. It is
// the first part of the first message.
type Compaction struct {
	Text  string
	Facts json.RawMessage
}

func (Text) part()       {}
func (Compaction) part() {}
func (Thinking) part()   {}
func (ToolCall) part()   {}
func (ToolResult) part() {}
func (Image) part()      {}

// Event is one of TextDelta, ThinkingDelta, TextWasThinking, ToolCallStart, ToolCallDelta, ToolCall
// (complete), Notice, Usage, End.
type Event interface{ event() }

type TextDelta struct{ Text string }
type ThinkingDelta struct{ Text string }

// TextWasThinking says that all text of the message so far was thinking. The End has it as that.
type TextWasThinking struct{}

type ToolCallStart struct{ ID, Name string }
type ToolCallDelta struct{ ID, JSON string }

// Notice is one line that the person must hear of the service, and the model need not. What it
// quotes is untrusted text.
type Notice struct{ Text string }

// Usage counts tokens. Input is all of the request; CacheRead and CacheWrite are the parts of it
// that the provider's cache held already, and that it holds from now on.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// End is the end of an answer. Stop: end, tool, length (of an answer), window (of the conversation
// and the answer together), refusal or filter (the provider has cut it).
type End struct {
	Stop    string
	Message Message // the whole answer, to be put into the conversation
}

func (TextDelta) event()       {}
func (ThinkingDelta) event()   {}
func (TextWasThinking) event() {}
func (ToolCallStart) event()   {}
func (ToolCallDelta) event()   {}
func (ToolCall) event()        {}
func (Notice) event()          {}
func (Usage) event()           {}
func (End) event()             {}
