package renderer

import (
	"slices"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// cell is one column of a row. A cluster of n columns is one cell with its text, and n-1 cells of
// width 0 behind it.
type cell struct {
	text     string // The grapheme cluster; " " for a blank.
	link     string
	style    Style
	width    uint8
	doubtful bool  // Terminals differ about the cluster's width. An absolute column is set behind it.
	maxWidth uint8 // The most columns that a doubtful cluster takes in any terminal.
}

// samePen reports whether c and o have the same style and link.
func (c *cell) samePen(o *cell) bool { return c.style == o.style && c.hasLink(o.link) }

// hasLink reports whether c has the given link. Few cells have one, so that most comparisons need
// no call.
func (c *cell) hasLink(link string) bool {
	return len(c.link) == len(link) && (link == "" || c.link == link)
}

// blank is a cell without text and style.
var blank = cell{text: " ", width: 1}

// row holds the cells of one row. It is either wanted, a row of a new frame, or believed, a row
// that the terminal should show. Some fields are for one of the two.
type row struct {
	cells   []cell // By column, without the blanks at the end; never more than the terminal's columns.
	known   bool   // If false, the content on the terminal is not known.
	wrapped bool   // Wanted: the row is final, and the terminal wraps its line into the next row.
	mayWrap bool   // Believed: the terminal may take the next row for the continuation of this one, see WrapsStay.
	// Believed: the number of columns that were printed since the row was erased from column 0.
	// tmux wraps all of them anew, see Quirks.KeepsErased.
	printedCols  int
	blankPrinted bool // Believed: a blank was printed in column 0, see emitter.ensurePrinted.
	// The row is full and its line continues in the next row, whether the terminal can wrap there
	// or not.
	continues     bool
	doubtfulCount int // The number of clusters of doubtful width.
	reach         int // The largest column that a doubtful cluster may reach in any terminal, plus 1.
	// Wanted: the OSC 133 mark that the row shall get. Believed: the mark that it has. Only an
	// erasure removes it.
	mark            rowMark
	mayHaveLiveMark bool   // Believed: the row may have a liveMark, which no erasure removes.
	stamp           uint64 // Rows with the same stamp have the same cells; 0: the row has no stamp.
	// Wanted: the stamp of the row from which this one was made. The two have the same first
	// sameHead cells, and the same last sameTail cells in the same columns.
	editedFrom uint64
	sameHead   int
	sameTail   int
	// Believed: the number of the frame that has written the whole row, see emitter.writeFinalRow.
	writtenIn uint64
	source    source // Wanted: the line from which the cells were made.
}

// source is the line from which a row was made, with all else that decides its cells. Most rows of
// a frame have the same source as in the frame before, so that their cells are not made again.
type source struct {
	valid   bool
	cols    int
	model   width.Model
	wrapped bool
	exact   bool   // The cells hold all bytes of the text, up to blanks at the end.
	spans   []Span // A copy that the row owns.
}

// matches reports whether l, on a terminal of cols columns with width model m, would make the same
// cells.
func (s *source) matches(l *Line, cols int, m width.Model) bool {
	return s.valid && s.cols == cols && s.model == m && s.wrapped == l.Wrapped && slices.Equal(s.spans, l.Spans)
}

// reset makes r a blank row. It keeps the slices for reuse.
func (r *row) reset() {
	*r = row{cells: r.cells[:0], known: true, source: source{spans: r.source.spans[:0]}}
}

// noteErased records that the terminal shows r as a blank row.
func (r *row) noteErased() {
	mayHaveLiveMark := r.mayHaveLiveMark
	r.reset()
	r.mayHaveLiveMark = mayHaveLiveMark
}

// noteLineErased records an EL from column 0 of r.
func (r *row) noteLineErased() { r.mark, r.printedCols = noMark, 0 }

// reuse prepares r for a new frame that wants the same line again.
func (r *row) reuse() {
	r.known, r.wrapped, r.mayWrap, r.mark = true, r.continues, false, noMark
}

// detachSource records that the cells are changed by hand and no longer show the line in source.
func (r *row) detachSource() { r.stamp, r.editedFrom, r.source.valid = 0, 0, false }

// equalEnds returns numbers of cells that are known to be equal in r and o without a comparison:
// the first ones from the start, and the last ones from the end.
func (r *row) equalEnds(o *row) (first, last int) {
	switch {
	case r.stamp == 0:
		return 0, 0
	case r.stamp == o.stamp:
		return len(r.cells), 0
	case r.stamp == o.editedFrom:
		return o.sameHead, o.sameTail
	}
	return 0, 0
}

// copyFrom records that o, a wanted row, was painted: r, a believed row, becomes equal to it.
func (r *row) copyFrom(o *row) {
	from, sameTail := r.equalEnds(o)
	if to := len(o.cells) - sameTail; sameTail > 0 {
		copy(r.cells[from:to], o.cells[from:to])
	} else {
		r.cells = append(r.cells[:from], o.cells[from:]...)
	}
	r.known, r.doubtfulCount, r.reach, r.continues = true, o.doubtfulCount, o.reach, o.wrapped
	r.stamp, r.blankPrinted = o.stamp, false
	r.printedCols = max(r.printedCols, len(r.cells), r.reach)
}

// setLine fills r with the cells of l on a terminal of cols columns. Text that does not fit is cut.
// A row that is cut or not full is not wrapped.
func (r *row) setLine(l Line, cols int, m width.Model) {
	r.setLineKeeping(l, r.findKept(l.Spans, cols, m), cols, m)
}

// setLineKeeping does what setLine does, without making the cells in keep again.
func (r *row) setLineKeeping(l Line, keep keptParts, cols int, m width.Model) {
	oldStamp, oldLen, oldDoubtful := r.stamp, len(r.cells), r.doubtfulCount
	cells := r.cells[:keep.headCells]
	r.reset()
	r.cells, r.editedFrom, r.sameHead = cells, oldStamp, keep.headCells
	r.source = source{valid: true, cols: cols, model: m, wrapped: l.Wrapped, exact: true,
		spans: append(r.source.spans, l.Spans...)}
	full := false
	for i := range l.Spans {
		s := &l.Spans[i]
		from, to := min(keep.headBytes, len(s.Text)), len(s.Text)
		if keep.headBytes -= from; i == len(l.Spans)-1 && keep.tailCells > 0 {
			to -= keep.tailBytes
		}
		full = !r.addSpan(s, from, to, cols, m)
		if to < len(s.Text) && !full {
			if len(r.cells) == oldLen-keep.tailCells {
				r.cells, r.sameTail = r.cells[:oldLen], keep.tailCells
			} else {
				full = !r.addSpan(s, to, len(s.Text), cols, m)
			}
		}
		if full {
			r.source.exact = false
			break
		}
	}
	if oldDoubtful > 0 {
		r.countDoubtful(0, r.sameHead)
		r.countDoubtful(len(r.cells)-r.sameTail, len(r.cells))
	}
	// A wrapped row may end one column early where a wide cluster did not fit.
	r.wrapped = l.Wrapped && !full && len(r.cells) >= cols-1 && len(r.cells) > 0
	r.continues = r.wrapped
	if !r.wrapped {
		for n := len(r.cells); n > 0 && r.cells[n-1] == blank; n-- {
			r.cells = r.cells[:n-1]
		}
		r.sameHead = min(r.sameHead, len(r.cells))
	}
}

// countDoubtful counts the doubtful clusters among r.cells[from:to], which were kept from the old
// line.
func (r *row) countDoubtful(from, to int) {
	for i := from; i < to; i++ {
		if c := &r.cells[i]; c.doubtful {
			r.doubtfulCount++
			r.reach = max(r.reach, i+int(c.maxWidth))
		}
	}
}

// keptParts is the size of the parts of a row that stay when its text changes, at the start and at
// the end.
type keptParts struct{ headCells, headBytes, tailCells, tailBytes int }

// findKept returns the parts of r that stay if its text becomes spans.
func (r *row) findKept(spans []Span, cols int, m width.Model) (k keptParts) {
	if s := &r.source; !s.valid || !s.exact || s.cols != cols || s.model != m {
		return k
	}
	old := r.source.spans
	n := commonBytes(old, spans)
	k.headCells, k.headBytes = r.keptHead(n)
	last := len(spans) - 1
	if last < 0 || n == countBytes(old) || len(old) != len(spans) || old[last].Style != spans[last].Style ||
		old[last].Link != spans[last].Link {
		return k // most have only grown
	}
	a, b := old[last].Text, spans[last].Text
	limit := min(len(a), len(b)-1-max(k.headBytes-countBytes(spans[:last]), 0)) // without the kept head
	for n = 0; n < limit && a[len(a)-1-n] == b[len(b)-1-n]; {
		n++
	}
	if n <= 0 || b[len(b)-1] == ' ' { // a blank at the end is no cell
		return k
	}
	i, sum := len(r.cells), 0
	for i > k.headCells && sum+len(r.cells[i-1].text) <= n {
		i--
		sum += len(r.cells[i].text)
	}
	// A cluster begins there whatever stands before it, if both are ASCII.
	for i < len(r.cells) && (r.cells[i].width == 0 || b[len(b)-sum] >= utf8.RuneSelf ||
		b[len(b)-sum-1] >= utf8.RuneSelf) {
		sum -= len(r.cells[i].text)
		i++
	}
	k.tailCells, k.tailBytes = len(r.cells)-i, sum
	return k
}

// commonBytes returns the number of bytes at the start of a and b that are equal in text, style and
// link.
func commonBytes(a, b []Span) int {
	sum := 0
	for i := 0; i < len(a) && i < len(b) && a[i].Style == b[i].Style && a[i].Link == b[i].Link; i++ {
		s, t := a[i].Text, b[i].Text
		n := min(len(s), len(t))
		if s[:n] != t[:n] { // most texts have grown: that is one comparison
			for n = 0; s[n] == t[n]; n++ {
			}
		}
		if sum += n; n < len(s) || n < len(t) {
			break
		}
	}
	return sum
}

// countBytes returns the number of bytes of spans.
func countBytes(spans []Span) int {
	n := 0
	for i := range spans {
		n += len(spans[i].Text)
	}
	return n
}

// keptHead returns how many cells at the start of r can stay if the first n bytes of its text do,
// and how many bytes these cells hold. The last cluster of them cannot stay, since the text behind
// it may join it.
func (r *row) keptHead(n int) (cells, bytes int) {
	if old := r.source.spans; n > 0 && n == countBytes(old) { // it has only grown
		if last := old[len(old)-1].Text; last != "" && last[len(last)-1] != ' ' { // a blank at the end is no cell
			i := r.lastCluster()
			return i, n - len(r.cells[i].text)
		}
	}
	sum := 0
	for i := range r.cells {
		c := &r.cells[i]
		if c.width == 0 {
			continue
		}
		if sum+len(c.text) > n {
			break
		}
		cells, bytes = i, sum
		sum += len(c.text)
	}
	return cells, bytes
}

// addSpan appends the cells of s.Text[from:to]. It returns false if they did not all fit.
func (r *row) addSpan(s *Span, from, to, cols int, m width.Model) bool {
	link := cleanLink(s.Link)
	for text := s.Text[from:to]; text != ""; {
		if n := plainRun(text); n > 0 {
			from, freeCols := len(r.cells), max(cols-len(r.cells), 0)
			k := min(n, freeCols)
			r.cells = slices.Grow(r.cells, k)[:from+k]
			c := cell{link: link, style: s.Style, width: 1}
			for i := range r.cells[from:] {
				c.text = text[i : i+1]
				r.cells[from+i] = c
			}
			if k < n {
				return false
			}
			text = text[n:]
			continue
		}
		c, remaining, w := m.Next(text)
		text = remaining
		doubt := false
		if t := harmless(c); t != "" {
			c, w = t, 1
			r.source.exact = false
		} else if w > 64 {
			r.source.exact = false
			c, w = "\ufffd", 1 // a chain of joiners that no terminal draws that wide
		} else if w > 0 {
			if len(r.cells)+w == cols && m.AtEdge(c) != c {
				r.source.exact = false
				c = m.AtEdge(c)
			}
			doubt = m.Doubtful(c)
		}
		if w == 0 {
			r.source.exact = false
			continue // it has no column of its own and nothing to stand on
		}
		if len(r.cells)+w > cols {
			return false
		}
		maxWidth := 0
		if doubt {
			r.doubtfulCount++
			maxWidth = min(m.Widest(c), 255)
			r.reach = max(r.reach, len(r.cells)+maxWidth)
		}
		r.cells = append(r.cells, cell{text: c, link: link, style: s.Style, width: uint8(w), doubtful: doubt,
			maxWidth: uint8(maxWidth)})
		for range w - 1 {
			r.cells = append(r.cells, cell{link: link, style: s.Style})
		}
	}
	return true
}

// cellAt returns the cell in column i, or a blank if the row is shorter.
func (r *row) cellAt(i int) *cell {
	if i < len(r.cells) {
		return &r.cells[i]
	}
	return &blank
}

// equals reports whether c and o look the same. Most cells hold one byte, so that their texts are
// compared without a call.
func (c *cell) equals(o *cell) bool {
	if n := len(c.text); n != len(o.text) || n == 1 && c.text[0] != o.text[0] || c.style != o.style ||
		c.width != o.width ||
		c.doubtful != o.doubtful {
		return false
	}
	return (len(c.text) == 1 || c.text == o.text) && c.hasLink(o.link)
}

// shows reports whether r, a row on the terminal, already looks like o. A wrap that o wants and r
// does not have is made later, when the row below is painted.
func (r *row) shows(o *row) bool {
	if !r.known || !o.known || r.mayWrap || len(r.cells) != len(o.cells) || o.mark != noMark && o.mark != r.mark {
		return false
	}
	from, sameTail := r.equalEnds(o)
	for i := from; i < len(r.cells)-sameTail; i++ {
		if !r.cells[i].equals(&o.cells[i]) {
			return false
		}
	}
	return true
}

// firstChange returns the first column in which r and o differ. The column is moved left to the
// start of a cluster in both rows, and before any doubtful cluster of o that may reach it.
func (r *row) firstChange(o *row) int {
	i, _ := r.equalEnds(o)
	for i < len(r.cells) && i < len(o.cells) && r.cells[i].equals(&o.cells[i]) {
		i++
	}
	for i > 0 && (r.cellAt(i).width == 0 || o.cellAt(i).width == 0) {
		i--
	}
	for k := i - 1; k >= 0 && o.reach > i; k-- { // one that may reach beyond is written again
		if k+int(o.cells[k].maxWidth) > i {
			i = k
		}
	}
	return i
}

// needsErasure reports whether r has to be erased before o is printed over it. That is so if a
// doubtful cluster of r disappears, since its real width is not known. It is also so if a doubtful
// cluster of o may cover fewer or more columns than it replaces.
func (r *row) needsErasure(o *row) bool {
	if r.doubtfulCount == 0 && o.doubtfulCount == 0 {
		return false
	}
	if n := len(o.cells); len(r.cells) > n && o.reach > n {
		// The cells after n are erased, and may be part of a cluster before it.
		return true
	}
	for i := range max(len(r.cells), len(o.cells)) {
		old, want := r.cellAt(i), o.cellAt(i)
		if old.equals(want) {
			continue
		}
		if old.doubtful {
			return true
		}
		for k := i; want.doubtful && k < i+int(want.maxWidth); k++ {
			if !r.cellAt(k).equals(&blank) {
				return true
			}
		}
	}
	return false
}

// hasRoomAfter reports whether r has a cluster in column c and, in every terminal, a free column
// behind it. Then no wrap is pending after the cluster is printed.
func (r *row) hasRoomAfter(c, cols int) bool {
	return c < len(r.cells) && c+int(max(r.cells[c].width, r.cells[c].maxWidth)) < cols
}

// maxWidth returns the most columns that r can take in any terminal.
func (r *row) maxWidth() (n int) {
	for i := range r.cells {
		n += int(max(r.cells[i].width, r.cells[i].maxWidth))
	}
	return n
}

// lastCluster returns the column of the last cluster in the row, or -1 if the row is blank.
func (r *row) lastCluster() int {
	i := len(r.cells) - 1
	for i > 0 && r.cells[i].width == 0 {
		i--
	}
	return i
}

// dropUnsoundWraps clears the wrapped flag of rows that the terminal would not wrap by itself at
// that place, so that they end with a hard line break. cols and rows are the size of the terminal.
//
// It also clears it beside a cluster of doubtful width. An absolute column is set behind such a
// cluster, and in a window of another width that would be a column of another row of the line. And
// it clears it before a row that begins in a background colour and cannot be created in advance,
// since a wrap that scrolls fills the new row with that colour.
func dropUnsoundWraps(want []row, cols, rows int) {
	first := 0
	for i := range want {
		w := &want[i]
		if !w.wrapped {
			first = i + 1
			continue
		}
		w.wrapped = i+1 < len(want) && wrapsInto(w, &want[i+1], cols) &&
			(i+1-first < rows || want[i+1].cells[0].style.Bg == 0)
		if !w.wrapped {
			first = i + 1
		}
	}
}

// wrapsInto reports whether a terminal of cols columns wraps from row a into row b by itself, in
// every terminal at the same place.
func wrapsInto(a, b *row, cols int) bool {
	return len(b.cells) > 0 && a.doubtfulCount == 0 && b.doubtfulCount == 0 &&
		(len(a.cells) >= cols || len(a.cells)+int(b.cells[0].width) > cols)
}
