package ptyexec

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	// maximum number of rows that can scroll off within one write; a write never produces more
	scrollbackRows = 1 << 16
	longLineBytes  = 16 << 10 // number of bytes after which an unfinished line is broken
)

// screen is the component that shows a program's terminal: the lines that have scrolled off it,
// which are final, and its visible rows. It must be used only on the loop.
type screen struct {
	vt       *vt.Terminal
	liveSize func() (cols, rows int) // see tui.App.LiveSize
	resized  func(cols, rows int)    // tells the program about a new size
	reply    func([]byte)            // sends the terminal's answers to the program

	lines        []line // complete lines that have scrolled off and may not be in history yet
	openLine     line   // start of a line that continues in the first row of the screen
	lastColFree  bool   // the last row of openLine left its last column free, for a wide character
	droppedBytes int    // number of bytes in lines that were dropped
	ended        bool   // the program has ended, and lines holds all text

	laidFor   layoutKey  // what rows was laid out for
	rows      []tui.Line // rows of lines[:laidLines]
	laidLines int
}

// line is the text of one row, or of several rows that the terminal has wrapped.
type line struct {
	spans     []tui.Span
	byteCount int // number of bytes, including the line end
}

// layoutKey is everything that the layout of lines depends on.
type layoutKey struct {
	width, from int
	model       width.Model
}

func newScreen(cols, rows int) *screen {
	return &screen{vt: vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: scrollbackRows}),
		resized: func(int, int) {},
		reply:   func([]byte) {}, liveSize: func() (int, int) { return cols, rows }}
}

// write passes output of the program to the emulator, and its answers to the program.
func (s *screen) write(p []byte) {
	_, _ = s.vt.Write(p) // it takes all
	if r := s.vt.TakeReplies(); len(r) > 0 {
		s.reply(r)
	}
	s.takeScrolled()
}

// end turns the whole screen into lines, after the end of the program. The content of an alternate
// screen is lost.
func (s *screen) end() {
	if s.vt.AltScreen() {
		s.vt.WriteString("\x18\x1b[?1049l\x1b[?47l")
		s.takeScrolled()
	}
	_, rows := s.vt.Size()
	last := rows
	for last > 0 && s.isBlankRow(last-1) {
		last--
	}
	for y := range last {
		s.addRow(s.vt.Row(y), y == last-1)
	}
	if s.openLine.byteCount > 0 {
		s.endOpenLine()
	}
	s.ended = true
}

// takeScrolled moves the rows that have scrolled off from the emulator to lines.
func (s *screen) takeScrolled() {
	n := s.vt.ScrollbackLen()
	for i := range n {
		s.addRow(s.vt.ScrollbackRow(i), false)
	}
	s.vt.DropScrollback()
}

// addRow adds a row to the lines. last says that no row follows.
func (s *screen) addRow(r vt.Row, last bool) {
	goesOn := r.Wrapped() && !last
	cols, _ := s.vt.Size()
	spans, size := rowSpans(r, cols, goesOn)
	if s.lastColFree && size > 0 && r.Cell(0).Width != 2 {
		s.openLine.appendText(tui.Span{Text: " "}, 1)
	}
	for _, sp := range spans {
		s.openLine.appendText(sp, len(sp.Text))
	}
	s.lastColFree = goesOn && r.Cell(cols-1).Text == ""
	if !goesOn || s.openLine.byteCount >= longLineBytes {
		s.endOpenLine()
	}
}

// appendText appends sp to l. size is the number of bytes that it counts.
func (l *line) appendText(sp tui.Span, size int) {
	l.byteCount += size
	if n := len(l.spans); n > 0 && l.spans[n-1].Style == sp.Style {
		l.spans[n-1].Text += sp.Text
		return
	}
	l.spans = append(l.spans, sp)
}

// endOpenLine completes openLine.
func (s *screen) endOpenLine() {
	s.lastColFree = false
	s.openLine.appendText(tui.Span{Text: "\n"}, 1)
	s.lines = append(s.lines, s.openLine)
	s.openLine = line{}
}

// isBlankRow reports whether row y of the screen shows nothing.
func (s *screen) isBlankRow(y int) bool {
	cols, _ := s.vt.Size()
	_, size := rowSpans(s.vt.Row(y), cols, false)
	return size == 0
}

// fitSize changes the size of the program's terminal to that of the block.
func (s *screen) fitSize() {
	cols, rows := s.liveSize()
	oldCols, oldRows := s.vt.Size()
	if rows = min(rows, maxScreenRows); s.ended || rows == 0 || cols == oldCols && rows == oldRows {
		return
	}
	s.vt.Resize(cols, rows)
	s.takeScrolled()
	s.resized(cols, rows)
}

// View returns the lines, which are stable, and the rows of the screen down to the last one in use.
func (s *screen) View(sp tui.Space) tui.View {
	s.fitSize()
	s.layOut(sp)
	v := tui.View{Lines: s.rows, Stable: len(s.rows), Trim: true}
	if s.ended {
		return v
	}
	end := s.droppedBytes
	for _, l := range s.lines {
		end += l.byteCount
	}
	if len(s.openLine.spans) > 0 {
		v.Lines = tui.Layout{Width: sp.Width, Model: sp.Model, Native: true}.Append(v.Lines, end, s.openLine.spans...)
		end += s.openLine.byteCount
	}
	cols, rows := s.vt.Size()
	n := s.vt.Cursor().Row
	for y := n; y < rows; y++ {
		if !s.isBlankRow(y) {
			n = y + 1
		}
	}
	for y := range n {
		spans, _ := rowSpans(s.vt.Row(y), cols, false)
		l := sp.Cut(spans...)
		l.End = end
		v.Lines = append(v.Lines, l)
	}
	s.rows = v.Lines[:len(s.rows)] // with room for more, which the next View writes to
	return v
}

// layOut lays out the lines behind sp.From.
func (s *screen) layOut(sp tui.Space) {
	k := layoutKey{width: sp.Width, from: sp.From, model: sp.Model}
	now := k
	now.from = s.laidFor.from
	switch {
	case k == s.laidFor:
	case now == s.laidFor && k.from > s.laidFor.from: // they are in history and not wanted any more
		s.dropBefore(k.from)
	default:
		s.rows, s.laidLines = nil, 0
	}
	s.laidFor = k
	at := s.droppedBytes
	for i, l := range s.lines {
		if i >= s.laidLines && at+l.byteCount > k.from {
			spans, from := l.textFrom(k.from - at)
			s.rows = tui.Layout{Width: k.width, Model: k.model, Native: true}.Append(s.rows, at+from, spans...)
		}
		at += l.byteCount
	}
	s.laidLines = len(s.lines)
}

// dropBefore drops the lines and rows before from, which is the end of a row.
func (s *screen) dropBefore(from int) {
	for len(s.lines) > 0 && s.droppedBytes+s.lines[0].byteCount <= from {
		s.droppedBytes += s.lines[0].byteCount
		s.lines, s.laidLines = s.lines[1:], s.laidLines-1
	}
	i := slices.IndexFunc(s.rows, func(l tui.Line) bool { return l.End > from })
	if i < 0 {
		i = len(s.rows)
	}
	s.rows = slices.Clone(s.rows[i:])
}

// textFrom returns the text of l without its first n bytes, and the number of bytes left out.
func (l line) textFrom(n int) (spans []tui.Span, from int) {
	if n <= 0 {
		return l.spans, 0
	}
	from = n
	for i, sp := range l.spans {
		if n < len(sp.Text) {
			spans = append([]tui.Span{sp}, l.spans[i+1:]...)
			spans[0].Text = sp.Text[n:]
			return spans, from
		}
		n -= len(sp.Text)
	}
	return nil, from
}

// rowSpans returns a row of the emulator as spans, and its number of bytes. withBlanks includes
// trailing blanks, for a row whose line continues.
func rowSpans(r vt.Row, cols int, withBlanks bool) (spans []tui.Span, size int) {
	var text []byte // of the last span
	var pen tui.Style
	ink, bytes, end := 0, 0, 0 // spans, bytes of the last one, bytes of all, up to the last cell that can be seen
	if !withBlanks {
		cols = min(cols, r.Used())
	}
	for x := range cols {
		c := r.Cell(x)
		if c.Width == 0 || withBlanks && x == cols-1 && c.Text == "" {
			continue
		}
		if st := tuiStyle(c.Style); st != pen {
			if len(text) > 0 {
				spans = append(spans, tui.Span{Text: string(text), Style: pen})
			}
			text, pen = text[:0], st
		}
		if c.Text == "" {
			c.Text = " "
		}
		text = append(text, c.Text...)
		size += len(c.Text)
		if withBlanks || c.Text != " " || showsBlank(pen) {
			ink, bytes, end = len(spans), len(text), size
		}
	}
	if bytes == 0 {
		return nil, 0
	}
	if ink == len(spans) {
		return append(spans, tui.Span{Text: string(text[:bytes]), Style: pen}), end
	}
	spans = spans[:ink+1]
	spans[ink].Text = spans[ink].Text[:bytes]
	return spans, end
}

// showsBlank reports whether the style st is visible on a blank.
func showsBlank(st tui.Style) bool {
	return st.Bg != 0 || st.Attr&(tui.Underline|tui.Inverse|tui.Strike) != 0
}

// tuiStyle converts the style of an emulator cell. All kinds of underlines become the same.
func tuiStyle(st vt.Style) tui.Style {
	out := tui.Style{Fg: st.Fg, Bg: st.Bg, Attr: st.Attr}
	if st.Underline != vt.NoUnderline {
		out.Attr |= tui.Underline
	}
	return out
}
