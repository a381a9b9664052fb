package diffview

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// HandleEvent handles the keys that scroll, search and jump (PANE-5): j, k and the arrows, Space,
// b, PgDn, PgUp, Ctrl+D, Ctrl+U, g, G, Home, End, ] and [ for hunks, } and { for files, / > and <
// for the search, w for wrapping, and Left and Right while rows are cut. While the search field is
// open it gets all keys that type, and pastes. Escape closes the field, then ends the search.
func (b *Body) HandleEvent(ev tui.Event, s tui.Space) bool {
	if b.search.open {
		return b.handleField(ev, s)
	}
	k, ok := ev.(tui.Key)
	if !ok {
		return false
	}
	if to, ok := b.pagerText(s).Key(b.topPlace, k); ok {
		b.topPlace = to
		return true
	}
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case ']':
		b.jumpToKind(1, Hunk, s)
	case '[':
		b.jumpToKind(-1, Hunk, s)
	case '}':
		b.jumpToKind(1, File, s)
	case '{':
		b.jumpToKind(-1, File, s)
	case 'w':
		b.cutLong, b.leftCols, b.topPlace.Row = !b.cutLong, 0, 0
		b.dropLaid()
	case terminal.KeyRight:
		return b.scrollSideways(tabStop * 2)
	case terminal.KeyLeft:
		return b.scrollSideways(-tabStop * 2)
	case '/':
		b.search.openField(b.topPlace)
		b.dropLaid()
	case '>':
		b.goToMatch(1, s)
	case '<':
		b.goToMatch(-1, s)
	case terminal.KeyEscape:
		if b.search.text == "" {
			return false
		}
		b.search = search{}
		b.dropLaid()
	default:
		return false
	}
	return true
}

// scrollSideways scrolls cut rows by n columns, to the right if n is positive. It returns false if
// rows are wrapped.
func (b *Body) scrollSideways(n int) bool {
	if !b.cutLong {
		return false
	}
	b.leftCols = max(b.leftCols+n, 0)
	b.dropLaid()
	return true
}

// pagerText returns the rows, as laid out in s, in the form that package pager scrolls.
func (b *Body) pagerText(s tui.Space) pager.Text {
	return pager.Text{Len: len(b.rows), Rows: func(i int) int { return len(b.layOutRow(i, s)) }, Page: s.Height}
}

// jumpToKind scrolls to the next row of kind k below the top if step is 1, or above it if step is
// -1.
func (b *Body) jumpToKind(step int, k Kind, s tui.Space) {
	i := b.topPlace.Item + step
	if step < 0 && b.topPlace.Row > 0 {
		i = b.topPlace.Item
	}
	for ; i >= 0 && i < len(b.rows); i += step {
		if b.rows[i].Kind == k {
			b.topPlace = b.pagerText(s).Clamp(pager.Place{Item: i})
			return
		}
	}
	if step < 0 {
		b.topPlace = pager.Place{}
	}
}

// showPlace scrolls as little as possible so that the byte at the offset off of row i is visible.
func (b *Body) showPlace(i, off int, s tui.Space) {
	sub := 0
	if b.splitsSides(s) && len(b.layOutRow(i, s)) == 0 {
		i, _ = mateOf(b.rows, i)
	}
	for lines := b.layOutRow(i, s); !b.splitsSides(s) && sub < len(lines)-1 && lines[sub].End <= off; {
		sub++
	}
	if i < b.topPlace.Item || i == b.topPlace.Item && sub < b.topPlace.Row {
		b.topPlace = b.pagerText(s).Move(pager.Place{Item: i, Row: sub}, -s.Height/3)
		return
	}
	rows := 0
	for j, from := b.topPlace.Item, b.topPlace.Row; j <= i && rows <= s.Height; j, from = j+1, 0 {
		if j == i {
			rows += sub - from
			break
		}
		rows += len(b.layOutRow(j, s)) - from
	}
	if rows >= s.Height {
		b.topPlace = b.pagerText(s).Move(pager.Place{Item: i, Row: sub}, -s.Height/3)
	}
}
