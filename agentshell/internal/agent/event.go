package agent

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Event is one thing that happened in a turn: Text, Thinking, TextWasThinking, ToolStream,
// ToolCall, MessageEnd, ToolStart, Approval, ToolProgress, ToolEnd, Usage, Retry, Retracted,
// Notice, Compacting, Compacted, Reported, Steered, Heard, JobsEnded or TurnEnd. Events are values;
// whatever text they carry comes from a model or a tool and is untrusted. The ids of calls are
// distinct within one model message only.
type Event interface{ event() }

// Text is answer text as it streams.
type Text struct{ Delta string }

// Thinking is the model's thinking as it streams.
type Thinking struct{ Delta string }

// TextWasThinking says that what was Text since the last MessageEnd was thinking: the server has
// sent both as one, and what comes now is the answer. Text is that text.
type TextWasThinking struct{ Text string }

// Line says so to a person.
func (TextWasThinking) Line() string {
	return "What the model said so far was thinking, not its answer."
}

// ToolStream is a piece of a call's arguments while the model still writes them. JSON is a piece of
// bytes, it may end inside a rune.
type ToolStream struct{ ID, Name, JSON string }

// ToolCall is a complete call as the model sent it. Input may be broken JSON.
type ToolCall struct {
	ID, Name string
	Input    json.RawMessage
}

// MessageEnd says that the message of the model is complete. Stop is end, tool, length, window,
// refusal or filter; "" for a message that was interrupted or failed. Text is the complete text
// with secrets removed. The streamed pieces may have kept the first two letters of a secret.
type MessageEnd struct{ Stop, Text string }

// ToolStart says that a call begins. Title is one line: the title of the prepared call, or the name
// with the path or input of one that could not be prepared. A call with a Proposal may have to be
// decided first.
type ToolStart struct {
	ID, Name, Title string
	Proposal        *approval.Proposal
}

// Approval says that a call was decided: by the person, a rule, a mode, or because nobody can be
// asked. Proposal is nil if a call without one was refused. A call that needed no decision has no
// Approval.
type Approval struct {
	Call     string // the call's id
	Proposal *approval.Proposal
	Decision approval.Decision
}

// ToolProgress is output of a call that runs.
type ToolProgress struct{ ID, Text string }

// ToolEnd is the end of a call.
type ToolEnd struct {
	ID, Name, Title string
	OK              bool
	Kind            string      // why a call failed: a kind of FS-46, or denied, interrupted
	Result          tool.Result // for the person; of a call that failed while it ran: what it did until then
	Text            string      // what the model gets
	Proposal        *approval.Proposal
	Decision        approval.Decision // meaningful when Proposal is not nil or Kind is denied
	UserCommand     bool              // it is a command of the person
}

// Usage counts the tokens of one request. Input counts all that was sent. CacheRead is the part of
// it that was in the provider's cache, and CacheWrite the part that is now.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int
	Cost                                 float64 // in dollars, if the price is known
	Priced                               bool    // Cost is known
	// tokens of the conversation, and of the model's window; 0: unchanged, and unknown
	Used, Window int
}

// Compacting says that a compaction of the conversation begins, which takes a while.
type Compacting struct{}

// Compacted says that the conversation is smaller now: one message replaces a number of Messages,
// or old results were shortened. Before and After count the tokens of a request.
type Compacted struct {
	Messages, Shortened   int
	Before, After, Window int
	Text                  string // what replaces the messages for the model; "" if only results were shortened
	Why                   error  // why Text has no summary; nil: it has one
}

// Reported says that the conversation went back to a checkpoint of the model. The model's report
// replaces a number of Messages. Before and After count the tokens of a request.
type Reported struct {
	Text                            string // what replaces the messages for the model
	Messages, Before, After, Window int
}

// Steered says that a message of the person was added between two steps.
type Steered struct{ Text string }

// Heard says that messages of other agents were added between two steps. Text is what the model is
// told.
type Heard struct{ Text string }

// Retry says that an attempt failed and another one follows after Wait. What was streamed since the
// last MessageEnd is void.
type Retry struct {
	Err     error
	Attempt int // the attempt that follows, from 2
	Of      int
	Wait    time.Duration
}

// Line describes the event in a line.
func (r Retry) Line() string {
	wait := (r.Wait + time.Second - 1).Truncate(time.Second)
	return fmt.Sprintf("%v; retrying in %v (attempt %d of %d)", r.Err, wait, r.Attempt, r.Of)
}

// Retracted says that rules have interrupted the answer, and that the model is asked again. Text
// that was streamed since the last MessageEnd does not count.
type Retracted struct {
	Rules     string // their names
	Retry, Of int    // number of this interruption in the turn, and the number of possible ones
}

// Notice is a sentence for the person that the model does not need, such as one about the session
// log.
type Notice struct{ Text string }

// TurnEnd is the last event of a turn.
type TurnEnd struct {
	Reason Reason
	Limit  Bound // of the reason Limit
	Err    error // of the reasons Failed and Mismatch
	Denied int   // calls that were denied in this turn
}

// Reason says why a turn ended.
type Reason string

const (
	Done        Reason = "done"        // the model has finished
	Failed      Reason = "error"       // the model cannot be reached, or answers wrongly
	Interrupted Reason = "interrupted" // the person stopped it
	Limit       Reason = "limit"       // at a Bound
	Mismatch    Reason = "script"      // the script was written for another conversation
)

// Bound is the limit at which a turn with the reason Limit ended.
type Bound string

const (
	Steps   Bound = "steps"   // the number of requests in a turn
	Length  Bound = "length"  // the model's limit for the length of an answer
	Window  Bound = "window"  // conversation and answer fill the model's window
	Refusal Bound = "refusal" // the model refused to answer
	Filter  Bound = "filter"  // the provider's filter has cut the answer
	Cost    Bound = "cost"    // the cost of the session
	Tokens  Bound = "tokens"  // the number of tokens
	Time    Bound = "time"    // the turn's context ended by ErrTime
)

func (Text) event()            {}
func (Compacting) event()      {}
func (Compacted) event()       {}
func (Reported) event()        {}
func (Steered) event()         {}
func (Heard) event()           {}
func (Thinking) event()        {}
func (TextWasThinking) event() {}
func (ToolStream) event()      {}
func (ToolCall) event()        {}
func (MessageEnd) event()      {}
func (ToolStart) event()       {}
func (Approval) event()        {}
func (ToolProgress) event()    {}
func (ToolEnd) event()         {}
func (Usage) event()           {}
func (Retry) event()           {}
func (Notice) event()          {}
func (Retracted) event()       {}
func (TurnEnd) event()         {}
