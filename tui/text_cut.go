package tui

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Cut returns spans as one row, cut at the width of s. The theme's glyph More marks the cut, in the
// style of the last span. Newlines and tabs become spaces, and other control characters visible
// tokens.
func (s Space) Cut(spans ...Span) Line { return s.cutWith(visible.Options{}, spans) }

// CutProse cuts spans like Cut, but keeps the joiners that are part of the spelling of words in
// Persian, Indic and similar scripts.
func (s Space) CutProse(spans ...Span) Line { return s.cutWith(visible.Options{Joiners: true}, spans) }

// cutWith cuts spans like Cut, with options for control characters.
func (s Space) cutWith(options visible.Options, spans []Span) Line {
	limit := max(s.Width, 1)
	out := make([]Span, 0, len(spans)+1)
	col := 0
	for i, sp := range spans {
		if sp.Text = strings.Map(toSpace, sp.Text); !isPlainASCII(sp.Text) {
			sp.Text, _ = options.String(sp.Text)
		}
		w := s.Model.String(sp.Text)
		if col+w > limit || col+w == limit && hasText(spans[i+1:]) {
			more := s.Look().Glyphs.More
			textCols := limit - s.Model.String(more)
			for col > textCols && len(out) > 0 { // the mark needs what earlier spans took
				last := &out[len(out)-1]
				n := s.Model.String(last.Text)
				last.Text = s.Model.Truncate(last.Text, max(n-(col-textCols), 0))
				col += s.Model.String(last.Text) - n
				if last.Text != "" {
					break
				}
				out = out[:len(out)-1]
			}
			sp.Text = s.Model.Truncate(s.Model.Truncate(sp.Text, max(textCols-col, 0))+more, limit)
			return Line{Spans: append(out, sp)}
		}
		if sp.Text != "" {
			out, col = append(out, sp), col+w
		}
	}
	return Line{Spans: out}
}

// hasText reports whether any of spans has text.
func hasText(spans []Span) bool {
	for _, s := range spans {
		if s.Text != "" {
			return true
		}
	}
	return false
}

// toSpace returns a space for a newline or a tab, and otherwise r.
func toSpace(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}

// withVisibleControls returns s with its control characters as visible tokens.
func withVisibleControls(s string) string {
	if isPlainASCII(s) {
		return s
	}
	s, _ = visible.Line(s)
	return s
}

// isPlainASCII reports whether s consists only of printable ASCII.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}
