package tui

import (
	"bytes"
	"slices"
)

// plainText is unstyled text on its way into history. Lines become final at their newline; the
// unfinished last one is live. Text whose rows are in history is dropped.
type plainText struct {
	buf          []byte // text that is not in history
	spareBuf     []byte // start of the array of buf, for reuse once all of it is in history
	rows         []Line // rows of buf[:laid], complete lines only
	laid         int
	lastLine     []Line // rows of buf[laid:], the unfinished line; nil: not laid out
	droppedBytes int    // number of bytes that came before buf
	retain       bool   // history is stored, so that it can be written again
	history      []byte // text that is in history
	laidSpace    Space  // the Space for which rows and lastLine were laid out
}

// write appends b to the text.
func (p *plainText) write(b []byte) {
	if len(p.buf) == 0 {
		p.buf = p.spareBuf[:0]
	}
	p.buf = append(p.buf, b...)
	if cap(p.buf) <= 1<<16 && len(p.buf) == len(b) {
		p.spareBuf = p.buf
	}
	p.lastLine = nil
}

// layOut appends the rows of buf[from:to] to dst.
func (p *plainText) layOut(sp Space, dst []Line, from, to int) []Line {
	l := Layout{Width: sp.Width, Model: sp.Model, Native: true}
	return l.Append(dst, p.droppedBytes+from, Span{Text: string(p.buf[from:to])})
}

// checkWidth drops the rows if they were laid out for another width.
func (p *plainText) checkWidth(sp Space) {
	if p.laidSpace.Width != sp.Width || p.laidSpace.Model != sp.Model {
		p.rows, p.lastLine, p.laid, p.laidSpace = nil, nil, 0, sp
	}
}

// takeFinal appends to dst the rows that can become final, up to about budget bytes, and drops
// their text. withLastLine includes the unfinished line. more is true if the budget was too small
// for all of them.
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
	if n == end && len(p.buf) > longLineBytes {
		dst = p.takeAllButLastRow(sp, dst)
	}
	return dst, n < end
}

// longLineBytes is the length from which on an unfinished line becomes history row by row.
// Otherwise every frame would have to lay out and compare it.
const longLineBytes = 8 << 10

// takeAllButLastRow appends to dst all rows of the unfinished line but the last, and drops their
// text. Further text cannot change them.
func (p *plainText) takeAllButLastRow(sp Space, dst []Line) []Line {
	rows := p.layOut(sp, nil, 0, len(p.buf))
	if k := len(rows) - 1; k > 0 {
		dst = append(dst, rows[:k]...)
		p.drop(rows[k-1].End - p.droppedBytes)
	}
	return dst
}

// drop removes the first n bytes of the text, and all laid-out rows.
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

// appendLive appends all rows to dst and keeps them for the next call.
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
