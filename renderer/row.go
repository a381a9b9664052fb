package renderer

import (
	"slices"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// cell is one column of a row. A cluster of w columns is followed by w-1 cells with w 0.
type cell struct {
	text  string // the cluster; " " for a blank
	link  string
	style Style
	w     uint8
	doubt bool  // terminals differ about its width: what follows is re-anchored
	most  uint8 // the columns that a doubtful one takes at most, by any measure
}

// penned reports whether c is written with the pen of o. Few cells have a link: most need no call.
func (c *cell) penned(o *cell) bool { return c.style == o.style && c.linked(o.link) }

func (c *cell) linked(link string) bool {
	return len(c.link) == len(link) && (link == "" || c.link == link)
}

var blank = cell{text: " ", w: 1}

// row is one prepared row: what a frame wants, or what the terminal is believed to show.
type row struct {
	cells   []cell // by column, without trailing blanks; never more than the terminal's columns
	known   bool   // false: the terminal's content is not known, or not blank for sure
	wrapped bool   // wanted: final, and goes on in the next row by the terminal's own wrap
	mayWrap bool   // believed: the terminal may take the next row for its continuation, see WrapsStay
	// Believed: how many columns were printed since the whole row was erased. tmux wraps all of
	// them, see Quirks.Keeps.
	long int
	ink  bool // believed: a blank was printed in column 0, see emitter.ink
	// Full, and its line goes on in the next row, whether the terminal can wrap there or not.
	goesOn bool
	doubt  int    // doubtful clusters
	reach  int    // the column behind the last one that a doubtful cluster may take, by any measure
	mark   mark   // wanted: OSC 133 is to mark the row; believed: it has. A mark goes only with an erasure
	stale  bool   // believed: it may have a liveMark, which no erasure takes
	stamp  uint64 // rows with the same one have the same cells; 0: that is not known
	// Wanted: the row with this stamp has the same first kept cells and, in the same columns, the
	// same last rest cells.
	after uint64
	kept  int
	rest  int
	frame uint64 // believed: the frame that has written it whole, see emitter.whole
	made  source // wanted: what the cells were made of
}

// source is what a row was made of: the same again makes the same cells. Most rows of a frame are
// those of the frame before.
type source struct {
	ok      bool
	cols    int
	model   width.Model
	wrapped bool
	exact   bool   // the cells hold the text, byte by byte, up to blanks at the end
	spans   []Span // of its own
}

// is reports whether s is l on a terminal of cols columns.
func (s *source) is(l *Line, cols int, m width.Model) bool {
	return s.ok && s.cols == cols && s.model == m && s.wrapped == l.Wrapped && slices.Equal(s.spans, l.Spans)
}

func (r *row) reset() {
	*r = row{cells: r.cells[:0], known: true, made: source{spans: r.made.spans[:0]}}
}

// erase notes that the terminal shows nothing in r.
func (r *row) erase() {
	stale := r.stale
	r.reset()
	r.stale = stale
}

// wipe notes an EL from column 0 of r on.
func (r *row) wipe() { r.mark, r.long = noMark, 0 }

// again prepares r for a frame that wants the line that it was made from.
func (r *row) again() {
	r.known, r.wrapped, r.mayWrap, r.mark = true, r.goesOn, false, noMark
}

// alter notes that the cells are being changed and no longer show the line.
func (r *row) alter() { r.stamp, r.after, r.made.ok = 0, 0, false }

// alike returns how many cells at the start of r, and at its end, are known to be the same in o.
func (r *row) alike(o *row) (first, last int) {
	switch {
	case r.stamp == 0:
		return 0, 0
	case r.stamp == o.stamp:
		return len(r.cells), 0
	case r.stamp == o.after:
		return o.kept, o.rest
	}
	return 0, 0
}

// take makes r equal to o, a row that is wanted and painted.
func (r *row) take(o *row) {
	from, rest := r.alike(o)
	if to := len(o.cells) - rest; rest > 0 {
		copy(r.cells[from:to], o.cells[from:to])
	} else {
		r.cells = append(r.cells[:from], o.cells[from:]...)
	}
	r.known, r.doubt, r.reach, r.goesOn, r.stamp, r.ink = true, o.doubt, o.reach, o.wrapped, o.stamp, false
	r.long = max(r.long, len(r.cells), r.reach)
}

// set prepares l for a terminal of cols columns. What does not fit is cut; a row that is cut or not
// full is not wrapped.
func (r *row) set(l Line, cols int, m width.Model) { r.edit(l, r.keeps(l.Spans, cols, m), cols, m) }

// edit is set if k stays.
func (r *row) edit(l Line, k kept, cols int, m width.Model) {
	after, was, doubt := r.stamp, len(r.cells), r.doubt
	cells := r.cells[:k.first]
	r.reset()
	r.cells, r.after, r.kept = cells, after, k.first
	r.made = source{ok: true, cols: cols, model: m, wrapped: l.Wrapped, exact: true,
		spans: append(r.made.spans, l.Spans...)}
	full := false
	for i := range l.Spans {
		s := &l.Spans[i]
		from, to := min(k.head, len(s.Text)), len(s.Text)
		if k.head -= from; i == len(l.Spans)-1 && k.last > 0 {
			to -= k.tail
		}
		full = !r.add(s, from, to, cols, m)
		if to < len(s.Text) && !full {
			if len(r.cells) == was-k.last {
				r.cells, r.rest = r.cells[:was], k.last
			} else {
				full = !r.add(s, to, len(s.Text), cols, m)
			}
		}
		if full {
			r.made.exact = false
			break
		}
	}
	if doubt > 0 {
		r.count(0, r.kept)
		r.count(len(r.cells)-r.rest, len(r.cells))
	}
	// A wrapped row may end one column early where a wide cluster did not fit.
	r.wrapped = l.Wrapped && !full && len(r.cells) >= cols-1 && len(r.cells) > 0
	r.goesOn = r.wrapped
	if !r.wrapped {
		for n := len(r.cells); n > 0 && r.cells[n-1] == blank; n-- {
			r.cells = r.cells[:n-1]
		}
		r.kept = min(r.kept, len(r.cells))
	}
}

// count notes the doubtful ones of cells [from, to), which have stayed.
func (r *row) count(from, to int) {
	for i := from; i < to; i++ {
		if c := &r.cells[i]; c.doubt {
			r.doubt++
			r.reach = max(r.reach, i+int(c.most))
		}
	}
}

// kept is what of a row stays when its text changes: so many cells, and bytes of theirs, at the
// start and at the end.
type kept struct{ first, head, last, tail int }

// keeps finds what of r stays if its text becomes spans.
func (r *row) keeps(spans []Span, cols int, m width.Model) (k kept) {
	if s := &r.made; !s.ok || !s.exact || s.cols != cols || s.model != m {
		return k
	}
	old := r.made.spans
	n := common(old, spans)
	k.first, k.head = r.head(n)
	z := len(spans) - 1
	if z < 0 || n == size(old) || len(old) != len(spans) || old[z].Style != spans[z].Style ||
		old[z].Link != spans[z].Link {
		return k // most have only grown
	}
	a, b := old[z].Text, spans[z].Text
	most := min(len(a), len(b)-1-max(k.head-size(spans[:z]), 0)) // what stays at the start does not count
	for n = 0; n < most && a[len(a)-1-n] == b[len(b)-1-n]; {
		n++
	}
	if n <= 0 || b[len(b)-1] == ' ' { // a blank at the end is no cell
		return k
	}
	i, sum := len(r.cells), 0
	for i > k.first && sum+len(r.cells[i-1].text) <= n {
		i--
		sum += len(r.cells[i].text)
	}
	// A cluster begins there whatever stands before it, if both are ASCII.
	for i < len(r.cells) && (r.cells[i].w == 0 || b[len(b)-sum] >= utf8.RuneSelf || b[len(b)-sum-1] >= utf8.RuneSelf) {
		sum -= len(r.cells[i].text)
		i++
	}
	k.last, k.tail = len(r.cells)-i, sum
	return k
}

// common returns how many bytes at the start of a and b are the same, in the same styles.
func common(a, b []Span) int {
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

// size returns the number of bytes of spans.
func size(spans []Span) int {
	n := 0
	for i := range spans {
		n += len(spans[i].Text)
	}
	return n
}

// head returns how many cells, and how many of their bytes, can stay if the first n bytes of the
// text do. The last cluster may be joined by what follows.
func (r *row) head(n int) (cells, bytes int) {
	if old := r.made.spans; n > 0 && n == size(old) { // it has only grown
		if z := old[len(old)-1].Text; z != "" && z[len(z)-1] != ' ' { // a blank at the end is no cell
			i := r.last()
			return i, n - len(r.cells[i].text)
		}
	}
	sum := 0
	for i := range r.cells {
		c := &r.cells[i]
		if c.w == 0 {
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

// add appends bytes [from, to) of a span and reports whether all of it found room.
func (r *row) add(s *Span, from, to, cols int, m width.Model) bool {
	link := cleanLink(s.Link)
	for text := s.Text[from:to]; text != ""; {
		if n := plainRun(text); n > 0 {
			from, room := len(r.cells), max(cols-len(r.cells), 0)
			k := min(n, room)
			r.cells = slices.Grow(r.cells, k)[:from+k]
			c := cell{link: link, style: s.Style, w: 1}
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
		c, rest, w := m.Next(text)
		text = rest
		doubt := false
		if t := harmless(c); t != "" {
			c, w = t, 1
			r.made.exact = false
		} else if w > 64 {
			r.made.exact = false
			c, w = "\ufffd", 1 // a chain of joiners that no terminal draws that wide
		} else if w > 0 {
			if len(r.cells)+w == cols && m.AtEdge(c) != c {
				r.made.exact = false
				c = m.AtEdge(c)
			}
			doubt = m.Doubtful(c)
		}
		if w == 0 {
			r.made.exact = false
			continue // it has no column of its own and nothing to stand on
		}
		if len(r.cells)+w > cols {
			return false
		}
		most := 0
		if doubt {
			r.doubt++
			most = min(m.Widest(c), 255)
			r.reach = max(r.reach, len(r.cells)+most)
		}
		r.cells = append(r.cells, cell{text: c, link: link, style: s.Style, w: uint8(w), doubt: doubt,
			most: uint8(most)})
		for range w - 1 {
			r.cells = append(r.cells, cell{link: link, style: s.Style})
		}
	}
	return true
}

// at returns the cell in column i, blank beyond the end.
func (r *row) at(i int) *cell {
	if i < len(r.cells) {
		return &r.cells[i]
	}
	return &blank
}

// is reports whether c equals o. Most cells hold one byte: their texts need no call.
func (c *cell) is(o *cell) bool {
	if n := len(c.text); n != len(o.text) || n == 1 && c.text[0] != o.text[0] || c.style != o.style || c.w != o.w ||
		c.doubt != o.doubt {
		return false
	}
	return (len(c.text) == 1 || c.text == o.text) && c.linked(o.link)
}

// same reports whether a terminal that shows r needs nothing to show o. A wrap that is wanted and
// not there is made by the row below.
func (r *row) same(o *row) bool {
	if !r.known || !o.known || r.mayWrap || len(r.cells) != len(o.cells) || o.mark != noMark && o.mark != r.mark {
		return false
	}
	from, rest := r.alike(o)
	for i := from; i < len(r.cells)-rest; i++ {
		if !r.cells[i].is(&o.cells[i]) {
			return false
		}
	}
	return true
}

// change returns the first column in which r and o differ, at the beginning of a cluster of both,
// and where no doubtful cluster of o reaches.
func (r *row) change(o *row) int {
	i, _ := r.alike(o)
	for i < len(r.cells) && i < len(o.cells) && r.cells[i].is(&o.cells[i]) {
		i++
	}
	for i > 0 && (r.at(i).w == 0 || o.at(i).w == 0) {
		i--
	}
	for k := i - 1; k >= 0 && o.reach > i; k-- { // one that may reach beyond is written again
		if k+int(o.cells[k].most) > i {
			i = k
		}
	}
	return i
}

// uncertain reports whether going from r to o needs an erasure: a doubtful cluster goes away, whose
// real extent is not known, or one comes that may not cover all that stands in its place, or cover
// more.
func (r *row) uncertain(o *row) bool {
	if r.doubt == 0 && o.doubt == 0 {
		return false
	}
	if n := len(o.cells); len(r.cells) > n && o.reach > n {
		// What is behind n is erased, and may be part of a cluster before it.
		return true
	}
	for i := range max(len(r.cells), len(o.cells)) {
		old, want := r.at(i), o.at(i)
		if old.is(want) {
			continue
		}
		if old.doubt {
			return true
		}
		for k := i; want.doubt && k < i+int(want.most); k++ {
			if !r.at(k).is(&blank) {
				return true
			}
		}
	}
	return false
}

// room reports whether r has a cluster in column c, and a column behind it by any measure: no wrap
// is pending when it is printed.
func (r *row) room(c, cols int) bool {
	return c < len(r.cells) && c+int(max(r.cells[c].w, r.cells[c].most)) < cols
}

// widest returns how many columns r may take, by any measure, where nothing in it is put into its
// column.
func (r *row) widest() (n int) {
	for i := range r.cells {
		n += int(max(r.cells[i].w, r.cells[i].most))
	}
	return n
}

// last returns the column of the row's last cluster, -1 if the row is blank.
func (r *row) last() int {
	i := len(r.cells) - 1
	for i > 0 && r.cells[i].w == 0 {
		i--
	}
	return i
}

// soundWraps takes the wrap from every row that the terminal, which has so many rows, would not
// wrap by itself: what follows is missing, or would have fitted. Nor is a line wrapped beside a
// cluster in doubt, behind which a column is named: in a window of another width that would be one
// of another row of the line. Nor to a background in a row that cannot be made before, since a wrap
// that scrolls fills it.
func soundWraps(want []row, cols, rows int) {
	first := 0
	for i := range want {
		w := &want[i]
		if !w.wrapped {
			first = i + 1
			continue
		}
		w.wrapped = i+1 < len(want) && wraps(w, &want[i+1], cols) &&
			(i+1-first < rows || want[i+1].cells[0].style.Bg == 0)
		if !w.wrapped {
			first = i + 1
		}
	}
}

// wraps reports whether the terminal wraps from a to b by itself, wherever it breaks the line.
func wraps(a, b *row, cols int) bool {
	return len(b.cells) > 0 && a.doubt == 0 && b.doubt == 0 &&
		(len(a.cells) >= cols || len(a.cells)+int(b.cells[0].w) > cols)
}
