package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// draft is the prompt editor as the pane uses it. It is shown while it holds text, and it gets the
// keys until the pane has the focus.
type draft interface {
	tui.Component
	Empty() bool
}

// host is what the pane needs of the shell.
type host interface {
	noteInterrupt(next time.Duration) (quits bool)
	noteKey(k tui.Key)
	currentHint(now time.Time) (text string, left time.Duration)
}

// pane shows one Proposal and takes the answer of the person. Events that it does not handle go to
// the prompt editor.
//
// A key approves the [approvalTarget] of the pane, if the terminal has shown that for the minimum
// time without a break and still shows it ([tui.Space].Shown).
type pane struct {
	proposal *approval.Proposal
	draft    draft
	answer   func(approval.Answer) // called once
	host     host                  // nil: none
	keys     keymap.Map            // the person's keys that move the body; none of them answers
	queue    *approvalQueue        // holds the other proposals that are asked together; nil: there is none
	index    int                   // in queue
	askers   *askers               // all that wait; nil: this pane is alone

	powers
	display
	progress
	arming
	letters
}

// powers are the functions for what a person may do with a proposal besides approving or denying
// it. A nil function means that it is not possible.
type powers struct {
	ruleOffers      []string // exact texts of the rules that key a offers
	storeRule       func(string, approval.Term) error
	storeRuleFor    func(string, approval.Grantee) error
	ruleStored      func(rule, validity string) // tells that a rule was stored
	kind            string                      // that of the agent that asks; "": it has none
	checkKeepable   func(string) error          // returns why a rule can hold for this session only
	coveredCommands func(offer string) []string // lines of this session of which a rule covers a part
	openEditor      func()                      // opens the proposal in the person's editor
	canAllowEdits   bool                        // key m approves a plan and lets file changes run without a question
	askPlainly      func(why string)            // asks in plain text, without a pane
}

// display holds what a pane shows.
type display struct {
	views         []view
	bodies        []*diffview.Body // by index of views; made when first shown
	viewIndex     int              // into views
	mode          mode             // opened over the proposal; nil: none, see visibleMode
	hidesWarnings bool             // the warnings are scrolled out of a low window
	fullScreen    bool             // the pane has the whole alternate screen
	setFullScreen func(full bool)  // switches the whole alternate screen on or off
	hiddenChars   visible.Counts
	danger        string // what is dangerous in a command
	editNote      string // result of an edit
	hintText      string // hint of the host in the last frame
	off           offKey // why the last key did nothing
	offText       string // off in the last frame
	rival         rivalView
}

// progress is the state of the question.
type progress struct {
	replaced         replaced // what this proposal replaces
	writer           string   // an agent whose approved change of the same file is being written; "": none
	staleBy          string   // an agent that has changed the file; "": unknown
	plainlyAsked     bool     // askPlainly was called
	yesPressed       bool     // y was pressed on a flagged proposal
	editing          bool     // the editor has the terminal
	changedMeanwhile bool     // the file changed while the editor ran
	stale            bool     // the file changed; nothing can be approved any more
	answered         bool
}

// newPane returns the pane of p. It calls answer once.
func newPane(p *approval.Proposal, prompt draft, answer func(approval.Answer)) *pane {
	n := &pane{proposal: p, draft: prompt, answer: answer,
		arming: arming{focusDelay: defaultFocusDelay, minVisible: defaultMinVisible}}
	n.views = views(p)
	n.bodies = make([]*diffview.Body, len(n.views))
	n.hiddenChars = countHidden(n.views[0].rows)
	_, inPath := visible.Line(p.Path)
	n.hiddenChars = n.hiddenChars.Plus(inPath)
	n.danger = p.Danger()
	return n
}

// body returns the body that is in sight.
func (n *pane) body() *diffview.Body { return n.visibleMode().body(n) }

// proposalBody returns the body of the proposal in the current view.
func (n *pane) proposalBody() *diffview.Body {
	if n.bodies[n.viewIndex] == nil {
		v := n.views[n.viewIndex]
		if v.make != nil {
			v.rows = v.make()
		}
		n.bodies[n.viewIndex] = addColours(diffview.New(v.rows), n.proposal)
	}
	return n.bodies[n.viewIndex]
}

// disarm makes the pane wait again before a key approves.
func (n *pane) disarm() {
	n.restart()
	n.yesPressed = false
}

// flagged reports whether only key Y approves.
func (n *pane) flagged() bool { return len(n.proposal.Flags) > 0 }

// giveAnswer passes on the first answer and ignores all later ones.
func (n *pane) giveAnswer(a approval.Answer) {
	if n.answered {
		return
	}
	n.answered = true
	n.answer(a)
}

// markStale records that the file has changed. The proposal cannot be approved any more, and a new
// one is requested (PANE-8).
func (n *pane) markStale() {
	if n.editing {
		n.changedMeanwhile = true
		return
	}
	if n.answered {
		return
	}
	n.stale, n.answered, n.armed, n.staleBy = true, true, false, n.writer
	n.answer(approval.Stale{ID: n.proposal.ID})
}

// currentTarget returns what a key would approve in a window that is large enough.
func (n *pane) currentTarget() approvalTarget {
	switch {
	case n.answered, n.stale, n.writer != "", n.reasonField() != nil, n.searching(), !n.hasFocus && !n.draft.Empty():
		return noTarget // the keys of the decision row are not there, or what they are about is not
	}
	switch n.visibleMode().(type) {
	case proposalMode:
		if n.unseen() > 0 {
			return targetUnseen
		}
		return targetProposal
	case listMode:
		return targetList
	case *rulesMode:
		if len(n.ruleOffers) > 0 {
			return targetRule
		}
	}
	return noTarget
}

// unseen returns how many rows have to be in sight before anything can be approved.
func (n *pane) unseen() int {
	if !mustBeSeen(n.proposal) {
		return 0
	}
	return n.proposalBody().Unseen()
}

// advanceArming updates the arming for a frame that is made now and shows target. It returns after
// what time the next frame is needed, 0 for none.
func (n *pane) advanceArming(s tui.Space, target approvalTarget) time.Duration {
	wait, seenLongEnough := n.advance(s, target, n.answered || n.stale, n.draft.Empty())
	if seenLongEnough && n.queue != nil && target == targetProposal {
		n.queue.seenLongEnough[n.index] = true
	}
	return wait
}

// HandleEvent handles the keys of PANE-5. Before the pane has the focus it handles only Tab, Escape
// and Ctrl+C.
func (n *pane) HandleEvent(ev tui.Event, s tui.Space) bool {
	if n.answered {
		return false
	}
	switch ev := ev.(type) {
	case tui.Paste: // never an answer
		switch {
		case ev.More || ev.Continued: // it is the prompt's, which keeps it
		case n.reasonField() != nil:
			return n.reasonField().HandleEvent(ev, s)
		case n.hasFocus && n.searching():
			return n.body().HandleEvent(ev, n.inner(s))
		case n.held != nil:
			n.beginText("")
		default:
			n.endBurst()
		}
		n.noteKey()
		return false
	case tui.Key:
		return n.handleKey(ev, s)
	}
	return false
}

func (n *pane) searching() bool {
	_, open, _, _ := n.body().Search()
	return open
}

func (n *pane) handleKey(k tui.Key, s tui.Space) bool {
	if n.host != nil {
		n.host.noteKey(k)
	}
	if k.Mods == terminal.Ctrl && k.Code == 'c' {
		n.forgetLetters()
		n.giveAnswer(approval.Stop{ID: n.proposal.ID})
		if n.host != nil {
			n.host.noteInterrupt(secondCtrlCAfterAsk)
		}
		return true
	}
	if k.Alone { // of another read
		n.endBurst()
	}
	if !n.hasFocus {
		return n.handleUnfocusedKey(k)
	}
	if n.readLetter(k, s) {
		return true
	}
	return !n.answered && n.pressKey(k, s, true)
}

// pressKey makes a key act while the pane has the focus. armed reports whether approving keys
// worked when it came.
func (n *pane) pressKey(k tui.Key, s tui.Space, armed bool) (taken bool) {
	armed = armed && n.stillArmed(s, n.currentTarget())
	if n.editNote == nothingEdited {
		n.editNote = ""
	}
	mode, typing := n.visibleMode(), n.reasonField() != nil || n.searching()
	n.armed, n.off = armed && !k.Repeat, offKey{}
	moved, taken := n.handleFocusedKey(k, s)
	if n.armed = armed; !moved {
		n.explainKey(k, mode, armed, typing, s)
		n.noteKey()
	}
	return taken
}

// handleUnfocusedKey handles a key while the prompt has the focus.
func (n *pane) handleUnfocusedKey(k tui.Key) bool {
	n.keySinceFrame = true
	switch {
	case k.Code == terminal.KeyEscape && k.Mods == 0 && k.Alone:
		n.giveAnswer(approval.Stop{ID: n.proposal.ID})
		return true
	case k.Code == terminal.KeyTab && k.Mods == 0 && k.Alone && !n.draft.Empty():
		n.hasFocus = true
		return true
	}
	return false
}

// handleFocusedKey handles a key while the pane has the focus. moved reports whether the key moves
// the body.
func (n *pane) handleFocusedKey(k tui.Key, s tui.Space) (moved, taken bool) {
	if n.reasonField() != nil {
		return false, n.handleReasonKey(k, s)
	}
	if n.searching() {
		return false, n.body().HandleEvent(k, n.inner(s))
	}
	if !k.Alone { // it came with other bytes, perhaps pasted: it may move the body, but it answers nothing
		if k.Code == terminal.KeyEscape {
			return false, true
		}
		moved = n.movesBody(k)
		if k = n.keys.Translate(keymap.Pane, k); k.Code != 0 {
			n.body().HandleEvent(k, n.inner(s))
		}
		return moved, true
	}
	handle := n.act
	switch n.visibleMode().(type) {
	case *rulesMode:
		handle = n.handleRulesKey
	case listMode:
		handle = n.handleListKey
	case *hunkChoice:
		handle = n.handleHunkKey
	}
	// as in the prompt
	if k.Mods == terminal.Ctrl && k.Code == 'g' && n.openEditor != nil && n.target == targetProposal {
		n.openEditor()
		return false, true
	}
	if handle(k) {
		return false, true
	}
	if k.Mods == terminal.Ctrl && (k.Code == 'z' || k.Code == 'l') {
		return false, false // suspend and redraw are nobody's to take
	}
	return n.scrollBody(k, s), true // an unknown key does nothing, and it does not fall into the draft either
}

// movesBody reports whether k is a key that moves the body.
func (n *pane) movesBody(k tui.Key) bool { return n.keys.ActionOf(keymap.Pane, k) != "" }

// scrollBody passes a key that the pane does not use to the body, as the person has bound it. It
// reports whether the key moves the body.
func (n *pane) scrollBody(k tui.Key, s tui.Space) (moved bool) {
	moved = n.movesBody(k)
	if k = n.keys.Translate(keymap.Pane, k); k.Code != 0 && !n.scrollWarnings(k, s) {
		n.body().HandleEvent(k, n.inner(s))
	}
	return moved
}

// offeredRules returns the list of rules, word for word as they would be stored (PANE-7).
func (n *pane) offeredRules() []diffview.Row {
	var rows []string
	for i, r := range n.ruleOffers {
		rows = append(rows, fmt.Sprintf("%d  %s", i+1, ruleList(r)))
		if n.coveredCommands == nil {
			continue
		}
		if covers := n.coveredCommands(r); len(covers) > 0 {
			rows = append(rows, "   earlier lines with such a command: "+shortLines(covers))
		}
	}
	return append(proseRows("Always allow… A digit chooses a rule:"), noteRows(rows...)...)
}

// maxShortLine is the number of bytes of a command line that an example shows.
const maxShortLine = 60

// shortLines returns command lines as examples in a list, each short and without runs of blanks:
// with those the model could put a row into the list that is none.
func shortLines(lines []string) string {
	var short []string
	for _, l := range lines {
		l = strings.Join(strings.Fields(l), " ")
		if len(l) > maxShortLine {
			l = width.Head(l, maxShortLine) + "..."
		}
		short = append(short, l)
	}
	return strings.Join(short, "; ")
}

// showFullScreen switches the whole alternate screen on or off.
func (n *pane) showFullScreen(full bool) {
	n.fullScreen = full
	if n.setFullScreen != nil {
		n.setFullScreen(full)
	}
}

// canKeepOne reports whether one of the rules can be kept beyond the session.
func (n *pane) canKeepOne() bool {
	for i := range n.ruleOffers {
		if n.canKeep(i + 1) {
			return true
		}
	}
	return false
}

// canKeep reports whether a rule of the list can be kept beyond the session. number counts from 1.
func (n *pane) canKeep(number int) bool {
	return n.checkKeepable != nil && n.checkKeepable(n.ruleOffers[number-1]) == nil
}

// handleRulesKey handles a key while the list of rules is shown. A digit chooses a rule, w says how
// long it holds, y stores it and approves, n denies, and Escape goes back.
func (n *pane) handleRulesKey(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	list := n.mode.(*rulesMode)
	switch {
	case k.Code >= '1' && k.Code <= '9':
		if i := int(k.Code - '0'); i <= len(n.ruleOffers) {
			if list.chosen = i; !n.canKeep(i) {
				list.term = approval.ThisSession
			}
		}
	case k.Code == 'w':
		if n.canKeepChosen(list) && (list.whom == approval.Grantee{}) {
			list.term = (list.term + 1) % (approval.Everywhere + 1)
		}
	case k.Code == 'f' && n.proposal.By != "":
		list.whom, list.term = n.widen(list.whom), approval.ThisSession
	case k.Code == 'y':
		if !n.armed || list.chosen == 0 {
			return true
		}
		// not stored: then nothing is approved either
		if err := n.store(list); err != nil {
			list.list = diffview.New(proseRows("The rule was not stored: " + err.Error()))
			n.ruleOffers, list.chosen = nil, 0
			return true
		}
		n.giveAnswer(approval.Yes{ID: n.proposal.ID})
	case k.Code == 'n':
		n.giveAnswer(approval.No{ID: n.proposal.ID})
	case k.Code == '?':
		n.openHelp()
	case k.Code == terminal.KeyEscape && n.searchText() == "", k.Code == 'a':
		n.mode = nil
	default:
		return false
	}
	return true
}

// handleReasonKey passes a key to the reason field.
func (n *pane) handleReasonKey(k tui.Key, s tui.Space) bool {
	mode := n.mode.(*reasonMode)
	if k.Code == terminal.KeyEscape {
		n.mode = mode.previous
		return true
	}
	k = n.keys.Translate(keymap.Field, k)
	if k.Code == 0 {
		return true
	}
	if k.Code == terminal.KeyEnter && !k.Alone {
		return true // a pasted line end does not deny
	}
	if k.Code == terminal.KeyEnter && mode.field.Empty() {
		n.giveAnswer(approval.No{ID: n.proposal.ID})
		return true
	}
	mode.field.HandleEvent(k, s)
	return true
}
