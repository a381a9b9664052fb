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

// askers holds the queues of all agents that wait for an answer. One of them is shown, and Tab
// shows the next one. Those that want the same file stand side by side. It belongs to the loop.
type askers struct {
	sh      *Shell
	waiting []*approvalQueue         // in the order of Tab; some may have no open pane for a moment
	stale   map[callKey]string       // by the call whose proposal went stale: who has changed the file, "": unknown
	places  map[string]place         // by agent: where its queue stood whose proposal is made again
	writes  map[callKey]pendingWrite // approved changes that are not written yet
}

// callKey names a call among those of all agents.
type callKey struct{ by, call string }

func keyOf(p *approval.Proposal) callKey { return callKey{p.By, p.Call} }

// place is where a queue stood.
type place struct {
	index int
	shown bool
}

// pendingWrite is a change that was approved, and whose call has not ended.
type pendingWrite struct {
	path string
	stop func() bool // ends the watch over the turn
}

// replaced says which kind of proposal a pane replaces: one that went stale, by whose change.
type replaced struct {
	stale bool
	by    string // "": unknown
}

func newAskers(sh *Shell) *askers {
	return &askers{sh: sh, stale: map[callKey]string{}, places: map[string]place{}, writes: map[callKey]pendingWrite{}}
}

// nameOf returns the name of an agent for the screen.
func nameOf(by string) string {
	if by == "" {
		return team.Main
	}
	return by
}

// add takes a queue in: where the one stood that it replaces, or behind those that want one of its
// files, or at the end.
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

// isArmed reports whether the current pane of the queue can be approved now.
func (q *approvalQueue) isArmed() bool {
	return q.current >= 0 && q.panes[q.current] != nil && q.panes[q.current].armed
}

// show shows a queue instead of the one that is shown.
func (a *askers) show(q *approvalQueue) {
	if old := a.sh.question; old != nil && old != q {
		q.fullScreen = old.fullScreen
		old.show(false)
	}
	a.sh.question = q
	q.show(true)
}

// remove takes a queue out whose questions are settled.
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

// showNext shows the next queue with an open pane if q, which is shown, has none.
func (a *askers) showNext(q *approvalQueue) {
	if q == nil || !q.shown || q.open() {
		return
	}
	next := a.after(q)
	for _, other := range a.waiting {
		if next != nil && other.waitsFor(nameOf(q.by)) { // what it wants to change is before the person's eyes
			next = other
			break
		}
	}
	if next != nil {
		a.show(next)
	}
}

// waitsFor reports whether an open pane of the queue waits for an approved change of an agent.
func (q *approvalQueue) waitsFor(writer string) bool {
	return slices.ContainsFunc(q.panes, func(n *pane) bool { return n != nil && n.writer == writer })
}

// after returns the next queue with an open pane, nil if there is no other one.
func (a *askers) after(q *approvalQueue) *approvalQueue {
	at := slices.Index(a.waiting, q)
	for k := 1; k < len(a.waiting); k++ {
		if next := a.waiting[(at+k)%len(a.waiting)]; next != q && next.open() {
			return next
		}
	}
	return nil
}

// move shows the next agent that waits. Its pane has the focus, but has to be armed anew.
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

// others returns how many questions of other agents than that of q wait.
func (a *askers) others(q *approvalQueue) (n int) {
	for _, other := range a.waiting {
		if other != q {
			n += other.countOpen()
		}
	}
	return n
}

// rivals returns the open panes of other agents that change the file of n.
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

// rivalNotes returns a sentence about each other agent that wants the file of n.
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

// putStale records that the proposal of n went stale, for the pane of the next one.
func (a *askers) putStale(n *pane, alone bool) {
	if alone || n.staleBy != "" {
		a.stale[keyOf(n.proposal)] = n.staleBy
	}
}

// takeStale returns what the proposal p of a call replaces.
func (a *askers) takeStale(p *approval.Proposal) replaced {
	by, stale := a.stale[keyOf(p)]
	if stale && by == "" { // else it is known until the call ends, in case that it becomes a conflict
		delete(a.stale, keyOf(p))
	}
	return replaced{stale, by}
}

// holdPlace records where a queue stands whose proposal is made again.
func (a *askers) holdPlace(q *approvalQueue) {
	a.places[q.by] = place{slices.Index(a.waiting, q), a.sh.question == q}
}

// beginWrite makes all others who want the file of an approved proposal wait until it is written.
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

// paneOf returns the pane of a proposal.
func (q *approvalQueue) paneOf(p *approval.Proposal) *pane {
	for _, n := range q.panes {
		if n != nil && n.proposal == p {
			return n
		}
	}
	return &pane{proposal: p}
}

// endWrite looks at the file of an approved change whose call has ended. The other proposals for it
// are made again if it has changed, and can be answered if it has not.
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

// checkAfterWrite marks pane n stale if its file has changed by the agent that it has waited for.
func (sh *Shell) checkAfterWrite(ctx context.Context, n *pane) {
	err := n.proposal.Changed(ctx)
	sh.app.Do(func() {
		if ctx.Err() == nil && err != nil {
			n.markStale()
		}
		n.writer = ""
	})
}

// callEnded records the end of a call of an agent. It names both agents if one could not make its
// change any more because of the other one's.
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

// question is one call of AskAll.
type question struct {
	queue   *approvalQueue
	opened  time.Time
	answers chan indexedAnswer
}

type indexedAnswer struct {
	i int
	a approval.Answer
}
