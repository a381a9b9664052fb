package diffview

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
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
	page := max(s.Height-1, 1)
	if k.Mods == terminal.Ctrl {
		switch k.Code {
		case 'd':
			b.scroll(max(s.Height/2, 1), s)
		case 'u':
			b.scroll(-max(s.Height/2, 1), s)
		default:
			return false
		}
		return true
	}
	if k.Mods&^terminal.Shift != 0 {
		return false
	}
	switch k.Code {
	case 'j', terminal.KeyDown:
		b.scroll(1, s)
	case 'k', terminal.KeyUp:
		b.scroll(-1, s)
	case terminal.KeySpace, terminal.KeyPageDown:
		b.scroll(page, s)
	case 'b', terminal.KeyPageUp:
		b.scroll(-page, s)
	case 'g', terminal.KeyHome:
		b.top, b.sub = 0, 0
	case 'G', terminal.KeyEnd:
		b.top, b.sub = b.lastTop(s)
	case ']':
		b.jump(1, Hunk, s)
	case '[':
		b.jump(-1, Hunk, s)
	case '}':
		b.jump(1, File, s)
	case '{':
		b.jump(-1, File, s)
	case 'w':
		b.cut, b.left, b.sub = !b.cut, 0, 0
		b.forget()
	case terminal.KeyRight:
		return b.sideways(tabStop * 2)
	case terminal.KeyLeft:
		return b.sideways(-tabStop * 2)
	case '/':
		b.search.begin(b.top, b.sub)
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

// scroll moves by n terminal rows, down if positive.
func (b *Body) scroll(n int, s tui.Space) {
	for ; n > 0 && b.top < len(b.rows); n-- {
		if b.sub++; b.sub < len(b.layout(b.top, s)) {
			continue
		}
		for b.top, b.sub = b.top+1, 0; b.top < len(b.rows) && len(b.layout(b.top, s)) == 0; {
			b.top++
		}
	}
	for ; n < 0 && (b.top > 0 || b.sub > 0); n++ {
		if b.sub--; b.sub >= 0 {
			continue
		}
		for b.top--; b.top > 0 && len(b.layout(b.top, s)) == 0; {
			b.top--
		}
		b.sub = len(b.layout(b.top, s)) - 1
	}
	b.clamp(s)
}

// jump goes to the next row of kind k above or below the top. Where the last page begins before it,
// the page stays full.
func (b *Body) jump(step int, k Kind, s tui.Space) {
	i := b.top + step
	if step < 0 && b.sub > 0 {
		i = b.top
	}
	for ; i >= 0 && i < len(b.rows); i += step {
		if b.rows[i].Kind == k {
			b.top, b.sub = i, 0
			b.clamp(s)
			return
		}
	}
	if step < 0 {
		b.top, b.sub = 0, 0
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
	if i < b.top || i == b.top && sub < b.sub {
		b.top, b.sub = i, sub
		b.scroll(-s.Height/3, s)
		return
	}
	rows := 0
	for j, from := b.top, b.sub; j <= i && rows <= s.Height; j, from = j+1, 0 {
		if j == i {
			rows += sub - from
			break
		}
		rows += len(b.layout(j, s)) - from
	}
	if rows >= s.Height {
		b.top, b.sub = i, sub
		b.scroll(-s.Height/3, s)
	}
}
