package agent

import (
	"bytes"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// most is the number of proposals that are asked together. A person does not look at more at once,
// and each holds two versions of a file.
const most = 50

// member is one of several calls that are asked together.
type member struct {
	i     int // into the message's calls
	asked provider.ToolCall
	call  tool.Call // with the proposal that is on the table
	over  bool
}

// begun says that a member begins.
func (b *batch) begun(m member) {
	b.emit(ToolStart{ID: m.asked.ID, Name: m.asked.Name, Title: m.call.Title, Proposal: m.call.Proposal})
}

// change answers the i-th call, one that may change something, and with it those behind it that can
// be asked together with it (PANE-11).
func (b *batch) change(calls []provider.ToolCall, parts []provider.Part, i int) {
	if b.with[i] {
		return
	}
	ready, over := b.open(calls[i])
	if over != nil {
		parts[i] = *over
		return
	}
	if len(ready.Parts) > 0 {
		parts[i] = b.divided(calls[i], ready)
		return
	}
	if group := b.together(calls, i, ready); len(group) > 1 {
		for _, m := range group[1:] { // the first one has begun
			b.begun(m)
			b.with[m.i] = true
		}
		b.askAll(group, parts)
		return
	}
	parts[i] = b.finish(calls[i], b.decide(calls[i], ready))
}

// together returns the first call and those behind it that are asked with it: changes of files that
// nobody but the person decides on, each of a path of its own, up to the first one for which that
// does not hold. What comes behind that one may build on it and has to wait. Calls that only read
// stand in nobody's way.
func (b *batch) together(calls []provider.ToolCall, i int, first tool.Call) []member {
	if _, ok := b.turn.agent.cfg.Approver.(approval.Desk); !ok || !b.isOpen(calls[i], first) {
		return nil
	}
	group := []member{{i: i, asked: calls[i], call: first}}
	for k := i + 1; k < len(calls) && len(group) < most; k++ {
		if b.readOnly(calls[k]) {
			continue
		}
		ready, err := b.prepare(b.turn.ctx, calls[k])
		if err != nil || !b.isOpen(calls[k], ready) || b.refused[ready.Path] ||
			slices.ContainsFunc(group, func(m member) bool { return meet(m.call.Path, ready.Path) }) ||
			b.hooked(calls[k], ready).Denied {
			break
		}
		group = append(group, member{i: k, asked: calls[k], call: ready})
	}
	return group
}

// isOpen reports whether a call is the change of a file that the person has to decide on.
func (b *batch) isOpen(c provider.ToolCall, ready tool.Call) bool {
	if !ready.Mutates || ready.Path == "" || ready.Proposal == nil {
		return false
	}
	_, _, d := b.settle(c, ready)
	return d == nil
}

// meet reports whether the paths are the same or one lies below the other.
func meet(a, b string) bool {
	return strings.HasPrefix(a+"/", b+"/") || strings.HasPrefix(b+"/", a+"/")
}

// askAll asks the members of a group, and runs each as soon as it is approved: they do not depend
// on each other.
func (b *batch) askAll(group []member, parts []provider.Part) {
	var ps []*approval.Proposal
	for _, m := range group {
		ps = append(ps, m.call.Proposal)
	}
	defer b.question()()
	written := false // one of the group has been
	answered := func(n int, a approval.Answer, err error) *approval.Proposal {
		m := &group[n]
		if m.over {
			return nil
		}
		again, d := b.next(m.asked, m.call, b.heard(m.call.Proposal, a, err))
		if d == nil {
			again, _, d = b.settle(m.asked, again)
		}
		for d != nil {
			if d.err == nil && d.is.Allow && written {
				d.call = b.renew(m.asked, d.call)
			}
			result, once := b.attempt(m.asked, *d)
			if once == nil {
				m.over, parts[m.i] = true, result
				written = written || d.err == nil && d.is.Allow
				return nil
			}
			again, _, d = b.settle(m.asked, *once)
		}
		m.call = again
		return again.Proposal
	}
	err := b.turn.ctx.Err()
	if err == nil {
		desk, _ := b.turn.agent.cfg.Approver.(approval.Desk)
		err = desk.AskAll(b.turn.ctx, ps, func(n int, a approval.Answer) *approval.Proposal {
			return answered(n, a, nil)
		})
	}
	for n := range group { // what nobody answered is denied
		answered(n, nil, err)
	}
}

// renew prepares an approved call again if its proposal is out of date because of a change that was
// approved together with it, which may have made the directory that both need. The call that runs
// then is the fresh one, but only if it writes the same bytes over the same bytes, and everything
// that was said of it still holds; otherwise the old one runs, into its conflict.
func (b *batch) renew(c provider.ToolCall, approved tool.Call) tool.Call {
	p := approved.Proposal
	if p == nil || p.Changed(b.turn.ctx) == nil {
		return approved
	}
	again, err := b.prepare(b.turn.ctx, c)
	if err != nil || again.Proposal == nil || !sameChange(p, again.Proposal) {
		return approved
	}
	approved.Run = again.Run
	return approved
}

// sameChange reports whether two proposals show and write the same.
func sameChange(p, q *approval.Proposal) bool {
	return p.Tool == q.Tool && p.Path == q.Path && p.Revision == q.Revision &&
		(p.Before == nil) == (q.Before == nil) && bytes.Equal(p.Before, q.Before) &&
		(p.After == nil) == (q.After == nil) && bytes.Equal(p.After, q.After) &&
		slices.Equal(p.Flags, q.Flags) && slices.Equal(p.Notes, q.Notes)
}
