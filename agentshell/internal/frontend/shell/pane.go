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

// draft is the prompt editor as an approval pane uses it. The pane shows it while it holds text,
// and it gets the keys until the pane has the focus.
type draft interface {
	tui.Component
	Empty() bool
}

// host is the part of [Shell] that an approval pane needs: it handles Ctrl+C and returns the
// current hint.
type host interface {
	noteInterrupt(next time.Duration) (quits bool)
	noteKey(k tui.Key)
	currentHint(now time.Time) (text string, left time.Duration)
}

// pane shows one proposal, such as a file change or a command, and takes the user's answer. Events
// that it does not handle go to the prompt editor.
//
// A key approves the [approvalTarget] of the pane only if the terminal has shown that target for
// the minimum time without a break, and still shows it ([tui.Space].Shown).
type pane struct {
	proposal *approval.Proposal
	draft    draft
	answer   func(approval.Answer) // Takes the user's answer. It is called once.
	host     host                  // The shell; nil in tests.
	// The user's key bindings for scrolling. No binding changes the keys that answer.
	keys   keymap.Map
	queue  *approvalQueue // The proposals that are asked together with this one; nil: it is asked alone.
	index  int            // The pane's index in queue.
	askers *askers        // All open questions of the session; nil: there is only this one.

	powers
	display
	progress
	arming
	letters
}

// powers holds functions for what the user can do with a proposal besides approving or denying it.
// A nil function means that it is not possible.
type powers struct {
	ruleOffers []string // The rules that key a offers, in their exact text.
	// Stores a rule that holds for all agents.
	storeRule func(string, approval.Term) error
	// Stores a rule that holds for one agent or one kind of agents.
	storeRuleFor func(string, approval.Grantee) error
	ruleStored   func(rule, validity string) // Shows the user which rule was stored, and for how long it holds.
	kind         string                      // The kind of the agent that asks; "": it has none.
	// Returns an error with the reason if a rule can hold for this session only.
	checkKeepable func(string) error
	// Returns earlier command lines of this session with a command that the rule would allow.
	coveredCommands func(offer string) []string
	openEditor      func() // Opens the proposal in the user's editor.
	// Key m approves a plan, and lets file changes run without a question from then on.
	canAllowEdits bool
	// Asks the question in plain text instead of in the pane. why is the reason.
	askPlainly func(why string)
}

// display holds the state of what a pane shows.
type display struct {
	views         []view
	bodies        []*diffview.Body // The scrollable contents of views, by the same index; nil until first shown.
	viewIndex     int              // The index of the current view in views.
	mode          mode             // The list or field that is open over the proposal; nil: none. See visibleMode.
	hidesWarnings bool             // The warnings are scrolled out of sight, in a low window.
	fullScreen    bool             // The pane takes up the whole alternate screen.
	setFullScreen func(full bool)  // Moves the pane to the alternate screen or back; nil: fullScreen is only noted.
	// Counts of the characters in the proposal that the terminal would not show.
	hiddenChars visible.Counts
	danger      string // The danger of a command, in a sentence; "": none is known.
	editNote    string // The result of opening the editor, or of asking in plain text.
	hintText    string // The host's hint, such as on quitting, as of the last frame.
	off         offKey // The reason why the last key did nothing.
	offText     string // The text of off as of the last frame; "": none is shown.
	rival       rivalView
}

// progress holds the state of the question that a pane asks.
type progress struct {
	replaced         replaced // Describes the out-of-date proposal that this one replaces.
	writer           string   // The agent whose approved change of the same file is being written; "": none.
	staleBy          string   // The agent that has changed the file since; "": not known.
	plainlyAsked     bool     // askPlainly was called.
	yesPressed       bool     // The user has pressed y on a flagged proposal, which only Y approves.
	editing          bool     // The user's editor, or a plain question, has the terminal.
	changedMeanwhile bool     // The file changed while editing was set.
	// The file has changed since the diff was made, so that the proposal can no longer be approved.
	stale    bool
	answered bool
}

// newPane returns a pane that asks the user about p. It calls answer once, with the user's answer.
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

// body returns the scrollable content that is on the screen.
func (n *pane) body() *diffview.Body { return n.visibleMode().body(n) }

// proposalBody returns the content of the current view of the proposal, and builds it if it is
// shown for the first time.
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

// disarm makes the user wait again before a key approves.
func (n *pane) disarm() {
	n.restart()
	n.yesPressed = false
}

// flagged reports whether the proposal has a flag, so that only key Y approves it.
func (n *pane) flagged() bool { return len(n.proposal.Flags) > 0 }

// giveAnswer passes the first answer on, and ignores all later ones.
func (n *pane) giveAnswer(a approval.Answer) {
	if n.answered {
		return
	}
	n.answered = true
	n.answer(a)
}

// markStale records that the file of the proposal has changed. The proposal can no longer be
// approved, and the answer [approval.Stale] requests a new one (PANE-8). While the editor is open
// that waits for its end.
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

// currentTarget returns what a key would approve now, if the window is large enough.
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

// unseen returns the number of rows that must still be scrolled into sight before the proposal can
// be approved.
func (n *pane) unseen() int {
	if !mustBeSeen(n.proposal) {
		return 0
	}
	return n.proposalBody().Unseen()
}

// advanceArming updates, for the frame that is being made, whether keys can approve target. It
// returns the time until the next frame is needed; 0: none is.
func (n *pane) advanceArming(s tui.Space, target approvalTarget) time.Duration {
	wait, seenLongEnough := n.advance(s, target, n.answered || n.stale, n.draft.Empty())
	if seenLongEnough && n.queue != nil && target == targetProposal {
		n.queue.seenLongEnough[n.index] = true
	}
	return wait
}

// HandleEvent handles the keys of a question (PANE-5). Before the pane has the focus it handles
// only Tab, Escape and Ctrl+C.
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

// searching reports whether the user is typing a text to search for in the content.
func (n *pane) searching() bool {
	_, open, _, _ := n.body().Search()
	return open
}

// handleKey handles a key, whichever part of the screen has the focus. It reports whether the pane
// used the key.
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

// pressKey carries out key k while the pane has the focus. armed reports whether keys could approve
// when k came. taken reports whether the pane used k.
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

// handleUnfocusedKey handles a key while the prompt has the focus. It reports whether the pane used
// the key.
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

// handleFocusedKey handles a key while the pane has the focus. moved reports whether the key
// scrolls the content, and taken whether the pane used the key.
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

// movesBody reports whether k is bound to scrolling the content.
func (n *pane) movesBody(k tui.Key) bool { return n.keys.ActionOf(keymap.Pane, k) != "" }

// scrollBody passes a key that does not answer to the content, after the user's key bindings. It
// reports whether the key scrolls.
func (n *pane) scrollBody(k tui.Key, s tui.Space) (moved bool) {
	moved = n.movesBody(k)
	if k = n.keys.Translate(keymap.Pane, k); k.Code != 0 && !n.scrollWarnings(k, s) {
		n.body().HandleEvent(k, n.inner(s))
	}
	return moved
}

// offeredRules returns the rows of the list of rules. Each shows a rule word for word as it would
// be stored (PANE-7), and earlier commands that it would have allowed.
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

// maxShortLine is the largest number of bytes of a command line that is shown as an example.
const maxShortLine = 60

// shortLines returns command lines as examples in one row. Each is cut to maxShortLine, and runs of
// blanks become one: with wide gaps the model could make a command look like another row of the
// list.
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

// showFullScreen moves the pane to the alternate screen, or back.
func (n *pane) showFullScreen(full bool) {
	n.fullScreen = full
	if n.setFullScreen != nil {
		n.setFullScreen(full)
	}
}

// canKeepOne reports whether at least one of the offered rules can hold beyond the session.
func (n *pane) canKeepOne() bool {
	for i := range n.ruleOffers {
		if n.canKeep(i + 1) {
			return true
		}
	}
	return false
}

// canKeep reports whether the offered rule with that number, from 1, can hold beyond the session.
func (n *pane) canKeep(number int) bool {
	return n.checkKeepable != nil && n.checkKeepable(n.ruleOffers[number-1]) == nil
}

// handleRulesKey handles a key while the list of rules is shown. A digit chooses a rule, w changes
// how long it holds, f changes the agents that it holds for, y stores it and approves, n denies,
// and Escape goes back. It reports whether the key was used.
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

// handleReasonKey handles a key while the field for the reason of a denial is open. Enter denies,
// and Escape closes the field.
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
