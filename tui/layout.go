package tui

// Layout breaks text into rows. The zero value of each field is useful.
type Layout struct {
	Width  int    // columns; less than 1 is 1
	Native bool   // rows are full and go on by the terminal's own wrap (code, paths, tool output); else they break at words (prose)
	First  []Span // stands before the first row, inside Width
	Rest   []Span // stands before each row after the first; not with Native, where the terminal puts nothing there
	Tab    int    // columns between tab stops, 0 for 8
}

// Append appends the rows of spans to dst and returns it. A newline in a span begins a new row, tabs become spaces, other controls visible
// tokens. End of each row is from plus the bytes of source up to there, its newline included. No row is longer than Width.
func (l Layout) Append(dst []Line, from int, spans ...Span) []Line { return dst }

// Wrap lays out prose at the width of s.
func (s Space) Wrap(spans ...Span) []Line {
	return Layout{Width: s.Width}.Append(nil, 0, spans...)
}

// Fill lays out code, paths and tool output at the width of s, in rows that the terminal wraps by itself.
func (s Space) Fill(spans ...Span) []Line {
	return Layout{Width: s.Width, Native: true}.Append(nil, 0, spans...)
}

// Cut is one row of spans, cut to width columns; what is cut is marked by more, in the style of the last span.
func Cut(width int, more string, spans ...Span) Line { return Line{Spans: spans} }

// Columns is the number of columns that text takes.
func Columns(text string) int { return len(text) }
