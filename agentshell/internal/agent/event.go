package agent

import (
	"encoding/json"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Event is one thing that happened in a turn: Text, Thinking, ToolStream, ToolCall, MessageEnd,
// ToolStart, Approval, ToolProgress, ToolEnd, Usage, Retry, Retracted, Notice, Compacting,
// Compacted, Reported, Steered, JobsEnded or TurnEnd. Events are values; whatever text they carry
// comes from a model or a tool and is untrusted. The ids of calls are distinct within one model
// message only.
type Event interface{ event() }

// Text is answer text as it streams.
type Text struct{ Delta string }

// Thinking is the model's thinking as it streams.
type Thinking struct{ Delta string }

// ToolStream is a piece of a call's arguments while the model still writes them. JSON is a piece of
// bytes, it may end inside a rune.
type ToolStream struct{ ID, Name, JSON string }

// ToolCall is a complete call as the model sent it. Input may be broken JSON.
type ToolCall struct {
	ID, Name string
	Input    json.RawMessage
}

// MessageEnd says that the model's message is over and its text final. Stop is end, tool, length,
// window, refusal or filter; "" for a message that was interrupted or broke for good. Text is all
// that it said, for who shows it as a whole: where the pieces have two letters before a secret's
// place, it has none.
type MessageEnd struct{ Stop, Text string }

// ToolStart says that a call begins. Title is one line: the prepared call's, or the name and the
// path or the input if it could not be prepared. With a Proposal it may have to be answered first.
type ToolStart struct {
	ID, Name, Title string
	Proposal        *approval.Proposal
}

// Approval says that a call was decided: by the person, a rule, a mode, or for want of a terminal.
// Proposal is nil when a call without one was refused. A call that nobody had to decide has no
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
	Kind            string      // of a call that is not OK: FS-46, or denied, interrupted
	Result          tool.Result // for the person; of a call that ran and failed: what it did until then
	Text            string      // what the model gets
	Proposal        *approval.Proposal
	Decision        approval.Decision // meaningful when Proposal is not nil or Kind is denied
	Own             bool              // a command of the person's own
}

// Usage counts the tokens of one model call. Input is all that was sent; of it CacheRead was in the
// provider's cache, and CacheWrite is from now on.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int
	Cost                                 float64 // in dollars, if the price is known
	Priced                               bool    // it is
	Used, Window                         int     // tokens of the conversation and of the model; 0: as before, unknown
}

// Compacting says that the conversation is being made smaller, which takes a while.
type Compacting struct{}

// Compacted says that it has become smaller: that many messages have one in their place, or old
// results are shorter. Counts are tokens of a request before and after.
type Compacted struct {
	Messages, Shortened   int
	Before, After, Window int
	Text                  string // what the model is told instead of the messages; "" where results are shorter only
	Why                   error  // why there is no summary in Text; nil: there is
}

// Reported says that the conversation went back to a checkpoint of the model's: its report is there
// in place of that many messages. Counts are tokens of a request before and after.
type Reported struct {
	Text                            string // what the model is told instead of the messages
	Messages, Before, After, Window int
}

// Steered says that a message of the person's has gone in between two steps.
type Steered struct{ Text string }

// Retry says that an attempt failed and another one follows after Wait. What was streamed since the
// last MessageEnd is void.
type Retry struct {
	Err     error
	Attempt int // the attempt that follows, from 2
	Of      int
	Wait    time.Duration
}

// Retracted says that rules have interrupted the answer, and that the model is asked again. What
// was streamed since the last MessageEnd is void.
type Retracted struct {
	Rules     string // their names
	Retry, Of int    // which interruption of the turn it is, and how many there may be
}

// Notice is something that the person must hear and the model need not: what became of the session
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

// Bound is what a turn of the reason Limit ended at.
type Bound string

const (
	Steps   Bound = "steps"   // it asked the model as often as it may
	Length  Bound = "length"  // an answer was as long as one may be
	Window  Bound = "window"  // conversation and answer fill what the model holds
	Refusal Bound = "refusal" // the model does not want to answer
	Filter  Bound = "filter"  // the provider's filter has cut the answer
	Cost    Bound = "cost"    // the session has cost what it may
	Tokens  Bound = "tokens"  // it has taken as many tokens as it may
	Time    Bound = "time"    // the turn's context ended by ErrTime
)

func (Text) event()         {}
func (Compacting) event()   {}
func (Compacted) event()    {}
func (Reported) event()     {}
func (Steered) event()      {}
func (Thinking) event()     {}
func (ToolStream) event()   {}
func (ToolCall) event()     {}
func (MessageEnd) event()   {}
func (ToolStart) event()    {}
func (Approval) event()     {}
func (ToolProgress) event() {}
func (ToolEnd) event()      {}
func (Usage) event()        {}
func (Retry) event()        {}
func (Notice) event()       {}
func (Retracted) event()    {}
func (TurnEnd) event()      {}
