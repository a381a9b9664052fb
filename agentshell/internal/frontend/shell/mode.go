package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// mode is what an approval pane shows at the moment: the proposal, or a list or field that the user
// has opened over it. The mode decides what the keys do. Each type below is one mode.
type mode interface {
	body(n *pane) *diffview.Body
}

type (
	// proposalMode shows the proposal itself, such as the diff of a file.
	proposalMode struct{}
	// listMode shows the list of all proposals that are asked together (key A). The approvalQueue
	// holds the list, so that it stays open when the pane of another proposal is shown.
	listMode struct{}
	// rulesMode shows the rules that could allow such a proposal from now on (key a).
	rulesMode struct {
		list   *diffview.Body
		chosen int // The number of the chosen rule, from 1; 0: none is chosen.
		term   approval.Term
		whom   approval.Grantee // The agents that the rule would hold for.
	}
	// helpMode shows the list of keys (key ?). Closing it returns to previous; nil: to the
	// proposal.
	helpMode struct {
		list     *diffview.Body
		previous mode
	}
	// reasonMode shows a field for the reason of a denial (key r). The content of the previous mode
	// stays in sight above it.
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

// visibleMode returns the mode whose content is on the screen. While the reason field is open that
// is the mode it was opened over.
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

// showsList reports whether the list of all proposals is open, perhaps covered by the list of keys.
func (n *pane) showsList() bool { return n.queue != nil && n.queue.list != nil }

// reasonField returns the field for the reason of a denial, or nil if it is not open.
func (n *pane) reasonField() *tui.Editor {
	if r, ok := n.mode.(*reasonMode); ok {
		return r.field
	}
	return nil
}

// showsHelp reports whether the list of keys is on the screen.
func (n *pane) showsHelp() bool {
	_, ok := n.visibleMode().(*helpMode)
	return ok
}

// showsRules reports whether the list of rules is on the screen.
func (n *pane) showsRules() bool {
	_, ok := n.visibleMode().(*rulesMode)
	return ok
}

// openHelp shows the list of keys.
func (n *pane) openHelp() { n.mode = &helpMode{diffview.New(n.helpRows()), n.mode} }

// closeHelp closes the list of keys, if it is open, and returns to the previous mode.
func (n *pane) closeHelp() {
	if h, ok := n.mode.(*helpMode); ok {
		n.mode = h.previous
	}
}
