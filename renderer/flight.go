package renderer

import (
	"slices"
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// flight is a frame that ended with a status request, and those after it until the next one: until the answer has come nobody knows whether the terminal
// has taken them. If it got a new size before, they are taken back: what they wrote is where the live region was, and is written over.
type flight struct {
	ledger ledger // before them
	marks  marks
	commit []Line // what they made final
	cols   int    // for which that was laid out
	bytes  []byte
	odd    bool // they cannot be taken back
}

// depart remembers how things stand before a frame that makes commit final, if it may end with a status request.
func (r *Renderer) depart(f Frame, commit []Line) {
	odd := f.Careful || r.fresh
	for _, l := range commit {
		odd = odd || l.Picture != nil
	}
	n := len(r.flights)
	if !f.Mark {
		if n > 0 {
			last := &r.flights[n-1]
			last.odd = last.odd || odd || len(commit) > 0
		}
		return
	}
	if cap(r.flights) > n {
		r.flights = r.flights[:n+1] // with the storage of an earlier one
	} else {
		r.flights = append(r.flights, flight{})
	}
	now := &r.flights[n]
	now.ledger.copyFrom(&r.l)
	now.marks, now.cols, now.odd, now.bytes = r.marks, r.l.cols, odd, now.bytes[:0]
	now.commit = resizeLines(now.commit, len(commit))
	for i, l := range commit {
		l.Spans = append(now.commit[i].Spans[:0], l.Spans...)
		now.commit[i] = l
	}
}

// launch adds the frame that is made to those in flight, and reports whether it ends with a status request: not if it is but a tick or a key so far to the left
// that no other window wraps it.
func (r *Renderer) launch(f Frame) bool {
	n, p := len(r.flights)-1, r.e.buf[headroom:]
	marked := f.Mark && len(p) > 0 && (len(p) > unbracketed || r.e.far > narrow || len(r.flights[n].commit) > 0)
	if f.Mark && !marked {
		short := &r.flights[n]
		n--
		r.flights = r.flights[:n+1]
		if n >= 0 { // rows may be final without a byte
			last := &r.flights[n]
			last.odd = last.odd || short.odd
			for _, l := range short.commit {
				l.Spans = slices.Clone(l.Spans)
				last.commit = append(last.commit, l)
			}
		}
	}
	if n >= 0 {
		last := &r.flights[n]
		if last.bytes = append(last.bytes, p...); len(last.bytes) > maxFlight {
			last.odd, last.bytes = true, last.bytes[:0]
		}
	}
	if marked {
		r.e.buf = append(r.e.buf, ansi.StatusRequest...)
	}
	return marked
}

// narrow is how many columns any window is believed to have where a mark is saved.
const narrow = 20

// maxFlight is how many bytes are remembered from one status request to the next. What is longer the terminal may have taken in part (a device takes 2,048 at a
// time), and nobody knows which.
const maxFlight = 2048

// Landed says that the terminal has answered the first status request that is open.
func (r *Renderer) Landed() {
	if n := len(r.flights); n > 0 {
		first := r.flights[0]
		copy(r.flights, r.flights[1:])
		r.flights[n-1] = first // with its storage
		r.flights = r.flights[:n-1]
	}
}

// takeBack makes the frames in flight undone if it is certain where they have written: after one change of size the cursor is reported on that row. Their final
// rows wait for the next frame, which writes over all that they have written, and over nothing else: it begins where the live region did before them.
func (r *Renderer) takeBack(row int) bool {
	if len(r.flights) == 0 || len(r.pending.lines) > 0 || r.c.Follow != FollowLayout || r.resize.steps != 1 || r.resize.lost {
		return false
	}
	for i := range r.flights {
		if r.flights[i].odd {
			return false
		}
	}
	now, was := r.l, r.resize
	r.l = r.flights[0].ledger
	r.l.visible, r.l.wraps, r.l.model = now.visible, now.wraps, now.model
	r.resize.on = false
	r.Resize(now.cols, now.rows)
	r.resize.tag, r.resize.next, r.resize.moved = was.tag, was.next, was.moved
	start, behind, ok := r.departure(row)
	if !ok {
		r.l, r.resize = now, was
		return false
	}
	r.flights[0].ledger = now // its storage
	r.marks = r.flights[0].marks
	for i := range r.flights {
		f := &r.flights[i]
		r.pending.add(f.commit, f.cols, r.c.Model)
	}
	r.l.residue += behind
	r.begins(start, row)
	r.l.glued = r.l.glued || behind > 0
	return true
}

// departure is the grid row on which the live region of the restored ledger begins, if the frames in flight have taken the cursor from it to row, and how many
// of its rows may be above; ok says that this is certain, and that they have written nowhere else.
func (r *Renderer) departure(row int) (start, behind int, ok bool) {
	at := r.l.cur.Row
	if r.joined() || r.resize.col >= r.l.cols || at > 0 && r.l.shown[at-1].mayWrap() {
		return 0, 0, false
	}
	w := walk{x: r.resize.col, cols: r.l.cols, model: r.c.Model, wraps: true}
	for i := range r.flights {
		w.take(r.flights[i].bytes)
	}
	from, last := row-w.y, r.l.rows-1
	above, most := r.rowsAbove(r.l.cols)
	text, known := r.textRow(from, above)
	if from+w.low == last && w.low > 0 {
		// The frames may have scrolled, from any row down to the last one. How the terminal has moved text and cursor before is told by the row of that time.
		full := r.l.tlo == r.l.thi && r.l.cols == r.resize.thin && r.l.b-r.l.tlo+above >= last
		at, sure := r.textRow(last, above)
		if at -= last - from; full {
			text, known = at, sure
		} else {
			behind, known = max(0, text-at), known && sure
		}
	}
	start = max(0, text-above)
	behind += start - (text - most) // all live rows that may be above it
	return start, behind, !w.stops && from+w.top >= text-above && r.onItsText(text, above, above, known)
}

// walk follows the cursor through frames in a window of some columns. Rows are counted from where it began.
type walk struct {
	x, y  int
	top   int // the first row that it has been on
	low   int // the last one
	cols  int
	model width.Model
	wraps bool
	stops bool // it has gone further down by CUD, which may have stopped short
}

// take follows p, which the emitter has made.
func (w *walk) take(p []byte) {
	for len(p) > 0 {
		n := 1
		switch c := p[0]; {
		case c == 0x1b:
			n = w.sequence(p)
		case c == '\r':
			w.x = 0
		case c == '\n':
			w.x = min(w.x, w.cols-1)
			w.down()
		case c == '\b':
			w.x = max(min(w.x, w.cols-1)-1, 0)
		case c >= 0x20:
			for n < len(p) && p[n] >= 0x20 {
				n++
			}
			w.print(string(p[:n]))
		}
		p = p[n:]
	}
}

func (w *walk) down() {
	w.y++
	w.low = max(w.low, w.y)
}

func (w *walk) print(s string) {
	for s != "" {
		var c string
		var n int
		if c, s, n = w.model.Next(s); c == "" {
			return
		}
		switch {
		case w.x+n <= w.cols:
		case w.wraps:
			w.x = 0
			w.down()
		default:
			w.x = max(w.cols-n, 0)
		}
		w.x += n
	}
}

// sequence follows the escape sequence that p begins with and returns its length.
func (w *walk) sequence(p []byte) int {
	if len(p) < 2 {
		return len(p)
	}
	if p[1] != '[' {
		n := 2
		switch p[1] {
		case ']', '_', 'P': // a string, up to ST
			for n < len(p) && !(p[n] == '\\' && p[n-1] == 0x1b) {
				n++
			}
			n++
		case 'D':
			w.x = min(w.x, w.cols-1)
			w.down()
		}
		return min(n, len(p))
	}
	n := 2
	for n < len(p) && p[n] < 0x40 {
		n++
	}
	if n == len(p) {
		return n
	}
	k, err := strconv.Atoi(string(p[2:n]))
	if err != nil {
		k = 1
	}
	x := min(w.x, w.cols-1)
	switch p[n] {
	case 'A':
		w.x, w.y = x, w.y-k
		w.top = min(w.top, w.y)
	case 'B':
		w.x, w.y = x, w.y+k
		w.stops = w.stops || w.y > w.low // else it has been there
	case 'C':
		w.x = min(x+k, w.cols-1)
	case 'D':
		w.x = max(x-k, 0)
	case 'G':
		w.x = min(k, w.cols) - 1
	case 'h', 'l':
		if string(p[2:n]) == "?7" {
			w.wraps = p[n] == 'h'
		}
	}
	return n + 1
}

// resizeLines makes s n lines long; storage beyond its length is kept for reuse.
func resizeLines(s []Line, n int) []Line {
	for cap(s) < n {
		s = append(s[:cap(s)], Line{})
	}
	return s[:n]
}
