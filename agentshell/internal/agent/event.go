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
// Notice, Compacting, Compacted, Reported, Steered, Heard, JobsEnded or TurnEnd. Events are values.
// All texts in them come from a model or a tool and are untrusted. The ids of calls are distinct
// only within one message of the model.
type Event interface{ event() }

// Text is a piece of the model's answer, sent while the answer streams in.
type Text struct{ Delta string }

// Thinking is a piece of the model's thinking, sent while it streams in.
type Thinking struct{ Delta string }

// TextWasThinking says that all Text events since the last MessageEnd were thinking, and that the
// answer begins only now. Some servers send both in one stream. The field Text holds the text of
// those events.
type TextWasThinking struct{ Text string }

// Line returns a sentence that tells the user of the event.
func (TextWasThinking) Line() string {
	return "What the model said so far was thinking, not its answer."
}

// ToolStream is a piece of a call's arguments, sent while the model writes them. JSON may end in
// the middle of a rune.
type ToolStream struct{ ID, Name, JSON string }

// ToolCall is a complete call as the model sent it. Input may be invalid JSON.
type ToolCall struct {
	ID, Name string
	Input    json.RawMessage
}

// MessageEnd says that a message of the model is complete. Stop is end, tool, length, window,
// refusal or filter; it is "" for a message that was interrupted or failed. Text is the complete
// text with all secrets replaced; the streamed pieces may still contain the first two letters of a
// secret.
type MessageEnd struct{ Stop, Text string }

// ToolStart says that a call begins. Title is one line: the title of the prepared call, or, if the
// call could not be prepared, the tool's name with the path or the input. A call with a Proposal
// may still need a decision before it runs.
type ToolStart struct {
	ID, Name, Title string
	Proposal        *approval.Proposal
}

// Approval says that a call was allowed or denied: by the user, by a rule or a mode, or because
// nobody can be asked. There is no Approval for a call that needs no decision. Proposal is nil if a
// call without a proposal was denied.
type Approval struct {
	Call     string // the id of the tool call
	Proposal *approval.Proposal
	Decision approval.Decision
}

// ToolProgress is a piece of the output of a running call.
type ToolProgress struct{ ID, Text string }

// ToolEnd says that a call has ended, and with which result.
type ToolEnd struct {
	ID, Name, Title string
	OK              bool
	Kind            string // why the call failed: an error kind of FS-46, denied, or interrupted
	// the result for the user; if the call failed while it ran: its output and changes until then
	Result      tool.Result
	Text        string // the text of the result that the model gets
	Proposal    *approval.Proposal
	Decision    approval.Decision // valid if Proposal is not nil or Kind is denied
	UserCommand bool              // the user typed the command or the code; the model did not call for it
}

// Usage counts the tokens of one request. Input is the number of all tokens that were sent.
// CacheRead is the number of input tokens that were read from the provider's cache, and CacheWrite
// the number that were written to it.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int
	Cost                                 float64 // in dollars; 0 if the price is not known
	Priced                               bool    // the price, and so Cost, is known
	// the tokens of the conversation (0: as before), and the size of the model's context window (0:
	// unknown)
	Used, Window int
}

// Compacting says that a compaction of the conversation has begun. It takes a while.
type Compacting struct{}

// Compacted says that a compaction has made the conversation shorter. Either one message with a
// summary has replaced a number of Messages, or a number of old results were Shortened. Before and
// After count the tokens of a request.
type Compacted struct {
	Messages, Shortened   int
	Before, After, Window int
	// the message that replaces the others for the model; "" if results were only shortened
	Text string
	Why  error // the error because of which Text contains no summary; nil: it contains one
}

// Reported says that the conversation went back to a checkpoint that the model had set. The model's
// report has replaced a number of Messages. Before and After count the tokens of a request.
type Reported struct {
	Text                            string // the message that replaces the others for the model
	Messages, Before, After, Window int
}

// Steered says that a message that the user sent during the turn was added to the conversation,
// between two requests.
type Steered struct{ Text string }

// Heard says that messages of other agents were added to the conversation, between two requests.
// Text is the text for the model.
type Heard struct{ Text string }

// Retry says that a request failed, and that the next attempt follows after Wait. Everything that
// was streamed since the last MessageEnd is void.
type Retry struct {
	Err     error
	Attempt int // the number of the next attempt, from 2
	Of      int
	Wait    time.Duration
}

// Line returns a one-line description of the event for the user.
func (r Retry) Line() string {
	wait := (r.Wait + time.Second - 1).Truncate(time.Second)
	return fmt.Sprintf("%v; retrying in %v (attempt %d of %d)", r.Err, wait, r.Attempt, r.Of)
}

// Retracted says that stream rules have interrupted the model's answer, and that the model is asked
// again. Everything that was streamed since the last MessageEnd is void.
type Retracted struct {
	Rules     string // the names of the rules, separated by commas
	Retry, Of int    // the number of interruptions in this turn so far, and the highest possible number
}

// Notice is a sentence for the user that the model does not get, for instance about the session
// log.
type Notice struct{ Text string }

// TurnEnd says that the turn is over. It is always the last event.
type TurnEnd struct {
	Reason Reason
	Limit  Bound // the limit that was reached, for the reason Limit
	Err    error // the error, for the reasons Failed and Mismatch
	Denied int   // the number of calls that were denied in this turn
}

// Reason says why a turn ended.
type Reason string

const (
	Done Reason = "done" // the turn ended because the model has finished
	// the turn ended because the model cannot be reached, or its answer is invalid
	Failed      Reason = "error"
	Interrupted Reason = "interrupted" // the turn ended because the user stopped it
	Limit       Reason = "limit"       // the turn ended because it reached a limit, which a Bound names
	// the scripted model got another conversation than its script was written for
	Mismatch Reason = "script"
)

// Bound names the limit at which a turn with the reason Limit ended.
type Bound string

const (
	Steps   Bound = "steps"   // the turn reached the number of requests in Limits.Steps
	Length  Bound = "length"  // the answer reached the model's maximum length
	Window  Bound = "window"  // conversation and answer together filled the model's context window
	Refusal Bound = "refusal" // the model refused to answer
	Filter  Bound = "filter"  // the provider's content filter cut the answer off
	Cost    Bound = "cost"    // the session reached the cost in Limits.Cost
	Tokens  Bound = "tokens"  // the session reached the number of tokens in Limits.Tokens
	Time    Bound = "time"    // the context of the turn was cancelled with ErrTime
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
