package tui

import (
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Layout breaks text into rows. The zero value of each field is useful.
type Layout struct {
	Width int // columns; less than 1 is 1
	// Rows are full and continue by the terminal's own wrap (code, paths, tool output). Else they
	// break at words (prose), and only a word longer than a row continues like that.
	Native      bool
	FirstPrefix []Span // before the first row, inside Width
	NextPrefix  []Span // Before each row after the first. Not used with Native, where the terminal wraps.
	// Joiners keeps the joiners that are part of the spelling of words in Persian, Indic and
	// similar scripts ([visible.Options]). Otherwise they are shown as tokens: code and paths have
	// none. Where the terminal measures each rune by itself, a ZWJ at the end of a cluster is left
	// out.
	Joiners bool
	Tab     int // columns between tab stops, 0 for 8
	Model   width.Model
}

// laterPrefix returns the prefix of a row that is not the first.
func (l Layout) laterPrefix() []Span {
	if l.Native {
		return nil
	}
	return l.NextPrefix
}

// Append appends the rows of spans to dst and returns it. A newline ends its row, so that a text
// has as many rows with one at its end as without; no text is no row. Tabs become spaces, other
// controls visible tokens. End of each row is from plus the bytes of source up to there, with its
// newline. No row is wider than Width. A doubtful cluster ([width.Model.Doubtful]) stands only
// where its largest width fits ([width.Model.Widest]). A native row leaves one column free for
// each.
func (l Layout) Append(dst []Line, from int, spans ...Span) []Line {
	return l.layOut(dst, nil, from, 0, spans...)
}

// layOut appends rows as Append does, with storage for the spans of the first rows. The first
// fitting bytes, which end with a space, are known to fit into the first row.
func (l Layout) layOut(dst []Line, arena []Span, from, fitting int, spans ...Span) []Line {
	var storage [4]Span
	b := breaker{layout: l, dst: dst, arena: arena, end: from, spans: storage[:0],
		inLongWord: !l.Native && len(dst) > 0 && dst[len(dst)-1].Wrapped}
	b.layout.Width, b.layout.Tab = max(l.Width, 1), l.Tab
	if b.layout.Tab <= 0 {
		b.layout.Tab = 8
	}
	b.firstCols = b.layout.Width - b.columns(l.FirstPrefix)
	b.nextCols = b.layout.Width
	b.nextCols -= b.columns(l.laterPrefix())
	b.firstCols, b.nextCols = max(b.firstCols, 1), max(b.nextCols, 1)
	b.beginRow()
	for _, s := range spans {
		b.addSpan(s, fitting)
		fitting = 0
	}
	if b.hasSource {
		b.endRow(false)
	}
	return b.dst
}

// Wrap lays out prose at the width of s.
func (s Space) Wrap(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model}.Append(nil, 0, spans...)
}

// Fill lays out code, paths and tool output at the width of s, in rows that the terminal itself
// wraps.
func (s Space) Fill(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model, Native: true}.Append(nil, 0, spans...)
}

// Columns returns the number of columns that text takes, without controls.
func (s Space) Columns(text string) int { return s.Model.String(text) }
