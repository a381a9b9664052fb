package agent

import (
	"encoding/json"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
)

// Event is one thing that happened in a turn: Text, Thinking, ToolStream, ToolCall, MessageEnd,
// ToolStart, Approval, ToolProgress, ToolEnd, Usage, Retry, Notice or TurnEnd. Events are values;
// whatever text they carry comes from a model or a tool and is untrusted. The ids of calls are
// distinct within one model message only.
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

// MessageEnd says that the model's message is over and its text final. Stop is end, tool, length or
// refusal; "" for a message that was interrupted or broke for good.
type MessageEnd struct{ Stop string }

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

// Usage counts the tokens of one model call.
type Usage struct{ Input, Output int }

// Retry says that an attempt failed and another one follows after Wait. What was streamed since the
// last MessageEnd is void.
type Retry struct {
	Err     error
	Attempt int // the attempt that follows, from 2
	Of      int
	Wait    time.Duration
}

// Notice is something that the person must hear and the model need not: what became of the session
// log.
type Notice struct{ Text string }

// TurnEnd is the last event of a turn.
type TurnEnd struct {
	Reason Reason
	Err    error // of the reasons Failed and Mismatch
	Denied int   // calls that were denied in this turn
}

// Reason says why a turn ended.
type Reason string

const (
	Done        Reason = "done"        // the model has finished
	Failed      Reason = "error"       // the model cannot be reached, or answers wrongly
	Interrupted Reason = "interrupted" // the person stopped it
	Limit       Reason = "limit"       // the answer was cut by its length, or the turn took too many steps
	Mismatch    Reason = "script"      // the script was written for another conversation
)

func (Text) event()         {}
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
func (TurnEnd) event()      {}
