// Package provider defines language models as the shell uses them: conversations, requests, the
// events of an answer, and errors. Its subpackages implement them for the APIs of providers.
package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

// Model is a language model that answers a conversation.
//
// Stream sends the conversation to the model and yields the events of its answer. The last event is
// an End, unless an error is yielded. Cancelling ctx ends the answer. A Model may run only one
// Stream at a time.
type Model interface {
	Name() string // The model's name for the screen, such as "demo script" or "claude-sonnet-5".
	Stream(ctx context.Context, req Request) iter.Seq2[Event, error]
}

// Request is what a model is asked to answer: the whole conversation so far, and the tools that the
// model may call.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// The name of the tool that the answer must call, if the provider can force it. "": the model
	// chooses.
	Force string
	// TakenID reports whether a tool call of the conversation has the id, even one that Messages no
	// longer contains. If it is nil, only the ids of the calls in Messages are taken.
	TakenID func(id string) bool
}

// Tool describes one tool to a model. Schema is the JSON schema of the tool's input.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
	// No call of the tool changes anything, so that its calls run even while another call awaits
	// the user's approval (PANE-11).
	ReadOnly bool
}

// The names of the two tools with which a model marks a point of the conversation and later
// discards everything after it. Code outside of the tools needs the names, because such calls
// decide which messages stay in the conversation.
const (
	CheckpointName = "checkpoint"
	RewindName     = "rewind"
)

// Role is the author of a message, as APIs of models name it.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of a conversation. The parts of an assistant's message are Text, Thinking
// and ToolCall. Those of a user's message are Text, Image, ToolResult and Compaction.
type Message struct {
	Role  Role
	Parts []Part
}

// Size returns the approximate number of bytes of text in the message. Pictures do not count.
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

// Silent reports whether the message contains neither text nor a tool call.
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

// Part is implemented by the parts of a message: Text, Thinking, ToolCall, ToolResult, Image and
// Compaction.
type Part interface{ part() }

// Text is a text in a message, by the model or by the user. Origin is set only for texts of the
// role User, and Rule only for texts of the origin [Rule].
type Text struct {
	Text   string
	Origin Origin
	Rule   string // The name of the rule that the text reports.
	// The outcome, such as "exit 0", of the user's shell command or code cell that the text shows.
	// It is for the screen and is never sent to a model.
	Summary string
}

// Thinking is a model's reasoning. Signature and Redacted are opaque data of the provider: they are
// sent back unchanged, and only to the server that From names; "" is Anthropic.
type Thinking struct{ Text, Signature, Redacted, From string }

// ToolCall is a model's call of a tool. Input is the JSON that the model sent, which may be broken.
//
// The ID is unique in the conversation, see [CallIDs]. Given is the id that the server sent, if the
// ID had to differ from it. From names the server that knows the call by this ID, or is "" if no
// server does.
type ToolCall struct {
	ID, Name    string
	Input       json.RawMessage
	Given, From string
}

// Object returns Input for a request to a provider, which accepts only a JSON object. For any other
// Input it returns "{}": the model has seen an error as the result of such a call.
func (c ToolCall) Object() json.RawMessage {
	if json.Valid(c.Input) && bytes.HasPrefix(bytes.TrimSpace(c.Input), []byte("{")) {
		return c.Input
	}
	return json.RawMessage("{}")
}

// ToolResult is the result of the tool call with the given ID.
type ToolResult struct {
	ID, Text string
	IsError  bool
	Images   []picture.Picture // The pictures that the tool returns to the model.
	Rules    []string          // The names of the rules whose reminders stand at the beginning of Text.
	// Summary and Kind are for the screen and are never sent to a model. Summary is shown behind
	// the title of the call, such as "exit 0". Kind says why the call failed, if "failed" alone
	// says too little.
	Summary, Kind string
}

// Image is a picture that the user has attached to a message.
type Image struct{ picture.Picture }

// Compaction is a summary that replaces the oldest messages of a conversation, which had become too
// long. It is the first part of the first message. Text is the summary for the model. Facts is
// never sent to a model: the next compaction starts from it.
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

// Event is implemented by the steps of a model's answer: TextDelta, ThinkingDelta, TextWasThinking,
// ToolCallStart, ToolCallDelta, ToolCall (complete), Notice, Usage and End.
type Event interface{ event() }

// TextDelta is the next piece of the answer's text.
type TextDelta struct{ Text string }

// ThinkingDelta is the next piece of the model's reasoning.
type ThinkingDelta struct{ Text string }

// TextWasThinking says that all text of the answer so far was reasoning. The message in the End
// contains it as Thinking.
type TextWasThinking struct{}

// ToolCallStart announces a tool call, before its arguments arrive.
type ToolCallStart struct{ ID, Name string }

// ToolCallDelta is the next piece of the arguments of the tool call ID.
type ToolCallDelta struct{ ID, JSON string }

// Notice is one line about the model's service for the user's screen. The model does not get it. It
// may quote the server, so it is untrusted text.
type Notice struct{ Text string }

// Usage counts the tokens of one request. Input counts the whole conversation that was sent.
// CacheRead and CacheWrite are parts of Input: the tokens that the provider's cache contained
// already, and the tokens that it has stored now.
type Usage struct{ Input, Output, CacheRead, CacheWrite int }

// End ends an answer. Stop is the reason: "end" (complete), "tool" (it calls tools), "length" (the
// limit of an answer), "window" (the conversation and the answer fill the model's context),
// "refusal", or "filter" (the provider has cut the answer).
type End struct {
	Stop    string
	Message Message // The whole answer, ready to be appended to the conversation.
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
