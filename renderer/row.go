package renderer

import (
	"slices"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// cell is one column of a row. A cluster of n columns is followed by n-1 cells of width 0.
type cell struct {
	text     string // the cluster; " " for a blank
	link     string
	style    Style
	width    uint8
	doubtful bool  // terminals differ about its width: the column after it is set by number
	maxWidth uint8 // the most columns that a doubtful cluster takes in any terminal
}

// samePen reports whether c and o have the same style and link. Few cells have a link, so that most
// need no call.
func (c *cell) samePen(o *cell) bool { return c.style == o.style && c.hasLink(o.link) }

// hasLink reports whether c links to link.
func (c *cell) hasLink(link string) bool {
	return len(c.link) == len(link) && (link == "" || c.link == link)
}

// blank is a cell without text or style.
var blank = cell{text: " ", width: 1}

// row is one prepared row: what a frame wants, or what the terminal is believed to show.
type row struct {
	cells   []cell // by column, without trailing blanks; never more than the terminal's columns
	known   bool   // false: the content on the terminal is not known, or may not be blank
	wrapped bool   // wanted: final, and continued in the next row by the terminal's own wrap
	mayWrap bool   // believed: the terminal may take the next row for its continuation, see WrapsStay
	// Believed: the number of columns that were printed since the whole row was erased. tmux wraps
	// all of them, see Quirks.KeepsErased.
	printedCols  int
	blankPrinted bool // believed: a blank was printed in column 0, see emitter.ensurePrinted
	// The row is full and its line continues in the next row, whether the terminal can wrap there
	// or not.
	continues     bool
	doubtfulCount int // clusters whose width is in doubt
	reach         int // the column after the last one that a doubtful cluster may take in any terminal
	// Wanted: OSC 133 is to mark the row. Believed: the row has that mark. Only an erasure removes
	// it.
	mark            rowMark
	mayHaveLiveMark bool   // believed: it may have a liveMark, which no erasure removes
	stamp           uint64 // rows with the same stamp have the same cells; 0: nothing is known
	// Wanted: the stamp of the row that this one was made from. Both have the same first sameHead
	// cells and, in the same columns, the same last sameTail cells.
	editedFrom uint64
	sameHead   int
	sameTail   int
	// believed: the number of the frame that has written all of it, see emitter.writeFinalRow
	writtenIn uint64
	source    source // wanted: what the cells were made from
}

// source is what a row was made from. The same source makes the same cells, and most rows of a
// frame have the same source as in the frame before.
type source struct {
	valid   bool
	cols    int
	model   width.Model
	wrapped bool
	exact   bool   // the cells hold the text, byte by byte, up to blanks at the end
	spans   []Span // a copy of its own
}

// matches reports whether l on a terminal of cols columns is the same source.
func (s *source) matches(l *Line, cols int, m width.Model) bool {
	return s.valid && s.cols == cols && s.model == m && s.wrapped == l.Wrapped && slices.Equal(s.spans, l.Spans)
}

// reset makes r a blank row and keeps its storage.
func (r *row) reset() {
	*r = row{cells: r.cells[:0], known: true, source: source{spans: r.source.spans[:0]}}
}

// noteErased notes that the terminal shows nothing in r.
func (r *row) noteErased() {
	mayHaveLiveMark := r.mayHaveLiveMark
	r.reset()
	r.mayHaveLiveMark = mayHaveLiveMark
}

// noteLineErased notes an EL from column 0 of r on.
func (r *row) noteLineErased() { r.mark, r.printedCols = noMark, 0 }

// reuse prepares r for a frame that wants the line from which r was made.
func (r *row) reuse() {
	r.known, r.wrapped, r.mayWrap, r.mark = true, r.continues, false, noMark
}

// detachSource notes that the cells are being changed and no longer show their line.
func (r *row) detachSource() { r.stamp, r.editedFrom, r.source.valid = 0, 0, false }

// equalEnds returns how many cells at the start of r, and at its end, are known to equal those of
// o.
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

// copyFrom makes r equal to o, a wanted row that has been painted.
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

// setLine lays l out for a terminal of cols columns. Text that does not fit is cut. A row that is
// cut or not full is not wrapped.
func (r *row) setLine(l Line, cols int, m width.Model) {
	r.setLineKeeping(l, r.findKept(l.Spans, cols, m), cols, m)
}

// setLineKeeping lays l out like setLine and does not make the cells of keep again.
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

// countDoubtful counts the doubtful clusters among cells [from, to), which were not made again.
func (r *row) countDoubtful(from, to int) {
	for i := from; i < to; i++ {
		if c := &r.cells[i]; c.doubtful {
			r.doubtfulCount++
			r.reach = max(r.reach, i+int(c.maxWidth))
		}
	}
}

// keptParts is the part of a row that stays when its text changes, at the start and at the end.
type keptParts struct{ headCells, headBytes, tailCells, tailBytes int }

// findKept returns the part of r that stays if its text becomes spans.
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

// commonBytes returns the number of bytes at the start of a and b that are the same, in the same
// styles.
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

// keptHead returns how many cells can stay if the first n bytes of the text do, and the number of
// bytes in those cells. The last cluster does not stay, since the text after it may join it.
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

// addSpan appends bytes [from, to) of s and reports whether all of them fitted.
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

// cellAt returns the cell in column i, a blank one after the end.
func (r *row) cellAt(i int) *cell {
	if i < len(r.cells) {
		return &r.cells[i]
	}
	return &blank
}

// equals reports whether c equals o. Most cells hold one byte, so that their texts need no call.
func (c *cell) equals(o *cell) bool {
	if n := len(c.text); n != len(o.text) || n == 1 && c.text[0] != o.text[0] || c.style != o.style ||
		c.width != o.width ||
		c.doubtful != o.doubtful {
		return false
	}
	return (len(c.text) == 1 || c.text == o.text) && c.hasLink(o.link)
}

// shows reports whether a terminal that shows r already shows o. A wrap that o wants and r has not
// is made when the row below is painted.
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

// firstChange returns the first column in which r and o differ. It moves left to the beginning of a
// cluster of both, which no doubtful cluster of o reaches.
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

// needsErasure reports whether going from r to o needs an erasure. It does if a doubtful cluster
// goes away, since nobody knows how far it really reaches. It does, too, if one comes that may
// cover less than what stands in its place, or more.
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

// hasRoomAfter reports whether r has a cluster in column c, and a column after it in any terminal:
// no wrap is pending when it is printed.
func (r *row) hasRoomAfter(c, cols int) bool {
	return c < len(r.cells) && c+int(max(r.cells[c].width, r.cells[c].maxWidth)) < cols
}

// maxWidth returns the most columns that r takes in any terminal.
func (r *row) maxWidth() (n int) {
	for i := range r.cells {
		n += int(max(r.cells[i].width, r.cells[i].maxWidth))
	}
	return n
}

// lastCluster returns the column of the row's last cluster, -1 if the row is blank.
func (r *row) lastCluster() int {
	i := len(r.cells) - 1
	for i > 0 && r.cells[i].width == 0 {
		i--
	}
	return i
}

// dropUnsoundWraps makes rows of want end hard where the terminal would not wrap by itself, or
// would have fitted the next character.
//
// It also drops a wrap beside a cluster in doubt, since the column after that cluster is set by its
// number: in a window of another width that would be a column of another row of the line. And it
// drops a wrap to a row with a background that cannot be made before, since a wrap that scrolls
// fills the new row with the background.
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

// wrapsInto reports whether the terminal wraps from a to b by itself, wherever it breaks the line.
func wrapsInto(a, b *row, cols int) bool {
	return len(b.cells) > 0 && a.doubtfulCount == 0 && b.doubtfulCount == 0 &&
		(len(a.cells) >= cols || len(a.cells)+int(b.cells[0].width) > cols)
}
