package shell

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// still is a block that never changes: it is laid out when it is first seen, and final at once.
type still func(tui.Space) []tui.Line

// View returns all rows. They carry no Ends: what is committed in part keeps its width.
func (f still) View(s tui.Space) tui.View {
	lines := f(s)
	for i := range lines {
		lines[i].End = 0
	}
	return tui.View{Lines: lines, Stable: len(lines)}
}

// echoed is the most bytes of a message that are shown: a paste of megabytes is sent, but its owner
// has it.
const echoed = 16 << 10

// said returns what the person sent. Its rows are wrapped by the terminal, so that it can be copied
// as it was typed.
func said(text string) still {
	more := 0
	if len(text) > echoed {
		more = len(text)
		text = strings.ToValidUTF8(text[:echoed], "")
		more -= len(text)
	}
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		lay := tui.Layout{Width: s.Width, Model: s.Model, Native: true,
			First: []tui.Span{{Text: t.Glyphs.Person + " ", Style: t.Accent}}}
		rows := lay.Append(nil, 0, tui.Span{Text: text, Style: t.Person})
		if more > 0 {
			rows = append(rows, s.Cut(tui.Span{Text: notShown(t, more)[1:], Style: t.Dim}))
		}
		for i := range rows {
			rows[i].Prompt = true
		}
		return rows
	}
}

// problem says what happened; then, each in rows of its own, what it means and what to do.
func problem(what string, more ...string) still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		lay := tui.Layout{Width: s.Width, Model: s.Model,
			First: []tui.Span{{Text: t.Glyphs.Problem + " ", Style: t.Error}}, Rest: []tui.Span{{Text: "  "}}}
		rows := lay.Append(nil, 0, tui.Span{Text: what, Style: t.Error})
		lay.First = lay.Rest
		for _, m := range more {
			if m != "" {
				rows = lay.Append(rows, 0, tui.Span{Text: m})
			}
		}
		return rows
	}
}

// words returns rows of prose; dim ones are context. A line that begins with a blank is laid out as
// it is; one with a gap in it, a name and what it means, goes on below the meaning.
func words(dim bool, lines ...string) still {
	return func(s tui.Space) []tui.Line {
		var (
			rows  []tui.Line
			style tui.Style
		)
		if dim {
			style = s.Look().Dim
		}
		for _, l := range lines {
			text := strings.TrimLeft(l, " ")
			indent := l[:len(l)-len(text)]
			if text == "" {
				rows = append(rows, tui.Line{})
				continue
			}
			lay := tui.Layout{Width: s.Width, Model: s.Model}
			if indent != "" && len(indent) < s.Width/2 {
				lay.First = []tui.Span{{Text: indent}}
				lay.Rest = lay.First
			}
			if at := gap(text); at > 0 && at <= s.Width/2 {
				lay.Rest = []tui.Span{{Text: indent + strings.Repeat(" ", at)}}
			}
			rows = lay.Append(rows, 0, tui.Span{Text: text, Style: style})
		}
		return rows
	}
}

// gap returns the column behind the first gap of two blanks in text, 0 if it has none.
func gap(text string) int {
	i := strings.Index(text, "  ")
	if i < 0 {
		return 0
	}
	return len(text) - len(strings.TrimLeft(text[i:], " "))
}
