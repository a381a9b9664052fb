package screen

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Of returns a dump of the terminal t, as complete as what says. It also takes the terminal's
// replies out of t.
func Of(t *vt.Terminal, what What) *Dump {
	c := t.Cursor()
	cols, rows := t.Size()
	d := &Dump{
		V: Version, Emu: "scrollkeep vt", Cols: cols, Rows: rows, Screen: "normal", ScrollbackLen: t.ScrollbackLen(),
		Cursor: Cursor{c.Row, c.Col, c.Visible, c.PendingWrap, c.Shape.String()},
		Modes:  append([]string{}, t.Modes()...), Title: t.Title(), Pwd: t.Pwd(), KittyKeyboard: t.KittyKeyboard(),
		Bells:   t.Bells(),
		Replies: append([]byte{}, t.TakeReplies()...), Unsupported: []string{},
	}
	if t.AltScreen() {
		d.Screen = "alt"
	}
	if what == Brief {
		return d
	}
	if what == Full {
		d.Scrollback = make([]Row, d.ScrollbackLen)
		for i := range d.Scrollback {
			d.Scrollback[i] = rowOf(t.ScrollbackRow(i))
		}
	}
	d.Grid = make([]Row, rows)
	for y := range d.Grid {
		d.Grid[y] = rowOf(t.Row(y))
	}
	d.Images = []Image{}
	for _, p := range t.Placements() {
		d.Images = append(d.Images, Image{
			ID: p.Image, Placement: p.ID, Row: p.Row, Col: p.Col, Cols: p.Cols, Rows: p.Rows, Z: p.Z,
			Virtual: p.Virtual, Px: [2]int{p.Width, p.Height},
		})
	}
	d.Stored = []Stored{}
	for _, img := range t.Images() {
		if img.ID >= 1 && img.ID <= 15 {
			d.Stored = append(d.Stored, Stored{img.ID, [2]int{img.Width, img.Height}})
		}
	}
	return d
}

func rowOf(r vt.Row) Row {
	out := Row{Text: r.Text(), Wrapped: r.Wrapped(), Prompt: int(r.Prompt()), Cells: []Cell{}}
	for x := range r.Used() {
		c := cellOf(r.Cell(x))
		if n := len(out.Cells); n > 0 {
			last := &out.Cells[n-1]
			c.N = last.N
			if *last == c {
				last.N = last.Count() + 1
				continue
			}
			c.N = 0
		}
		out.Cells = append(out.Cells, c)
	}
	for n := len(out.Cells); n > 0; n-- {
		last := out.Cells[n-1]
		last.N = 0
		if last != (Cell{}) {
			break
		}
		out.Cells = out.Cells[:n-1]
	}
	return out
}

func cellOf(c vt.Cell) Cell {
	out := Cell{
		Text: c.Text, Width: Width(c.Width - 1), Attrs: attrsOf(c.Style.Attr), Under: c.Style.Underline.String(),
		Link: c.Link, Prot: c.Protected,
		Fg: colorOf(c.Style.Fg), Bg: colorOf(c.Style.Bg), Ulc: colorOf(c.Style.UnderlineColor),
	}
	if out.Text == " " {
		out.Text = ""
	}
	return out
}

func colorOf(c ansi.Color) Color {
	if n, ok := c.Index(); ok {
		return Color(fmt.Sprintf("idx:%d", n))
	}
	if r, g, b, ok := c.RGB(); ok {
		return Color(fmt.Sprintf("rgb:%02x%02x%02x", r, g, b))
	}
	return ""
}

// attrsOf converts attributes of the emulator into those of a dump.
func attrsOf(a vt.Attr) (all Attrs) {
	for i, b := range [...]vt.Attr{vt.Bold, vt.Faint, vt.Italic, vt.Blink, vt.Inverse, vt.Invisible, vt.Strike,
		vt.Overline} {
		if a&b != 0 {
			all |= 1 << i
		}
	}
	return all
}
