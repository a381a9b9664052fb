package shell

import (
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// rivalWidth is the width in columns from which on the change of another agent that wants the same
// file stands beside the one that is asked.
const (
	rivalWidth = 100
	rivalGap   = 3
)

// rivalView is the change of another agent, beside the one that a pane asks about.
type rivalView struct {
	of   *pane
	body *diffview.Body
}

// rivalBeside returns the pane of another agent that wants the file of n, if both fit side by side
// into s, or nil.
func (n *pane) rivalBeside(s tui.Space) *pane {
	if _, plain := n.visibleMode().(proposalMode); !plain || n.viewIndex > 0 || s.Width < rivalWidth {
		return nil
	}
	if all := n.askers.rivals(n); len(all) > 0 {
		return all[0]
	}
	return nil
}

// ownWidth returns the width that the body of n has in s.
func (n *pane) ownWidth(s tui.Space) int {
	if n.rivalBeside(s) == nil {
		return s.Width
	}
	return (s.Width - rivalGap) / 2
}

// rivalHead returns the row above two changes that stand side by side: whose they are.
func (n *pane) rivalHead(s tui.Space, other *pane) tui.Line {
	t := s.Look()
	name := func(who *pane, style tui.Style, note string) tui.View {
		return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: visibleLine(nameOf(who.proposal.By), t), Style: style},
			tui.Span{Text: note, Style: t.Dim})}}
	}
	return joinSides(s, n.ownWidth(s), name(n, t.Strong, ", asked here"),
		name(other, tui.Style{}, ", asked after this one"))[0]
}

// joinSides returns two views as rows, each in own columns.
func joinSides(s tui.Space, own int, left, right tui.View) []tui.Line {
	return layout.Join(s, layout.Cell{View: left, Width: own}, layout.Cell{Width: rivalGap},
		layout.Cell{View: right, Width: s.Width - own - rivalGap}).Lines
}

// withRival puts the change of another agent beside rows of n, from the same place of the file on.
func (n *pane) withRival(rows []tui.Line, inner, s tui.Space) []tui.Line {
	other := n.rivalBeside(s)
	if other == nil {
		return rows
	}
	body := n.rivalBody(other)
	first, _, _, _ := n.body().Position()
	body.Show(rowOfLine(other.views[0].rows, oldLine(n.views[0].rows, first-1)))
	return joinSides(s, n.ownWidth(s), tui.View{Lines: rows}, body.View(inner))
}

// rivalBody returns the body of the change that stands beside that of n.
func (n *pane) rivalBody(other *pane) *diffview.Body {
	if n.rival.of != other {
		n.rival = rivalView{other, addColours(diffview.New(other.views[0].rows), other.proposal)}
	}
	return n.rival.body
}

// oldLine returns the number of the first old line from row i on, 0 if that is the top.
func oldLine(rows []diffview.Row, i int) int {
	if i <= 0 {
		return 0
	}
	for ; i < len(rows); i++ {
		if rows[i].Old > 0 {
			return rows[i].Old
		}
	}
	return 0
}

// rowOfLine returns the index of the first row that is about old line n or a later one.
func rowOfLine(rows []diffview.Row, n int) int {
	for i, r := range rows {
		if n == 0 || r.Old >= n {
			return i
		}
	}
	return max(len(rows)-1, 0)
}
