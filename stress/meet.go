package stress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// meet sends an ordinary frame, with all that has been held for it, that meets a change of the window on its way: the terminal has taken some of it, or
// nothing, when it gets the new size, and the rest after that. No program can undo what it has written for another width, so that from then on the rows of
// this frame and those before it are looked for as text (see inPieces).
func (w *world) meet(o program.Op) error {
	window, joins := w.window(), 0
	for y := range w.rows {
		if w.term.Row(y).Wrapped() && y >= w.l.b-w.l.t {
			joins++
		}
	}
	w.shown = w.scene()
	w.hang()
	w.wire.stall = true
	w.wire.marks = o.At == 2 && !w.careful
	s, err := w.r.Render(renderer.Frame{Base: w.base, Commit: w.commit, Live: w.shown.live, Careful: w.careful, Cursor: w.shown.caret, Overlay: w.overlay, Mark: w.wire.marks})
	w.wire.marks = false
	if err != nil {
		return err
	}
	p, before := w.wire.take(), 0
	if d := w.profile.Differs; o.At == 1 && !d.ReflowApart && !d.ReflowJoined { // kitty's cursor leaves a row that shows nothing
		before = o.N % (len(p) + 1)
	}
	w.wire.put(p[:before])
	for ; before < len(p) && before > 0 && (w.term.Cursor().Col > 0 || w.term.Row(w.term.Cursor().Row).Text() != ""); before++ {
		w.wire.put(p[before : before+1]) // a cursor between texts is not kept there by all terminals (ghostty)
	}
	cols, rows := w.cols, w.rows
	w.sized(o.Cols, o.Rows)
	w.wire.put(p[before:])
	n := len(w.l.rows)
	w.seam = s
	w.l.commit(w.base, w.commit, w.overlay != nil, w.careful, cols, rows, w.model)
	w.tear(n, joins, window, p, cols)
	w.l.resized(o.Cols)
	if before > 0 && w.profile.Differs.Reflow == vt.RewrapButCursor { // the cursor was on any of them
		for _, r := range w.l.rows[n:] {
			r.cutTo = min(r.cutTo, o.Cols)
		}
	}
	w.commit, w.base = nil, len(w.l.handed)
	w.met, w.late, w.sure, w.flown = true, true, s.Marked, n
	return w.wire.bad
}

// again renders a frame after a marked one has met the change. If that writes the final rows of the marked one once more, that has been taken back: they are
// whole, whatever it has written.
func (w *world) again() error {
	n, all := w.flown, ""
	for _, r := range w.l.rows[n:] {
		all += squeeze(r.text)
	}
	end := len(w.l.rows)
	w.l.doubled++ // they count as handed over, and as history when they are written again
	if err := w.frame(); err != nil {
		return err
	}
	wrote := strings.Map(func(c rune) rune {
		if c <= 2 {
			return -1
		}
		return c
	}, printed(w.wire.last))
	if all != "" && strings.Contains(wrote, all) {
		for _, r := range w.l.rows[n:end] {
			r.torn, r.bitten = false, [2]bool{}
		}
	}
	return nil
}

// tear notes which final rows need not be whole, for reasons that lie in the terminal: p was written for another width. Rows from n on are of that frame, window
// is what was shown before it, on cols columns, with so many joins.
//
// What is printed in one go is whole wherever it comes to stand, but for a cluster at a wrap, where an erasure or a backspace met the edge. Rows that stood there
// before are moved by the terminal, and moves between them lead elsewhere, unless none of them changes its height. Where they are joined a move up leads
// too far, as it does in urxvt, whose cursor goes to the first
// row of its line, and in xterm.js, whose cursor drifts.
func (w *world) tear(n, joins int, window []*row, p []byte, cols int) {
	rows := w.l.rows
	kind, high := joins == 0 && max(len(window), len(rows)-n+w.seam.Live) <= w.rows, 0
	for _, r := range slices.Concat(window, rows[n:]) {
		kind = kind && r != nil && !r.join && len(r.cells) <= w.cols
	}
	if w.cols > cols {
		high = joins
	}
	if d := w.profile.Differs; (d.ReflowTopLine || d.ReflowDrifts) && !kind {
		high = len(window)
	}
	for i := n - 1; i >= 0 && (high > 0 || rows[i].join); i-- {
		rows[i].torn = true
		if !rows[i].join {
			high--
		}
	}
	if w.tail && len(rows) > n {
		rows[len(rows)-1].torn = true // the row that it ends in is also a live one's, nobody knows from which column on
	}
	text := printed(p)
	for i := n; i < len(rows); i++ {
		r, from := rows[i], i
		for from > n && rows[from-1].join {
			from--
		}
		line, to := "", i
		for ; to < len(rows); to++ {
			if line += squeeze(rows[to].text); !rows[to].join {
				break
			}
		}
		for k := i - 1; k >= from; k-- {
			line = squeeze(rows[k].text) + line
		}
		joined := i > 0 && rows[i-1].join
		r.bitten[0] = joined && (!r.join || len(r.cells) < cols)                                                   // by an EL
		r.bitten[1] = r.join && (i+1 == len(rows) || len(rows[i+1].cells) > 0 && rows[i+1].cells[0].style.Bg != 0) // by a backspace, see join in package renderer
		doubt := slices.ContainsFunc(rows[from:min(to+1, len(rows))], (*row).holds) && (joined || r.join || r.reach(w.model) > w.cols)
		if strings.LastIndex(text, line) < strings.LastIndex(text, "\x01") {
			r.torn = true
		}
		if strings.Contains(text, line+"\x02") || strings.Contains(text, line+"\x00\x02") {
			r.torn = true
		}
		r.torn = r.torn || doubt || !strings.Contains(text, line) && !kind
	}
}

// printed is what p prints, without blanks and doubtful clusters; moves and line ends are NUL.
func printed(p []byte) string {
	var b strings.Builder
	for len(p) > 0 {
		n := flicker.Token(p)
		t := string(p[:n])
		switch p = p[n:]; {
		case t[0] >= 0x20:
			b.WriteString(squeeze(t))
		case strings.HasSuffix(t, "m"), strings.HasPrefix(t, "\x1b]"), t == "\x1b[K":
		case t[len(t)-1] == 'L':
			b.WriteByte(1)
		case t[len(t)-1] == 'B':
			b.WriteByte(2)
		default:
			b.WriteByte(0)
		}
	}
	return b.String()
}

// inPieces requires the texts of final rows in their order, whatever stands in between.
func (w *world) inPieces(t tape, end int) error {
	var b strings.Builder
	for i := range end {
		b.WriteString(squeeze(t.row(i).Text()))
	}
	all := b.String()
	rows := w.l.rows[:w.l.epoch]
	for _, r := range rows {
		text := squeeze(r.left(w.model))
		if w.profile.Differs.Reflow == vt.Cut {
			text = ""
			for _, s := range program.Cut([]renderer.Span{{Text: r.text}}, max(0, r.cols-1), w.model) {
				text += squeeze(s.Text)
			}
		}
		if first, rest, _ := w.model.Next(text); r.bitten[0] && first != "" {
			text = rest
		}
		if r.bitten[1] {
			text = beforeLast(text, w.model)
		}
		if r.optional || r.torn {
			continue
		}
		at := strings.Index(all, text)
		if at < 0 {
			return fmt.Errorf("%q is not on the tape in its place, where a frame met another size\n%s", text, w.show())
		}
		all = all[at+len(text):]
	}
	return nil
}

// beforeLast is s without its last cluster.
func beforeLast(s string, m width.Model) string {
	last := ""
	for rest := s; rest != ""; {
		last, rest, _ = m.Next(rest)
	}
	return strings.TrimSuffix(s, last)
}
