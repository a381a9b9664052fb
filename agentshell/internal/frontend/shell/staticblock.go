package shell

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// staticBlock is a block that never changes. It is laid out when it is first shown, and all of its
// rows are final then.
type staticBlock func(tui.Space) []tui.Line

// View returns all rows. They carry no Ends, so that rows that went into history keep their width.
func (f staticBlock) View(s tui.Space) tui.View {
	lines := f(s)
	for i := range lines {
		lines[i].End = 0
	}
	return tui.View{Lines: lines, Stable: len(lines)}
}

// maxEchoBytes is the number of bytes that are shown of a message. The person has the remainder of
// a larger paste.
const maxEchoBytes = 16 << 10

// personBlock returns the block of a message of the person. Its rows break at words. They have no
// indent, so that lines of code can be copied as they were pasted.
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

// problem returns a block that says what happened, and then in rows of their own what it means and
// what to do.
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

// paragraphs returns a block with a paragraph for each line. An indented line keeps its indent. If
// a line has a gap of two blanks, as between a name and its meaning, its continuation stands below
// the text after the gap.
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

// gapEnd returns the column after the first gap of two blanks in text, or 0.
func gapEnd(text string) int {
	i := strings.Index(text, "  ")
	if i < 0 {
		return 0
	}
	return len(text) - len(strings.TrimLeft(text[i:], " "))
}
