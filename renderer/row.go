package renderer

import (
	"slices"
	"strings"
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

// inked reports whether c is written with the pen of o.
func (c *cell) inked(o *cell) bool { return c.style == o.style && c.link == o.link }

var blank = cell{text: " ", w: 1}

// row is one prepared row: what a frame wants, or what the terminal is believed to show.
type row struct {
	cells   []cell // by column, without trailing blanks; never more than the terminal's columns
	known   bool   // false: the terminal's content is not known, or not blank for sure
	wrapped bool   // wanted or believed: goes on in the next row by the terminal's own wrap
	maybe   bool   // believed: something was done to the row after which terminals differ about that
	wants   bool   // believed: the frame wanted this row wrapped; the row below makes it so
	goes    bool   // full, and its line goes on in the next row, whether the terminal can wrap there or not
	over    bool   // wanted: an overlay stands on it, or the row before it is not shown, so that it continues nothing
	doubt   int    // doubtful clusters
	reach   int    // the column behind the last one that a doubtful cluster may take, by any measure
	mark    mark   // wanted: OSC 133 is to mark the row; believed: it has. A mark goes only with an erasure
	stamp   uint64 // rows with the same one have the same cells; 0: that is not known
	after   uint64 // wanted: a row with this stamp has the same first kept cells
	kept    int
	made    source // wanted: what the cells were made of
}

// source is what a row was made of: the same again makes the same cells. Most rows of a frame are those of the frame before.
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
	if !s.ok || s.cols != cols || s.model != m || s.wrapped != l.Wrapped || len(s.spans) != len(l.Spans) {
		return false
	}
	for i := range s.spans {
		if s.spans[i] != l.Spans[i] {
			return false
		}
	}
	return true
}

func (r *row) reset() {
	*r = row{cells: r.cells[:0], known: true, made: source{spans: r.made.spans[:0]}}
}

// mayWrap reports whether the terminal may take the next row for the continuation of r.
func (r *row) mayWrap() bool { return r.wrapped || r.maybe }

// doubtWrap notes an EL on r or an IL above it: ghostty forgets that the row was wrapped, tmux does not.
func (r *row) doubtWrap() {
	r.maybe = r.maybe || r.wrapped
	r.wrapped = false
}

// copyFrom makes r equal to o without sharing its cells.
func (r *row) copyFrom(o *row) {
	cells := append(r.cells[:0], o.cells...)
	*r = *o
	r.cells, r.made = cells, source{}
}

// again prepares r for a frame that wants the line of which it was made.
func (r *row) again() {
	r.known, r.wrapped, r.maybe, r.wants, r.over, r.mark = true, r.goes, false, false, false, noMark
}

// alter says that the cells are being changed: they are no longer those of the line.
func (r *row) alter() { r.stamp, r.after, r.made.ok = 0, 0, false }

// alike is how many cells at the start of r and o are known to be the same.
func (r *row) alike(o *row) int {
	switch {
	case r.stamp == 0:
		return 0
	case r.stamp == o.stamp:
		return len(r.cells)
	case r.stamp == o.after:
		return o.kept
	}
	return 0
}

// take makes r equal to o, a row that is wanted and painted.
func (r *row) take(o *row) {
	n := r.alike(o)
	r.cells = append(r.cells[:n], o.cells[n:]...)
	r.known, r.doubt, r.reach, r.wants, r.goes, r.stamp = true, o.doubt, o.reach, o.wrapped, o.goes, o.stamp
}

// set prepares l for a terminal of cols columns. What does not fit is cut; a row that is cut or not full is not wrapped.
func (r *row) set(l Line, cols int, m width.Model) {
	n, bytes := 0, 0
	if s := &r.made; s.ok && s.exact && s.cols == cols && s.model == m {
		n, bytes = r.head(common(s.spans, l.Spans))
	}
	after := r.stamp
	cells := r.cells[:n]
	r.reset()
	r.cells, r.after, r.kept = cells, after, n
	for i := range cells {
		if c := &cells[i]; c.doubt {
			r.doubt++
			r.reach = max(r.reach, i+int(c.most))
		}
	}
	r.made = source{ok: true, cols: cols, model: m, wrapped: l.Wrapped, exact: true, spans: append(r.made.spans, l.Spans...)}
	full := false
	for i := range l.Spans {
		s := &l.Spans[i]
		skip := min(bytes, len(s.Text))
		bytes -= skip
		if full = !r.add(s, skip, cols, m); full {
			r.made.exact = false
			break
		}
	}
	// A wrapped row may end one column early where a wide cluster did not fit.
	r.wrapped = l.Wrapped && !full && len(r.cells) >= cols-1 && len(r.cells) > 0
	r.goes = r.wrapped
	if !r.wrapped {
		for n := len(r.cells); n > 0 && r.cells[n-1] == blank; n-- {
			r.cells = r.cells[:n-1]
		}
		r.kept = min(r.kept, len(r.cells))
	}
}

// common is how many bytes at the start of a and b are the same, in the same styles.
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

// head is how many cells, and bytes of theirs, can stay if the first n bytes of the text do. The last cluster may be joined by what follows.
func (r *row) head(n int) (cells, bytes int) {
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

// add appends a span without its first skip bytes and reports whether all of it found room.
func (r *row) add(s *Span, skip, cols int, m width.Model) bool {
	link := cleanLink(s.Link)
	for text := s.Text[skip:]; text != ""; {
		if n := plainRun(text); n > 0 {
			from, room := len(r.cells), max(cols-len(r.cells), 0)
			k := min(n, room)
			r.cells = slices.Grow(r.cells, k)[:from+k]
			for i := range r.cells[from:] {
				r.cells[from+i] = cell{text: text[i : i+1], link: link, style: s.Style, w: 1}
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
		r.cells = append(r.cells, cell{text: c, link: link, style: s.Style, w: uint8(w), doubt: doubt, most: uint8(most)})
		for range w - 1 {
			r.cells = append(r.cells, cell{link: link, style: s.Style})
		}
	}
	return true
}

// plainRun is the length of the printable ASCII at the start of s, without a last character that more than ASCII follows.
func plainRun(s string) int {
	for i := range len(s) {
		switch b := s[i]; {
		case b >= 0x80:
			return max(i-1, 0)
		case b < 0x20 || b == 0x7f:
			return i
		}
	}
	return len(s)
}

// harmless is the stand-in for a cluster that must not reach a terminal as it is: controls, invalid bytes and bidirectional overrides.
// "" means that c is fine. Callers show such text as visible tokens; this is the last line of defence.
func harmless(c string) string {
	r, n := utf8.DecodeRuneInString(c)
	switch {
	case r < 0x20:
		return string(rune(0x2400) + r)
	case r == 0x7f:
		return "\u2421"
	case r >= 0x80 && r < 0xa0, r == utf8.RuneError && n <= 1, bidi(r):
		return "\ufffd"
	}
	if n == len(c) {
		return ""
	}
	for _, r := range c[n:] {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || bidi(r) {
			return "\ufffd"
		}
	}
	return ""
}

func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// cleanLink drops every URI that is not plain http, https or mailto in printable ASCII of at most 2,000 bytes (PANE-15).
func cleanLink(uri string) string {
	if uri == "" {
		return ""
	}
	if len(uri) > 2000 || !strings.HasPrefix(uri, "https://") && !strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "mailto:") {
		return ""
	}
	for i := range len(uri) {
		if uri[i] <= 0x20 || uri[i] >= 0x7f {
			return ""
		}
	}
	return uri
}

// at is the cell in column i, blank beyond the end.
func (r *row) at(i int) *cell {
	if i < len(r.cells) {
		return &r.cells[i]
	}
	return &blank
}

// is reports whether c equals o. Most cells hold one byte: their texts need no call.
func (c *cell) is(o *cell) bool {
	if len(c.text) != len(o.text) || c.style != o.style || c.w != o.w || c.doubt != o.doubt || len(c.link) != len(o.link) {
		return false
	}
	switch {
	case len(c.text) == 1:
		if c.text[0] != o.text[0] {
			return false
		}
	case c.text != o.text:
		return false
	}
	return c.link == "" || c.link == o.link
}

// same reports whether a terminal that shows r needs nothing to show o. A wrap that is wanted and not there is made by the row below.
func (r *row) same(o *row) bool {
	if !r.known || !o.known || r.mayWrap() && !o.wrapped || len(r.cells) != len(o.cells) || o.mark != noMark && o.mark != r.mark {
		return false
	}
	for i := r.alike(o); i < len(r.cells); i++ {
		if !r.cells[i].is(&o.cells[i]) {
			return false
		}
	}
	return true
}

// change is the first column in which r and o differ, at the beginning of a cluster of both, and where no doubtful cluster of o reaches.
func (r *row) change(o *row) int {
	i := r.alike(o)
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

// uncertain reports whether going from r to o needs an erasure: a doubtful cluster goes away, whose real extent is not known, or one comes
// that may not cover all that stands in its place, or cover more.
func (r *row) uncertain(o *row) bool {
	if r.doubt == 0 && o.doubt == 0 {
		return false
	}
	if n := len(o.cells); len(r.cells) > n && o.reach > n { // what is behind n is erased, and may be part of a cluster before it
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

// doubtful reports whether columns [from, to) hold a doubtful cluster.
func (r *row) doubtful(from, to int) bool {
	for i := from; i < to; i++ {
		if r.cells[i].doubt {
			return true
		}
	}
	return false
}

// afresh reports whether a terminal that shows r must have the row erased from column 0 on before it can show o.
func (r *row) afresh(o *row) bool {
	return !r.same(o) && (!r.known || r.mayWrap() && !o.wrapped || r.uncertain(o) && r.change(o) == 0)
}

// cluster is the first column of the cluster that covers column c.
func (r *row) cluster(c int) int {
	for c > 0 && c < len(r.cells) && r.cells[c].w == 0 {
		c--
	}
	return c
}

// last is the column of the row's last cluster, -1 if the row is blank.
func (r *row) last() int {
	i := len(r.cells) - 1
	for i > 0 && r.cells[i].w == 0 {
		i--
	}
	return i
}

// soundWraps takes the wrap from every row that the terminal would not wrap by itself: what follows is missing, or would have fitted.
func soundWraps(want []row, cols int) {
	for i := range want {
		w := &want[i]
		if !w.wrapped {
			continue
		}
		w.wrapped = i+1 < len(want) && wraps(w, &want[i+1], cols)
	}
}

// wraps reports whether the terminal wraps from a to b by itself.
func wraps(a, b *row, cols int) bool {
	return len(b.cells) > 0 && len(a.cells)+int(b.cells[0].w) > cols
}
