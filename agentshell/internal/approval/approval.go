// Package approval holds the Proposal: the one value that is shown to a person, approved by them
// and written.
//
// A tool makes a [Proposal] when a call is prepared. A [Policy] decides by rules, mode and flags
// whether the call runs, is refused, or has to be approved; an [Approver] asks the person. A front
// end shows the Proposal's typed [Payload] and its diff, and the tool writes the Proposal's bytes.
// So nothing can be approved that was not shown.
package approval

import (
	"context"
	"strings"
)

// Answer is a person's answer to a proposal, of one of the types below. [Yes], [No], [Stop] and
// [StopAgent] decide. [Stale], [Revise] and [InPlace] ask for another proposal. ID is the id of the
// proposal. An answer with another id counts as no (PANE-6), and so does a nil Answer.
type Answer interface{ answer() }

type (
	// Yes approves. Mode is the mode in which the work continues after a plan; "" keeps the mode.
	Yes struct{ ID, Mode string }
	// No denies, with a reason for the model if there is one.
	No struct{ ID, Reason string }
	// Here says yes for this workspace only, to a question that allows that ([Prompts.Here]).
	Here struct{ ID string }
	// Stop denies and stops the turn (Esc, Ctrl+C).
	Stop struct{ ID string }
	// Stale says that the file changed while the question was open: make a new proposal and ask
	// again (PANE-8).
	Stale struct{ ID string }
	// Revise says that the person wants these bytes instead: make a new proposal and ask again.
	Revise struct {
		ID    string
		After []byte
	}
	// InPlace says that the person wants a hard-linked file to be written in place, or to be
	// replaced after all: make a new proposal and ask again (FS-65).
	InPlace struct{ ID string }
	// StopServer refuses a request of an MCP server, and ends the server.
	StopServer struct{ ID string }
	// StopAgent denies, and stops the agent that asks ([Proposal.By]). All others go on.
	StopAgent struct{ ID string }
)

func (Yes) answer()     {}
func (No) answer()      {}
func (Here) answer()    {}
func (Stop) answer()    {}
func (Stale) answer()   {}
func (Revise) answer()  {}
func (InPlace) answer() {}

func (StopServer) answer() {}
func (StopAgent) answer()  {}

// Denied is the text that the model gets for a denied call (HARN-8). A reason follows on a second
// line.
const Denied = "user denied this tool call"

// Decision is the decision on a call, made by a person or by the policy. The zero value denies.
type Decision struct {
	Allow  bool
	Reason string // why it was denied, for the model
	By     string // what decided: rule, flag, mode, sandbox, no_terminal or person
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

// StoredDenial returns the decision on a denied call that has told the model that text.
func StoredDenial(text string) Decision {
	if reason, denied := strings.CutPrefix(text, Denied); denied {
		return Decision{By: "person", Reason: strings.TrimSpace(reason)}
	}
	return Decision{By: "mode", Reason: text}
}

// Approver asks a person about proposals. Ask waits for the answer. An error, such as the end of
// ctx, denies.
type Approver interface {
	Ask(ctx context.Context, p *Proposal) (Answer, error)
}

// Desk is an Approver that can show several proposals at once. The person answers them in any order
// (PANE-11).
type Desk interface {
	Approver
	// AskAll shows ps together, in this order, and calls answered with each answer, one call at a
	// time on its own goroutine. If answered returns a proposal, it replaces the one that was
	// answered; nil settles the question. AskAll returns when all are settled. An error, as one of
	// Ask, denies the questions that are still open.
	AskAll(ctx context.Context, ps []*Proposal, answered func(i int, a Answer) *Proposal) error
}
