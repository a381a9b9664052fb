package shell

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// planColumns is the width at which the rows of a plan are made: no paragraph is broken there. The
// pane breaks them at its own.
const planColumns = 1 << 14

// planLines returns a plan as Markdown is shown, a row for each paragraph, item and line of code.
func planLines(text string, t *tui.Theme) []tui.Line {
	doc := markdown.Document{Breaks: true}
	_, _ = doc.Write([]byte(strings.TrimRight(text, "\n") + "\n"))
	return doc.View(tui.Space{Width: planColumns, Height: 1, Theme: t}).Lines
}

// planRows returns them as the rows of a body.
func planRows(text string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range planLines(text, nil) {
		rows = append(rows, diffview.Row{Kind: diffview.Prose, Text: plainText(l)})
	}
	return rows
}

func plainText(l tui.Line) string {
	var b strings.Builder
	for _, s := range l.Spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// dressPlan shows headings, code and emphasis of a plan. A class is the place of a style among
// those of the plan.
func dressPlan(b *diffview.Body, text string) *diffview.Body {
	b.Compare = nil
	base := planLines(text, nil)
	var styles []tui.Style
	tints := map[string][]diffview.Tint{}
	for _, l := range base {
		var row []diffview.Tint
		at := 0
		for _, s := range l.Spans {
			i := slices.Index(styles, s.Style)
			if i < 0 && len(styles) < 256 {
				i = len(styles)
				styles = append(styles, s.Style)
			}
			part := diffview.Range{From: at, To: at + len(s.Text)}
			row = append(row, diffview.Tint{Range: part, Class: uint8(max(i, 0))})
			at = part.To
		}
		tints[plainText(l)] = row
	}
	b.Tints = func(r diffview.Row) []diffview.Tint { return tints[r.Text] }
	var look *tui.Theme // of now
	now := styles
	b.Style = func(t *tui.Theme, _ diffview.Kind, class uint8) tui.Style {
		if t != look { // the same spans in the colours of this theme
			look, now = t, slices.Clone(styles)
			for i, l := range planLines(text, t) {
				for k, s := range l.Spans {
					if i < len(base) && k < len(base[i].Spans) {
						if at := slices.Index(styles, base[i].Spans[k].Style); at >= 0 {
							now[at] = s.Style
						}
					}
				}
			}
		}
		if int(class) < len(now) {
			return now[class]
		}
		return tui.Style{}
	}
	return b
}

// planned returns a plan in the transcript, once it was decided.
func planned(p approval.Plan, s tui.Space) []tui.Line {
	doc := markdown.Document{Breaks: true}
	_, _ = doc.Write([]byte(strings.TrimRight(p.Plan, "\n") + "\n"))
	return doc.View(s).Lines
}

// aPlan returns the plan that p puts to the person.
func aPlan(p *approval.Proposal) (approval.Plan, bool) {
	pl, ok := p.Payload.(approval.Plan)
	return pl, ok
}

// goesOn approves a plan; the work goes on in a mode.
func (n *pane) goesOn(mode string) {
	if n.lit && !n.helped() {
		n.give(approval.Yes{ID: n.prop.ID, Mode: mode})
	}
}
