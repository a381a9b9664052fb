package tui

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Block is a component's place in the transcript. At a new width it goes on after its last
// committed row (by End); without End it keeps the width at which its first row was committed.
type Block struct {
	q      *queue
	stream bool // it is one
	closed bool // Done, Close or Abort was called; under q.mu

	// What follows belongs to the loop.
	comp   Component
	text   *plain // a block without a component
	print  []Line // what fixed was, for a replay
	keep   bool   // rows are kept for a replay
	kept   int    // bytes of it that are in history, for a replay
	fixed  []Line // rows that are final and not in history, before those of comp or text
	done   bool
	last   bool // the program ends: View.Hold does not count
	tail   bool // plain writes, at the end of the transcript
	dirty  bool
	part   []byte // that was written and waits for what comes: see whole
	view   View
	gone   int       // rows of view that are in history
	end    int       // End of the last row in history
	width  int       // at which view was made, 0: there is none
	model  Space     // with which
	frozen bool      // keeps width
	from   int       // Space.From of view
	wake   time.Time // when View is wanted again, zero: never
}

// Component returns what the block shows; nil for plain text.
func (b *Block) Component() Component { return b.comp }

// Update runs f (or nil) on the loop and redraws this block; it never waits and keeps the order. So
// what f changes is neither read nor changed elsewhere. False: Run has ended. Any goroutine.
func (b *Block) Update(f func()) bool { return b.q.add(op{kind: opUpdate, block: b, f: f}) }

// Done makes all lines final, after all earlier Updates. Idempotent; any goroutine.
func (b *Block) Done() { b.q.finish(b, op{kind: opDone, block: b}) }

// Abort drops the rows that are not in history, after all earlier Updates, makes the block final
// and says why in one row; "" says nothing. Rows in history stay. Idempotent; any goroutine.
func (b *Block) Abort(reason string) { b.q.finish(b, op{kind: opAbort, block: b, note: reason}) }

// Rewind takes Stable back to stable lines. Rows that are in history stay there; those that are
// written again come after a mark. Loop only.
func (b *Block) Rewind(stable int) {
	b.dirty = true
	if b.comp == nil || stable >= b.gone {
		return
	}
	b.gone = max(stable, 0)
	b.end = b.from
	if b.gone > 0 && b.gone <= len(b.view.Lines) {
		b.end = b.view.Lines[b.gone-1].End
	}
	if len(b.fixed) == 0 { // two rewinds before a frame need one mark
		b.fixed = append(b.fixed, Line{Spans: []Span{{Text: "(written again)", Style: Style{Attr: Faint}}}})
	}
}

// Stream is a block that is written. Write waits as Transcript.Write does and copies p; Close is
// Done; Abort drops what is not committed.
type Stream struct{ *Block }

// Write appends p to the component. Any goroutine; one Write is never torn.
func (s *Stream) Write(p []byte) (int, error) { return write(s.q, s.Block, p) }

// WriteString is Write without a copy of its own.
func (s *Stream) WriteString(text string) (int, error) { return write(s.q, s.Block, text) }

// Close makes all lines final. It returns ErrClosed the second time.
func (s *Stream) Close() error { return s.end(op{kind: opDone, block: s.Block}) }

// Abort drops the rows that are not in history and says why in one row; "" says nothing.
func (s *Stream) Abort(reason string) error {
	return s.end(op{kind: opAbort, block: s.Block, note: reason})
}

func (s *Stream) end(o op) error {
	if !s.q.finish(s.Block, o) {
		return ErrClosed
	}
	return nil
}

// write hands whole UTF-8 sequences to the component. last: nothing follows.
func (b *Block) write(p []byte, last bool) {
	if len(b.part) > 0 {
		p = append(b.part, p...)
		b.part = nil
	}
	if n := whole(p); n < len(p) && !last {
		b.part = append(b.part, p[n:]...)
		p = p[:n]
	}
	if len(p) == 0 {
		return
	}
	b.dirty = true
	switch c := b.comp.(type) {
	case nil:
		b.text.write(p)
	case WriterComponent:
		b.q.enter()
		_, _ = c.Write(p) // it is on the loop and shows its errors itself
		b.q.leave()
	}
}

// whole returns the length of p without what the next write may go on: the first bytes of a UTF-8
// sequence, the CR of a line end, or a joiner (ZWJ). Without what follows the last two would be
// shown as tokens.
func whole(p []byte) int {
	for _, half := range []string{"\r", "\u200d"} {
		if bytes.HasSuffix(p, []byte(half)) {
			return len(p) - len(half)
		}
	}
	for i := len(p) - 1; i >= 0 && i > len(p)-utf8.UTFMax; i-- {
		if utf8.RuneStart(p[i]) {
			if !utf8.FullRune(p[i:]) {
				return i
			}
			break
		}
	}
	return len(p)
}

// finish makes b final on the loop.
func (b *Block) finish() {
	if len(b.part) > 0 {
		b.write(nil, true)
	}
	b.done, b.dirty = true, true
}

// abort drops what is not in history.
func (b *Block) abort(reason string, s Space) {
	if b.text == nil {
		b.print = b.view.Lines[:min(b.gone, len(b.view.Lines))] // for a replay, at this width
		b.text = &plain{}
	}
	b.text.drop(0)
	b.text.buf, b.comp, b.part, b.view.Hold = nil, nil, nil, false
	if reason != "" {
		th := s.Look()
		why := s.Cut(Span{Text: th.Glyphs.Problem + " ", Style: th.Error}, Span{Text: reason, Style: th.Error})
		b.fixed = append(b.fixed, why)
		b.print = append(b.print[:len(b.print):len(b.print)], why)
	}
	b.finish()
}

// look makes the view anew if something has changed.
func (b *Block) look(s Space) {
	if b.comp == nil {
		return
	}
	width, from := s.Width, b.from
	// Other rows: those that are gone are not among them.
	anew := b.width != 0 && (width != b.width || s.Model != b.model.Model)
	if anew && b.gone > 0 {
		if b.end > 0 && !b.frozen {
			from = b.end
		} else {
			b.frozen, anew, width, s.Model = true, false, b.width, b.model.Model
		}
	}
	due := !b.wake.IsZero() && !s.Now.Before(b.wake)
	if b.width == width && !b.dirty && !due && b.model.Model == s.Model && b.model.Theme == s.Theme {
		return
	}
	if anew {
		if from != b.from || b.gone == 0 {
			b.gone = 0
		}
		b.from = from
	}
	if !anew && b.trims() {
		from, b.from, b.gone = b.end, b.end, 0
	}
	b.model = s
	s.Width, s.Height, s.From, s.Focused = width, 0, from, false
	s.tick = due && !b.dirty && b.width == width && !anew
	b.width, b.dirty = width, false
	b.q.enter()
	b.view = b.comp.View(s)
	b.q.leave()
	b.wake = time.Time{}
	if b.view.Again > 0 && !b.complete() {
		b.wake = s.Now.Add(b.view.Again)
	}
}

// trimRows is how many rows in history are enough for a component to forget them.
const trimRows = 256

// trims reports whether the component may forget the rows that are in history: they end a line, so
// that what follows begins one.
func (b *Block) trims() bool {
	n := b.gone
	return b.view.Trim && !b.keep && !b.frozen && n >= trimRows && n <= len(b.view.Lines) && b.end > b.from &&
		!b.view.Lines[n-1].Wrapped
}

// final appends to dst the rows of b that can go into history now, of about budget bytes. more: the
// budget was too small. The rows are forgotten here.
func (b *Block) final(s Space, dst []Line, budget int) (rows []Line, more bool) {
	rows = dst
	for len(b.fixed) > 0 {
		n := size(b.fixed[0])
		if budget -= n; budget < 0 {
			return rows, true
		}
		b.kept += n
		rows, b.fixed = append(rows, b.fixed[0]), b.fixed[1:]
	}
	b.fixed = nil
	if b.text != nil {
		return b.text.final(s, rows, budget, b.done)
	}
	if b.comp == nil {
		return rows, false
	}
	to := min(b.view.Stable, len(b.view.Lines))
	if b.complete() {
		to = len(b.view.Lines)
	}
	whole := 0 // rows are not parted before this one: a picture is drawn over them
	for b.gone < to {
		n, bytes := b.line(to)
		if n == 0 {
			break
		}
		if budget -= bytes; budget < 0 && b.gone >= whole {
			return rows, true
		}
		for range n {
			l := b.view.Lines[b.gone]
			if l.Picture != nil {
				whole = b.gone + l.Picture.Rows
			}
			rows = append(rows, l)
			b.gone++
			b.end = l.End
		}
		b.kept += bytes
	}
	return rows, false
}

// longestLine is how many rows of a line stay live for the rest of it. One of more rows is broken
// there.
const longestLine = 256

// line returns how many rows, and about how many bytes, the next line has that can go into history;
// 0 if a part of it may still change. A line becomes final as a whole: at another width the
// terminal would join its final part with the rest.
func (b *Block) line(to int) (n, bytes int) {
	for i := b.gone; i < to; i++ {
		l := b.view.Lines[i]
		n, bytes = n+1, bytes+size(l)
		if !l.Wrapped || n == longestLine || b.complete() && i == to-1 {
			return n, bytes
		}
	}
	return 0, 0
}

// live appends the rows of b that are not in history to dst.
func (b *Block) live(s Space, dst []Line) []Line {
	dst = append(dst, b.fixed...)
	if b.text != nil {
		return b.text.live(s, dst)
	}
	if b.gone < len(b.view.Lines) {
		dst = append(dst, b.view.Lines[b.gone:]...)
	}
	return dst
}

// complete reports whether all rows of b are final.
func (b *Block) complete() bool { return b.done && (b.last || !b.view.Hold) }

// over reports whether b is in history as a whole.
func (b *Block) over() bool {
	if len(b.fixed) > 0 {
		return false
	}
	if b.text != nil {
		return len(b.text.buf) == 0
	}
	return b.gone >= len(b.view.Lines)
}

// size returns about the number of bytes that a row takes on the wire.
func size(l Line) int {
	n := 2
	for _, s := range l.Spans {
		n += len(s.Text) + len(s.Link)
	}
	return n
}
