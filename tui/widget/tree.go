package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Node is one row of a [Tree].
type Node struct {
	ID     string // names it in the whole tree; not ""
	Text   string
	Note   string // dim, after it
	Branch bool   // it may have children
}

// Tree is rows that can be opened. One row is chosen. Up, Down, j, k, Ctrl+P, Ctrl+N move by rows,
// PgUp, PgDn by pages, g, G, Home, End to the ends. Right opens a branch, then goes to its first
// child. Left closes it, or goes to its parent. Space opens or closes. Enter chooses a leaf and
// opens or closes a branch. / searches the open rows, n and N go to the next and the previous
// match, Esc ends the search. In a space without a height it is the open rows, as text, for
// [Tree.Submit]. Fields and methods are for the loop. The cost of a frame does not grow with the
// rows out of sight.
type Tree struct {
	Title string
	// Children returns the children of a branch, by its ID; "" is the parent of the topmost rows.
	// It is called when the branch is opened, and does not wait. If it has to find them first it
	// returns none, and the program calls Changed later.
	Children func(id string) []Node
	Height   int                      // the most rows; 0: all that the space has
	Branches bool                     // Enter chooses branches, too; Space opens them
	OnMove   func(n Node)             // another row is chosen
	OnChoose func(n Node)             // Enter, or a click on the chosen row
	OnKey    func(tui.Key, Node) bool // gets the keys that Tree does not take; nil: none
	Mouse    bool                     // a click chooses a row, the wheel scrolls
	// A bar at the right shows where the rows in sight stand.
	ScrollBar bool

	rows      []treeRow
	open      map[string]bool // open branches, by ID
	chosenRow int             // index of rows
	wantedID  string          // ID of the row that is chosen once it is there
	built     bool
	headRows  int
	view      scroll
	side      sideBar
	search    rowSearch
}

// treeRow is a node with its depth.
type treeRow struct {
	Node
	depth int
}

// Changed says that Children returns others: it is called again for all open branches. The chosen
// row stays chosen, if it is still there.
func (t *Tree) Changed() { t.built = false }

// Open opens branch id, even if it is not there yet.
func (t *Tree) Open(id string) { t.setOpen(id, true) }

// Close closes branch id.
func (t *Tree) Close(id string) { t.setOpen(id, false) }

// Choose chooses the row of id, as soon as it is there.
func (t *Tree) Choose(id string) {
	t.wantedID, t.built = id, false
}

// Chosen returns the chosen row; false if there is none.
func (t *Tree) Chosen() (n Node, ok bool) {
	t.buildRows()
	if len(t.rows) == 0 {
		return Node{}, false
	}
	return t.rows[t.chosenRow].Node, true
}

// setOpen opens or closes a branch.
func (t *Tree) setOpen(id string, open bool) {
	if t.open == nil {
		t.open = map[string]bool{}
	}
	if t.open[id] == open {
		return
	}
	if t.open[id] = open; !open {
		delete(t.open, id)
	}
	if !t.built {
		return
	}
	i := slices.IndexFunc(t.rows, func(r treeRow) bool { return r.ID == id })
	if i < 0 || !t.rows[i].Branch {
		return
	}
	if open {
		rows := t.rowsBelow(id, t.rows[i].depth+1, map[string]bool{})
		t.rows = slices.Insert(t.rows, i+1, rows...)
		if t.chosenRow > i {
			t.chosenRow += len(rows)
		}
		return
	}
	end := i + 1
	for end < len(t.rows) && t.rows[end].depth > t.rows[i].depth {
		end++
	}
	t.rows = slices.Delete(t.rows, i+1, end)
	switch {
	case t.chosenRow >= end:
		t.chosenRow -= end - i - 1
	case t.chosenRow > i:
		t.chosenRow = i
	}
}

// rowsBelow returns the open rows below branch id. seen are the branches that were opened on the
// way, so that an ID that comes again is not opened for ever.
func (t *Tree) rowsBelow(id string, depth int, openedIDs map[string]bool) (rows []treeRow) {
	if t.Children == nil || openedIDs[id] {
		return nil
	}
	openedIDs[id] = true
	for _, n := range t.Children(id) {
		rows = append(rows, treeRow{n, depth})
		if n.Branch && t.open[n.ID] {
			rows = append(rows, t.rowsBelow(n.ID, depth+1, openedIDs)...)
		}
	}
	return rows
}

// buildRows finds the open rows, if they have changed.
func (t *Tree) buildRows() {
	if t.built {
		return
	}
	id := t.wantedID
	if id == "" && t.chosenRow < len(t.rows) {
		id = t.rows[t.chosenRow].ID
	}
	t.rows, t.built = t.rowsBelow("", 0, map[string]bool{}), true
	t.chosenRow = max(min(t.chosenRow, len(t.rows)-1), 0)
	if i := slices.IndexFunc(t.rows, func(r treeRow) bool { return r.ID == id }); i >= 0 {
		t.chosenRow, t.wantedID = i, ""
	}
}

// View returns the title and the open rows in sight.
func (t *Tree) View(s tui.Space) tui.View {
	t.buildRows()
	th, n := s.Look(), len(t.rows)
	rows := widgetHeight(s, t.Height)
	t.headRows = boolInt(t.Title != "" && rows != 1)
	foot := rows > t.headRows+1 && t.search.active()
	size := rows - t.headRows - boolInt(foot)
	if rows <= 0 {
		size = n
	}
	v := tui.View{Mouse: t.Mouse, Drags: t.Mouse && t.ScrollBar}
	if t.searchOn() {
		v.RefreshAfter = 1
	}
	t.view.fitTo(t.chosenRow, n, size)
	if t.headRows > 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: t.Title, Style: th.Strong},
			tui.Span{Text: t.view.positionText(n), Style: th.Dim}))
	}
	in := t.side.fitBar(s, t.ScrollBar, n, t.view.size)
	for i := t.view.top; i < t.view.end(n); i++ {
		v.Lines = append(v.Lines, t.nodeRow(in, i, rows <= 0))
	}
	t.side.addBar(in, v.Lines[t.headRows:], t.headRows, n, t.view.top, t.view.size)
	if n == 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  nothing here", Style: th.Dim}))
	}
	if foot {
		v.Lines = append(v.Lines, t.search.row(s, t.chosenRow))
		v.Cursor = t.search.caret(s, v.Lines[len(v.Lines)-1], len(v.Lines)-1)
	}
	return v
}

// nodeRow returns row i. text: it is text, with its number.
func (t *Tree) nodeRow(s tui.Space, i int, text bool) tui.Line {
	th, r := s.Look(), t.rows[i]
	pointer, style := "  ", tui.Style{}
	switch {
	case text:
		pointer = strconv.Itoa(i + 1)
		pointer += strings.Repeat(" ", len(strconv.Itoa(len(t.rows)))+1-len(pointer))
	case i == t.chosenRow:
		pointer, style = th.Glyphs.Prompt+" ", th.Strong
	}
	return s.Cut(tui.Span{Text: pointer, Style: th.Accent}, tui.Span{Text: t.rowIndent(r, s), Style: th.Dim},
		tui.Span{Text: r.Text, Style: style}, tui.Span{Text: noteText(r.Note), Style: th.Dim})
}

// searchOn continues the search, and chooses the row that was found. more: it is not done.
func (t *Tree) searchOn() (more bool) {
	i, more := t.search.readOn(len(t.rows), func(i int) string { return t.rows[i].Text + "\n" + t.rows[i].Note })
	t.moveTo(i)
	return more
}

func noteText(text string) string {
	if text == "" {
		return ""
	}
	return "  " + text
}

// rowIndent returns the text before a row: its depth, at most half of the width, and whether it is
// open.
func (t *Tree) rowIndent(r treeRow, s tui.Space) string {
	mark, shut, open := "  ", "+ ", "- "
	if unicodeGlyphs(s.Look()) {
		shut, open = "▸ ", "▾ "
	}
	switch {
	case r.Branch && t.open[r.ID]:
		mark = open
	case r.Branch:
		mark = shut
	}
	return strings.Repeat(" ", min(2*r.depth, max(s.Width/2-4, 0))) + mark
}

// HandleEvent takes the keys that move, open and choose, and clicks.
func (t *Tree) HandleEvent(ev tui.Event, _ tui.Space) bool {
	t.buildRows()
	switch ev := ev.(type) {
	case tui.Mouse:
		return t.Mouse && t.handleMouse(ev)
	case tui.Key:
		if t.search.open {
			return t.handleSearch(ev)
		}
		if to, ok := t.view.step(ev, t.chosenRow, len(t.rows)); ok {
			t.moveTo(to)
			return true
		}
		if t.search.handleKey(ev, t.chosenRow, len(t.rows)) {
			t.searchOn()
			return true
		}
		if len(t.rows) == 0 {
			return t.OnKey != nil && t.OnKey(ev, Node{})
		}
		return t.handleKey(ev)
	}
	return t.search.open && t.handleSearch(ev)
}

// handleSearch takes an event while the field of the search is open.
func (t *Tree) handleSearch(ev tui.Event) bool {
	handled, back := t.search.handleField(ev, len(t.rows))
	if back {
		t.moveTo(min(t.search.start, len(t.rows)-1))
	}
	t.searchOn()
	return handled
}

// handleKey takes the keys of the chosen row.
func (t *Tree) handleKey(k tui.Key) bool {
	r := t.rows[t.chosenRow]
	switch {
	case k.Mods != 0:
		return t.OnKey != nil && t.OnKey(k, r.Node)
	case k.Code == terminal.KeyRight && r.Branch && !t.open[r.ID]:
		t.Open(r.ID)
	case k.Code == terminal.KeyRight:
		if t.chosenRow+1 < len(t.rows) && t.rows[t.chosenRow+1].depth > r.depth {
			t.moveTo(t.chosenRow + 1)
		}
	case k.Code == terminal.KeyLeft && r.Branch && t.open[r.ID]:
		t.Close(r.ID)
	case k.Code == terminal.KeyLeft:
		for i := t.chosenRow - 1; i >= 0; i-- {
			if t.rows[i].depth < r.depth {
				t.moveTo(i)
				break
			}
		}
	case k.Code == terminal.KeySpace && r.Branch:
		t.setOpen(r.ID, !t.open[r.ID])
	case k.Code == terminal.KeyEnter:
		t.handleEnter()
	default:
		return t.OnKey != nil && t.OnKey(k, r.Node)
	}
	return true
}

// handleEnter chooses the row, or opens or closes it.
func (t *Tree) handleEnter() {
	r := t.rows[t.chosenRow]
	if r.Branch && !t.Branches {
		t.setOpen(r.ID, !t.open[r.ID])
	} else if t.OnChoose != nil {
		t.OnChoose(r.Node)
	}
}

// moveTo chooses row i.
func (t *Tree) moveTo(i int) {
	if i == t.chosenRow || i < 0 || i >= len(t.rows) {
		return
	}
	t.wantedID = ""
	if t.chosenRow = i; t.OnMove != nil {
		t.OnMove(t.rows[i].Node)
	}
}

// handleMouse takes the mouse.
func (t *Tree) handleMouse(m tui.Mouse) bool {
	n := len(t.rows)
	if by := wheelSteps(m); by != 0 && n > 0 {
		t.moveTo(max(min(t.chosenRow+by, n-1), 0))
		return true
	}
	if top, ok := t.side.topClicked(m); ok {
		t.moveTo(max(min(t.chosenRow, top+t.view.size-1), top))
		t.view.top = top
		return true
	}
	i := m.Row - t.headRows
	if i += t.view.top; !isClick(m) || m.Row < t.headRows || i >= t.view.end(n) {
		return false
	}
	if i == t.chosenRow {
		t.handleEnter()
	} else {
		t.moveTo(i)
	}
	return true
}

// Submit chooses without a terminal: by the number of an open row, its ID or its text. A branch is
// opened unless Branches is set.
func (t *Tree) Submit(line string) {
	t.buildRows()
	text := strings.TrimSpace(line)
	i := -1
	if k, err := strconv.Atoi(text); err == nil && 0 < k && k <= len(t.rows) {
		i = k - 1
	} else if text == "" {
		i = t.chosenRow
	} else {
		i = slices.IndexFunc(t.rows, func(r treeRow) bool { return r.ID == text || strings.EqualFold(r.Text, text) })
	}
	if i < 0 || i >= len(t.rows) {
		return
	}
	t.chosenRow = i
	t.handleEnter()
}
