package tui

import (
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

const (
	maxFrame  = 64 << 10 // bytes of final rows in one frame
	maxRounds = 16       // of callbacks that queue callbacks, at the end
)

// paint sends pictures that are ready, then composes and shows one frame. more: final rows or
// pictures are left for the next one.
func (l *loop) paint(now time.Time) (more bool) {
	if n := len(l.state.overlays); n > 1 {
		for _, o := range l.state.overlays[:n-1] {
			o.stands = standing{}
		}
	}
	left := l.pics != nil && l.pics.send(l.term, l.chrome.full != nil)
	if l.chrome.full != nil {
		l.paintFull(now)
		return left
	}
	s := l.space(now)
	hold := l.covered()
	l.frames.commit, l.frames.live, more = l.t.compose(s, l.frames.commit[:0], l.frames.live[:0], maxFrame, hold)
	f := renderer.Frame{Base: l.frames.base, Commit: l.frames.commit, Live: l.frames.live,
		Careful: now.Sub(l.clocks.sized) < carefulTime}
	l.frames.careful = f.Careful
	if f.Careful && !hold {
		f.Live = f.Live[:0] // in a storm of sizes they would be pushed into history, one copy for each
	}
	if l.t.streams() || len(f.Commit) > 0 && now.Sub(l.clocks.handed) < flowTime {
		l.clocks.flowed = now
	}
	if len(f.Commit) > 0 {
		l.clocks.handed = now
	}
	l.frames.rested = false
	f.Status = !f.Careful && l.tracks()
	l.chrome.mouse.forget()
	l.footing(s, &f)
	if !f.Careful {
		l.clocks.sent = now
	}
	l.render(f)
	l.report()
	l.frames.live = f.Live
	behind := 0
	if more || hold {
		behind = l.t.bytes()
	}
	if !more && !hold {
		for _, f := range l.frames.shown {
			f()
		}
		l.frames.shown = nil
	}
	l.q.report(behind, l.crowded() || hold && l.t.waiting() > 4*l.rows || l.frames.seam.Pending > 4*l.rows)
	return more || left
}

// erasePictures deletes the pictures of a surface: the ones that are still shown are asked for
// anew.
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
	l.frames.base += len(f.Commit)
	l.frames.seam = seam
	if seam.Asked {
		l.frames.unread++
	}
}

// covered reports whether an overlay covers rows of the window: nothing is handed over then as
// final, so that it is laid out at the width that there is when the overlay is gone.
func (l *loop) covered() bool { return l.state.top() != nil && !l.replaced() }

// replaced reports whether an overlay stands in the footer's place.
func (l *loop) replaced() bool {
	o := l.state.top()
	return o != nil && (o.place.Replace || o.place.Full)
}

// footing adds to f what stands below the transcript: the footer or what replaces it, an overlay,
// the caret. The rows of a View belong to its component, which may return them again: they are
// copied before one is added, and the row of the caret moves with them.
func (l *loop) footing(s Space, f *renderer.Frame) {
	top := l.state.top()
	limit := l.liveLimit()
	s.Height = limit
	switch {
	case l.replaced():
	case l.chrome.footer.comp == nil:
		l.tail(f, l.tailLimit())
	default:
		in := s
		in.Focused = top == nil || !top.armed
		if len(f.Live) > 0 {
			in.Height = max(limit-1, 1) // the last row of the answer is shown
		}
		all := l.chrome.footer.look(in, l.q)
		v, _ := l.within(all, in.Height)
		l.chrome.mouse.place(nil, all, area{width: l.cols, rows: len(v.Lines), skip: skipped(all, v)})
		l.tail(f, max(l.tailLimit()-len(v.Lines), 1))
		l.below(f, v, s, in.Focused)
	}
	if top == nil {
		return
	}
	in := s
	if l.replaced() && len(f.Live) > 0 && quirksOf(l.caps).PushesLive {
		in.Height = max(limit-1, min(limit, lowPane)) // a row of the answer is shown, too
	}
	if top.place.Top || top.place.Full { // the alternate screen, where there is none
		limit, in.Height = l.rows, l.rows
	}
	in.Focused, in.Shown, in.Unproven = top.armed, top.stands.since, l.unproven()
	if w := top.place.Width; w > 0 && w < in.Width {
		in.Width = w
	}
	if h := top.place.Height; h > 0 && h < in.Height {
		in.Height = h
	}
	v := top.look(in, l.q)
	if l.replaced() {
		whole := v
		v, all := l.within(v, min(limit, in.Height))
		l.chrome.mouse.place(top, whole, area{width: in.Width, rows: len(v.Lines), skip: skipped(whole, v)})
		l.tail(f, min(max(limit-len(v.Lines), 1), l.rows-len(v.Lines))) // a row of the answer, where the window has one
		l.below(f, v, s, true)
		top.stands.frame(v.Scene, len(v.Lines), all && !f.Careful, s.Now)
		return
	}
	o := &renderer.Overlay{Lines: v.Lines, Width: in.Width, Cursor: v.Cursor}
	if n := len(o.Lines) - in.Height; n > 0 {
		o.Lines = o.Lines[n:]
		o.Cursor = above(v.Cursor, n)
	}
	if l.set.caret && o.Cursor != nil {
		o.Lines, o.Cursor = l.chrome.drawn[1].in(o.Lines, *o.Cursor, s), nil
	}
	if top.place.Top {
		o.Up = max(l.rows-len(o.Lines), 0)
	}
	top.stands.frame(v.Scene, len(o.Lines)+o.Up, len(v.Lines) <= in.Height && !f.Careful, s.Now)
	l.chrome.mouse.place(top, v, area{width: in.Width, rows: len(o.Lines), up: o.Up, skip: len(v.Lines) - len(o.Lines)})
	f.Overlay = o
}

// within returns the part of v that has room in height rows: the last ones that hold its caret.
// all: that is all of it.
func (l *loop) within(v View, height int) (part View, all bool) {
	n := len(v.Lines) - height
	if n <= 0 {
		return v, true
	}
	if v.Cursor != nil {
		n = min(n, max(v.Cursor.Row, 0))
	}
	v.Lines, v.Cursor = v.Lines[n:n+height], above(v.Cursor, n)
	return v, false
}

// tail leaves the last n live rows of the transcript.
func (l *loop) tail(f *renderer.Frame, n int) {
	if k := len(f.Live) - max(n, 0); k > 0 {
		f.Live = f.Live[:copy(f.Live, f.Live[k:])]
	}
}

// below puts v under the live rows of the transcript.
func (l *loop) below(f *renderer.Frame, v View, s Space, caret bool) {
	rows := v.Lines
	if caret && v.Cursor != nil && (l.set.caret || l.rests(s.Now, f.Careful)) {
		rows = l.chrome.drawn[0].in(rows, *v.Cursor, s)
	} else if caret && v.Cursor != nil {
		l.chrome.caret = Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + len(f.Live)}
		f.Cursor = &l.chrome.caret
	}
	f.Live = append(f.Live, rows...)
}

const (
	// That the terminal's own caret stays in the prompt after a key other than Enter, while text
	// streams.
	caretTime = 2 * time.Second
	flowTime  = 500 * time.Millisecond // that a pause in what streams may take
)

// rests reports whether the terminal's cursor is hidden on the first live row, where a change of
// size finds it, and the caret is drawn: in careful frames, and while text streams, unless somebody
// types.
func (l *loop) rests(now time.Time, careful bool) bool {
	l.frames.rested = l.term != nil &&
		(careful || now.Sub(l.clocks.flowed) < flowTime && now.Sub(l.input.typed) >= caretTime)
	return l.frames.rested
}

// above returns p after n rows above it were left out, nil if it was in one of them.
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
	l.state.overlays, l.frames.seam = nil, renderer.Seam{}
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
		l.frames.commit, l.frames.live, more = l.t.compose(l.space(time.Now()), l.frames.commit[:0],
			l.frames.live[:0], maxFrame, false)
		f = renderer.Frame{Base: l.frames.base, Commit: l.frames.commit, Live: l.frames.live}
		l.render(f)
	}
	if l.gone != nil {
		return l.gone
	}
	return l.out.Release(false)
}
