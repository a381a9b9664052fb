// Package pager finds where a page of a long text begins, and where rows and keys move it.
package pager

import (
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Place is the first row of a page: the index of an item of the text, and the number of its rows
// that are scrolled out above.
type Place struct{ Item, Row int }

// before reports whether p is above q.
func (p Place) before(q Place) bool { return p.Item < q.Item || p.Item == q.Item && p.Row < q.Row }

// Text is a text that is shown page by page. It consists of items, each of which takes one or more
// rows. The function Rows is called only for items near the current place and at the end.
type Text struct {
	Len  int             // number of items
	Rows func(i int) int // returns the number of rows of item i; 0 if it is shown beside the previous item
	Page int             // number of rows of a page
}

// Last returns the lowest place at which the page is still full.
func (t Text) Last() Place {
	freeRows := max(t.Page, 1)
	for i := t.Len - 1; i >= 0; i-- {
		n := t.Rows(i)
		if n >= freeRows {
			return Place{i, n - freeRows}
		}
		freeRows -= n
	}
	return Place{}
}

// Clamp returns p, or the nearest place at which a page may begin.
func (t Text) Clamp(p Place) Place {
	if t.Len == 0 {
		return Place{}
	}
	if p.Item >= t.Len {
		return t.Last()
	}
	for p.Item > 0 && t.Rows(p.Item) == 0 {
		p = Place{Item: p.Item - 1}
	}
	p.Row = max(min(p.Row, t.Rows(p.Item)-1), 0)
	if last := t.Last(); last.before(p) {
		return last
	}
	return p
}

// Move returns p moved by n rows, down if n is positive.
func (t Text) Move(p Place, n int) Place {
	for ; n > 0 && p.Item < t.Len; n-- {
		if p.Row++; p.Row < t.Rows(p.Item) {
			continue
		}
		for p = (Place{Item: p.Item + 1}); p.Item < t.Len && t.Rows(p.Item) == 0; {
			p.Item++
		}
	}
	for ; n < 0 && p != (Place{}); n++ {
		if p.Row--; p.Row >= 0 {
			continue
		}
		for p.Item--; p.Item > 0 && t.Rows(p.Item) == 0; {
			p.Item--
		}
		p.Row = t.Rows(p.Item) - 1
	}
	return t.Clamp(p)
}

// Key returns the place to which the key k moves from p: j, k, Up and Down move by rows; Space, b,
// PgDn and PgUp by pages; Ctrl+D and Ctrl+U by half pages; g, G, Home and End to the ends. ok is
// false for other keys.
func (t Text) Key(p Place, k tui.Key) (to Place, ok bool) {
	page, half := max(t.Page-1, 1), max(t.Page/2, 1)
	if k.Mods == terminal.Ctrl {
		switch k.Code {
		case 'd':
			return t.Move(p, half), true
		case 'u':
			return t.Move(p, -half), true
		}
	}
	if k.Mods&^terminal.Shift != 0 {
		return p, false
	}
	switch k.Code {
	case 'j', terminal.KeyDown:
		return t.Move(p, 1), true
	case 'k', terminal.KeyUp:
		return t.Move(p, -1), true
	case terminal.KeySpace, terminal.KeyPageDown:
		return t.Move(p, page), true
	case 'b', terminal.KeyPageUp:
		return t.Move(p, -page), true
	case 'g', terminal.KeyHome:
		return Place{}, true
	case 'G', terminal.KeyEnd:
		return t.Last(), true
	}
	return p, false
}
