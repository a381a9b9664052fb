package console

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// history is the number of rows of scrollback in the emulator. The canvas takes rows out of it
// before it is full.
const history = 4 * rows

// mode is a set of terminal states in which the screen may show something else than the printed
// text.
type mode uint8

const (
	alternate mode = 1 << iota
	margins
	charset
	insert
)

// canvas is an emulated screen. It passes the text of rows that have left the screen at the top to
// the function out. If a line was printed without cursor movements, it passes on the bytes as they
// were printed.
type canvas struct {
	out   func([]byte)
	term  *vt.Terminal
	modes mode
	line  printed // The line that is being printed.
	// Lines that the screen shows in another form than they were printed, by their first row, from
	// top to bottom.
	marks  []mark
	joined []byte // The beginning of a line that wraps, from rows that have left the screen.
	from   int    // The number of the first row of that line.
	open   bool   // There is such a line, whose end is still missing.
}

// printed describes the line that is being printed.
type printed struct {
	plain bool // The line began on a blank row, and the cursor has not moved since except by printing.
	row   int  // The number of the line's first row.
}

// mark holds a line in two forms: as it was printed, and as the screen shows it. If the screen
// still shows that form when the line leaves it, the printed form is passed on.
type mark struct {
	row            int
	printed, shown string
}

// newCanvas returns a blank canvas that passes on lines to out.
func newCanvas(out func([]byte)) *canvas {
	return &canvas{out: out, term: vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: history,
		Reply: func([]byte) {}})}
}

// reset clears the screen and all state. The caller has already passed on the text on it.
func (c *canvas) reset() {
	c.feed([]byte("\x1bc"))
	c.term.DropScrollback()
	c.modes, c.marks, c.joined, c.open = 0, c.marks[:0], c.joined[:0], false
	c.line = printed{plain: true, row: c.row()}
}

// set adds the mode m to the modes that are on, or removes it.
func (c *canvas) set(m mode, on bool) {
	c.modes &^= m
	if on {
		c.modes |= m
	}
}

// row returns the number of the cursor's row, counted from the first row of all output. The row
// keeps this number when it leaves the screen.
func (c *canvas) row() int { return c.term.Scrolled() + c.term.Cursor().Row }

// print prints text of any length. It takes rows out of the scrollback before that is full.
func (c *canvas) print(p []byte) {
	const piece = cols * (history/2 - rows) // bytes: the rows that they fill are still there
	for len(p) > piece {
		c.feed(p[:piece])
		p = p[piece:]
	}
	c.feed(p)
}

// feed sends bytes to the emulator. If the scrollback has become long, it passes its rows on, see
// take.
func (c *canvas) feed(p []byte) {
	_, _ = c.term.Write(p)
	if c.term.ScrollbackLen() > history/2 {
		c.take()
	}
}

// newline ends the line that is being printed. The text is that of the line, if it was printed
// without cursor movements. It returns true if so, and if the line takes only one row and the next
// row is blank.
func (c *canvas) newline(text []byte) (plain bool) {
	if plain = c.line.plain && c.modes == 0; plain && isOdd(text) {
		c.mark(mark{c.line.row, string(text), c.textFrom(c.line.row)})
	}
	plain = plain && c.row() == c.line.row
	c.feed([]byte(ansi.CR + ansi.LF))
	blank := c.modes == 0 && c.term.Row(c.term.Cursor().Row).Used() == 0
	c.line = printed{plain: blank, row: c.row()}
	return plain && blank
}

// mark stores m, and drops the marks of rows that were printed again.
func (c *canvas) mark(m mark) {
	n := len(c.marks)
	for n > 0 && c.marks[n-1].row >= m.row {
		n--
	}
	c.marks = append(c.marks[:n], m)
}

// isOdd reports whether the screen may show the line in another form than it was printed, such as
// tabs as blanks.
func isOdd(line []byte) bool {
	for _, b := range line {
		if b >= utf8.RuneSelf || b < ' ' {
			return true
		}
	}
	return len(line) > 0 && line[len(line)-1] == ' '
}

// textFrom returns the text on the screen from row number first to the cursor's row. It returns ""
// if the first row is no longer there.
func (c *canvas) textFrom(first int) string {
	var b []byte
	at := first - c.term.Scrolled()
	if at < -c.term.ScrollbackLen() {
		return ""
	}
	for ; at <= c.term.Cursor().Row; at++ {
		b = appendRow(b, c.at(at))
	}
	return string(b)
}

// at returns row y of the screen. A negative y is a row of the scrollback; -1 is the one above the
// screen.
func (c *canvas) at(y int) vt.Row {
	if y < 0 {
		return c.term.ScrollbackRow(c.term.ScrollbackLen() + y)
	}
	return c.term.Row(y)
}

// appendRow appends the text of a row to b. If the line continues in the next row, it also appends
// the blanks at the end of the row.
func appendRow(b []byte, r vt.Row) []byte {
	b = append(b, r.Text()...)
	if !r.Wrapped() {
		return b
	}
	blanks := 0
	for x := cols - 1; x >= 0; x-- {
		cell := r.Cell(x)
		if cell.Width != 1 || strings.Trim(cell.Text, " ") != "" {
			break
		}
		blanks++
	}
	return append(b, bytes.Repeat([]byte{' '}, blanks)...)
}

// take removes the rows above the screen and passes their text to the function out.
func (c *canvas) take() {
	if c.modes&alternate != 0 { // it has none
		return
	}
	n := c.term.ScrollbackLen()
	first := c.term.Scrolled() - n
	var b []byte
	for i := range n {
		b = c.join(b, c.term.ScrollbackRow(i), first+i)
		if len(c.joined) > longLine && c.open { // no end in sight
			b = append(b, c.joined...)
			c.joined = c.joined[:0]
			c.from = -1
		}
	}
	c.term.DropScrollback()
	c.out(b)
}

// join adds row r, which has number n, to the current line. If the line ends there, it appends the
// line to b.
func (c *canvas) join(b []byte, r vt.Row, n int) []byte {
	if !c.open {
		c.joined, c.from, c.open = c.joined[:0], n, true
	}
	c.joined = appendRow(c.joined, r)
	if r.Wrapped() {
		return b
	}
	c.open = false
	for len(c.marks) > 0 && c.marks[0].row < c.from {
		c.marks = c.marks[1:]
	}
	if len(c.marks) > 0 && c.marks[0].row == c.from && c.marks[0].shown == string(c.joined) {
		b = append(b, c.marks[0].printed...)
	} else {
		b = append(b, c.joined...)
	}
	return append(b, '\n')
}

// live returns the text on the screen, with the beginning of its first line if that has left the
// screen. It does not change the state.
func (c *canvas) live() (b []byte) {
	c.take()
	marks, joined, from, open := c.marks, bytes.Clone(c.joined), c.from, c.open
	last := c.term.Cursor().Row
	for y := rows - 1; y > last; y-- {
		if c.term.Row(y).Text() != "" {
			last = y
		}
	}
	for y := 0; y <= last; y++ {
		b = c.join(b, c.term.Row(y), c.term.Scrolled()+y)
	}
	if c.open {
		b = append(b, c.joined...)
	}
	c.marks, c.joined, c.from, c.open = marks, joined, from, open
	return bytes.TrimSuffix(b, []byte{'\n'})
}

// leaveAlt switches from the alternate screen to the main screen. It returns false if the main
// screen is shown already.
func (c *canvas) leaveAlt() bool {
	if c.modes&alternate == 0 {
		return false
	}
	c.set(alternate, false)
	c.feed([]byte(ansi.AltLeave))
	return true
}
