package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// draft is the prompt editor as far as the pane is concerned: it is shown while it holds text, and
// it has the keys until the pane is armed.
type draft interface {
	tui.Component
	Empty() bool
}

// house is what the pane needs of the shell around it.
type house interface {
	interrupted(next time.Duration) (quits bool)
	pressed(k tui.Key)
	hinting(now time.Time) (text string, left time.Duration)
}

// pane shows one Proposal and takes the person's answer to it. Events that it does not handle
// belong to the prompt editor.
//
// What it decides is a [scene]: a key approves it if the terminal has shown it for ripe without a
// break, and still does ([tui.Space].Shown).
type pane struct {
	prop   *approval.Proposal
	draft  draft
	answer func(approval.Answer) // the first call counts
	house  house                 // nil: it is nobody's
	mapped keymap.Map            // for what moves the body: no key of it answers
	deck   *deck                 // of several proposals that are asked together; nil: it is alone
	place  int                   // there

	powers
	display
	progress
	arming
}

// powers are what a person may do with a proposal besides a yes and a no.
type powers struct {
	offers  []string // exact texts of rules that key a offers
	grant   func(string, approval.Term) error
	keeps   func(string) error          // why one of them holds for this session only; nil: it does not
	reach   func(offer string) []string // other command lines of this session that one would cover
	edit    func()                      // gives the proposal to the person's editor; nil: there is none
	edits   bool                        // of a plan: key m approves it, and changes of files run from then on
	plainly func(why string)            // asks without a pane
}

// display is what a pane shows.
type display struct {
	views  []view
	bodies []*diffview.Body // of views, made when first shown
	at     int              // into views
	mode   mode             // what was opened over the proposal; nil: nothing, see seen
	past   bool             // the warnings are scrolled out, on a low window
	full   bool             // on the whole alternate screen
	screen func(full bool)  // goes there, and back
	hidden visible.Counts
	note   string // what came of an edit
	hinted string // of the house, at the last frame
}

// progress is how far the question is.
type progress struct {
	fresh   bool // an older proposal of the same call went stale
	asked   bool // plainly was called
	sure    bool // y was pressed on a flagged proposal
	editing bool // the editor has the terminal
	missed  bool // the file changed meanwhile
	stale   bool // the file changed; nothing can be approved any more
	done    bool // answered
}

func newPane(p *approval.Proposal, d draft, answer func(approval.Answer)) *pane {
	n := &pane{prop: p, draft: d, answer: answer, arming: arming{quiet: quiet, ripe: ripe}}
	n.views = views(p)
	n.bodies = make([]*diffview.Body, len(n.views))
	n.hidden = hidden(n.views[0].rows)
	_, inPath := visible.Line(p.Path)
	n.hidden = n.hidden.Plus(inPath)
	return n
}

// body returns what is scrolled now.
func (n *pane) body() *diffview.Body { return n.seen().shows(n) }

// view returns the body of the proposal.
func (n *pane) view() *diffview.Body {
	if n.bodies[n.at] == nil {
		v := n.views[n.at]
		if v.make != nil {
			v.rows = v.make()
		}
		n.bodies[n.at] = dress(diffview.New(v.rows), n.prop)
	}
	return n.bodies[n.at]
}

// reset makes the time begin anew in which nothing can be approved.
func (n *pane) reset() {
	n.restart()
	n.sure = false
}

// flagged reports whether approving takes Y.
func (n *pane) flagged() bool { return len(n.prop.Flags) > 0 }

// give answers, once.
func (n *pane) give(a approval.Answer) {
	if n.done {
		return
	}
	n.done = true
	n.answer(a)
}

// markStale says that the file is no longer the base: what is shown cannot be approved, and a fresh
// proposal is asked for (PANE-8).
func (n *pane) markStale() {
	if n.editing {
		n.missed = true
		return
	}
	if n.done {
		return
	}
	n.stale, n.done, n.lit = true, true, false
	n.answer(approval.Stale{ID: n.prop.ID})
}

// decides returns the scene of the pane as it is now, on a window that holds it.
func (n *pane) decides() scene {
	switch {
	case n.done, n.stale, n.reason() != nil, n.searching(), !n.focus && !n.draft.Empty():
		return noScene // the keys of the decision row are not there, or what they are about is not
	}
	switch n.seen().(type) {
	case judging:
		return decision
	case listing:
		return everything
	case *ruling:
		if len(n.offers) > 0 {
			return aRule
		}
	}
	return noScene
}

// arm goes on to the frame that is made now, which shows sc, and returns when it has to be looked
// at again, 0 for never.
func (n *pane) arm(s tui.Space, sc scene) time.Duration {
	wait, seen := n.step(s, sc, n.done || n.stale, n.draft.Empty())
	if seen && n.deck != nil && sc == decision {
		n.deck.seen[n.place] = true
	}
	return wait
}

// HandleEvent takes the keys of PANE-5. While the pane has no focus only Tab, Escape and Ctrl+C are
// its own.
func (n *pane) HandleEvent(ev tui.Event, s tui.Space) bool {
	if n.done {
		return false
	}
	switch ev := ev.(type) {
	case tui.Paste: // never an answer
		switch {
		case ev.More || ev.Continued: // it is the prompt's, which keeps it
		case n.reason() != nil:
			return n.reason().HandleEvent(ev, s)
		case n.focus && n.searching():
			return n.body().HandleEvent(ev, n.inner(s))
		}
		n.touch()
		return false
	case tui.Key:
		return n.key(ev, s)
	}
	return false
}

func (n *pane) searching() bool {
	_, open, _, _ := n.body().Search()
	return open
}

func (n *pane) key(k tui.Key, s tui.Space) bool {
	if n.house != nil {
		n.house.pressed(k)
	}
	if k.Mods == terminal.Ctrl && k.Code == 'c' {
		n.give(approval.Stop{ID: n.prop.ID})
		if n.house != nil {
			n.house.interrupted(askedThen)
		}
		return true
	}
	if !n.focus {
		return n.unfocused(k)
	}
	lit := n.holds(s, n.decides())
	n.lit = lit && !k.Repeat
	moved, taken := n.focused(k, s)
	if n.lit = lit; !moved {
		n.touch()
	}
	return taken
}

// unfocused takes a key while the keys are the prompt's.
func (n *pane) unfocused(k tui.Key) bool {
	n.touched = true
	switch {
	case k.Code == terminal.KeyEscape && k.Mods == 0 && k.Alone:
		n.give(approval.Stop{ID: n.prop.ID})
		return true
	case k.Code == terminal.KeyTab && k.Mods == 0 && k.Alone && !n.draft.Empty():
		n.focus = true
		return true
	}
	return false
}

// focused takes a key while the keys are the pane's. moved: it is one of those that move the body.
func (n *pane) focused(k tui.Key, s tui.Space) (moved, taken bool) {
	if n.reason() != nil {
		return false, n.inReason(k, s)
	}
	if n.searching() {
		return false, n.body().HandleEvent(k, n.inner(s))
	}
	if !k.Alone { // it came with other bytes, perhaps pasted: it may move the body, but it answers nothing
		if k.Code == terminal.KeyEscape {
			return false, true
		}
		moved = n.motion(k)
		if k = n.mapped.Key(keymap.Pane, k); k.Code != 0 {
			n.body().HandleEvent(k, n.inner(s))
		}
		return moved, true
	}
	handle := n.act
	switch n.seen().(type) {
	case *ruling:
		handle = n.inRules
	case listing:
		handle = n.inAll
	case *choosing:
		handle = n.inHunks
	}
	if k.Mods == terminal.Ctrl && k.Code == 'g' && n.edit != nil && n.scene == decision { // as in the prompt
		n.edit()
		return false, true
	}
	if handle(k) {
		return false, true
	}
	if k.Mods == terminal.Ctrl && (k.Code == 'z' || k.Code == 'l') {
		return false, false // suspend and redraw are nobody's to take
	}
	return n.scroll(k, s), true // an unknown key does nothing, and it does not fall into the draft either
}

// motion reports whether k is a key that moves the body.
func (n *pane) motion(k tui.Key) bool { return n.mapped.Does(keymap.Pane, k) != "" }

// scroll gives the body a key that is not the pane's, as the person has it, and reports whether it
// is one that moves the body.
func (n *pane) scroll(k tui.Key, s tui.Space) (moved bool) {
	moved = n.motion(k)
	if k = n.mapped.Key(keymap.Pane, k); k.Code != 0 && !n.passed(k, s) {
		n.body().HandleEvent(k, n.inner(s))
	}
	return moved
}

// offered returns the list of rules, word for word as they would be stored (PANE-7).
func (n *pane) offered() []string {
	rows := []string{"Always allow… A digit chooses a rule:"}
	if n.keeps != nil {
		rows[0] = "Always allow… A digit chooses a rule, w how long it holds:"
	}
	for i, r := range n.offers {
		rows = append(rows, fmt.Sprintf("%d  %s", i+1, strings.ReplaceAll(r, approval.RuleSeparator, "  and  ")))
		if n.reach == nil {
			continue
		}
		if covers := n.reach(r); len(covers) > 0 {
			rows = append(rows, "   it would have covered: "+strings.Join(covers, "; "))
		}
	}
	return rows
}

// setFull goes to the whole screen or back.
func (n *pane) setFull(full bool) {
	n.full = full
	if n.screen != nil {
		n.screen(full)
	}
}

// keepable reports whether the offer of that number, from 1, can be kept beyond the session.
func (n *pane) keepable(offer int) bool { return n.keeps != nil && n.keeps(n.offers[offer-1]) == nil }

// inRules takes the keys of the list of rules: a digit chooses, w says how long it holds, y stores
// the chosen one and approves, n denies, Escape goes back.
func (n *pane) inRules(k tui.Key) bool {
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	m := n.mode.(*ruling)
	switch {
	case k.Code >= '1' && k.Code <= '9':
		if i := int(k.Code - '0'); i <= len(n.offers) {
			m.chosen, m.term = i, approval.ThisSession
		}
	case k.Code == 'w':
		if m.chosen > 0 && n.keepable(m.chosen) {
			m.term = (m.term + 1) % (approval.Everywhere + 1)
		}
	case k.Code == 'y':
		if !n.lit || m.chosen == 0 {
			return true
		}
		if err := n.grant(n.offers[m.chosen-1], m.term); err != nil { // not stored: then nothing is approved either
			m.list = diffview.New(note("The rule was not stored: " + err.Error()))
			n.offers, m.chosen = nil, 0
			return true
		}
		n.give(approval.Yes{ID: n.prop.ID})
	case k.Code == 'n':
		n.give(approval.No{ID: n.prop.ID})
	case k.Code == '?':
		n.help()
	case k.Code == terminal.KeyEscape && n.query() == "", k.Code == 'a':
		n.mode = nil
	default:
		return false
	}
	return true
}

// inReason gives a key to the reason field.
func (n *pane) inReason(k tui.Key, s tui.Space) bool {
	r := n.mode.(*reasoning)
	if k.Code == terminal.KeyEscape {
		n.mode = r.behind
		return true
	}
	k = n.mapped.Key(keymap.Field, k)
	if k.Code == 0 {
		return true
	}
	if k.Code == terminal.KeyEnter && !k.Alone {
		return true // a pasted line end does not deny
	}
	if k.Code == terminal.KeyEnter && r.field.Empty() {
		n.give(approval.No{ID: n.prop.ID})
		return true
	}
	r.field.HandleEvent(k, s)
	return true
}
