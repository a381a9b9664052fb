package tui

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Cut returns one row of spans, cut at the width of s: what is cut is marked by the theme's glyph,
// in the style of the last span. Newlines and tabs become spaces, other controls visible tokens.
func (s Space) Cut(spans ...Span) Line { return s.cut(visible.Options{}, spans) }

// CutProse is Cut for prose: the joiners that are part of the spelling of Persian and Indic words,
// and of their kind, stay.
func (s Space) CutProse(spans ...Span) Line { return s.cut(visible.Options{Joiners: true}, spans) }

func (s Space) cut(keep visible.Options, spans []Span) Line {
	limit := max(s.Width, 1)
	out := make([]Span, 0, len(spans)+1)
	col := 0
	for i, sp := range spans {
		if sp.Text = strings.Map(blank, sp.Text); !plainASCII(sp.Text) {
			sp.Text, _ = keep.String(sp.Text)
		}
		w := s.Model.String(sp.Text)
		if col+w > limit || col+w == limit && later(spans[i+1:]) {
			more := s.Look().Glyphs.More
			room := limit - s.Model.String(more)
			for col > room && len(out) > 0 { // the mark needs what earlier spans took
				last := &out[len(out)-1]
				n := s.Model.String(last.Text)
				last.Text = s.Model.Truncate(last.Text, max(n-(col-room), 0))
				col += s.Model.String(last.Text) - n
				if last.Text != "" {
					break
				}
				out = out[:len(out)-1]
			}
			sp.Text = s.Model.Truncate(s.Model.Truncate(sp.Text, max(room-col, 0))+more, limit)
			return Line{Spans: append(out, sp)}
		}
		if sp.Text != "" {
			out, col = append(out, sp), col+w
		}
	}
	return Line{Spans: out}
}

// later reports whether any of spans has text.
func later(spans []Span) bool {
	for _, s := range spans {
		if s.Text != "" {
			return true
		}
	}
	return false
}

func blank(r rune) rune {
	if r == '\n' || r == '\t' {
		return ' '
	}
	return r
}

// harmless returns s with its controls as visible tokens.
func harmless(s string) string {
	if plainASCII(s) {
		return s
	}
	s, _ = visible.Line(s)
	return s
}

// plainASCII reports whether s is printable ASCII throughout.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}
