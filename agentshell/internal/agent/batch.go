package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// maxAskedTogether is the highest number of proposals that the user is asked about in one question.
// Each proposal holds two versions of a file.
const maxAskedTogether = 50

// groupCall is one of several calls that the user is asked about in one question.
type groupCall struct {
	index    int // the position among the calls of the model's message
	toolCall provider.ToolCall
	ready    tool.Call // the prepared call, with the proposal that the user is asked about
	why      string    // why the user is asked, see [approval.Proposal.Why]
	done     bool
}

// emitStart emits the ToolStart of a call of a group.
func (b *batch) emitStart(member groupCall) {
	b.emit(ToolStart{ID: member.toolCall.ID, Name: member.toolCall.Name, Title: member.ready.Title,
		Proposal: member.ready.Proposal})
}

// runChange runs calls[i], which may change something. If the user has to be asked about it,
// following calls that need an answer too are asked in the same question and run as well (PANE-11).
// Results go into parts.
func (b *batch) runChange(calls []provider.ToolCall, parts []provider.Part, i int) {
	if b.answered[i] {
		return
	}
	ready, result := b.prepareAndStart(calls[i])
	if result != nil {
		parts[i] = *result
		return
	}
	if len(ready.Parts) > 0 {
		parts[i] = b.runParts(calls[i], ready)
		return
	}
	if group := b.groupFrom(calls, i, ready); len(group) > 1 {
		for _, m := range group[1:] { // the first one has begun
			b.emitStart(m)
			b.answered[m.index] = true
		}
		b.askGroup(group, parts)
		return
	}
	parts[i] = b.runDecided(calls[i], b.decide(calls[i], ready))
}

// groupFrom returns calls[i] and the following calls that can be asked about in the same question.
// Each of them changes a different file, and only the user can decide on it. Calls that only read
// are skipped. The group ends before the first call that does not fit, since later calls may depend
// on that call.
func (b *batch) groupFrom(calls []provider.ToolCall, i int, first tool.Call) []groupCall {
	if _, ok := b.turn.agent.cfg.Approver.(approval.Desk); !ok {
		return nil
	}
	why, needed := b.needsPerson(calls[i], first)
	if !needed {
		return nil
	}
	group := []groupCall{{index: i, toolCall: calls[i], ready: first, why: why}}
	for k := i + 1; k < len(calls) && len(group) < maxAskedTogether; k++ {
		if b.readOnly(calls[k]) {
			continue
		}
		ready, err := b.prepare(b.turn.ctx, calls[k])
		if err != nil {
			break
		}
		why, needed := b.needsPerson(calls[k], ready)
		if !needed || b.refused[ready.Path] ||
			slices.ContainsFunc(group,
				func(member groupCall) bool { return pathsOverlap(member.ready.Path, ready.Path) }) ||
			b.hookAnswer(calls[k], ready).Denied {
			break
		}
		group = append(group, groupCall{index: k, toolCall: calls[k], ready: ready, why: why})
	}
	return group
}

// needsPerson reports whether a call changes a file and no rule or mode decides on it, so that the
// user must be asked. why is the policy's reason for asking.
func (b *batch) needsPerson(c provider.ToolCall, ready tool.Call) (why string, needed bool) {
	if !ready.Mutates || ready.Path == "" || ready.Proposal == nil {
		return "", false
	}
	_, verdict, decision := b.decideWithoutPerson(c, ready)
	return verdict.Reason, decision == nil
}

// pathsOverlap reports whether two paths are equal, or one of them is a directory that contains the
// other.
func pathsOverlap(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// askGroup asks the user about all calls of a group, and runs each call as soon as it is approved,
// because the calls do not depend on each other. Results go into parts.
func (b *batch) askGroup(group []groupCall, parts []provider.Part) {
	var ps []*approval.Proposal
	for _, member := range group {
		ps = append(ps, member.ready.Proposal.AskedBecause(member.why))
	}
	defer b.beginQuestion()()
	anyWritten := false // one of the group has been
	answered := func(index int, a approval.Answer, err error) *approval.Proposal {
		member := &group[index]
		if member.done {
			return nil
		}
		var verdict approval.Verdict
		next, d := b.applyAnswer(member.toolCall, member.ready, b.validAnswer(member.ready.Proposal, a, err))
		if d == nil {
			next, verdict, d = b.decideWithoutPerson(member.toolCall, next)
		}
		for d != nil {
			if d.err == nil && d.decision.Allow && anyWritten {
				d.call = b.refreshApproved(member.toolCall, d.call)
			}
			result, retry := b.runDecidedOnce(member.toolCall, *d)
			if retry == nil {
				member.done, parts[member.index] = true, result
				anyWritten = anyWritten || d.err == nil && d.decision.Allow
				return nil
			}
			next, verdict, d = b.decideWithoutPerson(member.toolCall, *retry)
		}
		member.ready = next
		return next.Proposal.AskedBecause(verdict.Reason)
	}
	err := b.turn.ctx.Err()
	if err == nil {
		desk, _ := b.turn.agent.cfg.Approver.(approval.Desk)
		err = desk.AskAll(b.turn.ctx, ps, func(index int, a approval.Answer) *approval.Proposal {
			return answered(index, a, nil)
		})
	}
	for index := range group { // what nobody answered is denied
		answered(index, nil, err)
	}
}

// refreshApproved prepares an approved call again if its proposal is out of date, because another
// call of the same group has changed something it depends on: for instance it has created a
// directory that both calls need. The new call is used only if it writes the same bytes over the
// same bytes, with the same flags and notes. Otherwise the old call is returned, and will end in a
// conflict.
func (b *batch) refreshApproved(c provider.ToolCall, approved tool.Call) tool.Call {
	p := approved.Proposal
	if p == nil || p.Changed(b.turn.ctx) == nil {
		return approved
	}
	prepared, err := b.prepare(b.turn.ctx, c)
	if err != nil || prepared.Proposal == nil || !sameChange(p, prepared.Proposal) {
		return approved
	}
	approved.Run = prepared.Run
	return approved
}

// sameChange reports whether two proposals show the same to the user and write the same bytes.
func sameChange(p, q *approval.Proposal) bool {
	return p.Tool == q.Tool && p.Path == q.Path && p.Revision == q.Revision &&
		(p.Before == nil) == (q.Before == nil) && bytes.Equal(p.Before, q.Before) &&
		(p.After == nil) == (q.After == nil) && bytes.Equal(p.After, q.After) &&
		slices.Equal(p.Flags, q.Flags) && slices.Equal(p.Notes, q.Notes)
}
