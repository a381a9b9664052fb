// Package approval holds the one value that is shown, granted and written: the Proposal.
//
// A tool makes a [Proposal] when a call is prepared. A [Policy] decides from rules, mode and flags
// whether it may run, must be asked or is refused; an [Approver] asks the person. What a front end
// shows is the Proposal's typed [Payload] and its structured diff, and what the tool writes are its
// bytes, so that nothing can be approved that was not shown.
package approval

import "context"

// Denied is the text that the model gets for a denied call (HARN-8); a reason follows on a second
// line.
const Denied = "user denied this tool call"

// Answer is the decision on one proposal. The zero value denies.
type Answer struct {
	ID     string // the proposal's; an answer to another id is dropped (PANE-6)
	Allow  bool
	Stop   bool   // the person also stopped the turn (Esc, Ctrl+C)
	Reason string // why it was denied, for the model
	By     string // rule, flag, mode, no_terminal or person

	Stale bool   // no decision: the file changed while the pane was open; prepare afresh and ask again (PANE-8)
	After []byte // no decision when not nil: the person wants these bytes instead; revise and ask again
	// InPlace is no decision: the person wants a hard-linked file to be written in place, or to be
	// replaced after all; revise and ask again (FS-65).
	InPlace bool
}

// Text is what the model gets for a denied call.
func (a Answer) Text() string {
	if a.Reason == "" {
		return Denied
	}
	return Denied + "\n" + a.Reason
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
