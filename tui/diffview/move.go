package diffview

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// HandleEvent takes the keys that move, search and jump (PANE-5): j k and the arrows, Space b PgDn
// PgUp, Ctrl+D Ctrl+U, g G Home End, ] [ } {, / > <, w, and Left and Right while rows are cut.
// While the search field is open every key that types goes into it, and pastes do. Escape closes
// the field, then the search.
func (b *Body) HandleEvent(ev tui.Event, s tui.Space) bool {
	if b.search.open {
		return b.field(ev, s)
	}
	k, ok := ev.(tui.Key)
	if !ok {
		return false
	}
	if to, ok := b.pages(s).Key(b.at, k); ok {
		b.at = to
		return true
	}
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case ']':
		b.jump(1, Hunk, s)
	case '[':
		b.jump(-1, Hunk, s)
	case '}':
		b.jump(1, File, s)
	case '{':
		b.jump(-1, File, s)
	case 'w':
		b.cut, b.left, b.at.Row = !b.cut, 0, 0
		b.forget()
	case terminal.KeyRight:
		return b.sideways(tabStop * 2)
	case terminal.KeyLeft:
		return b.sideways(-tabStop * 2)
	case '/':
		b.search.begin(b.at)
		b.forget()
	case '>':
		b.match(1, s)
	case '<':
		b.match(-1, s)
	case terminal.KeyEscape:
		if b.search.text == "" {
			return false
		}
		b.search = search{}
		b.forget()
	default:
		return false
	}
	return true
}

// sideways moves by n columns, right if positive. It does so only while rows are cut.
func (b *Body) sideways(n int) bool {
	if !b.cut {
		return false
	}
	b.left = max(b.left+n, 0)
	b.forget()
	return true
}

// pages returns b as it is scrolled.
func (b *Body) pages(s tui.Space) pager.Text {
	return pager.Text{Len: len(b.rows), Rows: func(i int) int { return len(b.layout(i, s)) }, Page: s.Height}
}

// jump goes to the next row of kind k above or below the top. Where the last page begins before it,
// the page stays full.
func (b *Body) jump(step int, k Kind, s tui.Space) {
	i := b.at.Item + step
	if step < 0 && b.at.Row > 0 {
		i = b.at.Item
	}
	for ; i >= 0 && i < len(b.rows); i += step {
		if b.rows[i].Kind == k {
			b.at = b.pages(s).Clamp(pager.Place{Item: i})
			return
		}
	}
	if step < 0 {
		b.at = pager.Place{}
	}
}

// show scrolls as little as needed to bring byte off of row i into sight.
func (b *Body) show(i, off int, s tui.Space) {
	sub := 0
	if b.beside(s) && len(b.layout(i, s)) == 0 {
		i, _ = mate(b.rows, i)
	}
	for lines := b.layout(i, s); !b.beside(s) && sub < len(lines)-1 && lines[sub].End <= off; {
		sub++
	}
	if i < b.at.Item || i == b.at.Item && sub < b.at.Row {
		b.at = b.pages(s).Move(pager.Place{Item: i, Row: sub}, -s.Height/3)
		return
	}
	rows := 0
	for j, from := b.at.Item, b.at.Row; j <= i && rows <= s.Height; j, from = j+1, 0 {
		if j == i {
			rows += sub - from
			break
		}
		rows += len(b.layout(j, s)) - from
	}
	if rows >= s.Height {
		b.at = b.pages(s).Move(pager.Place{Item: i, Row: sub}, -s.Height/3)
	}
}
