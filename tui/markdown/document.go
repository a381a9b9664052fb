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
// checkpoint before the rows that are in history.
type Document struct {
	Gap    bool // a blank row stands before the first one
	Dim    bool // all of it is context: in the theme's Dim
	Breaks bool // the lines of a paragraph stay lines, as their writer broke them; else they are joined

	source      []byte
	parse       parser.Parser
	laidOutFor  tui.Space // the Space that rows were laid out for, if laidOut
	laidOut     bool
	rows        []tui.Line   // of source[:done], without those in history
	checkpoints []parseState // from which a layout at another width can begin
	early       early
	parseState
}

// early is what is known of the open piece in the present layout.
type early struct {
	done   int // where it begins
	length int // of its beginning that looks the same whatever follows
	rows   int // that are sure, those before the piece included
}

// parseState is what parsing source[:done] has told. It does not depend on the width.
type parseState struct {
	done    int
	units   int       // bytes of text shown, a newline for each paragraph: what Line.End counts
	fence   fence     // the open code block
	last    pieceKind // of the last piece
	blank   bool      // blank lines stand before the next piece
	started bool
	inside  bool // the next piece goes on in the line in which the last one ended
	cut     bool // what is shown now goes on: its last character may change, too
}

// minCheckpointGap is the minimum number of bytes of the source between two checkpoints.
const minCheckpointGap = 4 << 10

// Write appends Markdown. It never fails.
func (d *Document) Write(p []byte) (int, error) {
	d.source = append(d.source, p...)
	return len(p), nil
}

// Source returns what was written.
func (d *Document) Source() string { return string(d.source) }

// View returns the rows of the whole source. Pieces that no later text can change become stable.
// The open piece at the end is shown as if the source ended there.
func (d *Document) View(s tui.Space) tui.View {
	if d.parse == nil {
		d.parse = newParser()
	}
	d.layOutFrom(s)
	for {
		n := d.pieceLength(d.source[d.done:])
		if n == 0 {
			break
		}
		d.appendPiece(s, d.source[d.done:d.done+n])
		d.done += n
		d.addCheckpoint()
	}
	stable := len(d.rows)
	tail := d.source[d.done:]
	if len(bytes.TrimSpace(tail)) == 0 && d.fence.mark == "" || len(tail) == 0 {
		return tui.View{Lines: d.rows, Stable: stable, Trim: true}
	}
	now := *d // rows behind stable are written over by the next View
	now.appendPiece(s, tail)
	d.rows = now.rows[:stable] // room for more is kept
	return tui.View{Lines: now.rows, Stable: min(d.sureRows(s, tail, len(now.rows)), len(now.rows)), Trim: true}
}

// sureRows returns how many of the shown rows no later text can change, tail being the open piece.
// A row more is only looked for where there is one: most words stand in the last row, which may
// take more, and then the piece is parsed once.
func (d *Document) sureRows(s tui.Space, tail []byte, shown int) int {
	stable := len(d.rows)
	if d.early.done != d.done || d.early.rows < stable {
		d.early = early{done: d.done, rows: stable}
	}
	if shown-1 <= d.early.rows {
		return d.early.rows
	}
	n := d.sureLength(tail)
	if n <= d.early.length {
		return d.early.rows
	}
	d.early.length = n
	now := *d
	now.cut, now.rows = true, nil // those that are shown stand behind d.rows
	now.appendPiece(s, tail[:n])
	d.early.rows = max(d.early.rows, stable+len(now.rows)-1) // the last of these rows may take more
	return d.early.rows
}

// layOutFrom prepares rows for s: they begin behind s.From. If only s.From has moved on, it drops
// the rows before it. Otherwise it goes back to the last checkpoint before s.From.
func (d *Document) layOutFrom(s tui.Space) {
	k := tui.Space{Width: s.Width, From: s.From, Theme: s.Theme, Model: s.Model, Native: s.Native}
	n := d.trimmableRows(k)
	switch {
	case d.laidOut && k == d.laidOutFor:
		return
	case n > 0:
		d.rows = slices.Delete(d.rows, 0, n)
	default:
		d.rows, d.parseState = nil, parseState{}
		for _, m := range d.checkpoints {
			if m.units <= k.From {
				d.parseState = m
			}
		}
		if d.done == 0 && d.Gap {
			if d.units = 1; s.From < 1 {
				d.rows = append(d.rows, tui.Line{End: 1})
			}
		}
	}
	d.laidOutFor, d.laidOut, d.early = k, true, early{}
}

// trimmableRows returns the number of rows up to k.From. It is 0 if no row ends there, or if
// something else in k has changed.
func (d *Document) trimmableRows(k tui.Space) int {
	same := d.laidOutFor
	same.From = k.From
	i, found := slices.BinarySearchFunc(d.rows, k.From, func(l tui.Line, from int) int {
		return cmp.Compare(l.End, from)
	})
	if !d.laidOut || k != same || !found {
		return 0
	}
	return i + 1
}

// addCheckpoint notes the present state as a checkpoint if the last one is far enough before it.
func (d *Document) addCheckpoint() {
	last := 0
	if n := len(d.checkpoints); n > 0 {
		last = d.checkpoints[n-1].done
	}
	if d.done-last >= minCheckpointGap {
		d.checkpoints = append(d.checkpoints, d.parseState)
	}
}

// appendPiece appends the rows of a piece, and a blank row before them where one belongs.
func (d *Document) appendPiece(s tui.Space, src []byte) {
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
		last.spans = withoutLastCluster(last.spans)
	}
	for _, p := range paras {
		if d.Dim {
			p = p.dimmed(s.Look().Dim)
		}
		d.rows = p.appendRows(s, d.rows, d.units)
		d.units += p.units()
	}
	d.blank, d.started = false, true
}

// paragraphs returns the kind and the paragraphs of a piece, and follows the open code block.
func (d *Document) paragraphs(s tui.Space, src []byte) (pieceKind, []para) {
	th := s.Look()
	if d.inside { // no mark of Markdown begins here
		style := tui.Style{}
		if d.fence.mark != "" {
			style = d.fence.plainStyle(th)
		}
		return lineContinuation,
			[]para{{native: true, spans: []tui.Span{{Text: strings.TrimRight(string(src), "\r\n"), Style: style}}}}
	}
	if d.fence.mark != "" {
		if d.fence.isClosedBy(src) {
			d.fence = fence{}
			return codeEnd, nil
		}
		return codeLine, []para{{native: true, spans: d.fence.nextLineSpans(th, d.fence.lineText(src))}}
	}
	if f, ok := parseFence(src); ok {
		d.fence = f.withLanguage()
		return codeStart, nil // its language has no row, which would read as code
	}
	k := other
	if isItem(src) || d.last == listItem && mayBecomeItem(src) {
		k = listItem
	}
	if isFootnote(src) || d.last == footnote && mayBecomeFootnote(src) {
		k = footnote
	}
	if p, ok := d.plainPara(k, src); ok {
		return k, []para{p}
	}
	return k, d.parseBlocks(th, src)
}

// para is a paragraph, or a line that stays one, which is laid out by itself. Without spans it is a
// blank row.
type para struct {
	first, others []tui.Span // prefixes of the first row and of all others
	spans         []tui.Span
	native        bool
	table         *table
}

// dimmed returns p in one style. What is bold or underlined stays so. A style without a colour may
// not be seen: then each row has a mark.
func (p para) dimmed(style tui.Style) para {
	for i := range p.spans {
		p.spans[i].Style = style.With(p.spans[i].Style.Attr)
	}
	if style.Fg == 0 && p.table == nil {
		mark := []tui.Span{{Text: "| ", Style: style}}
		if len(p.spans) == 0 {
			mark = blankPara(append(mark, p.first...)).first
			return para{first: mark, others: mark}
		}
		p.first, p.others = append(mark[:1:1], p.first...), append(mark[:1:1], p.others...)
	}
	return p
}

// units returns by how much p advances tui.Line.End.
func (p para) units() int {
	if p.table != nil {
		return p.table.units()
	}
	n := 1
	for _, s := range p.spans {
		n += len(s.Text)
	}
	return n
}

// appendRows appends the rows of p to dst, without what lies before s.From. base is the End of the
// row before p.
func (p para) appendRows(s tui.Space, dst []tui.Line, base int) []tui.Line {
	if base+p.units() <= s.From {
		return dst
	}
	if p.table != nil {
		return p.table.appendRows(s, dst, base)
	}
	l := tui.Layout{Width: s.Width, Native: p.native && len(p.first) == 0 || s.Native, FirstPrefix: p.first,
		NextPrefix: p.others,
		Model:      s.Model, Joiners: !p.native}
	indent := max(columnsOf(s, l.FirstPrefix), columnsOf(s, l.NextPrefix))
	if indent > s.Width/2 && len(l.FirstPrefix) > 0 { // no room is left behind it
		l.FirstPrefix, l.NextPrefix = p.first[len(p.first)-1:], nil
	}
	spans := append(p.spans[:len(p.spans):len(p.spans)], tui.Span{Text: "\n"})
	if s.From > base {
		if l.FirstPrefix = l.NextPrefix; l.Native {
			l.FirstPrefix = nil
		}
		spans = skipBytes(spans, s.From-base)
		base = s.From
	}
	return l.Append(dst, base, spans...)
}

// skipBytes returns spans without their first n bytes.
func skipBytes(spans []tui.Span, n int) []tui.Span {
	for i, s := range spans {
		if n < len(s.Text) {
			remaining := append([]tui.Span(nil), spans[i:]...)
			remaining[0].Text = s.Text[n:]
			return remaining
		}
		n -= len(s.Text)
	}
	return nil
}

// withoutLastCluster returns spans without the last grapheme cluster. A combining mark or a joiner
// that follows may still change it.
func withoutLastCluster(spans []tui.Span) []tui.Span {
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
