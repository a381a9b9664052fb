package tui

import (
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Layout breaks text into rows. The zero value of each field is a useful default.
type Layout struct {
	Width int // number of columns; less than 1 counts as 1
	// Native fills each row completely and lets the terminal wrap the text. It is for code, paths
	// and tool output. Otherwise rows break between words, as for prose, and only a word longer
	// than a row is wrapped by the terminal.
	Native      bool
	FirstPrefix []Span // before the first row, within Width
	NextPrefix  []Span // before each row after the first; ignored with Native, where the terminal wraps
	// Joiners keeps the joiners that are part of the spelling of words in Persian, Indic and
	// similar scripts ([visible.Options]). Otherwise they are shown as tokens, as is right for code
	// and paths. If the terminal measures each rune separately, a ZWJ at the end of a cluster is
	// left out.
	Joiners bool
	Tab     int // number of columns between tab stops; 0: 8
	Model   width.Model
}

// laterPrefix returns the prefix of all rows but the first.
func (l Layout) laterPrefix() []Span {
	if l.Native {
		return nil
	}
	return l.NextPrefix
}

// Append appends the rows of spans to dst and returns it. A newline ends its row, so that a newline
// at the end of the text adds no row. An empty text has no rows. Tabs become spaces, and other
// control characters visible tokens. End of each row is from plus the number of bytes of the source
// up to its end, including the newline.
//
// No row is wider than Width. A cluster whose width is doubtful ([width.Model.Doubtful]) is put
// only where its largest width fits ([width.Model.Widest]). A native row leaves one column free for
// each of them.
func (l Layout) Append(dst []Line, from int, spans ...Span) []Line {
	return l.layOut(dst, nil, from, 0, spans...)
}

// layOut lays out spans like Append, with storage in arena for the spans of the first rows. The
// first fitting bytes, which end with a space, are known to fit in the first row.
func (l Layout) layOut(dst []Line, arena []Span, from, fitting int, spans ...Span) []Line {
	var storage [4]Span
	b := breaker{layout: l, dst: dst, arena: arena, sourceEnd: from, spans: storage[:0],
		inLongWord: !l.Native && len(dst) > 0 && dst[len(dst)-1].Wrapped}
	b.layout.Width, b.layout.Tab = max(l.Width, 1), l.Tab
	if b.layout.Tab <= 0 {
		b.layout.Tab = 8
	}
	b.firstCols = b.layout.Width - b.spanColumns(l.FirstPrefix)
	b.nextCols = b.layout.Width
	b.nextCols -= b.spanColumns(l.laterPrefix())
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

// Wrap lays out spans as prose at the width of s.
func (s Space) Wrap(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model}.Append(nil, 0, spans...)
}

// Fill lays out spans as code, paths or tool output at the width of s, in rows that the terminal
// itself wraps.
func (s Space) Fill(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model, Native: true}.Append(nil, 0, spans...)
}

// Columns returns the number of columns that text takes. The text must not contain control
// characters.
func (s Space) Columns(text string) int { return s.Model.String(text) }
