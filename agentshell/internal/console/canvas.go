package console

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// history is how many rows the emulator keeps above the screen until they are taken.
const history = 4 * rows

// mode is a state in which what is printed is not what is shown.
type mode uint8

const (
	alternate mode = 1 << iota
	margins
	charset
	insert
)

// canvas is an emulated screen, which gives away rows that leave it. Of plain lines it knows how
// they were printed.
type canvas struct {
	out    func([]byte)
	term   *vt.Terminal
	modes  mode
	line   printed // the one that is being printed
	marks  []mark  // plain lines that are shown otherwise, from the first row to the last
	joined []byte  // the beginning of a line whose rows have left the screen
	from   int     // its first row
	open   bool    // there is one
}

// printed is the line that is being printed.
type printed struct {
	plain bool // it began on a blank row, and nothing has moved since
	row   int  // its first one
}

// mark is a plain line that is shown otherwise: how it was printed, and how it is shown. It stands
// for it as long as that shows.
type mark struct {
	row            int
	printed, shown string
}

func newCanvas(out func([]byte)) *canvas {
	return &canvas{out: out, term: vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: history,
		Reply: func([]byte) {}})}
}

// reset makes the screen blank. All that stood there has been taken.
func (c *canvas) reset() {
	c.feed([]byte("\x1bc"))
	c.term.DropScrollback()
	c.modes, c.marks, c.joined, c.open = 0, c.marks[:0], c.joined[:0], false
	c.line = printed{plain: true, row: c.row()}
}

func (c *canvas) set(m mode, on bool) {
	c.modes &^= m
	if on {
		c.modes |= m
	}
}

// row returns the number of the cursor's row, which it keeps when it leaves the screen.
func (c *canvas) row() int { return c.term.Scrolled() + c.term.Cursor().Row }

// print prints text.
func (c *canvas) print(p []byte) {
	const piece = cols * (history/2 - rows) // bytes: the rows that they fill are still there
	for len(p) > piece {
		c.feed(p[:piece])
		p = p[piece:]
	}
	c.feed(p)
}

func (c *canvas) feed(p []byte) {
	_, _ = c.term.Write(p)
	if c.term.ScrollbackLen() > history/2 {
		c.take()
	}
}

// newline ends a line, which was printed as text if it is plain. It reports whether it was, in one
// row, and whether the next one is blank.
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

// mark keeps a mark, and forgets those of rows that were printed anew.
func (c *canvas) mark(m mark) {
	n := len(c.marks)
	for n > 0 && c.marks[n-1].row >= m.row {
		n--
	}
	c.marks = append(c.marks[:n], m)
}

// isOdd reports whether a line may be shown otherwise than it was printed.
func isOdd(line []byte) bool {
	for _, b := range line {
		if b >= utf8.RuneSelf || b < ' ' {
			return true
		}
	}
	return len(line) > 0 && line[len(line)-1] == ' '
}

// textFrom returns what is shown of a line from its first row to the cursor's, "" if its beginning
// is not there any more.
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

// at returns a row of the screen, or with a negative number one above it.
func (c *canvas) at(y int) vt.Row {
	if y < 0 {
		return c.term.ScrollbackRow(c.term.ScrollbackLen() + y)
	}
	return c.term.Row(y)
}

// appendRow appends the text of a row, all of its columns if the line goes on in the next one.
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

// take gives away the rows above the screen.
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

// join appends the line that ends in a row, number n, or keeps the row until its line ends.
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

// live returns the text on the screen, with what has left it. Nothing changes by it.
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

// leaveAlt leaves the alternate screen; false: it is not the one that is shown.
func (c *canvas) leaveAlt() bool {
	if c.modes&alternate == 0 {
		return false
	}
	c.set(alternate, false)
	c.feed([]byte(ansi.AltLeave))
	return true
}
