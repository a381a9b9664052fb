package shell

import (
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// planColumns is the width at which a plan is rendered before a pane shows it. It is so large that
// no paragraph wraps; the pane wraps them at its own width.
const planColumns = 1 << 14

// planLines returns a plan as rendered Markdown: one line for each paragraph, list item and line of
// code.
func planLines(text string, t *tui.Theme) []tui.Line {
	doc := markdown.Document{Breaks: true}
	_, _ = doc.Write([]byte(strings.TrimRight(text, "\n") + "\n"))
	return doc.View(tui.Space{Width: planColumns, Height: 1, Theme: t}).Lines
}

// planRows returns a plan as rows of a diffview body.
func planRows(text string) []diffview.Row {
	var rows []diffview.Row
	for _, l := range planLines(text, nil) {
		rows = append(rows, diffview.Row{Kind: diffview.Prose, Text: plainText(l)})
	}
	return rows
}

// plainText returns the text of a line without its styles.
func plainText(l tui.Line) string {
	var b strings.Builder
	for _, s := range l.Spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// addPlanColours makes b show the headings, code and emphasis of the plan text in the theme's
// styles, and returns b. The class of a tint is an index into the plan's styles.
func addPlanColours(b *diffview.Body, text string) *diffview.Body {
	b.Compare = nil
	plainLines := planLines(text, nil)
	var styles []tui.Style
	tints := map[string][]diffview.Tint{}
	for _, l := range plainLines {
		var row []diffview.Tint
		index := 0
		for _, s := range l.Spans {
			i := slices.Index(styles, s.Style)
			if i < 0 && len(styles) < 256 {
				i = len(styles)
				styles = append(styles, s.Style)
			}
			part := diffview.Range{From: index, To: index + len(s.Text)}
			row = append(row, diffview.Tint{Range: part, Class: uint8(max(i, 0))})
			index = part.To
		}
		tints[plainText(l)] = row
	}
	b.Tints = func(r diffview.Row) []diffview.Tint { return tints[r.Text] }
	var lastTheme *tui.Theme // of now
	current := styles
	b.Style = func(t *tui.Theme, _ diffview.Kind, class uint8) tui.Style {
		if t != lastTheme { // the same spans in the colours of this theme
			lastTheme, current = t, slices.Clone(styles)
			for i, l := range planLines(text, t) {
				for k, s := range l.Spans {
					if i < len(plainLines) && k < len(plainLines[i].Spans) {
						if index := slices.Index(styles, plainLines[i].Spans[k].Style); index >= 0 {
							current[index] = s.Style
						}
					}
				}
			}
		}
		if int(class) < len(current) {
			return current[class]
		}
		return tui.Style{}
	}
	return b
}

// planBlock returns the rows that show a plan in the transcript once the user has decided on it.
func planBlock(p approval.Plan, s tui.Space) []tui.Line {
	doc := markdown.Document{Breaks: true}
	_, _ = doc.Write([]byte(strings.TrimRight(p.Plan, "\n") + "\n"))
	return doc.View(s).Lines
}

// planOf returns the plan that p asks about. It returns false if p asks about something else.
func planOf(p *approval.Proposal) (approval.Plan, bool) {
	pl, ok := p.Payload.(approval.Plan)
	return pl, ok
}

// approvePlan approves the plan, and sets the approval mode for carrying it out. It does nothing
// unless keys can approve.
func (n *pane) approvePlan(mode string) {
	if n.armed && !n.showsHelp() {
		n.giveAnswer(approval.Yes{ID: n.proposal.ID, Mode: mode})
	}
}
