package shell

import (
	"bytes"
	"context"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// approvalQueue holds the proposals that one agent asks about at the same time, each in a pane of
// its own. The screen shows one queue at a time, and one pane of it; the keys } and { go to the
// queue's other panes (PANE-11). It belongs to the event loop.
type approvalQueue struct {
	sh  *Shell
	ctx context.Context // The context of the turn that asks.
	by  string          // The id of the subagent that asks; "": the main agent.
	// A callback for each answer, with the index of its proposal.
	onAnswer       func(i int, a approval.Answer)
	panes          []*pane // The panes by the index of their proposal; nil: that proposal is answered.
	seenLongEnough []bool  // For each proposal, by its index: it was visible for the minimum time.
	current        int     // The index of the pane that is on the screen while this queue is shown; -1: none.
	shown          bool    // The screen shows this queue, and not another agent's.
	fullScreen     bool    // The pane is on the alternate screen.
	removeOverlay  func()  // Takes the visible pane off the screen; nil: no pane is visible.
	// For each proposal, by its index: a function that stops the polling of its file, and its
	// editor.
	stopWatching []func()

	// The panes whose proposals get one common answer, while the list that key A opens is shown.
	listed []*pane
	list   *diffview.Body // The rows of the list that key A opens; nil: the list is closed.
}

// newApprovalQueue returns a queue with a pane for each of the proposals, which all come from one
// agent. It calls onAnswer with each answer of the user and the index of the proposal. The queue is
// not on the screen yet.
func newApprovalQueue(ctx context.Context, sh *Shell, ps []*approval.Proposal,
	onAnswer func(i int, a approval.Answer)) *approvalQueue {
	q := &approvalQueue{sh: sh, ctx: ctx, by: ps[0].By, onAnswer: onAnswer, panes: make([]*pane, len(ps)),
		seenLongEnough: make([]bool, len(ps)),
		stopWatching:   make([]func(), len(ps))}
	for i, p := range ps {
		q.setPane(i, p)
		q.panes[i].replaced = sh.askers.takeStale(p)
	}
	return q
}

// notifyOfQuestion tells a user who looks at another window, by a desktop notification or the bell,
// that the proposals wait for an answer.
func (sh *Shell) notifyOfQuestion(ps []*approval.Proposal) {
	text := "A change waits for your answer."
	if _, plan := planOf(ps[0]); plan {
		text = "A plan waits for your answer."
	}
	if isOffer(ps[0]) {
		text = "A question waits for your answer."
	}
	if len(ps) > 1 {
		text = fmt.Sprintf("%d changes wait for your answer.", len(ps))
	}
	sh.app.Notify("agentshell", text)
}

// setPane creates the approval pane of proposal p at index i, and starts to watch the file that p
// changes. It replaces the pane that was at that index. It does not show the new one.
func (q *approvalQueue) setPane(i int, p *approval.Proposal) {
	var n *pane
	n = newPane(p, &q.sh.editor, func(a approval.Answer) {
		// Else it comes from a pane that was taken away or replaced: its file has changed, or its
		// editor has ended, too late.
		if q.panes[i] == n {
			q.passAnswer(i, a)
		}
	})
	n.keys, n.host = q.sh.cfg.Keys, q.sh
	n.focusDelay, n.minVisible = q.sh.cfg.Approval.Times.FocusDelay, q.sh.cfg.Approval.Times.MinVisible
	n.later, n.typeText = q.sh.later, q.sh.editor.Insert
	n.setFullScreen = func(full bool) { q.fullScreen = full; q.showPane(i) }
	n.fullScreen = q.fullScreen
	ctx, cancel := context.WithCancel(q.ctx)
	if q.stopWatching[i] != nil {
		q.stopWatching[i]()
	}
	q.stopWatching[i] = cancel
	if q.sh.cfg.Prompt.Editor != nil && canEdit(p) {
		n.openEditor = func() { q.sh.editProposal(ctx, n) }
	}
	n.askPlainly = func(why string) { q.sh.askPlainly(ctx, n, why) }
	if pol := q.sh.cfg.Approval.Policy; pol != nil {
		n.ruleOffers, n.storeRule, n.checkKeepable = pol.Offers(ruleSubject(p)), pol.GrantFor, pol.Keepable
		n.storeRuleFor, n.kind = pol.GrantTo, q.sh.kindOf(p.By)
		n.ruleStored = func(rule, validity string) { q.sh.addBlock(notice, storedRuleBlock(rule, validity)) }
		n.coveredCommands = func(offer string) []string { return pol.Covers(offer, ruleSubject(p).Command) }
	}
	if _, plan := planOf(p); plan && q.sh.cfg.Approval.Policy != nil {
		n.canAllowEdits = q.sh.cfg.Approval.Policy.Edits()
	}
	if len(q.panes) > 1 {
		n.queue = q
	}
	n.index, n.askers = i, q.sh.askers
	q.panes[i] = n
	go q.sh.watchFile(ctx, p, n)
}

// showPane shows pane i in place of the visible pane of the queue. For -1 it shows none.
func (q *approvalQueue) showPane(i int) {
	if q.removeOverlay != nil {
		q.removeOverlay()
		q.removeOverlay = nil
	}
	q.current = i
	if i < 0 || !q.shown {
		return
	}
	n := q.panes[i]
	n.fullScreen = q.fullScreen
	place := tui.Place{}
	if n.paintedAt.IsZero() { // it counts as painted only when the terminal has taken it
		place.FocusDelay = untilPainted
	}
	if q.fullScreen {
		place.Full = true
	} else {
		place.Replace = true
	}
	q.removeOverlay = q.sh.app.Overlay(n, place)
}

// showNext shows the first unanswered pane from index i on, and then from the start. If all are
// answered, it shows another agent's queue.
func (q *approvalQueue) showNext(i int) {
	for k := range q.panes {
		if index := (i + k) % len(q.panes); q.panes[index] != nil {
			q.showPane(index)
			return
		}
	}
	q.showPane(-1)
	q.sh.askers.showNext(q)
	q.fullScreen = false
}

// show puts the current pane of the queue on the screen, or takes it off if shown is false.
func (q *approvalQueue) show(shown bool) {
	q.shown = shown
	if !shown {
		q.fullScreen = false
	}
	q.showPane(q.current)
}

// open reports whether a proposal of the queue waits for an answer.
func (q *approvalQueue) open() bool { return q.countOpen() > 0 }

// countOpen returns the number of proposals that wait for an answer.
func (q *approvalQueue) countOpen() (n int) {
	for _, p := range q.panes {
		if p != nil {
			n++
		}
	}
	return n
}

// move shows the next unanswered pane (step 1) or the previous one (step -1). That pane has the
// focus at once, but its approving keys begin their waiting time anew.
func (q *approvalQueue) move(step int) {
	for k := 1; k < len(q.panes); k++ {
		index := (q.current + step*k + len(q.panes)*k) % len(q.panes)
		n := q.panes[index]
		if n == nil {
			continue
		}
		n.disarm()
		n.hasFocus = true
		q.showPane(index)
		return
	}
}

// awaitsPaint reports whether the terminal has not shown yet the pane to which the user has moved.
// The user still sees another pane then, so keys must not answer.
func (q *approvalQueue) awaitsPaint() bool {
	return q.current >= 0 && q.panes[q.current].hasFocus && q.panes[q.current].paintedAt.IsZero()
}

// handleKeyWhileMoving handles a key that comes before the terminal has shown the new pane. Such a
// key can go to another pane or stop the turn, but it answers nothing.
func (q *approvalQueue) handleKeyWhileMoving(k tui.Key, s tui.Space) bool {
	q.panes[q.current].keySinceFrame = true
	switch {
	case k.Code == '}':
		q.move(1)
	case k.Code == '{':
		q.move(-1)
	case k.Code == terminal.KeyTab && k.Mods == 0:
		q.sh.askers.move(q)
	case k.Mods == terminal.Ctrl && k.Code == 'c':
		return q.panes[q.current].HandleEvent(k, s)
	}
	return true
}

// passAnswer passes on the answer to proposal i and removes its pane. If the answer asks for a new
// proposal, the pane stays until that comes, unless it is the only one.
func (q *approvalQueue) passAnswer(i int, a approval.Answer) {
	n := q.panes[i]
	switch a.(type) {
	case approval.Stop:
		q.close()
		if !q.sh.offering || !isOffer(n.proposal) { // the other offers are questions of their own
			q.sh.stopTurn()
		}
	case approval.StopAgent:
		q.close()
	case approval.StopServer:
		server, _ := repeatedServerQuestion(n.proposal)
		q.removePane(i)
		q.sh.addBlock(notice, stoppedServer(server))
	case approval.Yes:
		q.sh.askers.beginWrite(q, n.proposal)
		q.removePane(i)
	case approval.No, approval.Here:
		q.removePane(i)
	default: // another proposal comes
		if _, stale := a.(approval.Stale); stale {
			q.sh.askers.putStale(n, len(q.panes) == 1)
		}
		if len(q.panes) == 1 {
			q.sh.askers.holdPlace(q)
			q.removePane(i)
		}
	}
	q.onAnswer(i, a)
}

// removePane removes pane i and stops watching its file. If it was the visible one, another pane is
// shown.
func (q *approvalQueue) removePane(i int) {
	if q.panes[i] == nil {
		return
	}
	q.stopWatching[i]()
	q.panes[i] = nil
	if q.current == i {
		q.showNext(i)
	}
}

// replaceProposal puts the new proposal p at index i. The old one was made again because its file
// had changed, or because the user has revised it.
func (q *approvalQueue) replaceProposal(i int, p *approval.Proposal) {
	if q.ctx.Err() != nil {
		return
	}
	previous := q.panes[i]
	q.setPane(i, p)
	q.seenLongEnough[i] = false
	switch {
	case previous == nil:
		q.panes[i].replaced = replaced{stale: true}
	case previous.stale &&
		!(bytes.Equal(previous.proposal.Before, p.Before) && bytes.Equal(previous.proposal.After, p.After)):
		q.panes[i].replaced = replaced{stale: true, by: previous.staleBy}
	}
	if q.current == i || q.current < 0 {
		q.showPane(i)
	}
	q.sh.askers.showNext(q.sh.question)
}

// close removes all panes of the queue.
func (q *approvalQueue) close() {
	for i := range q.panes {
		if q.panes[i] != nil {
			q.stopWatching[i]()
		}
	}
	clear(q.panes)
	q.showPane(-1)
	q.sh.askers.showNext(q)
	q.fullScreen = false
}

// hasSeveral reports whether more than one proposal waits for an answer.
func (q *approvalQueue) hasSeveral() bool { return q.countOpen() > 1 }

// openList opens the list of proposals that the user can approve or deny by one answer (key A). The
// list includes the proposals that were visible long enough and have no flag. Rows below them say
// why the others are left out. Later changes of the queue do not add to the list.
func (q *approvalQueue) openList() {
	q.listed = nil
	rows := []string{"One answer for all of these changes, which you have seen:"}
	var others []string
	for i, n := range q.panes {
		if n == nil {
			continue
		}
		op, path, counts := proposalTitle(n.proposal)
		line := fmt.Sprintf("%d  %s %s  %s", i+1, op, path, counts)
		switch {
		case n.answered || n.stale:
			others = append(others, line+": changed in the meantime")
		case n.flagged():
			others = append(others, line+": flagged, needs its own Y")
		case !q.seenLongEnough[i]:
			others = append(others, line+": not shown yet")
		default:
			q.listed = append(q.listed, n)
			rows = append(rows, line)
		}
	}
	if len(others) > 0 {
		rows = append(append(rows, "", "Not for these:"), others...)
	}
	q.list = diffview.New(noteRows(rows...))
}

// closeList closes the list that key A has opened, so that the pane shows its own proposal again.
func (q *approvalQueue) closeList() { q.listed, q.list = nil, nil }

// answerListed approves or denies all proposals in the list that key A has opened.
func (q *approvalQueue) answerListed(allow bool) {
	panes := q.listed
	q.closeList()
	for _, n := range panes {
		if allow {
			n.giveAnswer(approval.Yes{ID: n.proposal.ID})
		} else {
			n.giveAnswer(approval.No{ID: n.proposal.ID})
		}
	}
}

// handleListKey handles a key while the pane shows the list that key A opens: y approves all listed
// proposals, and n denies them. It returns false for a key that it does not use.
func (n *pane) handleListKey(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch {
	case k.Code == 'y':
		if n.armed && len(n.queue.listed) > 0 {
			n.queue.answerListed(true)
		}
	case k.Code == 'n':
		n.queue.answerListed(false)
	case k.Code == '?':
		n.openHelp()
	case k.Code == terminal.KeyEscape && n.searchText() == "", k.Code == 'A':
		n.queue.closeList()
	default:
		return false
	}
	return true
}

// listRow returns the key labels below the list that key A opens: yes approves all listed
// proposals, and others holds the labels of the further keys. back is the label of the key that
// closes the list. narrow selects short labels.
func (q *approvalQueue) listRow(narrow bool, back string) (yes, others string) {
	switch {
	case narrow && len(q.listed) == 0:
		return "", "none shown: } " + back
	case narrow:
		return fmt.Sprintf("[y]es: %d", len(q.listed)), " [n]o " + back
	case len(q.listed) == 0:
		return "", "none was shown yet: } shows the next  " + back + " back"
	}
	return fmt.Sprintf("[y]es to %d", len(q.listed)), fmt.Sprintf("  [n]o to %d  %s back", len(q.listed), back)
}
