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
	ID     string // a name that is unique in the whole tree; not ""
	Text   string
	Note   string // dim text behind Text
	Branch bool   // the node can be opened and may have children
}

// Tree shows a hierarchy of rows, of which branches can be opened. One row is highlighted. Up,
// Down, j, k, Ctrl+P and Ctrl+N move by rows, PgUp and PgDn by pages; g, G, Home and End go to the
// ends. Right opens a branch, then goes to its first child. Left closes the branch, or goes to the
// parent. Space opens or closes a branch. Enter chooses a leaf, and opens or closes a branch. The
// key / searches the open rows; n and N go to the next and the previous match, and Esc ends the
// search.
//
// If the Space has no height, the open rows are shown as numbered text and [Tree.Submit] chooses
// one. Access fields and methods only on the App's loop. The cost of a frame does not depend on the
// number of hidden rows.
type Tree struct {
	Title string
	// Children returns the children of the branch with the given ID; "" stands for the root. It is
	// called when a branch is opened, and must not block. If the children have to be loaded first
	// it returns none, and the program calls Changed later.
	Children func(id string) []Node
	Height   int                      // the maximum number of rows; 0: the height of the Space
	Branches bool                     // Enter chooses branches, too; Space opens them
	OnMove   func(n Node)             // called when another row is highlighted
	OnChoose func(n Node)             // called on Enter, and on a click on the highlighted row
	OnKey    func(tui.Key, Node) bool // gets the keys that Tree does not use; returns true if it has used one
	Mouse    bool                     // a click highlights a row, a second click chooses it, the wheel scrolls
	// ScrollBar shows a scroll bar at the right.
	ScrollBar bool

	rows      []treeRow       // the open rows; valid if rowsBuilt
	openIDs   map[string]bool // IDs of the open branches
	chosenRow int             // index in rows of the highlighted row
	wantedID  string          // ID of the row to highlight as soon as it exists
	rowsBuilt bool
	headRows  int // number of screen rows above the tree: 1 with a title
	scroll    scrollState
	sideBar   sideBar
	search    rowSearch
}

// treeRow is an open row: a node and its depth in the tree.
type treeRow struct {
	Node
	depth int
}

// Changed must be called after the results of Children have changed. The tree reads all open
// branches again. The highlighted row stays highlighted if it still exists.
func (t *Tree) Changed() { t.rowsBuilt = false }

// Open opens the branch with the given ID. If there is no such branch yet it is opened when it
// appears.
func (t *Tree) Open(id string) { t.setOpen(id, true) }

// Close closes the branch with the given ID.
func (t *Tree) Close(id string) { t.setOpen(id, false) }

// Choose highlights the row with the given ID, as soon as it exists.
func (t *Tree) Choose(id string) {
	t.wantedID, t.rowsBuilt = id, false
}

// Chosen returns the highlighted row. ok is false if there are no rows.
func (t *Tree) Chosen() (n Node, ok bool) {
	t.buildRows()
	if len(t.rows) == 0 {
		return Node{}, false
	}
	return t.rows[t.chosenRow].Node, true
}

// setOpen opens or closes a branch, and inserts or removes its rows.
func (t *Tree) setOpen(id string, open bool) {
	if t.openIDs == nil {
		t.openIDs = map[string]bool{}
	}
	if t.openIDs[id] == open {
		return
	}
	if t.openIDs[id] = open; !open {
		delete(t.openIDs, id)
	}
	if !t.rowsBuilt {
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

// rowsBelow returns the open rows below the branch with the given ID. openedIDs collects the IDs of
// the branches on the way, so that a repeated ID does not cause endless recursion.
func (t *Tree) rowsBelow(id string, depth int, openedIDs map[string]bool) (rows []treeRow) {
	if t.Children == nil || openedIDs[id] {
		return nil
	}
	openedIDs[id] = true
	for _, n := range t.Children(id) {
		rows = append(rows, treeRow{n, depth})
		if n.Branch && t.openIDs[n.ID] {
			rows = append(rows, t.rowsBelow(n.ID, depth+1, openedIDs)...)
		}
	}
	return rows
}

// buildRows collects the open rows if they are out of date.
func (t *Tree) buildRows() {
	if t.rowsBuilt {
		return
	}
	id := t.wantedID
	if id == "" && t.chosenRow < len(t.rows) {
		id = t.rows[t.chosenRow].ID
	}
	t.rows, t.rowsBuilt = t.rowsBelow("", 0, map[string]bool{}), true
	t.chosenRow = max(min(t.chosenRow, len(t.rows)-1), 0)
	if i := slices.IndexFunc(t.rows, func(r treeRow) bool { return r.ID == id }); i >= 0 {
		t.chosenRow, t.wantedID = i, ""
	}
}

// View returns the title, the visible rows and the search.
func (t *Tree) View(s tui.Space) tui.View {
	t.buildRows()
	th, n := s.Look(), len(t.rows)
	rows := widgetHeight(s, t.Height)
	t.headRows = boolInt(t.Title != "" && rows != 1)
	foot := rows > t.headRows+1 && t.search.isActive()
	size := rows - t.headRows - boolInt(foot)
	if rows <= 0 {
		size = n
	}
	v := tui.View{Mouse: t.Mouse, Drags: t.Mouse && t.ScrollBar}
	if t.continueSearch() {
		v.RefreshAfter = 1
	}
	t.scroll.fitTo(t.chosenRow, n, size)
	if t.headRows > 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: t.Title, Style: th.Strong},
			tui.Span{Text: t.scroll.positionText(n), Style: th.Dim}))
	}
	in := t.sideBar.fitBar(s, t.ScrollBar, n, t.scroll.pageRows)
	for i := t.scroll.topRow; i < t.scroll.endRow(n); i++ {
		v.Lines = append(v.Lines, t.nodeRow(in, i, rows <= 0))
	}
	t.sideBar.addBar(in, v.Lines[t.headRows:], t.headRows, n, t.scroll.topRow, t.scroll.pageRows)
	if n == 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  nothing here", Style: th.Dim}))
	}
	if foot {
		v.Lines = append(v.Lines, t.search.resultRow(s, t.chosenRow))
		v.Cursor = t.search.caretPos(s, v.Lines[len(v.Lines)-1], len(v.Lines)-1)
	}
	return v
}

// nodeRow returns the screen row for rows[i]. If text is true it begins with the row's number.
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
		tui.Span{Text: r.Text, Style: style}, tui.Span{Text: spacedNote(r.Note), Style: th.Dim})
}

// continueSearch continues a running search and highlights the row that it finds. It returns true
// if there are rows left to read.
func (t *Tree) continueSearch() (more bool) {
	i, more := t.search.readRows(len(t.rows), func(i int) string { return t.rows[i].Text + "\n" + t.rows[i].Note })
	t.moveTo(i)
	return more
}

func spacedNote(text string) string {
	if text == "" {
		return ""
	}
	return "  " + text
}

// rowIndent returns the text before a row: its indent, at most half of the width, and a mark that
// says whether a branch is open.
func (t *Tree) rowIndent(r treeRow, s tui.Space) string {
	mark, shut, open := "  ", "+ ", "- "
	if hasUnicodeGlyphs(s.Look()) {
		shut, open = "▸ ", "▾ "
	}
	switch {
	case r.Branch && t.openIDs[r.ID]:
		mark = open
	case r.Branch:
		mark = shut
	}
	return strings.Repeat(" ", min(2*r.depth, max(s.Width/2-4, 0))) + mark
}

// HandleEvent handles the keys that move, open, search and choose, and the mouse.
func (t *Tree) HandleEvent(ev tui.Event, _ tui.Space) bool {
	t.buildRows()
	switch ev := ev.(type) {
	case tui.Mouse:
		return t.Mouse && t.handleMouse(ev)
	case tui.Key:
		if t.search.fieldOpen {
			return t.handleSearch(ev)
		}
		if to, ok := t.scroll.keyTarget(ev, t.chosenRow, len(t.rows)); ok {
			t.moveTo(to)
			return true
		}
		if t.search.handleKey(ev, t.chosenRow, len(t.rows)) {
			t.continueSearch()
			return true
		}
		if len(t.rows) == 0 {
			return t.OnKey != nil && t.OnKey(ev, Node{})
		}
		return t.handleKey(ev)
	}
	return t.search.fieldOpen && t.handleSearch(ev)
}

// handleSearch handles an event while the search field is open.
func (t *Tree) handleSearch(ev tui.Event) bool {
	handled, back := t.search.handleFieldEvent(ev, len(t.rows))
	if back {
		t.moveTo(min(t.search.startRow, len(t.rows)-1))
	}
	t.continueSearch()
	return handled
}

// handleKey handles the keys that act on the highlighted row.
func (t *Tree) handleKey(k tui.Key) bool {
	r := t.rows[t.chosenRow]
	switch {
	case k.Mods != 0:
		return t.OnKey != nil && t.OnKey(k, r.Node)
	case k.Code == terminal.KeyRight && r.Branch && !t.openIDs[r.ID]:
		t.Open(r.ID)
	case k.Code == terminal.KeyRight:
		if t.chosenRow+1 < len(t.rows) && t.rows[t.chosenRow+1].depth > r.depth {
			t.moveTo(t.chosenRow + 1)
		}
	case k.Code == terminal.KeyLeft && r.Branch && t.openIDs[r.ID]:
		t.Close(r.ID)
	case k.Code == terminal.KeyLeft:
		for i := t.chosenRow - 1; i >= 0; i-- {
			if t.rows[i].depth < r.depth {
				t.moveTo(i)
				break
			}
		}
	case k.Code == terminal.KeySpace && r.Branch:
		t.setOpen(r.ID, !t.openIDs[r.ID])
	case k.Code == terminal.KeyEnter:
		t.handleEnter()
	default:
		return t.OnKey != nil && t.OnKey(k, r.Node)
	}
	return true
}

// handleEnter chooses the highlighted row, or opens or closes it if it is a branch.
func (t *Tree) handleEnter() {
	r := t.rows[t.chosenRow]
	if r.Branch && !t.Branches {
		t.setOpen(r.ID, !t.openIDs[r.ID])
	} else if t.OnChoose != nil {
		t.OnChoose(r.Node)
	}
}

// moveTo highlights rows[i]. It does nothing if there is no such row.
func (t *Tree) moveTo(i int) {
	if i == t.chosenRow || i < 0 || i >= len(t.rows) {
		return
	}
	t.wantedID = ""
	if t.chosenRow = i; t.OnMove != nil {
		t.OnMove(t.rows[i].Node)
	}
}

// handleMouse handles clicks and the wheel.
func (t *Tree) handleMouse(m tui.Mouse) bool {
	n := len(t.rows)
	if by := wheelSteps(m); by != 0 && n > 0 {
		t.moveTo(max(min(t.chosenRow+by, n-1), 0))
		return true
	}
	if top, ok := t.sideBar.topClicked(m); ok {
		t.moveTo(max(min(t.chosenRow, top+t.scroll.pageRows-1), top))
		t.scroll.topRow = top
		return true
	}
	i := m.Row - t.headRows
	if i += t.scroll.topRow; !isClick(m) || m.Row < t.headRows || i >= t.scroll.endRow(n) {
		return false
	}
	if i == t.chosenRow {
		t.handleEnter()
	} else {
		t.moveTo(i)
	}
	return true
}

// Submit chooses a row without a terminal. line is the number of an open row, from 1, a node's ID,
// or its text. An empty line stands for the highlighted row. A branch is opened or closed instead,
// unless Branches is set.
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
