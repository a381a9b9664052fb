package tui

import (
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Layout breaks text into rows. The zero value of each field is useful.
type Layout struct {
	Width int // columns; less than 1 is 1
	// Rows are full and go on by the terminal's own wrap (code, paths, tool output); else they
	// break at words (prose), and only a word longer than a row goes on like that.
	Native bool
	First  []Span // stands before the first row, inside Width
	Rest   []Span // stands before each row after the first; not with Native, where the terminal puts nothing there
	// Joiners keeps the joiners that are part of the spelling of Persian and Indic words, and of
	// their kind ([visible.Options]). They are shown as tokens otherwise: code and paths have none.
	// Where the terminal measures each rune by itself, a ZWJ at the end of a cluster is left out.
	Joiners bool
	Tab     int // columns between tab stops, 0 for 8
	Model   width.Model
}

// rest returns what stands before a row that is not the first.
func (l Layout) rest() []Span {
	if l.Native {
		return nil
	}
	return l.Rest
}

// Append appends the rows of spans to dst and returns it. A newline ends its row, so that text
// without one at its end is as many rows as with one; no text is no row. Tabs become spaces, other
// controls visible tokens. End of each row is from plus the bytes of source up to there, its
// newline included. No row is wider than Width. A doubtful cluster ([width.Model.Doubtful]) stands
// where it has room even if it is as wide as it can be ([width.Model.Widest]); a native row keeps a
// spare column for each.
func (l Layout) Append(dst []Line, from int, spans ...Span) []Line {
	return l.layOut(dst, nil, from, 0, spans...)
}

// layOut is Append with room for the spans of the first rows. The first sure bytes, which end
// behind a space, are known to have room in the first row.
func (l Layout) layOut(dst []Line, arena []Span, from, sure int, spans ...Span) []Line {
	var room [4]Span
	b := breaker{l: l, dst: dst, arena: arena, end: from, spans: room[:0],
		long: !l.Native && len(dst) > 0 && dst[len(dst)-1].Wrapped}
	b.l.Width, b.l.Tab = max(l.Width, 1), l.Tab
	if b.l.Tab <= 0 {
		b.l.Tab = 8
	}
	b.first = b.l.Width - b.columns(l.First)
	b.rest = b.l.Width
	b.rest -= b.columns(l.rest())
	b.first, b.rest = max(b.first, 1), max(b.rest, 1)
	b.begin()
	for _, s := range spans {
		b.add(s, sure)
		sure = 0
	}
	if b.open {
		b.flush(false)
	}
	return b.dst
}

// Wrap lays out prose at the width of s.
func (s Space) Wrap(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model}.Append(nil, 0, spans...)
}

// Fill lays out code, paths and tool output at the width of s, in rows that the terminal wraps by
// itself.
func (s Space) Fill(spans ...Span) []Line {
	return Layout{Width: s.Width, Model: s.Model, Native: true}.Append(nil, 0, spans...)
}

// Columns returns the number of columns that text takes, without controls.
func (s Space) Columns(text string) int { return s.Model.String(text) }
