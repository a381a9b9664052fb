package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// glyph is one column of a row as it should look. The second column of a wide character has an
// empty text.
type glyph struct {
	text, link string
	style      renderer.Style
	doubtful   bool
	none       bool // a doubtful one that the terminal may not draw at all
}

// A row is one row as it should stand on the tape.
type row struct {
	line     renderer.Line
	cells    []glyph // without blanks at the end
	text     string
	join     bool // goes on in the next row by the terminal's own wrap
	loose    bool // whether it does cannot be told
	optional bool // handed over, then handed over again: may stand there, or not
	foreign  bool // a shell's
	torn     bool // perhaps not whole: the window changed while it was in flight, see inFlight
	// the first one after a resize: what a terminal pushed into history above may claim to go on in
	// it
	continuesResidue bool
	doubtful         bool
	cols             int     // the narrowest that the terminal has been since the row was written
	edge             string  // the last cluster, if it has no room for its marks, see atEdge
	image            drawing // that begins here
	cutTo            int     // columns that are left of it where a terminal cuts the line that the cursor is on
}

// newRow cuts l to cols columns, as a terminal of that width would show it.
func newRow(l renderer.Line, cols int, m width.Model) *row {
	r := &row{line: l, cols: cols, cutTo: cols}
	full := false
fill:
	for _, s := range l.Spans {
		for rest := s.Text; rest != ""; {
			var c string
			var w int
			c, rest, w = m.Next(rest)
			if w == 0 {
				continue
			}
			if len(r.cells)+w > cols {
				full = true
				break fill
			}
			d := m.Doubtful(c)
			r.doubtful = r.doubtful || d
			r.cells = append(r.cells, glyph{text: c, link: s.Link, style: s.Style, doubtful: d, none: d &&
				m.MayVanish(c)})
			for range w - 1 {
				r.cells = append(r.cells, glyph{link: s.Link, style: s.Style, doubtful: d})
			}
		}
	}
	r.join = l.Wrapped && !full && len(r.cells) >= cols-1 && len(r.cells) > 0
	if !r.join {
		r.trim()
	}
	r.atEdge(cols, m)
	r.read()
	return r
}

// read takes the text from the cells.
func (r *row) read() {
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
	}
	r.text = strings.TrimRight(b.String(), " ")
}

// trim cuts off blanks that nothing was ever written for.
func (r *row) trim() {
	for n := len(r.cells); n > 0 && r.cells[n-1] == (glyph{text: " "}); n-- {
		r.cells = r.cells[:n-1]
	}
}

// blank reports whether the row shows nothing at all.
func (r *row) blank() bool { return len(r.cells) == 0 }

// widest is how many columns the row may take, by any measure, where nothing in it is put into its
// column.
func (r *row) widest(m width.Model) (n int) {
	for _, g := range r.cells {
		switch {
		case g.text == "":
		case g.doubtful:
			n += m.Widest(g.text)
		default:
			n += m.String(g.text)
		}
	}
	return n
}

// holds reports whether there is a doubtful cluster in the row itself.
func (r *row) holds() bool {
	return slices.ContainsFunc(r.cells, func(g glyph) bool { return g.doubtful })
}

// joins reports whether the terminal wraps from r to next by itself: a row that is one column short
// does so only before a wide character, and none beside a cluster in doubt.
func (r *row) joins(next *row, cols int) bool {
	return r.join && !next.blank() && !r.holds() && !next.holds() &&
		(len(r.cells) == cols || len(next.cells) > 1 && next.cells[1].text == "")
}

var dropDoubtful = strings.NewReplacer(func() (pairs []string) {
	for _, d := range slices.Concat(program.Doubts, program.Scripts) {
		for _, r := range d {
			pairs = append(pairs, string(r), "")
		}
	}
	return append(pairs, " ", "")
}()...)

// shows reports whether text is what the row should read.
func (r *row) shows(text string) bool {
	if r.doubtful {
		return dropDoubtful.Replace(text) == dropDoubtful.Replace(r.text)
	}
	return text == r.text
}

// at is the glyph in column c.
func (r *row) at(c int) glyph {
	if c < len(r.cells) {
		return r.cells[c]
	}
	return glyph{text: " "}
}

// differs compares the cells of got, pens included. Rows with doubtful clusters stand on the
// terminal as it measures them.
func (r *row) differs(got vt.Row, cols int) error {
	if r.doubtful || r.foreign {
		return nil
	}
	used := max(got.Used(), len(r.cells))
	if r.join && len(r.cells) < cols {
		used = len(r.cells) // the last column is left blank for a wide character, with the pen of the time
	}
	for c := range min(cols, used) {
		g, want := got.Cell(c), r.at(c)
		if cols == 1 {
			g.Text, want.text = simple(g.Text), simple(want.text) // kitty draws marks there, ghostty does not
		}
		if want.text == "" {
			continue // the second half
		}
		if err := sameCell(g, want); err != nil {
			return fmt.Errorf("column %d: %w", c, err)
		}
	}
	return nil
}

var attrs = []struct {
	attr    ansi.Attr
	onBlank bool // can be seen on a blank
}{
	{ansi.Bold, false}, {ansi.Faint, false}, {ansi.Italic, false}, {ansi.Blink, false}, {ansi.Inverse, true},
	{ansi.Invisible, false}, {ansi.Strike, true},
}

func sameCell(g vt.Cell, want glyph) error {
	text := g.Text
	if text == "" && g.Width > 0 {
		text = " "
	}
	blank := text == " "
	if text != want.text {
		return fmt.Errorf("%q, want %q", text, want.text)
	}
	if g.Style.Bg != want.style.Bg || !blank && g.Style.Fg != want.style.Fg {
		return fmt.Errorf("colours %v on %v, want %v on %v", g.Style.Fg, g.Style.Bg, want.style.Fg, want.style.Bg)
	}
	for _, a := range attrs {
		if (!blank || a.onBlank) && (g.Style.Attr&a.attr != 0) != (want.style.Attr&a.attr != 0) {
			return fmt.Errorf("attribute %v is %v", a.attr.Names(), g.Style.Attr&a.attr != 0)
		}
	}
	if (g.Style.Underline != vt.NoUnderline) != (want.style.Attr&ansi.Underline != 0) {
		return fmt.Errorf("underline is %v", g.Style.Underline)
	}
	if g.Link != want.link {
		return fmt.Errorf("link %q, want %q", g.Link, want.link)
	}
	return nil
}

// tape gives the rows of history and grid by one index.
type tape struct{ *vt.Terminal }

func (t tape) row(i int) vt.Row {
	if n := t.ScrollbackLen(); i < n {
		return t.ScrollbackRow(i)
	} else {
		return t.Row(i - n)
	}
}

// begins is the row with which the line that row i is in begins, as the terminal has it.
func (t tape) begins(i int) int {
	for i > 0 && t.row(i-1).Wrapped() {
		i--
	}
	return i
}

// rows is the number of rows on the tape.
func (t tape) rows() int {
	_, rows := t.Size()
	return t.ScrollbackLen() + rows
}

// lines are the rows below end with soft-wrapped ones joined and all blanks taken out, as logical
// lines.
func (t tape) lines(end int) []string {
	var lines []string
	splice := false
	for i := range end {
		r := t.row(i)
		s := squeeze(r.Text())
		if splice {
			lines[len(lines)-1] += s
		} else {
			lines = append(lines, s)
		}
		splice = r.Wrapped()
	}
	return lines
}

// texts are the rows below end as they are.
func (t tape) texts(end int) []string {
	var rows []string
	for i := range end {
		rows = append(rows, t.row(i).Text())
	}
	return rows
}

// holds reports whether rows stand there from row i on.
func (t tape) holds(i int, rows []*row) bool {
	for k, r := range rows {
		if squeeze(t.row(i+k).Text()) != squeeze(r.text) {
			return false
		}
	}
	return true
}

// squeeze takes out what a terminal may add or lose when it wraps a row anew.
func squeeze(s string) string { return dropDoubtful.Replace(s) }

// inOrder requires the texts of ws in their order, whatever stands in between, which is all that
// can be asked of a terminal that wraps anew and has been one column wide: characters that do not
// fit are gone, and where they ended a line it is joined with the next one (ghostty).
func inOrder(lines []string, ws []want) error {
	all := simple(strings.Join(lines, ""))
	for _, w := range ws {
		text := simple(w.text)
		at := strings.Index(all, text)
		if at < 0 && !w.optional {
			return fmt.Errorf("%q is not on the tape in its place, where a window was one column wide: %.200q", text,
				all)
		}
		if at >= 0 && !w.optional {
			all = all[at+len(text):]
		}
	}
	return nil
}

// simple is s without the characters that one column cannot show: wide ones, and marks. A window
// that is so narrow loses them for good.
func simple(s string) string {
	var m width.Model
	return strings.Map(func(r rune) rune {
		if m.String(string(r)) != 1 {
			return -1
		}
		return r
	}, s)
}
