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

// Document is a tui.WriterComponent that shows Markdown while it is being written. The zero value
// is an empty document. Set the options before the first call of View.
//
// Each View parses only the text written since the last one, and the unfinished piece at the end,
// whose size is limited. A finished piece is parsed once. After a change of width the layout
// restarts at the last checkpoint before the rows that are already in the terminal's history.
type Document struct {
	Gap    bool // a blank row precedes the first row
	Dim    bool // all text has the theme's Dim style
	Breaks bool // a line break within a paragraph stays a line break; otherwise the lines are joined

	source     []byte
	parse      parser.Parser
	laidOutFor tui.Space // the Space for which rows were laid out; valid if laidOut
	laidOut    bool
	rows       []tui.Line // the rows of source[:done], without those already in history
	// the parser states from which a layout at another width can restart, in ascending order
	checkpoints []parseState
	finalPart   finalPart
	parseState
}

// finalPart describes how much of the unfinished piece at the end of the source can be shown as
// final in the current layout.
type finalPart struct {
	done   int // offset in the source at which the piece begins
	length int // number of bytes at the start of the piece whose look no later text can change
	rows   int // number of final rows, including those before the piece
}

// parseState is the state of the parser after source[:done]. It does not depend on the width.
type parseState struct {
	done int // number of bytes of the source that are parsed
	// units counts the bytes of text shown so far, and one newline for each paragraph. tui.Line.End
	// has the same unit.
	units      int
	fence      fence     // the fenced code block that is open; its mark is "" if none is
	lastKind   pieceKind // kind of the previous piece
	afterBlank bool      // blank lines precede the next piece
	started    bool      // at least one paragraph was shown
	withinLine bool      // the previous piece ended within a line, which the next piece continues
	// the text continues behind the end of the piece, so that even the last character may change
	continues bool
}

// minCheckpointGap is the minimum number of source bytes between two checkpoints.
const minCheckpointGap = 4 << 10

// Write appends p to the Markdown source. It never fails.
func (d *Document) Write(p []byte) (int, error) {
	d.source = append(d.source, p...)
	return len(p), nil
}

// Source returns all Markdown written so far.
func (d *Document) Source() string { return string(d.source) }

// View returns the rows of the document. The rows of pieces that no later text can change are
// stable. The unfinished piece at the end is shown as if the source ended there.
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
	return tui.View{Lines: now.rows, Stable: min(d.finalRows(s, tail, len(now.rows)), len(now.rows)), Trim: true}
}

// finalRows returns how many of the shown rows are final, that is, cannot be changed by later text.
// tail is the unfinished piece at the end of the source. To save work it parses the piece again
// only if there may be one more final row than at the last call: most words only extend the last
// row.
func (d *Document) finalRows(s tui.Space, tail []byte, shown int) int {
	stable := len(d.rows)
	if d.finalPart.done != d.done || d.finalPart.rows < stable {
		d.finalPart = finalPart{done: d.done, rows: stable}
	}
	if shown-1 <= d.finalPart.rows {
		return d.finalPart.rows
	}
	n := d.finalLength(tail)
	if n <= d.finalPart.length {
		return d.finalPart.rows
	}
	d.finalPart.length = n
	now := *d
	now.continues, now.rows = true, nil // those that are shown stand behind d.rows
	now.appendPiece(s, tail[:n])
	d.finalPart.rows = max(d.finalPart.rows, stable+len(now.rows)-1) // the last of these rows may take more
	return d.finalPart.rows
}

// layOutFrom prepares d.rows for the Space s, beginning with the row behind s.From. If only s.From
// has advanced it drops the rows up to it. Otherwise it resets the parser to the last checkpoint
// before s.From.
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
	d.laidOutFor, d.laidOut, d.finalPart = k, true, finalPart{}
}

// trimmableRows returns the number of leading rows that end at or before k.From and can be dropped.
// It returns 0 if no row ends exactly at k.From, or if anything else in k has changed since the
// last layout.
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

// addCheckpoint saves the current parser state as a checkpoint if the previous checkpoint is at
// least minCheckpointGap bytes back.
func (d *Document) addCheckpoint() {
	last := 0
	if n := len(d.checkpoints); n > 0 {
		last = d.checkpoints[n-1].done
	}
	if d.done-last >= minCheckpointGap {
		d.checkpoints = append(d.checkpoints, d.parseState)
	}
}

// appendPiece lays out one piece of the source and appends its rows to d.rows. It puts a blank row
// before them where Markdown separates blocks.
func (d *Document) appendPiece(s tui.Space, src []byte) {
	if d.fence.mark == "" && len(bytes.TrimSpace(src)) == 0 {
		d.afterBlank, d.withinLine = true, src[len(src)-1] != '\n'
		return
	}
	k, paras := d.paragraphs(s, src)
	d.withinLine = src[len(src)-1] != '\n'
	if d.started && k < codeLine && (len(paras) > 0 || k == codeStart) &&
		(d.afterBlank || k != d.lastKind || k != listItem && k != footnote) {
		paras = append([]para{{}}, paras...)
	}
	if d.lastKind = k; len(paras) == 0 {
		return
	}
	if last := &paras[len(paras)-1]; d.continues {
		last.spans = withoutLastCluster(last.spans)
	}
	for _, p := range paras {
		if d.Dim {
			p = p.dimmed(s.Look().Dim)
		}
		d.rows = p.appendRows(s, d.rows, d.units)
		d.units += p.units()
	}
	d.afterBlank, d.started = false, true
}

// paragraphs parses one piece of the source and returns its kind and its paragraphs. It updates
// d.fence if the piece opens, continues or closes a fenced code block.
func (d *Document) paragraphs(s tui.Space, src []byte) (pieceKind, []para) {
	th := s.Look()
	if d.withinLine { // no mark of Markdown begins here
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
	k := otherPiece
	if isItem(src) || d.lastKind == listItem && mayBecomeItem(src) {
		k = listItem
	}
	if isFootnote(src) || d.lastKind == footnote && mayBecomeFootnote(src) {
		k = footnote
	}
	if p, ok := d.plainPara(k, src); ok {
		return k, []para{p}
	}
	return k, d.parseBlocks(th, src)
}

// para is a paragraph, or a line that is laid out on its own, such as a line of code. A para
// without spans is a blank row.
type para struct {
	first, others []tui.Span // first is the prefix of the first row, others that of all other rows
	spans         []tui.Span
	native        bool   // the terminal itself may wrap the line
	table         *table // nil if p is not a table
}

// dimmed returns p with all text in one style; bold, underlined and similar text keeps its
// attributes. If the style has no colour the dimming might be invisible. Each row then begins with
// a bar.
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

// units returns the amount by which p advances tui.Line.End.
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

// appendRows lays out p for s and appends its rows to dst, without the text up to s.From. base is
// the tui.Line.End of the row before p.
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

// skipBytes returns spans without the first n bytes of their text.
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

// withoutLastCluster returns spans without the last grapheme cluster of their text. A combining
// mark or a joiner that follows may still change that cluster.
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
