package tui

import "bytes"

// Prose is flowing text that is streamed: a [WriterComponent] for [Transcript.Stream]. It breaks at words; all rows but the last are stable, so
// that they go into history while it grows. The zero value is useful.
type Prose struct {
	Style       Style
	First, Rest []Span // see [Layout]

	text []byte
	rows []Line // of text[from:laid], whole lines
	laid int
	at   Space
}

// Write appends text. It never fails.
func (p *Prose) Write(b []byte) (int, error) {
	p.text = append(p.text, b...)
	return len(b), nil
}

// View lays out the lines that are new and the unfinished one.
func (p *Prose) View(s Space) View {
	if p.at.Width != s.Width || p.at.From != s.From || p.at.Model != s.Model {
		p.rows, p.laid = nil, s.From
	}
	p.at = s
	if n := bytes.LastIndexByte(p.text[p.laid:], '\n') + 1; n > 0 {
		p.rows = p.layout(s, p.rows, p.laid+n)
		p.laid += n
	}
	if p.laid == len(p.text) {
		return View{Lines: p.rows, Stable: len(p.rows)}
	}
	rows := p.layout(s, p.rows, len(p.text)) // behind p.rows, in the room where the unfinished line of the View before this one was
	p.rows = rows[:len(p.rows)]
	return View{Lines: rows, Stable: len(rows) - 1}
}

func (p *Prose) layout(s Space, dst []Line, to int) []Line {
	l := Layout{Width: s.Width, First: p.First, Rest: p.Rest, Model: s.Model}
	if p.laid > 0 {
		l.First = p.Rest
	}
	return l.Append(dst, p.laid, Span{Text: string(p.text[p.laid:to]), Style: p.Style})
}
