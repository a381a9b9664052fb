package markdown

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/parser"

	"github.com/scrollkeep/scrollkeep/tui"
)

// Document is Markdown that is streamed. The zero value is empty. The options are not changed once
// View was called.
//
// What View does is bounded by what was written since the last one and by the open piece, which is
// bounded, too (see piece); what was settled is never parsed again. A new width begins at the last
// mark before the rows that are in history.
type Document struct {
	Gap    bool // a blank row stands before the first one
	Dim    bool // all of it is context: in the theme's Dim
	Breaks bool // the lines of a paragraph stay lines, as their writer broke them; else they are joined

	source []byte
	parse  parser.Parser
	key    tui.Space // what rows depend on, From being where they begin
	made   bool
	rows   []tui.Line // of source[:done], behind From
	marks  []place    // from which a layout can begin
	place
}

// place is what is known behind source[:done], whatever the width.
type place struct {
	done    int
	units   int   // bytes of text shown, a newline for each paragraph: what Line.End counts
	fence   fence // the open code block
	last    kind  // of the last piece
	blank   bool  // blank lines stand before the next piece
	started bool
	inside  bool // the next piece goes on in the line in which the last one ended
	cut     bool // what is shown now goes on: its last character may change, too
}

// markBytes is how much source at least lies between two marks.
const markBytes = 4 << 10

// Write appends Markdown. It never fails.
func (d *Document) Write(p []byte) (int, error) {
	d.source = append(d.source, p...)
	return len(p), nil
}

// Source returns what was written.
func (d *Document) Source() string { return string(d.source) }

// View settles what can be and shows the rest as if it ended there.
func (d *Document) View(s tui.Space) tui.View {
	if d.parse == nil {
		d.parse = newParser()
	}
	d.begin(s)
	for {
		n := d.piece(d.source[d.done:])
		if n == 0 {
			break
		}
		d.show(s, d.source[d.done:d.done+n])
		d.done += n
		d.mark()
	}
	stable := len(d.rows)
	tail := d.source[d.done:]
	if len(bytes.TrimSpace(tail)) == 0 && d.fence.mark == "" || len(tail) == 0 {
		return tui.View{Lines: d.rows, Stable: stable, Trim: true}
	}
	early := stable
	if n := d.sure(tail); n > 0 {
		now := *d
		now.cut = true
		now.show(s, tail[:n])
		early = max(stable, len(now.rows)-1) // the last of these rows may take more
	}
	now := *d // rows behind stable are written over by the next View
	now.show(s, tail)
	d.rows = now.rows[:stable] // room for more is kept
	return tui.View{Lines: now.rows, Stable: min(early, len(now.rows)), Trim: true}
}

// begin makes the rows begin behind s.From at that width: the same rows without the ones in
// history, or none yet, with the place from which they follow.
func (d *Document) begin(s tui.Space) {
	k := tui.Space{Width: s.Width, From: s.From, Theme: s.Theme, Model: s.Model, Native: s.Native}
	n := d.trimmed(k)
	switch {
	case d.made && k == d.key:
		return
	case n > 0:
		d.rows = slices.Delete(d.rows, 0, n)
	default:
		d.rows, d.place = nil, place{}
		for _, m := range d.marks {
			if m.units <= k.From {
				d.place = m
			}
		}
		if d.done == 0 && d.Gap {
			if d.units = 1; s.From < 1 {
				d.rows = append(d.rows, tui.Line{End: 1})
			}
		}
	}
	d.key, d.made = k, true
}

// trimmed returns how many rows lie before k.From if that is the end of one of them and nothing
// else has changed; else 0.
func (d *Document) trimmed(k tui.Space) int {
	same := d.key
	same.From = k.From
	i, found := slices.BinarySearchFunc(d.rows, k.From, func(l tui.Line, from int) int {
		return cmp.Compare(l.End, from)
	})
	if !d.made || k != same || !found {
		return 0
	}
	return i + 1
}

// mark remembers the place behind a piece if the last mark is far enough before it.
func (d *Document) mark() {
	last := 0
	if n := len(d.marks); n > 0 {
		last = d.marks[n-1].done
	}
	if d.done-last >= markBytes {
		d.marks = append(d.marks, d.place)
	}
}

// show lays a piece out.
func (d *Document) show(s tui.Space, src []byte) {
	if d.fence.mark == "" && len(bytes.TrimSpace(src)) == 0 {
		d.blank, d.inside = true, src[len(src)-1] != '\n'
		return
	}
	k, paras := d.paragraphs(s, src)
	d.inside = src[len(src)-1] != '\n'
	if d.started && k < codeLine && (len(paras) > 0 || k == codeStart) &&
		(d.blank || k != d.last || k != listItem && k != footnote) {
		paras = append([]para{{}}, paras...)
	}
	if d.last = k; len(paras) == 0 {
		return
	}
	if last := &paras[len(paras)-1]; d.cut {
		last.spans = butLast(last.spans)
	}
	for _, p := range paras {
		if d.Dim {
			p = p.dim(s.Look().Dim)
		}
		d.rows = p.layout(s, d.rows, d.units)
		d.units += p.size()
	}
	d.blank, d.started = false, true
}

// paragraphs returns what a piece says.
func (d *Document) paragraphs(s tui.Space, src []byte) (kind, []para) {
	th := s.Look()
	if d.inside { // no mark of Markdown begins here
		style := tui.Style{}
		if d.fence.mark != "" {
			style = d.fence.plain(th)
		}
		return lineRest,
			[]para{{native: true, spans: []tui.Span{{Text: strings.TrimRight(string(src), "\r\n"), Style: style}}}}
	}
	if d.fence.mark != "" {
		if d.fence.closes(src) {
			d.fence = fence{}
			return codeEnd, nil
		}
		return codeLine, []para{{native: true, spans: d.fence.spans(th, d.fence.line(src))}}
	}
	if f, ok := opens(src); ok {
		d.fence = f.named()
		return codeStart, nil // its language has no row, which would read as code
	}
	k := other
	if isItem(src) || d.last == listItem && mayBecomeItem(src) {
		k = listItem
	}
	if isFootnote(src) || d.last == footnote && mayBecomeFootnote(src) {
		k = footnote
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

// dim returns p in one style; what is bold or underlined stays so. A style without a colour may not
// show: then each row has a mark.
func (p para) dim(style tui.Style) para {
	for i := range p.spans {
		p.spans[i].Style = style.With(p.spans[i].Style.Attr)
	}
	if style.Fg == 0 && p.table == nil {
		mark := []tui.Span{{Text: "| ", Style: style}}
		if len(p.spans) == 0 {
			mark = blank(append(mark, p.first...)).first
			return para{first: mark, rest: mark}
		}
		p.first, p.rest = append(mark[:1:1], p.first...), append(mark[:1:1], p.rest...)
	}
	return p
}

// size returns how many units of End a paragraph takes.
func (p para) size() int {
	if p.table != nil {
		return p.table.size()
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
	if p.table != nil {
		return p.table.layout(s, dst, base)
	}
	l := tui.Layout{Width: s.Width, Native: p.native && len(p.first) == 0 || s.Native, FirstPrefix: p.first,
		NextPrefix: p.rest,
		Model:      s.Model, Joiners: !p.native}
	indent := max(columns(s, l.FirstPrefix), columns(s, l.NextPrefix))
	if indent > s.Width/2 && len(l.FirstPrefix) > 0 { // no room is left behind it
		l.FirstPrefix, l.NextPrefix = p.first[len(p.first)-1:], nil
	}
	spans := append(p.spans[:len(p.spans):len(p.spans)], tui.Span{Text: "\n"})
	if s.From > base {
		if l.FirstPrefix = l.NextPrefix; l.Native {
			l.FirstPrefix = nil
		}
		spans = after(spans, s.From-base)
		base = s.From
	}
	return l.Append(dst, base, spans...)
}

// after returns spans without their first n bytes.
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

// butLast returns spans without the last cluster, which a mark or a joiner may still change.
func butLast(spans []tui.Span) []tui.Span {
	spans = slices.Clone(spans)
	for len(spans) > 0 {
		last := &spans[len(spans)-1]
		for last.Text != "" {
			r, n := utf8.DecodeLastRuneInString(last.Text)
			last.Text = last.Text[:len(last.Text)-n]
			if !unicode.In(r, unicode.M, unicode.Cf) && !(r >= 0x1f1e6 && r <= 0x1f1ff) &&
				!(r >= 0x1f3fb && r <= 0x1f3ff) && !strings.HasSuffix(last.Text, "\u200d") {
				return spans
			}
		}
		spans = spans[:len(spans)-1]
	}
	return nil
}
