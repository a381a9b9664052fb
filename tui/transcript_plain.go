package tui

import (
	"bytes"
	"slices"
)

// plainText is unstyled text on its way into history. Lines are final at their newline, and the
// unfinished one is live. Text that was handed out is dropped.
type plainText struct {
	buf          []byte // source that is not in history
	spare        []byte // The start of the array of buf, for reuse once all of it is in history.
	rows         []Line // of buf[:laid], whole lines
	laid         int
	lastLine     []Line // of buf[laid:], the unfinished line; nil: not laid out
	droppedBytes int    // bytes that came before buf
	retain       bool   // text that is handed out stays in history, for a replay
	history      []byte // text that was handed out
	laidSpace    Space  // the space of rows and lastLine
}

// write appends b.
func (p *plainText) write(b []byte) {
	if len(p.buf) == 0 {
		p.buf = p.spare[:0]
	}
	p.buf = append(p.buf, b...)
	if cap(p.buf) <= 1<<16 && len(p.buf) == len(b) {
		p.spare = p.buf
	}
	p.lastLine = nil
}

// layOut appends the rows of buf[from:to] to dst.
func (p *plainText) layOut(sp Space, dst []Line, from, to int) []Line {
	l := Layout{Width: sp.Width, Model: sp.Model, Native: true}
	return l.Append(dst, p.droppedBytes+from, Span{Text: string(p.buf[from:to])})
}

// checkWidth drops rows that were laid out for another width.
func (p *plainText) checkWidth(sp Space) {
	if p.laidSpace.Width != sp.Width || p.laidSpace.Model != sp.Model {
		p.rows, p.lastLine, p.laid, p.laidSpace = nil, nil, 0, sp
	}
}

// takeFinal appends rows that can become final to dst, of about budget bytes, and drops their text.
// withLastLine includes the unfinished line. more: there is more than the budget allowed.
func (p *plainText) takeFinal(sp Space, dst []Line, budget int, withLastLine bool) (rows []Line, more bool) {
	p.checkWidth(sp)
	if len(p.rows) > 0 { // they were live until now
		dst = append(dst, p.rows...)
		budget -= p.laid
		p.drop(p.laid)
	}
	end := bytes.LastIndexByte(p.buf, '\n') + 1
	if withLastLine {
		end = len(p.buf)
	}
	n := end
	if n > budget { // whole lines only, at least one
		n = bytes.LastIndexByte(p.buf[:max(budget, 0)], '\n') + 1
		if n == 0 {
			if budget <= 0 {
				return dst, true
			}
			if i := bytes.IndexByte(p.buf[:end], '\n'); i >= 0 {
				n = i + 1
			} else {
				n = end
			}
		}
	}
	if n > 0 {
		dst = p.layOut(sp, dst, 0, n)
		p.drop(n)
	}
	if n == end && len(p.buf) > longLine {
		dst = p.takeHead(sp, dst)
	}
	return dst, n < end
}

// longLine is the number of bytes from which on an unfinished line goes into history row by row:
// its live region would be laid out and compared in every frame.
const longLine = 8 << 10

// takeHead appends all rows of the unfinished line but the last to dst: more text does not change
// them.
func (p *plainText) takeHead(sp Space, dst []Line) []Line {
	rows := p.layOut(sp, nil, 0, len(p.buf))
	if k := len(rows) - 1; k > 0 {
		dst = append(dst, rows[:k]...)
		p.drop(rows[k-1].End - p.droppedBytes)
	}
	return dst
}

// drop removes the first n bytes and all rows.
func (p *plainText) drop(n int) {
	if p.retain {
		p.history = append(p.history, p.buf[:n]...)
	}
	p.buf = p.buf[n:]
	p.droppedBytes += n
	p.rows, p.laid, p.lastLine = nil, 0, nil
	if len(p.buf) == 0 {
		p.buf = nil
	} else if cap(p.buf) > 4*len(p.buf) && cap(p.buf) > 1<<16 {
		p.buf = slices.Clone(p.buf)
	}
}

// appendLive appends all rows to dst and keeps them.
func (p *plainText) appendLive(sp Space, dst []Line) []Line {
	p.checkWidth(sp)
	if end := bytes.LastIndexByte(p.buf[p.laid:], '\n') + 1; end > 0 {
		p.rows = p.layOut(sp, p.rows, p.laid, p.laid+end)
		p.laid += end
		p.lastLine = nil
	}
	if p.lastLine == nil && p.laid < len(p.buf) {
		p.lastLine = p.layOut(sp, nil, p.laid, len(p.buf))
	}
	return append(append(dst, p.rows...), p.lastLine...)
}
