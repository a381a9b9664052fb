package tui

import (
	"bytes"
	"slices"
)

// plain is unstyled text on its way into history: lines are final at their newline, the rest is
// live. What is handed out is forgotten.
type plain struct {
	buf   []byte // source that is not in history
	spare []byte // the start of the array that buf is in, to be used again once all of it is in history
	rows  []Line // of buf[:laid], whole lines
	laid  int
	tail  []Line // of buf[laid:], the unfinished line; nil: not laid out
	base  int    // bytes that came before buf
	keep  bool   // what is handed out stays in past, for a replay
	past  []byte
	at    Space // for which rows and tail were laid out
}

func (p *plain) write(b []byte) {
	if len(p.buf) == 0 {
		p.buf = p.spare[:0]
	}
	p.buf = append(p.buf, b...)
	if cap(p.buf) <= 1<<16 && len(p.buf) == len(b) {
		p.spare = p.buf
	}
	p.tail = nil
}

func (p *plain) layout(sp Space, dst []Line, from, to int) []Line {
	l := Layout{Width: sp.Width, Model: sp.Model, Native: true}
	return l.Append(dst, p.base+from, Span{Text: string(p.buf[from:to])})
}

// fit forgets rows that were laid out for another width.
func (p *plain) fit(sp Space) {
	if p.at.Width != sp.Width || p.at.Model != sp.Model {
		p.rows, p.tail, p.laid, p.at = nil, nil, 0, sp
	}
}

// final appends rows that can become final to dst, of about budget bytes; with all also the
// unfinished line. What it has handed out is gone. more: there is more than the budget allowed.
func (p *plain) final(sp Space, dst []Line, budget int, all bool) (rows []Line, more bool) {
	p.fit(sp)
	if len(p.rows) > 0 { // they were live until now
		dst = append(dst, p.rows...)
		budget -= p.laid
		p.drop(p.laid)
	}
	end := bytes.LastIndexByte(p.buf, '\n') + 1
	if all {
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
		dst = p.layout(sp, dst, 0, n)
		p.drop(n)
	}
	if n == end && len(p.buf) > longLine {
		dst = p.head(sp, dst)
	}
	return dst, n < end
}

// longLine is the number of bytes from which on an unfinished line goes into history row by row: a
// live region of it would be laid out and compared in every frame.
const longLine = 8 << 10

// head appends all rows of the unfinished line but the last to dst: what follows does not change
// them.
func (p *plain) head(sp Space, dst []Line) []Line {
	rows := p.layout(sp, nil, 0, len(p.buf))
	if k := len(rows) - 1; k > 0 {
		dst = append(dst, rows[:k]...)
		p.drop(rows[k-1].End - p.base)
	}
	return dst
}

// drop forgets the first n bytes and all rows.
func (p *plain) drop(n int) {
	if p.keep {
		p.past = append(p.past, p.buf[:n]...)
	}
	p.buf = p.buf[n:]
	p.base += n
	p.rows, p.laid, p.tail = nil, 0, nil
	if len(p.buf) == 0 {
		p.buf = nil
	} else if cap(p.buf) > 4*len(p.buf) && cap(p.buf) > 1<<16 {
		p.buf = slices.Clone(p.buf)
	}
}

// live appends all rows to dst and keeps them.
func (p *plain) live(sp Space, dst []Line) []Line {
	p.fit(sp)
	if end := bytes.LastIndexByte(p.buf[p.laid:], '\n') + 1; end > 0 {
		p.rows = p.layout(sp, p.rows, p.laid, p.laid+end)
		p.laid += end
		p.tail = nil
	}
	if p.tail == nil && p.laid < len(p.buf) {
		p.tail = p.layout(sp, nil, p.laid, len(p.buf))
	}
	return append(append(dst, p.rows...), p.tail...)
}
