package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// mode is what a pane shows and what its keys are about. A pane has one mode at a time, of one of
// the types below.
type mode interface {
	body(n *pane) *diffview.Body
}

type (
	// proposalMode shows the proposal itself.
	proposalMode struct{}
	// listMode shows the list of key A. The approvalQueue holds the list, so it stays when another
	// pane comes.
	listMode struct{}
	// rulesMode shows the list of rules, key a.
	rulesMode struct {
		list   *diffview.Body
		chosen int // number of the chosen rule, from 1; 0: none
		term   approval.Term
		whom   approval.Grantee // for whom it is to hold
	}
	// helpMode shows the list of keys, key ?, over the mode previous; nil: over the proposal.
	helpMode struct {
		list     *diffview.Body
		previous mode
	}
	// reasonMode shows the reason field, key r. The mode that it was opened over stays in sight.
	reasonMode struct {
		field    *tui.Editor
		previous mode
	}
)

func (proposalMode) body(n *pane) *diffview.Body  { return n.proposalBody() }
func (listMode) body(n *pane) *diffview.Body      { return n.queue.list }
func (m *rulesMode) body(*pane) *diffview.Body    { return m.list }
func (c *hunkChoice) body(*pane) *diffview.Body   { return c.diffBody }
func (m *helpMode) body(*pane) *diffview.Body     { return m.list }
func (m *reasonMode) body(n *pane) *diffview.Body { return n.visibleMode().body(n) }

// visibleMode returns the mode whose body is in sight. The reason field has no body.
func (n *pane) visibleMode() mode {
	m := n.mode
	if r, ok := m.(*reasonMode); ok {
		m = r.previous
	}
	switch {
	case m != nil:
		return m
	case n.showsList():
		return listMode{}
	}
	return proposalMode{}
}

// showsList reports whether the list of all proposals is open, perhaps below the help.
func (n *pane) showsList() bool { return n.queue != nil && n.queue.list != nil }

// reasonField returns the open reason field, or nil.
func (n *pane) reasonField() *tui.Editor {
	if r, ok := n.mode.(*reasonMode); ok {
		return r.field
	}
	return nil
}

// showsHelp reports whether the list of keys is in sight.
func (n *pane) showsHelp() bool {
	_, ok := n.visibleMode().(*helpMode)
	return ok
}

// showsRules reports whether the list of rules is in sight.
func (n *pane) showsRules() bool {
	_, ok := n.visibleMode().(*rulesMode)
	return ok
}

// openHelp opens the list of keys.
func (n *pane) openHelp() { n.mode = &helpMode{diffview.New(n.helpRows()), n.mode} }

// closeHelp closes the list of keys and returns to the previous mode.
func (n *pane) closeHelp() {
	if h, ok := n.mode.(*helpMode); ok {
		n.mode = h.previous
	}
}
