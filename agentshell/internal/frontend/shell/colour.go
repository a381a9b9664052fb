package shell

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/tui"
	source "github.com/scrollkeep/scrollkeep/tui/code"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// addColours sets up the body of a diff view for proposal p: words that differ are highlighted, and
// source text is coloured by its syntax. Only visible rows are coloured. It returns b.
func addColours(b *diffview.Body, p *approval.Proposal) *diffview.Body {
	b.Compare = differingWords
	if plan, ok := planOf(p); ok {
		return addPlanColours(b, plan.Plan)
	}
	if c, ok := p.Payload.(approval.Command); ok {
		return addCommandColours(b, c, commandLanguage(p.Tool, c))
	}
	lang := source.Of(p.Path)
	if lang == nil || p.After == nil && p.Before == nil || p.Flagged(approval.FlagBinary) {
		return b
	}
	before, after := lang.Text(string(p.Before)), lang.Text(string(p.After))
	b.Tints = func(r diffview.Row) []diffview.Tint {
		switch {
		case r.Kind != diffview.Context && r.Kind != diffview.Added && r.Kind != diffview.Removed:
			return nil
		case r.New > 0:
			return tints(after.Line(r.New - 1))
		}
		return tints(before.Line(r.Old - 1)) // of a row without numbers nothing is known
	}
	b.Style = codeStyle
	return b
}

// differingWords returns the ranges of the words that differ between an old line and its new
// version, for each of the two.
func differingWords(old, now string) (inOld, inNow []diffview.Range) {
	a, c := diff.ChangedWords(old, now)
	return ranges(a), ranges(c)
}

// codeStyle returns the style of a token of source text in a row of a diff. class is a value of
// [source.Class]. On an added or removed row that has no background colour, it returns the zero
// style.
func codeStyle(t *tui.Theme, k diffview.Kind, class uint8) tui.Style {
	c := source.Class(class)
	switch {
	case k == diffview.Context:
		return c.Style(t)
	case k == diffview.Added && t.AddedLine.Bg != 0, k == diffview.Removed && t.RemovedLine.Bg != 0:
		return c.OnGround(t)
	}
	return tui.Style{} // the colour of the line says more
}

// commandLanguage returns the programming language of a command, for its colours. Commands are
// shell, except those of the eval tool: there the comment at the beginning tells the language of
// the first code cell. The parameter of is the name of the tool.
func commandLanguage(of string, c approval.Command) string {
	switch {
	case of != tool.EvalName:
		return "shell"
	case strings.HasPrefix(c.Command, "//"):
		return "javascript"
	}
	return "python"
}

// addCommandColours sets up the body of a diff view that shows a command: the command's text is
// coloured by the syntax of the named programming language. It returns b.
func addCommandColours(b *diffview.Body, c approval.Command, language string) *diffview.Body {
	b.Compare = nil // a file that is made and one that goes have nothing to do with each other
	lang := source.Named(language)
	if lang == nil {
		return b
	}
	text := lang.Text(c.Command)
	lines := map[string]int{} // the rows have no numbers
	lineNumber := 0
	for line := range strings.Lines(c.Command) {
		lines[strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")] = lineNumber
		lineNumber++
	}
	b.Tints = func(r diffview.Row) []diffview.Tint {
		if line, ok := lines[r.Text]; ok && r.Kind == diffview.Lead {
			return tints(text.Line(line))
		}
		return nil
	}
	b.Style = func(t *tui.Theme, _ diffview.Kind, class uint8) tui.Style { return source.Class(class).Style(t) }
	return b
}

// ranges converts spans of package diff to ranges of package diffview.
func ranges(spans []diff.Span) []diffview.Range {
	var out []diffview.Range
	for _, s := range spans {
		out = append(out, diffview.Range(s))
	}
	return out
}

// tints converts the tokens of a source line to the coloured ranges of a row in a diff view. Plain
// text gets no range.
func tints(pieces []source.Piece) []diffview.Tint {
	var out []diffview.Tint
	at := 0
	for _, p := range pieces {
		if p.Class != source.Plain {
			out = append(out, diffview.Tint{Range: diffview.Range{From: at, To: p.To}, Class: uint8(p.Class)})
		}
		at = p.To
	}
	return out
}
