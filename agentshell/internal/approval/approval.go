// Package approval holds the one value that is shown, granted and written: the Proposal.
//
// A tool makes a [Proposal] when a call is prepared. A [Policy] decides from rules, mode and flags
// whether it may run, must be asked or is refused; an [Approver] asks the person. What a front end
// shows is the Proposal's typed [Payload] and its structured diff, and what the tool writes are its
// bytes, so that nothing can be approved that was not shown.
package approval

import "context"

// Answer is what a person says to one proposal. It is one of the types below and nothing else: a
// decision, [Yes], [No] or [Stop], or the wish for another proposal, [Stale], [Revise] or
// [InPlace]. ID is that of the proposal in each; an answer to another id is a no (PANE-6), and so
// is a nil Answer.
type Answer interface{ answer() }

type (
	// Yes approves. Mode is in which mode the work goes on behind a plan; "": as it is.
	Yes struct{ ID, Mode string }
	// No denies, with a reason for the model if there is one.
	No struct{ ID, Reason string }
	// Stop denies and stops the turn (Esc, Ctrl+C).
	Stop struct{ ID string }
	// Stale says that the file changed while the question was open: prepare afresh and ask again
	// (PANE-8).
	Stale struct{ ID string }
	// Revise says that the person wants these bytes instead: revise and ask again.
	Revise struct {
		ID    string
		After []byte
	}
	// InPlace says that the person wants a hard-linked file to be written in place, or to be
	// replaced after all: revise and ask again (FS-65).
	InPlace struct{ ID string }
	// StopServer declines what an MCP server asks, and ends the server.
	StopServer struct{ ID string }
)

func (Yes) answer()     {}
func (No) answer()      {}
func (Stop) answer()    {}
func (Stale) answer()   {}
func (Revise) answer()  {}
func (InPlace) answer() {}

func (StopServer) answer() {}

// Denied is the text that the model gets for a denied call (HARN-8); a reason follows on a second
// line.
const Denied = "user denied this tool call"

// Decision is what was decided on a call, by the person or without one. The zero value denies.
type Decision struct {
	Allow  bool
	Reason string // why it was denied, for the model
	By     string // rule, flag, mode, sandbox, no_terminal or person
}

// Text returns what the model gets for a denied call: who denied it, and why.
func (d Decision) Text() string {
	switch {
	case d.Reason == "":
		return Denied
	case d.By == "mode": // the user denied nothing
		return d.Reason
	}
	return Denied + "\n" + d.Reason
}

// Approver answers proposals. Ask waits for the person; an error (context ended) is a denial.
type Approver interface {
	Ask(ctx context.Context, p *Proposal) (Answer, error)
}

// Desk is what an Approver may be besides: one who has several proposals on the table, to be
// answered in any order (PANE-11).
type Desk interface {
	Approver
	// AskAll shows ps together, in this order, and tells answered the answer to each, one call at a
	// time on its own goroutine. What answered returns takes the place of the proposal and is
	// asked; nil: the question is settled. AskAll returns when all are; an error, as that of Ask,
	// denies what is left.
	AskAll(ctx context.Context, ps []*Proposal, answered func(i int, a Answer) *Proposal) error
}
