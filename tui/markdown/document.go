package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Document is Markdown that is streamed. The zero value is empty.
type Document struct {
	source []byte
	parse  parser.Parser

	// What View has made of source[:done], for one Space.
	key     key
	rows    []tui.Line
	done    int
	units   int   // bytes of text shown, a newline for each paragraph: what Line.End counts
	fence   fence // the open code block
	last    kind  // of the last piece
	blank   bool  // blank lines stand before the next piece
	started bool
}

// key is what rows depend on.
type key struct {
	space tui.Space
	made  bool
}

// Write appends Markdown. It never fails.
func (d *Document) Write(p []byte) (int, error) {
	d.source = append(d.source, p...)
	return len(p), nil
}

// View settles what can be and shows the rest as it is.
func (d *Document) View(s tui.Space) tui.View {
	k := key{tui.Space{Width: s.Width, From: s.From, Theme: s.Theme, Model: s.Model}, true}
	if k != d.key {
		*d = Document{source: d.source, parse: d.parse, key: k}
	}
	if d.parse == nil {
		d.parse = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	}
	for {
		n := d.piece(d.source[d.done:])
		if n == 0 {
			break
		}
		d.show(s, d.source[d.done:d.done+n])
		d.done += n
	}
	stable := len(d.rows)
	tail := d.source[d.done:]
	if len(bytes.TrimSpace(tail)) == 0 && d.fence.mark == "" || len(tail) == 0 {
		return tui.View{Lines: d.rows, Stable: stable}
	}
	now := *d // the rest is shown as if it ended here; rows behind stable are written over by the next View
	now.show(s, tail)
	d.rows = now.rows[:stable] // room for more is kept
	return tui.View{Lines: now.rows, Stable: stable}
}

// show lays a piece out.
func (d *Document) show(s tui.Space, src []byte) {
	if d.fence.mark == "" && len(bytes.TrimSpace(src)) == 0 {
		d.blank = true
		return
	}
	k, paras := d.paragraphs(s, src)
	if d.started && k < codeLine && (len(paras) > 0 || k == codeStart) && (d.blank || k != listItem || d.last != listItem) {
		paras = append([]para{{}}, paras...)
	}
	if d.last = k; len(paras) == 0 {
		return
	}
	for _, p := range paras {
		d.rows = p.layout(s, d.rows, d.units)
		d.units += p.size()
	}
	d.blank, d.started = false, true
}

// paragraphs is what a piece says.
func (d *Document) paragraphs(s tui.Space, src []byte) (kind, []para) {
	th := s.Look()
	if d.fence.mark != "" {
		if d.fence.closes(src) {
			d.fence = fence{}
			return codeEnd, nil
		}
		return codeLine, []para{{native: true, spans: []tui.Span{{Text: d.fence.line(src), Style: th.Code}}}}
	}
	if f, ok := opens(src); ok {
		d.fence = f
		if f.language == "" {
			return codeStart, nil
		}
		return codeStart, []para{{spans: []tui.Span{{Text: f.language, Style: th.Dim}}}}
	}
	k := other
	if isItem(src) {
		k = listItem
	}
	return k, d.blocks(th, src)
}

// para is text that is laid out by itself; without spans a blank row.
type para struct {
	first, rest []tui.Span
	spans       []tui.Span
	native      bool
	table       *table
}

// size is how many units of End a paragraph takes.
func (p para) size() int {
	if p.table != nil {
		return tableUnits
	}
	n := 1
	for _, s := range p.spans {
		n += len(s.Text)
	}
	return n
}

// layout appends the rows of p, which begins at base, without what lies before s.From.
func (p para) layout(s tui.Space, dst []tui.Line, base int) []tui.Line {
	if base+p.size() <= s.From {
		return dst
	}
	if p.table != nil { // begun anew, if it was cut: rows of another width cannot be matched
		return p.table.layout(s, dst, base)
	}
	l := tui.Layout{Width: s.Width, Native: p.native && len(p.first) == 0, First: p.first, Rest: p.rest, Model: s.Model}
	spans := append(p.spans[:len(p.spans):len(p.spans)], tui.Span{Text: "\n"})
	if s.From > base {
		l.First = p.rest
		spans = after(spans, s.From-base)
		base = s.From
	}
	return l.Append(dst, base, spans...)
}

// after is spans without their first n bytes.
func after(spans []tui.Span, n int) []tui.Span {
	for i, s := range spans {
		if n < len(s.Text) {
			rest := append([]tui.Span(nil), spans[i:]...)
			rest[0].Text = s.Text[n:]
			return rest
		}
		n -= len(s.Text)
	}
	return nil
}
