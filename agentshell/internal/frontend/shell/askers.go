package shell

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// askers holds the queues of proposals of all agents that wait for an answer. The screen shows one
// queue, and Tab goes to the next. Queues with a proposal for the same file are neighbours. It
// belongs to the event loop.
type askers struct {
	sh *Shell
	// The queues in the order in which Tab shows them. While a proposal is made again, its queue
	// may have no open pane.
	waiting []*approvalQueue
	// The calls whose proposals went stale, because their files had changed. The value is the name
	// of the agent that has changed the file; "": unknown.
	stale map[callKey]string
	// The positions in waiting that are reserved for agents whose proposals are being made again,
	// by the agent's id.
	places map[string]place
	writes map[callKey]pendingWrite // The approved changes that are not written yet, by their call.
}

// callKey identifies a tool call among the calls of all agents: by is the id of the agent, call the
// id of the call.
type callKey struct{ by, call string }

func keyOf(p *approval.Proposal) callKey { return callKey{p.By, p.Call} }

// place holds the position of an agent's queue in askers.waiting, and whether that queue was on the
// screen.
type place struct {
	index int
	shown bool
}

// pendingWrite describes an approved change to the file at path while its tool call still runs.
type pendingWrite struct {
	path string
	stop func() bool // Cancels the callback for the end of the turn.
}

// replaced tells whether a pane takes the place of a stale proposal (one whose file had changed),
// and which agent has changed the file.
type replaced struct {
	stale bool
	by    string // The name of the agent that has changed the file; "": unknown.
}

func newAskers(sh *Shell) *askers {
	return &askers{sh: sh, stale: map[callKey]string{}, places: map[string]place{}, writes: map[callKey]pendingWrite{}}
}

// nameOf returns the name that the screen shows for an agent. The parameter by is the id of the
// agent; "" is the main agent.
func nameOf(by string) string {
	if by == "" {
		return team.Main
	}
	return by
}

// add inserts a queue: at the position that was recorded for its agent, or else after the queues
// with a proposal for one of its files, or else at the end. It shows the queue if no other one has
// an open pane.
func (a *askers) add(q *approvalQueue) {
	index, shows := len(a.waiting), a.sh.question == nil || !a.sh.question.open()
	for i, other := range a.waiting {
		if other.wantsFileOf(q) {
			index = i + 1
		}
	}
	if p, found := a.places[q.by]; found {
		delete(a.places, q.by)
		index = min(p.index, len(a.waiting))
		shows = shows || p.shown && !a.sh.question.isArmed()
	}
	a.waiting = slices.Insert(a.waiting, index, q)
	for _, n := range q.panes {
		for key, w := range a.writes {
			if key.by != q.by && w.path == n.proposal.Path {
				n.writer = nameOf(key.by)
			}
		}
	}
	if shows {
		a.show(q)
	}
}

// wantsFileOf reports whether both queues have an open proposal for the same file.
func (q *approvalQueue) wantsFileOf(other *approvalQueue) bool {
	for _, n := range q.panes {
		for _, m := range other.panes {
			if n != nil && m != nil && sameFile(n.proposal, m.proposal) {
				return true
			}
		}
	}
	return false
}

// sameFile reports whether both proposals change the same file.
func sameFile(p, q *approval.Proposal) bool { return p.File() && q.File() && p.Path == q.Path }

// isArmed reports whether an approving key works in the current pane now.
func (q *approvalQueue) isArmed() bool {
	return q.current >= 0 && q.panes[q.current] != nil && q.panes[q.current].armed
}

// show puts the queue on the screen in place of the one that is there.
func (a *askers) show(q *approvalQueue) {
	if old := a.sh.question; old != nil && old != q {
		q.fullScreen = old.fullScreen
		old.show(false)
	}
	a.sh.question = q
	q.show(true)
}

// remove removes a queue whose proposals are all answered or cancelled. If it was on the screen,
// the first of the others takes its place.
func (a *askers) remove(q *approvalQueue) {
	q.close()
	a.waiting = slices.DeleteFunc(a.waiting, func(other *approvalQueue) bool { return other == q })
	if a.sh.question == q {
		a.sh.question = nil
		if len(a.waiting) > 0 { // none of them is open, or it would be shown
			a.sh.question = a.waiting[0]
			a.sh.question.show(true)
		}
	}
}

// showNext shows another agent's queue if q is on the screen and has no open pane. It prefers a
// queue that waits until a change of q's agent is written.
func (a *askers) showNext(q *approvalQueue) {
	if q == nil || !q.shown || q.open() {
		return
	}
	next := a.after(q)
	for _, other := range a.waiting {
		if next != nil && other.waitsFor(nameOf(q.by)) { // what it wants to change is on the screen already
			next = other
			break
		}
	}
	if next != nil {
		a.show(next)
	}
}

// waitsFor reports whether an open proposal of the queue waits until an approved change of the
// agent with the name writer is written.
func (q *approvalQueue) waitsFor(writer string) bool {
	return slices.ContainsFunc(q.panes, func(n *pane) bool { return n != nil && n.writer == writer })
}

// after returns the next queue after q that has an open pane. It returns nil if there is no other
// one.
func (a *askers) after(q *approvalQueue) *approvalQueue {
	at := slices.Index(a.waiting, q)
	for k := 1; k < len(a.waiting); k++ {
		if next := a.waiting[(at+k)%len(a.waiting)]; next != q && next.open() {
			return next
		}
	}
	return nil
}

// move shows the next agent's queue after q. Its pane has the focus at once, but its approving keys
// begin their waiting time anew.
func (a *askers) move(q *approvalQueue) {
	next := a.after(q)
	if next == nil {
		return
	}
	if next.current < 0 || next.panes[next.current] == nil {
		next.showNext(0)
	}
	n := next.panes[next.current]
	n.disarm()
	n.hasFocus = true
	a.show(next)
}

// others returns the number of open proposals in all queues except q.
func (a *askers) others(q *approvalQueue) (n int) {
	for _, other := range a.waiting {
		if other != q {
			n += other.countOpen()
		}
	}
	return n
}

// rivals returns the open panes of other agents whose proposals change the same file as the
// proposal of n.
func (a *askers) rivals(n *pane) (all []*pane) {
	if a == nil {
		return nil
	}
	for _, q := range a.waiting {
		for _, m := range q.panes {
			if m != nil && m != n && m.proposal.By != n.proposal.By && sameFile(m.proposal, n.proposal) {
				all = append(all, m)
			}
		}
	}
	return all
}

// rivalNotes returns a sentence about each proposal of another agent for the file of n, with the
// number of hunks and how many of them overlap.
func (a *askers) rivalNotes(n *pane) (notes []string) {
	for _, m := range a.rivals(n) {
		text := fmt.Sprintf("also wanted by %s: %s", nameOf(m.proposal.By), countOf(len(m.proposal.Diff.Hunks), "hunk"))
		if string(m.proposal.Before) == string(n.proposal.Before) {
			switch k := n.proposal.Diff.Overlapping(m.proposal.Diff); k {
			case 0:
				text += ", none overlaps"
			case 1:
				text += ", 1 overlaps"
			default:
				text += fmt.Sprintf(", %d overlap", k)
			}
		}
		notes = append(notes, text)
	}
	return notes
}

// putStale records that the file of the proposal in pane n has changed, so that the pane of the new
// proposal can say so. If the queue has other panes (alone is false), it records that only when the
// agent that changed the file is known.
func (a *askers) putStale(n *pane, alone bool) {
	if alone || n.staleBy != "" {
		a.stale[keyOf(n.proposal)] = n.staleBy
	}
}

// takeStale reports whether p replaces an earlier proposal of the same call because a file had
// changed, and which agent has changed the file.
func (a *askers) takeStale(p *approval.Proposal) replaced {
	by, stale := a.stale[keyOf(p)]
	if stale && by == "" { // else it is known until the call ends, in case that it becomes a conflict
		delete(a.stale, keyOf(p))
	}
	return replaced{stale, by}
}

// holdPlace records the position of a queue whose only proposal is being made again. The new queue
// of the same agent gets that position.
func (a *askers) holdPlace(q *approvalQueue) {
	a.places[q.by] = place{slices.Index(a.waiting, q), a.sh.question == q}
}

// beginWrite blocks the other agents' proposals for the file of p: they cannot be answered until p,
// a proposal of queue q that the user has approved, is written.
func (a *askers) beginWrite(q *approvalQueue, p *approval.Proposal) {
	if !p.File() || p.Call == "" {
		return
	}
	key := keyOf(p)
	a.writes[key] = pendingWrite{p.Path, context.AfterFunc(q.ctx, func() { a.sh.app.Do(func() { a.endWrite(key) }) })}
	for _, m := range a.rivals(q.paneOf(p)) {
		m.writer = nameOf(p.By)
	}
}

// paneOf returns the pane of a proposal. If the queue has none, it returns an empty pane with that
// proposal.
func (q *approvalQueue) paneOf(p *approval.Proposal) *pane {
	for _, n := range q.panes {
		if n != nil && n.proposal == p {
			return n
		}
	}
	return &pane{proposal: p}
}

// endWrite ends the wait that beginWrite began for the call with that key. Other proposals for the
// file are made again if the file has changed, and can be answered if it has not.
func (a *askers) endWrite(key callKey) {
	w, found := a.writes[key]
	if !found {
		return
	}
	delete(a.writes, key)
	w.stop()
	for _, q := range a.waiting {
		for _, n := range q.panes {
			if n != nil && n.writer == nameOf(key.by) && n.proposal.Path == w.path {
				go a.sh.checkAfterWrite(q.ctx, n)
			}
		}
	}
}

// checkAfterWrite ends the wait of pane n for another agent's change. If the file has changed, it
// marks the pane stale, so that its proposal is made again. It reads the file, so it runs outside
// the event loop.
func (sh *Shell) checkAfterWrite(ctx context.Context, n *pane) {
	err := n.proposal.Changed(ctx)
	sh.app.Do(func() {
		if ctx.Err() == nil && err != nil {
			n.markStale()
		}
		n.writer = ""
	})
}

// callEnded records the end of a tool call. If the call failed because another agent had changed
// its file, a notice names both agents. The parameter by is the id of the agent that made the call.
func (a *askers) callEnded(by string, e agent.ToolEnd) {
	key := callKey{by, e.ID}
	a.endWrite(key)
	other := a.stale[key]
	delete(a.stale, key)
	if other == "" || e.OK || e.Kind == agent.KindDenied || e.Kind == agent.KindInterrupted {
		return
	}
	a.sh.addBlock(notice, problem(fmt.Sprintf("%s: the change of %s does not fit any more, since that of %s was made.",
		displayTitle(e.Title), nameOf(by), other), "Nothing of it was written. "+nameOf(by)+" is told, and can read "+
		"the file again."))
}

// question holds the state of one call of [Shell.AskAll], which waits for the user's answers.
type question struct {
	queue *approvalQueue
	// When the question was opened.
	opened  time.Time
	answers chan indexedAnswer
}

// indexedAnswer holds an answer and the index of the proposal that it is for.
type indexedAnswer struct {
	i int
	a approval.Answer
}
