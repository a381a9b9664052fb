package tui

import (
	"strings"
	"unicode/utf8"
)

// Prose is flowing text that is streamed: a [WriterComponent] for [Transcript.Stream]. It breaks at
// words. All rows but the last are stable, so that they go into history while it grows. The zero
// value is useful. A Prose that was written to is not copied.
type Prose struct {
	Style Style
	// See [Layout].
	FirstPrefix, NextPrefix []Span

	text      strings.Builder
	rows      []Line // of the View
	stable    int    // rows that no more text can change, of text[:laidBytes]
	laidBytes int
	// Bytes of text[laidBytes:], words and spaces in ASCII, that fit into one row: they are not
	// broken again.
	fittingBytes int
	seenBytes    int    // bytes of text in rows
	spareSpans   []Span // storage of the row that is not stable
	laidSpace    Space
}

// Write appends text. It never fails.
func (p *Prose) Write(b []byte) (int, error) { return p.text.Write(b) }

// View lays out the text that was written since the last View, from the last row that is not stable
// on.
func (p *Prose) View(s Space) View {
	if p.laidSpace.Width != s.Width || p.laidSpace.From != s.From || p.laidSpace.Model != s.Model ||
		p.laidSpace.Native != s.Native {
		p.rows, p.stable, p.laidBytes, p.fittingBytes, p.seenBytes, p.spareSpans = nil, 0, s.From, 0, -1, nil
	}
	p.laidSpace = s
	text := p.text.String()
	if p.seenBytes != len(text) {
		l := Layout{Width: s.Width, Native: s.Native, FirstPrefix: p.FirstPrefix, NextPrefix: p.NextPrefix,
			Model: s.Model, Joiners: true}
		if p.laidBytes > 0 {
			l.FirstPrefix = l.laterPrefix()
		}
		p.rows = l.layOut(p.rows[:p.stable], p.spareSpans, p.laidBytes, p.fittingBytes,
			Span{Text: text[p.laidBytes:], Style: p.Style})
		p.noteStable(text)
	}
	return View{Lines: p.rows, Stable: p.stable}
}

// noteStable finds the rows that are stable now.
func (p *Prose) noteStable(text string) {
	p.seenBytes = len(text)
	oldStable, n := p.stable, len(p.rows)
	if p.stable = n; n > 0 && !strings.HasSuffix(text, "\n") {
		p.stable--
	}
	if r, _ := utf8.DecodeLastRuneInString(text); r >= 0x2190 && p.laidSpace.Columns(string(r)) < 2 {
		// Half a flag, a sign that becomes an emoji: prose may break before a wide cluster, so the
		// rows may change with it.
		p.stable = oldStable
	}
	if p.stable > oldStable {
		p.laidBytes = p.rows[p.stable-1].End
		p.spareSpans, p.fittingBytes = nil, 0 // stable rows have it
	}
	if p.stable < n {
		p.spareSpans = p.rows[p.stable].Spans[:0]
	}
	if unstable := text[p.laidBytes:]; p.stable == n-1 && unstable[0] != ' ' {
		word := unstable[p.fittingBytes:]
		p.fittingBytes += strings.LastIndexByte(word[:plainRun(word)], ' ') + 1
	}
}
