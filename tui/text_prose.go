package tui

import (
	"strings"
	"unicode/utf8"
)

// Prose is flowing text that is streamed: a [WriterComponent] for [Transcript.Stream]. It breaks at
// words; all rows but the last are stable, so that they go into history while it grows. The zero
// value is useful; one that was written to is not copied.
type Prose struct {
	Style       Style
	First, Rest []Span // see [Layout]

	text   strings.Builder
	rows   []Line // of the View
	stable int    // rows that no more text can change, of text[:laid]
	laid   int
	sure   int    // bytes of text[laid:], words and spaces in ASCII, that stand in one row: they are not broken again
	seen   int    // bytes of text in rows
	spare  []Span // those of the row that is not stable
	at     Space
}

// Write appends text. It never fails.
func (p *Prose) Write(b []byte) (int, error) { return p.text.Write(b) }

// View lays out what was written since the View before, and the row that this goes on.
func (p *Prose) View(s Space) View {
	if p.at.Width != s.Width || p.at.From != s.From || p.at.Model != s.Model || p.at.Native != s.Native {
		p.rows, p.stable, p.laid, p.sure, p.seen, p.spare = nil, 0, s.From, 0, -1, nil
	}
	p.at = s
	text := p.text.String()
	if p.seen != len(text) {
		l := Layout{Width: s.Width, Native: s.Native, First: p.First, Rest: p.Rest, Model: s.Model,
			Joiners: true}
		if p.laid > 0 {
			l.First = l.rest()
		}
		p.rows = l.layOut(p.rows[:p.stable], p.spare, p.laid, p.sure, Span{Text: text[p.laid:], Style: p.Style})
		p.settle(text)
	}
	return View{Lines: p.rows, Stable: p.stable}
}

// settle notes which rows are stable now.
func (p *Prose) settle(text string) {
	p.seen = len(text)
	was, n := p.stable, len(p.rows)
	if p.stable = n; n > 0 && !strings.HasSuffix(text, "\n") {
		p.stable--
	}
	if r, _ := utf8.DecodeLastRuneInString(text); r >= 0x2190 && p.at.Columns(string(r)) < 2 {
		// Half a flag, a sign that becomes an emoji: prose may break before a wide cluster, so the
		// rows may change with it.
		p.stable = was
	}
	if p.stable > was {
		p.laid = p.rows[p.stable-1].End
		p.spare, p.sure = nil, 0 // stable rows have it
	}
	if p.stable < n {
		p.spare = p.rows[p.stable].Spans[:0]
	}
	if open := text[p.laid:]; p.stable == n-1 && open[0] != ' ' {
		word := open[p.sure:]
		p.sure += strings.LastIndexByte(word[:run(word)], ' ') + 1
	}
}
