package tui

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Block is a component's place in the transcript. At a new width it continues after its last
// committed row (by End). Without End it keeps the width at which its first row was committed.
type Block struct {
	queue  *queue
	stream bool // it is a Stream
	closed bool // Done, Close or Abort was called; under q.mu

	// The fields below belong to the loop.
	comp          Component
	text          *plainText // plain text, for a block without a component
	replayLines   []Line     // the first fixedRows, for a replay
	retain        bool       // rows are kept for a replay
	historyBytes  int        // bytes of it that are in history, for a replay
	fixedRows     []Line     // rows that are final and not in history, before those of comp or text
	done          bool
	ending        bool // the program ends: View.Hold does not count
	isTail        bool // it holds plain writes at the end of the transcript
	dirty         bool
	partial       []byte // written bytes that wait for the next ones: see completeLen
	view          View
	committedRows int       // rows of view that are in history
	committedEnd  int       // End of the last row in history
	viewWidth     int       // the width of view, 0: there is none
	viewSpace     Space     // the space of view
	frozen        bool      // it keeps viewWidth
	viewFrom      int       // Space.From of view
	wakeAt        time.Time // when View is due again; zero: never
}

// Component returns the component of the block, nil for plain text.
func (b *Block) Component() Component { return b.comp }

// Update runs f (or nil) on the loop and redraws this block. It never waits, and the order is kept.
// The values that f changes are neither read nor changed elsewhere. It returns false if Run has
// ended. Any goroutine.
func (b *Block) Update(f func()) bool { return b.queue.add(op{kind: opUpdate, block: b, fn: f}) }

// Done makes all lines final, after all earlier Updates. A second call does nothing. Any goroutine.
func (b *Block) Done() { b.queue.closeBlock(b, op{kind: opDone, block: b}) }

// Abort drops the rows that are not in history, after all earlier Updates, makes the block final
// and shows reason in one row; "" shows nothing. Rows in history stay. A second call does nothing.
// Any goroutine.
func (b *Block) Abort(reason string) {
	b.queue.closeBlock(b, op{kind: opAbort, block: b, text: reason})
}

// Rewind reduces Stable to stable lines. Rows that are in history stay there; those that are
// written again come after a mark. Loop only.
func (b *Block) Rewind(stable int) {
	b.dirty = true
	if b.comp == nil || stable >= b.committedRows {
		return
	}
	b.committedRows = max(stable, 0)
	b.committedEnd = b.viewFrom
	if b.committedRows > 0 && b.committedRows <= len(b.view.Lines) {
		b.committedEnd = b.view.Lines[b.committedRows-1].End
	}
	if len(b.fixedRows) == 0 { // two rewinds before a frame need one mark
		b.fixedRows = append(b.fixedRows, Line{Spans: []Span{{Text: "(written again)", Style: Style{Attr: Faint}}}})
	}
}

// Stream is a block to which the program writes. Write waits as Transcript.Write does and copies p.
// Close is Done. Abort drops the rows that are not committed.
type Stream struct{ *Block }

// Write appends p to the component. Any goroutine; one Write is never split by another.
func (s *Stream) Write(p []byte) (int, error) { return write(s.queue, s.Block, p) }

// WriteString writes a string as Write does, without another copy.
func (s *Stream) WriteString(text string) (int, error) { return write(s.queue, s.Block, text) }

// Close makes all lines final. It returns ErrClosed the second time.
func (s *Stream) Close() error { return s.closeWith(op{kind: opDone, block: s.Block}) }

// Abort drops the rows that are not in history and shows reason in one row; "" shows nothing.
func (s *Stream) Abort(reason string) error {
	return s.closeWith(op{kind: opAbort, block: s.Block, text: reason})
}

// closeWith queues o as the last operation.
func (s *Stream) closeWith(o op) error {
	if !s.queue.closeBlock(s.Block, o) {
		return ErrClosed
	}
	return nil
}

// writeBytes gives whole UTF-8 sequences to the component. last: nothing follows.
func (b *Block) writeBytes(p []byte, last bool) {
	if len(b.partial) > 0 {
		p = append(b.partial, p...)
		b.partial = nil
	}
	if n := completeLen(p); n < len(p) && !last {
		b.partial = append(b.partial, p[n:]...)
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
		b.queue.enterCallback()
		_, _ = c.Write(p) // it is on the loop and shows its errors itself
		b.queue.leaveCallback()
	}
}

// completeLen returns the length of p without an end that the next write may complete: the first
// bytes of a UTF-8 sequence, the CR of a line end, or a joiner (ZWJ). The last two would be shown
// as tokens.
func completeLen(p []byte) int {
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

// markDone makes b final on the loop.
func (b *Block) markDone() {
	if len(b.partial) > 0 {
		b.writeBytes(nil, true)
	}
	b.done, b.dirty = true, true
}

// abortWith drops the rows that are not in history.
func (b *Block) abortWith(reason string, s Space) {
	if b.text == nil {
		b.replayLines = b.view.Lines[:min(b.committedRows, len(b.view.Lines))] // for a replay, at this width
		b.text = &plainText{}
	}
	b.text.drop(0)
	b.text.buf, b.comp, b.partial, b.view.Hold = nil, nil, nil, false
	if reason != "" {
		th := s.Look()
		row := s.Cut(Span{Text: th.Glyphs.Problem + " ", Style: th.Error}, Span{Text: reason, Style: th.Error})
		b.fixedRows = append(b.fixedRows, row)
		b.replayLines = append(b.replayLines[:len(b.replayLines):len(b.replayLines)], row)
	}
	b.markDone()
}

// updateView calls View again if something has changed.
func (b *Block) updateView(s Space) {
	if b.comp == nil {
		return
	}
	width, from := s.Width, b.viewFrom
	// Other rows: those that are gone are not among them.
	relaid := b.viewWidth != 0 && (width != b.viewWidth || s.Model != b.viewSpace.Model)
	if relaid && b.committedRows > 0 {
		if b.committedEnd > 0 && !b.frozen {
			from = b.committedEnd
		} else {
			b.frozen, relaid, width, s.Model = true, false, b.viewWidth, b.viewSpace.Model
		}
	}
	due := !b.wakeAt.IsZero() && !s.Now.Before(b.wakeAt)
	if b.viewWidth == width && !b.dirty && !due && b.viewSpace.Model == s.Model && b.viewSpace.Theme == s.Theme {
		return
	}
	if relaid {
		if from != b.viewFrom || b.committedRows == 0 {
			b.committedRows = 0
		}
		b.viewFrom = from
	}
	if !relaid && b.canTrim() {
		from, b.viewFrom, b.committedRows = b.committedEnd, b.committedEnd, 0
	}
	b.viewSpace = s
	s.Width, s.Height, s.From, s.Focused = width, 0, from, false
	s.tickOnly = due && !b.dirty && b.viewWidth == width && !relaid
	b.viewWidth, b.dirty = width, false
	b.queue.enterCallback()
	b.view = b.comp.View(s)
	b.queue.leaveCallback()
	b.wakeAt = time.Time{}
	if b.view.RefreshAfter > 0 && !b.isComplete() {
		b.wakeAt = s.Now.Add(b.view.RefreshAfter)
	}
}

// trimRows is the number of rows in history from which on a component may drop them.
const trimRows = 256

// canTrim reports whether the component may drop the rows that are in history: the last of them
// ends a line.
func (b *Block) canTrim() bool {
	n := b.committedRows
	return b.view.Trim && !b.retain && !b.frozen && n >= trimRows && n <= len(b.view.Lines) &&
		b.committedEnd > b.viewFrom &&
		!b.view.Lines[n-1].Wrapped
}

// takeFinal appends to dst the rows of b that can go into history now, of about budget bytes, and
// drops them. more: the budget was too small.
func (b *Block) takeFinal(s Space, dst []Line, budget int) (rows []Line, more bool) {
	rows = dst
	for len(b.fixedRows) > 0 {
		n := wireSize(b.fixedRows[0])
		if budget -= n; budget < 0 {
			return rows, true
		}
		b.historyBytes += n
		rows, b.fixedRows = append(rows, b.fixedRows[0]), b.fixedRows[1:]
	}
	b.fixedRows = nil
	if b.text != nil {
		return b.text.takeFinal(s, rows, budget, b.done)
	}
	if b.comp == nil {
		return rows, false
	}
	to := min(b.view.Stable, len(b.view.Lines))
	if b.isComplete() {
		to = len(b.view.Lines)
	}
	pictureEnd := 0 // rows are not parted before this one: a picture is drawn over them
	for b.committedRows < to {
		n, bytes := b.nextLine(to)
		if n == 0 {
			break
		}
		if budget -= bytes; budget < 0 && b.committedRows >= pictureEnd {
			return rows, true
		}
		for range n {
			l := b.view.Lines[b.committedRows]
			if l.Picture != nil {
				pictureEnd = b.committedRows + l.Picture.Rows
			}
			rows = append(rows, l)
			b.committedRows++
			b.committedEnd = l.End
		}
		b.historyBytes += bytes
	}
	return rows, false
}

// maxUnfinishedLineRows is the maximum number of rows of an unfinished line that stay live. A
// longer line is broken there, and its first part becomes final.
const maxUnfinishedLineRows = 256

// nextLine returns how many rows, and about how many bytes, the next line has that can go into
// history; 0 if a part of it may still change. A line becomes final as a whole: at another width
// the terminal would join its final part with the other rows.
func (b *Block) nextLine(to int) (n, bytes int) {
	for i := b.committedRows; i < to; i++ {
		l := b.view.Lines[i]
		n, bytes = n+1, bytes+wireSize(l)
		if !l.Wrapped || n == maxUnfinishedLineRows || b.isComplete() && i == to-1 {
			return n, bytes
		}
	}
	return 0, 0
}

// appendLive appends the rows of b that are not in history to dst.
func (b *Block) appendLive(s Space, dst []Line) []Line {
	dst = append(dst, b.fixedRows...)
	if b.text != nil {
		return b.text.appendLive(s, dst)
	}
	if b.committedRows < len(b.view.Lines) {
		dst = append(dst, b.view.Lines[b.committedRows:]...)
	}
	return dst
}

// isComplete reports whether all rows of b are final.
func (b *Block) isComplete() bool { return b.done && (b.ending || !b.view.Hold) }

// isCommitted reports whether all rows of b are in history.
func (b *Block) isCommitted() bool {
	if len(b.fixedRows) > 0 {
		return false
	}
	if b.text != nil {
		return len(b.text.buf) == 0
	}
	return b.committedRows >= len(b.view.Lines)
}

// wireSize returns about the number of bytes that a row takes on the wire.
func wireSize(l Line) int {
	n := 2
	for _, s := range l.Spans {
		n += len(s.Text) + len(s.Link)
	}
	return n
}
