package shell

import (
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// The least width of the window in columns at which an approval pane also shows another agent's
// proposed change of the same file, beside its own; and the number of columns between the two.
const (
	rivalWidth = 100
	rivalGap   = 3
)

// rivalView holds another agent's change of the same file, as an approval pane shows it beside its
// own.
type rivalView struct {
	of   *pane
	body *diffview.Body
}

// rivalBeside returns the pane of another agent that waits to change the same file, if both changes
// fit side by side into s; else nil.
func (n *pane) rivalBeside(s tui.Space) *pane {
	if _, plain := n.visibleMode().(proposalMode); !plain || n.viewIndex > 0 || s.Width < rivalWidth {
		return nil
	}
	if all := n.askers.rivals(n); len(all) > 0 {
		return all[0]
	}
	return nil
}

// ownWidth returns the width of the pane's own change in s: about half if another change is shown
// beside it.
func (n *pane) ownWidth(s tui.Space) int {
	if n.rivalBeside(s) == nil {
		return s.Width
	}
	return (s.Width - rivalGap) / 2
}

// rivalHead returns the row above two changes that are shown side by side. It names their agents.
func (n *pane) rivalHead(s tui.Space, other *pane) tui.Line {
	t := s.Look()
	name := func(who *pane, style tui.Style, note string) tui.View {
		return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: visibleLine(nameOf(who.proposal.By), t), Style: style},
			tui.Span{Text: note, Style: t.Dim})}}
	}
	return joinSides(s, n.ownWidth(s), name(n, t.Strong, ", asked here"),
		name(other, tui.Style{}, ", asked after this one"))[0]
}

// joinSides returns the rows of two views side by side. own is the width of the left one in
// columns.
func joinSides(s tui.Space, own int, left, right tui.View) []tui.Line {
	return layout.Join(s, layout.Cell{View: left, Width: own}, layout.Cell{Width: rivalGap},
		layout.Cell{View: right, Width: s.Width - own - rivalGap}).Lines
}

// withRival returns rows with another agent's change of the same file beside them, if there is one.
// The other change is scrolled to the same line of the file.
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

// rivalBody returns the scrollable content with the proposed change of the pane other.
func (n *pane) rivalBody(other *pane) *diffview.Body {
	if n.rival.of != other {
		n.rival = rivalView{other, addColours(diffview.New(other.views[0].rows), other.proposal)}
	}
	return n.rival.body
}

// oldLine returns the number of the first line of the old file in rows[i:]. It returns 0 if i is 0,
// or if there is no such line.
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

// rowOfLine returns the index of the first row that shows line n of the old file or a later one,
// else of the last row.
func rowOfLine(rows []diffview.Row, n int) int {
	for i, r := range rows {
		if n == 0 || r.Old >= n {
			return i
		}
	}
	return max(len(rows)-1, 0)
}
