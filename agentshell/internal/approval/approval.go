// Package approval decides whether a tool call may run. Its central type is Proposal: the one value
// that the user is shown, that the user approves, and that is written.
//
// A tool makes a [Proposal] when a call is prepared. A [Policy] decides by rules, mode and flags
// whether the call runs, is denied, or needs the user's answer. An [Approver] asks the user. A
// front end shows the proposal's typed [Payload] and its diff, and the tool writes the proposal's
// bytes. So nothing can be approved that was not shown.
package approval

import (
	"context"
	"strings"
)

// Answer is the user's answer to a proposal, of one of the types below. [Yes], [No], [Stop] and
// [StopAgent] decide on it. [Stale], [Revise] and [InPlace] ask for another proposal. ID is the id
// of the proposal; an answer with another id, or a nil Answer, counts as no (PANE-6).
type Answer interface{ answer() }

type (
	// Yes approves the proposal. After a plan, Mode is the mode in which the work continues; ""
	// keeps the current mode.
	Yes struct{ ID, Mode string }
	// No denies the proposal. Reason is a text for the model, or "".
	No struct{ ID, Reason string }
	// Here says yes for the current workspace only, to a question that allows such an answer
	// ([Prompts.Here]).
	Here struct{ ID string }
	// Stop denies the proposal and stops the turn (Esc, Ctrl+C).
	Stop struct{ ID string }
	// Stale says that the file has changed while the question was open: a new proposal has to be
	// made and asked (PANE-8).
	Stale struct{ ID string }
	// Revise says that the user wants to write the bytes After instead: a new proposal has to be
	// made and asked.
	Revise struct {
		ID    string
		After []byte
	}
	// InPlace says that the user wants a hard-linked file to be overwritten in place, or, if the
	// proposal does that already, to be replaced by a new file: a new proposal has to be made and
	// asked (FS-65).
	InPlace struct{ ID string }
	// StopServer denies a request of an MCP server, and ends the server.
	StopServer struct{ ID string }
	// StopAgent denies the proposal and ends the sub-agent that made it ([Proposal.By]). All others
	// go on.
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

// Denied is the text that the model gets for a denied call (HARN-8). The reason, if there is one,
// follows on a second line.
const Denied = "user denied this tool call"

// Decision says whether a call may run, and who or what decided that. The zero value denies.
type Decision struct {
	Allow  bool
	Reason string // why the call was denied, for the model
	By     string // what decided: rule, flag, mode, sandbox or no_terminal; person: the user did
}

// Text returns the text that the model gets for a denied call, with the reason.
func (d Decision) Text() string {
	switch {
	case d.Reason == "":
		return Denied
	case d.By == "mode": // the user denied nothing
		return d.Reason
	}
	return Denied + "\n" + d.Reason
}

// StoredDenial rebuilds the decision on a denied call from the text that the model got.
func StoredDenial(text string) Decision {
	if reason, denied := strings.CutPrefix(text, Denied); denied {
		return Decision{By: "person", Reason: strings.TrimSpace(reason)}
	}
	return Decision{By: "mode", Reason: text}
}

// Approver asks the user about proposals. Ask waits for the answer. An error, such as the end of
// ctx, counts as no.
type Approver interface {
	Ask(ctx context.Context, p *Proposal) (Answer, error)
}

// Desk is an Approver that can show several proposals at once. The user answers them in any order
// (PANE-11).
type Desk interface {
	Approver
	// AskAll shows ps together, in this order. It calls answered with each answer, one call at a
	// time, on the goroutine of AskAll. If answered returns a proposal, that one replaces ps[i];
	// nil closes the question. AskAll returns when all questions are closed. An error, like one of
	// Ask, counts as no for the questions that are still open.
	AskAll(ctx context.Context, ps []*Proposal, answered func(i int, a Answer) *Proposal) error
}
