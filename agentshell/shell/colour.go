package shell

import (
	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/tui"
	source "github.com/scrollkeep/scrollkeep/tui/code"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// dress makes a body of a proposal's rows show the words that differ and the parts of the language. Both are found for rows in sight only.
func dress(b *diffview.Body, p *approval.Proposal) *diffview.Body {
	b.Compare = func(old, now string) (inOld, inNow []diffview.Range) {
		a, c := diff.Words(old, now)
		return ranges(a), ranges(c)
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
	b.Style = func(t *tui.Theme, k diffview.Kind, class uint8) tui.Style {
		c := source.Class(class)
		switch {
		case k == diffview.Context:
			return c.Style(t)
		case k == diffview.Added && t.AddedLine.Bg != 0, k == diffview.Removed && t.RemovedLine.Bg != 0:
			return c.OnGround(t)
		}
		return tui.Style{} // the colour of the line says more
	}
	return b
}

func ranges(spans []diff.Span) []diffview.Range {
	var out []diffview.Range
	for _, s := range spans {
		out = append(out, diffview.Range(s))
	}
	return out
}

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
