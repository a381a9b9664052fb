package tui

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Block is a component in the transcript. When the width changes, its rows continue behind the last
// one in history, as far as Line.End tells the position. A component without End keeps the width at
// which its first row became history.
type Block struct {
	queue  *queue
	stream bool // the block belongs to a Stream
	closed bool // Done, Close or Abort was called; guarded by queue.mu

	// The fields below belong to the loop.
	comp         Component
	text         *plainText // plain text, for a block without a component
	replayLines  []Line     // the initial fixedRows, for writing the transcript again
	retain       bool       // text is stored, so that it can be written again
	historyBytes int        // number of bytes of the block in history
	fixedRows    []Line     // final rows that are not in history yet, before those of comp or text
	done         bool       // no further changes are allowed
	programEnds  bool       // the run is ending, so that View.Hold is ignored
	isTail       bool       // the block holds plain writes at the end of the transcript
	// View must be called again
	dirty         bool
	partialBytes  []byte    // written bytes that wait for the next write, see completeLen
	view          View      // the last view of comp
	committedRows int       // number of rows of view that are in history
	committedEnd  int       // Line.End of the last row in history
	viewWidth     int       // width of view; 0: there is none
	viewSpace     Space     // the Space of view
	keepsWidth    bool      // the block stays at viewWidth although the window has another width
	viewFrom      int       // Space.From of view
	wakeAt        time.Time // when View must be called again; zero: never
}

// Component returns the component of the block, or nil for plain text.
func (b *Block) Component() Component { return b.comp }

// Update calls f, which may be nil, on the loop and redraws the block. It does not block, and
// updates happen in the order of the calls. The data that f changes must not be used on other
// goroutines. Update returns false if Run has ended. It may be called on any goroutine.
func (b *Block) Update(f func()) bool { return b.queue.add(op{kind: opUpdate, block: b, fn: f}) }

// Done makes all lines final after all earlier Updates. A second call does nothing. It may be
// called on any goroutine.
func (b *Block) Done() { b.queue.closeBlock(b, op{kind: opDone, block: b}) }

// Abort ends the block after all earlier Updates: it drops the rows that are not in history, and
// shows reason in one row unless it is "". Rows in history stay. A second call does nothing. Abort
// may be called on any goroutine.
func (b *Block) Abort(reason string) {
	b.queue.closeBlock(b, op{kind: opAbort, block: b, text: reason})
}

// Rewind reduces the number of stable lines to stable. Rows that are already in history stay there;
// when they are written again, a mark "(written again)" precedes them. Call it only on the loop.
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

// Stream is a block to which the program writes. Write blocks like Transcript.Write and copies its
// argument. Close is the same as Done. Abort drops the rows that are not in history.
type Stream struct{ *Block }

// Write appends p to the block's component. It may be called on any goroutine; the text of one
// Write stays together.
func (s *Stream) Write(p []byte) (int, error) { return write(s.queue, s.Block, p) }

// WriteString writes like Write, without copying text to a byte slice first.
func (s *Stream) WriteString(text string) (int, error) { return write(s.queue, s.Block, text) }

// Close makes all lines final. A second call returns ErrClosed.
func (s *Stream) Close() error { return s.closeWith(op{kind: opDone, block: s.Block}) }

// Abort drops the rows that are not in history, and shows reason in one row unless it is "". It
// returns ErrClosed if the stream is closed.
func (s *Stream) Abort(reason string) error {
	return s.closeWith(op{kind: opAbort, block: s.Block, text: reason})
}

// closeWith queues o as the last operation of the block. It returns ErrClosed if the stream is
// closed.
func (s *Stream) closeWith(o op) error {
	if !s.queue.closeBlock(s.Block, o) {
		return ErrClosed
	}
	return nil
}

// writeBytes passes p to the component without splitting a UTF-8 sequence: an incomplete end waits
// for the next write, unless last is true.
func (b *Block) writeBytes(p []byte, last bool) {
	if len(b.partialBytes) > 0 {
		p = append(b.partialBytes, p...)
		b.partialBytes = nil
	}
	if n := completeLen(p); n < len(p) && !last {
		b.partialBytes = append(b.partialBytes, p[n:]...)
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

// markDone makes b final. It runs on the loop.
func (b *Block) markDone() {
	if len(b.partialBytes) > 0 {
		b.writeBytes(nil, true)
	}
	b.done, b.dirty = true, true
}

// abortWith drops the rows that are not in history, shows reason, and makes b final.
func (b *Block) abortWith(reason string, s Space) {
	if b.text == nil {
		b.replayLines = b.view.Lines[:min(b.committedRows, len(b.view.Lines))] // for a replay, at this width
		b.text = &plainText{}
	}
	b.text.drop(0)
	b.text.buf, b.comp, b.partialBytes, b.view.Hold = nil, nil, nil, false
	if reason != "" {
		th := s.Look()
		row := s.Cut(Span{Text: th.Glyphs.Problem + " ", Style: th.Error}, Span{Text: reason, Style: th.Error})
		b.fixedRows = append(b.fixedRows, row)
		b.replayLines = append(b.replayLines[:len(b.replayLines):len(b.replayLines)], row)
	}
	b.markDone()
}

// updateView calls View of the component if something has changed.
func (b *Block) updateView(s Space) {
	if b.comp == nil {
		return
	}
	width, from := s.Width, b.viewFrom
	// Other rows: those that are gone are not among them.
	relaid := b.viewWidth != 0 && (width != b.viewWidth || s.Model != b.viewSpace.Model)
	if relaid && b.committedRows > 0 {
		if b.committedEnd > 0 && !b.keepsWidth {
			from = b.committedEnd
		} else {
			b.keepsWidth, relaid, width, s.Model = true, false, b.viewWidth, b.viewSpace.Model
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

// minTrimRows is the minimum number of rows in history for a component to drop them, see View.Trim.
const minTrimRows = 256

// canTrim reports whether the component may now drop the rows that are in history.
func (b *Block) canTrim() bool {
	n := b.committedRows
	return b.view.Trim && !b.retain && !b.keepsWidth && n >= minTrimRows && n <= len(b.view.Lines) &&
		b.committedEnd > b.viewFrom &&
		!b.view.Lines[n-1].Wrapped
}

// takeFinal appends to dst the rows of b that become history now, up to about budget bytes, and
// drops them. more is true if the budget was too small for all of them.
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
// longer line is split there, and its first part becomes final.
const maxUnfinishedLineRows = 256

// nextLine returns the number of rows, and about the number of bytes, of the next line that can
// become history. It returns 0 if a part of the line may still change. A line becomes history as a
// whole: at another width the terminal would join its final part with its other rows.
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

// appendLive appends to dst the rows of b that are not in history.
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
func (b *Block) isComplete() bool { return b.done && (b.programEnds || !b.view.Hold) }

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

// wireSize returns the approximate number of bytes that are sent to the terminal for a row.
func wireSize(l Line) int {
	n := 2
	for _, s := range l.Spans {
		n += len(s.Text) + len(s.Link)
	}
	return n
}
