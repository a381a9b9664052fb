package tui

import (
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

const (
	maxFrame  = 64 << 10 // bytes of final rows in one frame
	maxRounds = 16       // of callbacks that queue callbacks, at the end

	carefulTime = time.Second // after a resize, in which the grid may have another size already
)

// paint sends pictures that are ready, then composes and shows one frame. more: final rows or pictures are left for the next one.
func (l *loop) paint(now time.Time) (more bool) {
	if n := len(l.state.overlays); n > 1 {
		for _, o := range l.state.overlays[:n-1] {
			o.stands = standing{}
		}
	}
	left := l.pics != nil && l.pics.send(l.term, l.full != nil)
	if l.full != nil {
		l.paintFull(now)
		return left
	}
	s := l.space(now)
	hold := l.covered()
	l.commit, l.live, more = l.t.compose(s, l.commit[:0], l.live[:0], maxFrame, hold)
	f := renderer.Frame{Base: l.base, Commit: l.commit, Live: l.live, Careful: now.Sub(l.sized) < carefulTime}
	l.careful = f.Careful
	if f.Careful && !hold {
		f.Live = f.Live[:0] // in a storm of sizes they would be pushed into history, one copy for each
	}
	l.footing(s, &f)
	if !f.Careful {
		f.Mark = quirksOf(l.caps).Late && l.caps.InBand && l.order.open < maxOpen
		if len(f.Commit) > 0 {
			l.sent = now
		}
	}
	l.render(f)
	l.live = f.Live
	behind := 0
	if more || hold {
		behind = l.t.bytes()
	}
	if !more && !hold {
		for _, f := range l.shown {
			f()
		}
		l.shown = nil
	}
	l.q.report(behind, l.crowded() || hold && l.t.waiting() > 4*l.rows || l.seam.Pending > 4*l.rows)
	return more || left
}

// erasePictures deletes the pictures of a surface: those that are still shown are asked for anew.
func (l *loop) erasePictures(su *surface) {
	if b := l.pics.erase(su, nil); len(b) > 0 {
		_, _ = l.term.Write(b)
	}
}

// render shows f and remembers what became of it.
func (l *loop) render(f renderer.Frame) {
	seam, err := l.out.Render(f)
	if err != nil {
		l.gone = fmt.Errorf("tui: painting: %w", err)
	}
	l.base += len(f.Commit)
	l.seam = seam
	if seam.Marked {
		l.order.open++
	}
}

// covered reports whether an overlay covers rows of the window: nothing is handed over then as final, so that it is laid out at the width that
// there is when the overlay is gone.
func (l *loop) covered() bool { return l.state.top() != nil && !l.replaced() }

// replaced reports whether an overlay stands in the footer's place.
func (l *loop) replaced() bool {
	o := l.state.top()
	return o != nil && (o.place.Replace || o.place.Full)
}

// footing adds to f what stands below the transcript: the footer or what replaces it, an overlay, the caret.
func (l *loop) footing(s Space, f *renderer.Frame) {
	top := l.state.top()
	limit := l.liveLimit()
	s.Height = limit
	if len(f.Live) > 0 {
		s.Height = max(limit-1, 1) // the last row of the answer is shown
	}
	switch {
	case l.replaced():
	case l.footer.comp == nil:
		l.below(f, View{}, limit, false)
	default:
		in := s
		in.Focused = top == nil || !top.armed
		l.below(f, l.footer.look(in, l.q), limit, in.Focused)
	}
	if top == nil {
		return
	}
	in := s
	if top.place.Top || top.place.Full { // the alternate screen, where there is none
		limit, in.Height = l.rows, l.rows
	}
	in.Focused, in.Shown = top.armed, top.stands.since
	if w := top.place.Width; w > 0 && w < in.Width {
		in.Width = w
	}
	if h := top.place.Height; h > 0 && h < in.Height {
		in.Height = h
	}
	v := top.look(in, l.q)
	if l.replaced() {
		all := l.below(f, v, min(limit, in.Height), true)
		top.stands.frame(v.Scene, all && !f.Careful, s.Now)
		return
	}
	top.stands.frame(v.Scene, len(v.Lines) <= in.Height && !f.Careful, s.Now)
	o := &renderer.Overlay{Lines: v.Lines, Width: in.Width, Cursor: v.Cursor}
	if n := len(o.Lines) - in.Height; n > 0 {
		o.Lines = o.Lines[n:]
		o.Cursor = above(v.Cursor, n)
	}
	if l.set.caret && o.Cursor != nil {
		o.Lines, o.Cursor = drawCaret(o.Lines, *o.Cursor, s), nil
	}
	if top.place.Top {
		o.Up = max(l.rows-len(o.Lines), 0)
	}
	f.Overlay = o
}

// below puts v under the live rows of the transcript. All of them take at most limit rows: the last rows of v that
// hold its caret, and the last ones of the transcript, one at least. all: none of v is left out.
func (l *loop) below(f *renderer.Frame, v View, limit int, caret bool) (all bool) {
	rows, cursor := v.Lines, v.Cursor
	height := limit
	if len(f.Live) > 0 {
		height = max(limit-1, 1)
	}
	if n := len(rows) - height; n > 0 {
		if cursor != nil {
			n = min(n, max(cursor.Row, 0))
		}
		rows, cursor = rows[n:n+height], above(cursor, n)
	}
	if n := len(f.Live) + len(rows) - limit; n > 0 && len(f.Live) > 1 {
		kept := copy(f.Live, f.Live[min(n, len(f.Live)-1):])
		f.Live = f.Live[:kept]
	}
	if caret && cursor != nil && l.set.caret {
		rows = drawCaret(rows, *cursor, l.space(time.Time{}))
	} else if caret && cursor != nil {
		l.caret = Pos{Col: cursor.Col, Row: cursor.Row + len(f.Live)}
		f.Cursor = &l.caret
	}
	f.Live = append(f.Live, rows...)
	return len(rows) == len(v.Lines)
}

// above is p after n rows above it were left out, nil if it was in one of them.
func above(p *Pos, n int) *Pos {
	if p == nil || p.Row < n {
		return nil
	}
	return &Pos{Col: p.Col, Row: p.Row - n}
}

// finish makes everything final and writes it.
func (l *loop) finish() error {
	drain := func() (n int) {
		for _, o := range l.q.take() {
			if o.kind != opEvent && o.kind != opLine {
				l.apply(o)
				n++
			}
		}
		return n
	}
	for range maxRounds { // what was queued may queue more
		if drain() == 0 {
			break
		}
	}
	l.q.close()
	drain()
	l.state.overlays, l.seam = nil, renderer.Seam{}
	l.leaveFull(time.Now())
	if l.resize.phase != steady {
		l.resize.stop()
		l.predict()
	}
	if l.pics != nil {
		l.pics.end()
	}
	l.t.close()
	for more := true; more && l.gone == nil; {
		var f renderer.Frame
		l.commit, l.live, more = l.t.compose(l.space(time.Now()), l.commit[:0], l.live[:0], maxFrame, false)
		f = renderer.Frame{Base: l.base, Commit: l.commit, Live: l.live}
		l.render(f)
	}
	if l.gone != nil {
		return l.gone
	}
	return l.out.Release(false)
}
