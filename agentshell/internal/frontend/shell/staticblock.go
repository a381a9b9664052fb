package shell

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// staticBlock is a transcript block that never changes. It is called once, when the block is first
// shown, and returns all rows.
type staticBlock func(tui.Space) []tui.Line

// View returns all rows. It clears Line.End in each, so that rows in the scrollback keep their
// width.
func (f staticBlock) View(s tui.Space) tui.View {
	lines := f(s)
	for i := range lines {
		lines[i].End = 0
	}
	return tui.View{Lines: lines, Stable: len(lines)}
}

// maxEchoBytes is the largest number of bytes of the user's message that the transcript shows. The
// model gets all of it.
const maxEchoBytes = 16 << 10

// personBlock returns the transcript block of a user's message. Its rows wrap at words, and have no
// indent, so that code can be copied as it was pasted.
func personBlock(text string) staticBlock {
	omitted := 0
	if len(text) > maxEchoBytes {
		omitted = len(text)
		text = strings.ToValidUTF8(width.Head(text, maxEchoBytes), "")
		omitted -= len(text)
	}
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		layout := tui.Layout{Width: s.Width, Model: s.Model, Native: s.Native, Joiners: true,
			FirstPrefix: []tui.Span{{Text: t.Glyphs.Person + " ", Style: t.Accent}}}
		rows := layout.Append(nil, 0, tui.Span{Text: text, Style: t.Person})
		if omitted > 0 {
			rows = append(rows, s.Cut(tui.Span{Text: omittedNote(t, omitted)[1:], Style: t.Dim}))
		}
		for i := range rows {
			rows[i].Prompt = true
		}
		return rows
	}
}

// problem returns a transcript block for an error: what happened, and then in rows of their own
// what it means and what the user can do.
func problem(what string, more ...string) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		layout := tui.Layout{Width: s.Width, Model: s.Model,
			FirstPrefix: []tui.Span{{Text: t.Glyphs.Problem + " ", Style: t.Error}},
			NextPrefix:  []tui.Span{{Text: "  "}}}
		rows := layout.Append(nil, 0, tui.Span{Text: what, Style: t.Error})
		layout.FirstPrefix = layout.NextPrefix
		for _, m := range more {
			if m != "" {
				rows = layout.Append(rows, 0, tui.Span{Text: m})
			}
		}
		return rows
	}
}

// paragraphs returns a transcript block with one paragraph for each line. An indented line keeps
// its indent. If a line has a gap of two blanks, as between a name and its meaning, its wrapped
// rows are aligned with the text after the gap.
func paragraphs(dim bool, lines ...string) staticBlock {
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
			layout := tui.Layout{Width: s.Width, Model: s.Model}
			if indent != "" && len(indent) < s.Width/2 {
				layout.FirstPrefix = []tui.Span{{Text: indent}}
				layout.NextPrefix = layout.FirstPrefix
			}
			if column := gapEnd(text); column > 0 && column <= s.Width/2 {
				layout.NextPrefix = []tui.Span{{Text: indent + strings.Repeat(" ", column)}}
			}
			rows = layout.Append(rows, 0, tui.Span{Text: text, Style: style})
		}
		return rows
	}
}

// gapEnd returns the index at which the text after the first gap of two or more blanks begins, or 0
// if there is no gap.
func gapEnd(text string) int {
	i := strings.Index(text, "  ")
	if i < 0 {
		return 0
	}
	return len(text) - len(strings.TrimLeft(text[i:], " "))
}
