package tui

import (
	"strings"
	"unicode/utf8"
)

// Prose is flowing text that grows: a [WriterComponent] for [Transcript.Stream]. Its rows break
// between words. All rows but the last are stable, so that they become history while the text
// grows. The zero value is ready to use. Do not copy a Prose after the first Write.
type Prose struct {
	Style                   Style
	FirstPrefix, NextPrefix []Span // see [Layout]

	text      strings.Builder
	rows      []Line // the rows of the last View
	stable    int    // number of rows that further text cannot change; they show text[:laidBytes]
	laidBytes int
	// Number of bytes of text[laidBytes:] that are ASCII words and spaces and fit in one row. They
	// are not broken again.
	fittingBytes int
	seenBytes    int    // length of the text that rows shows
	spareSpans   []Span // storage of the last row, for reuse
	laidSpace    Space
}

// Write appends b to the text. It never fails.
func (p *Prose) Write(b []byte) (int, error) { return p.text.Write(b) }

// View lays out the text written since the last View, beginning with the last row that is not
// stable.
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

// noteStable determines which rows are stable now.
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
		p.fittingBytes += strings.LastIndexByte(word[:plainASCIIRun(word)], ' ') + 1
	}
}
