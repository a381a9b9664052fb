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

// approvalQueue holds the proposals that one agent asks together, each in a pane of its own. One
// pane is shown, if this is the queue that is; } and { show the others (PANE-11). It belongs to the
// loop.
type approvalQueue struct {
	sh             *Shell
	ctx            context.Context // of the turn that asks
	by             string          // the agent that asks; "": the one that the person talks to
	onAnswer       func(i int, a approval.Answer)
	panes          []*pane // nil: answered
	seenLongEnough []bool  // by index: the proposal was in sight for the minimum time
	current        int     // index of the pane that is shown, once the queue is
	shown          bool    // its current pane is on the screen, and not one of another queue
	fullScreen     bool    // on the alternate screen
	removeOverlay  func()  // removes the overlay of the shown pane; nil: there is none
	// by index: ends the watch of the file, and its editor
	stopWatching []func()

	listed []*pane        // the panes that one answer of key A is for
	list   *diffview.Body // the rows of key A
}

// newApprovalQueue makes the panes of several proposals of one agent. It calls onAnswer with each
// answer of the person. The queue is not shown yet.
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

// notifyOfQuestion tells a person who looks elsewhere that ps wait for an answer.
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

// setPane makes the pane of p the one at index i.
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

// showPane makes pane i the one that is shown, instead of the pane that was shown before. -1 shows
// none.
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

// showNext shows the first unanswered pane from index i on, or none if all are answered.
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

// show puts the current pane on the screen, or takes it away.
func (q *approvalQueue) show(shown bool) {
	q.shown = shown
	if !shown {
		q.fullScreen = false
	}
	q.showPane(q.current)
}

// open reports whether a pane of the queue waits for an answer.
func (q *approvalQueue) open() bool { return q.countOpen() > 0 }

// countOpen returns how many panes wait for an answer.
func (q *approvalQueue) countOpen() (n int) {
	for _, p := range q.panes {
		if p != nil {
			n++
		}
	}
	return n
}

// move shows the next pane, or the previous one. The panes keep the focus, but the new one has to
// be armed anew.
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

// awaitsPaint reports whether the pane that was moved to has not been painted yet. Keys of the
// person, who still sees another pane, come here.
func (q *approvalQueue) awaitsPaint() bool {
	return q.current >= 0 && q.panes[q.current].hasFocus && q.panes[q.current].paintedAt.IsZero()
}

// handleKeyWhileMoving handles a key before the new pane was painted. Such keys move on or stop the
// turn, but none answers.
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

// passAnswer passes the answer to proposal i on. A pane that waits for a new proposal stays until
// that comes.
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

// removePane removes pane i.
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

// replaceProposal shows a new proposal at index i: the old one was stale or revised, or the file
// had changed when it was approved.
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

// close removes all panes.
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

// hasSeveral reports whether there is another unanswered pane.
func (q *approvalQueue) hasSeveral() bool { return q.countOpen() > 1 }

// openList lists the proposals that one answer can be for: those that were shown and have no flag.
// Their ids are fixed from here on.
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

// closeList goes back from the list to the pane.
func (q *approvalQueue) closeList() { q.listed, q.list = nil, nil }

// answerListed gives the same answer to each proposal of the list.
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

// handleListKey handles a key while the list of key A is shown.
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

// listRow returns the decision row of the list: the key that approves, and the others. back closes
// it.
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
