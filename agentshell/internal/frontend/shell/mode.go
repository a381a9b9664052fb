package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// mode is what a pane shows and what its keys are about. It is one of the types below, and a pane
// has one at a time.
type mode interface {
	shows(n *pane) *diffview.Body
}

type (
	// judging is the proposal itself.
	judging struct{}
	// listing is the list of key A. The deck keeps it: it stays when another pane comes.
	listing struct{}
	// ruling is the list of rules, key a.
	ruling struct {
		list   *diffview.Body
		chosen int // the offer, 1-based; 0: none
		term   approval.Term
	}
	// helping is the list of keys, key ?, over another mode; nil: over none that was opened.
	helping struct {
		list   *diffview.Body
		behind mode
	}
	// reasoning is the reason field, key r. What it was opened over stays in sight.
	reasoning struct {
		field  *tui.Editor
		behind mode
	}
)

func (judging) shows(n *pane) *diffview.Body      { return n.view() }
func (listing) shows(n *pane) *diffview.Body      { return n.deck.list }
func (m *ruling) shows(*pane) *diffview.Body      { return m.list }
func (c *choosing) shows(*pane) *diffview.Body    { return c.body }
func (m *helping) shows(*pane) *diffview.Body     { return m.list }
func (m *reasoning) shows(n *pane) *diffview.Body { return n.seen().shows(n) }

// seen returns the mode whose body is in sight: not the reason field, which has none.
func (n *pane) seen() mode {
	m := n.mode
	if r, ok := m.(*reasoning); ok {
		m = r.behind
	}
	switch {
	case m != nil:
		return m
	case n.listed():
		return listing{}
	}
	return judging{}
}

// listed reports whether the list of all proposals is open, perhaps behind the help.
func (n *pane) listed() bool { return n.deck != nil && n.deck.list != nil }

// reason returns the open reason field, or nil.
func (n *pane) reason() *tui.Editor {
	if r, ok := n.mode.(*reasoning); ok {
		return r.field
	}
	return nil
}

// helped reports whether the list of keys is in sight.
func (n *pane) helped() bool {
	_, ok := n.seen().(*helping)
	return ok
}

// ruled reports whether the list of rules is in sight.
func (n *pane) ruled() bool {
	_, ok := n.seen().(*ruling)
	return ok
}

// help opens the list of keys.
func (n *pane) help() { n.mode = &helping{diffview.New(n.keys()), n.mode} }

// closeHelp goes back to what the list of keys was opened over.
func (n *pane) closeHelp() {
	if h, ok := n.mode.(*helping); ok {
		n.mode = h.behind
	}
}
