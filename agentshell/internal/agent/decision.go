package agent

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// decidedCall is a prepared call together with the decision whether it may run.
type decidedCall struct {
	call     tool.Call
	decision approval.Decision
	report   bool // emit an [Approval] event, because the call needed a decision
	// why there is no decision: the call could not be prepared again
	err error
}

// decide gets the decision on a call from the policy, or else from the user. The returned call
// differs from ready if the file had changed meanwhile or the user has revised the proposal.
func (b *batch) decide(c provider.ToolCall, ready tool.Call) decidedCall {
	for {
		current, verdict, decided := b.decideWithoutPerson(c, ready)
		if decided != nil {
			return *decided
		}
		if b.turn.agent.cfg.Approver == nil {
			return decidedCall{call: current, report: true, decision: denialWithoutPerson(current.Proposal, verdict)}
		}
		answer := b.ask(current.Proposal.AskedBecause(verdict.Reason))
		if ready, decided = b.applyAnswer(c, current, answer); decided != nil {
			return *decided
		}
	}
}

// decideWithoutPerson decides a call without asking the user: by a rule or the mode, because the
// call needs no approval, or because the user has already denied the same in this turn. If the
// decision is nil, the user must be asked about the proposal of the returned call.
func (b *batch) decideWithoutPerson(c provider.ToolCall, ready tool.Call) (tool.Call, approval.Verdict, *decidedCall) {
	verdict := b.policyVerdict(c, ready)
	if verdict.Action == approval.Ask && verdict.By == "rule" && ready.Proposal == nil && ready.Propose != nil {
		proposal, err := propose(b.turn.ctx, ready)
		if err != nil {
			return ready, verdict, &decidedCall{call: ready, err: err}
		}
		ready.Proposal = proposal
	}
	switch {
	case verdict.Action == approval.Deny:
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{By: verdict.By, Reason: verdict.Reason}}
	case ready.Proposal == nil && verdict.Action == approval.Ask && verdict.By != "":
		// Told to ask, but there is nothing to show.
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{By: verdict.By, Reason: "this call must be asked for and cannot be shown"}}
	case ready.Proposal == nil:
		return ready, verdict, &decidedCall{call: ready, decision: approval.Decision{Allow: true}}
	case verdict.Action == approval.Allow:
		if verdict.Reading {
			if ready.Reading == nil {
				return ready, verdict,
					&decidedCall{call: ready, report: true, decision: approval.Decision{By: verdict.By}}
			}
			ready.Run = ready.Reading
		}
		return ready, verdict, &decidedCall{call: ready, report: true,
			decision: approval.Decision{Allow: true, By: verdict.By}}
	}
	if earlier, ok := b.turn.earlierDenial(questionKey(c, ready.Proposal)); ok {
		return ready, verdict, &decidedCall{call: ready, report: true, decision: earlier}
	}
	return ready, verdict, nil
}

// applyAnswer turns the user's answer into a decision. If the decision is nil, the answer was a
// request for another proposal, and the returned call with that proposal needs a decision. An
// answer that the call does not support counts as a no.
func (b *batch) applyAnswer(c provider.ToolCall, ready tool.Call, answer approval.Answer) (tool.Call, *decidedCall) {
	var next tool.Call
	var err error
	decision := approval.Decision{By: "person"}
	switch a := answer.(type) {
	case approval.Stale:
		if ready.Rebase != nil {
			next, err = rebase(b.turn.ctx, ready)
		} else {
			next, err = b.prepare(b.turn.ctx, c)
		}
		return preparedAgain(ready, next, err)
	case approval.InPlace:
		if ready.InPlace != nil {
			next, err = inPlace(b.turn.ctx, ready)
			return preparedAgain(ready, next, err)
		}
	case approval.Revise:
		if ready.Revise != nil {
			next, err = revise(b.turn.ctx, ready, a.After)
			return preparedAgain(ready, next, err)
		}
	case approval.Yes:
		decision.Allow = true
		if ready.In != nil && a.Mode != "" {
			ready = ready.In(a.Mode)
		}
		return ready, &decidedCall{call: ready, report: true, decision: decision}
	case approval.No:
		decision.Reason = a.Reason
	}
	b.turn.storeDenial(questionKey(c, ready.Proposal), decision)
	return ready, &decidedCall{call: ready, report: true, decision: decision}
}

// preparedAgain returns next, a newly prepared call without a decision, or, if err is not nil,
// ready with that error.
func preparedAgain(ready, next tool.Call, err error) (tool.Call, *decidedCall) {
	if err != nil {
		return ready, &decidedCall{call: ready, err: err}
	}
	return next, nil
}

// questionKey returns a key for the effect of a proposal. Two proposals with equal keys ask the
// user the same question.
func questionKey(c provider.ToolCall, p *approval.Proposal) string {
	if p.After == nil {
		return c.Name + "\x00" + string(c.Input)
	}
	return fmt.Sprintf("%s\x00%s\x00%x", c.Name, p.Path, sha256.Sum256(p.After))
}

// earlierDenial returns the user's denial of the same question earlier in this turn, if there was
// one: the user has to say no only once.
func (t *turn) earlierDenial(key string) (approval.Decision, bool) {
	if t.outer != nil {
		return t.outer.earlierDenial(key)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	decision, found := t.refusals[key]
	decision.Reason = cmp.Or(decision.Reason, "the same was denied before in this turn")
	return decision, found
}

func (t *turn) storeDenial(key string, decision approval.Decision) {
	if t.outer != nil {
		t.outer.storeDenial(key, decision)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refusals == nil {
		t.refusals = map[string]approval.Decision{}
	}
	t.refusals[key] = decision
}

func (b *batch) policyVerdict(c provider.ToolCall, ready tool.Call) approval.Verdict {
	if b.turn.agent.cfg.Policy == nil || b.isPersonal() {
		return approval.Verdict{}
	}
	return b.turn.agent.cfg.Policy.Decide(ready.Subject(c.Name))
}

// denialWithoutPerson returns the denial of a proposal that needs an answer while nobody can be
// asked. The reason says what would have allowed it.
func denialWithoutPerson(p *approval.Proposal, verdict approval.Verdict) approval.Decision {
	switch verdict.By {
	case "flag":
		if _, command := p.Payload.(approval.Command); command {
			return approval.Decision{By: "flag",
				Reason: "nobody to ask, and only a rule for its exact line covers a flagged command: " +
					flagNames(p.Flags)}
		}
		return approval.Decision{By: "flag",
			Reason: "nobody to ask, and rules cannot cover a flagged call: " + flagNames(p.Flags)}
	case "sandbox", "mode":
		return approval.Decision{By: verdict.By, Reason: "nobody to ask, and " + verdict.Reason}
	case "rule":
		why := "a rule requires asking: " + verdict.Rule
		if verdict.Reason != "" {
			why = verdict.Reason
		}
		return approval.Decision{By: "rule", Reason: "nobody to ask, and " + why}
	}
	const unruled = "no rule allows"
	why := unruled + " this call"
	switch {
	case strings.HasPrefix(verdict.Reason, unruled):
		why = verdict.Reason
	case verdict.Reason != "":
		why += ": " + verdict.Reason
	}
	return approval.Decision{By: "no_terminal", Reason: "nobody to ask, and " + why}
}

// ask shows a proposal to the user and waits for the answer. A stopped turn or an invalid answer
// counts as a no.
func (b *batch) ask(p *approval.Proposal) approval.Answer {
	defer b.beginQuestion()()
	if b.turn.ctx.Err() != nil {
		return approval.No{ID: p.ID}
	}
	answer, err := b.turn.agent.cfg.Approver.Ask(b.turn.ctx, p)
	return b.validAnswer(p, answer, err)
}

// beginQuestion waits until no other question is open, and then opens one. The caller closes it
// with the returned function. Read-only calls do not wait for questions.
func (b *batch) beginQuestion() func() {
	b.firstQuestionOnce.Do(func() { close(b.firstQuestion) })
	b.questionLock <- struct{}{}
	return func() { <-b.questionLock }
}

// validAnswer returns the answer if it belongs to proposal p and came without an error. Otherwise
// it returns a no.
func (b *batch) validAnswer(p *approval.Proposal, answer approval.Answer, err error) approval.Answer {
	var id string
	no := approval.No{ID: p.ID}
	switch a := answer.(type) {
	case approval.Yes:
		id = a.ID
	case approval.No:
		no.Reason = a.Reason
	case approval.Stop:
		b.turn.stop()
	case approval.Stale:
		id = a.ID
	case approval.Revise:
		id = a.ID
	case approval.InPlace:
		id = a.ID
	}
	if err != nil || id != p.ID || id == "" || b.turn.ctx.Err() != nil {
		return no
	}
	return answer
}

func flagNames(flags []approval.Flag) string {
	var names []string
	for _, f := range flags {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
