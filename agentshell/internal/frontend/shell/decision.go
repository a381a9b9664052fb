package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// decisionRow returns the pinned row of the pane: the keys that work now, or what has to be done
// before they work.
func (n *pane) decisionRow(s tui.Space) tui.Line {
	t := s.Look()
	switch {
	case n.searching():
		return n.searchRow(s)
	case tooSmall(s):
		return smallRow(s)
	case n.stale:
		return s.Cut(tui.Span{Text: "wait: reading the file again", Style: t.Dim})
	case n.writer != "":
		return s.Cut(tui.Span{Text: "wait: the change of " + visibleLine(n.writer, t) + " is written", Style: t.Dim})
	case n.answered:
		return s.Cut(tui.Span{Text: "wait: preparing the change again", Style: t.Dim})
	case !n.hasFocus && !n.draft.Empty():
		return s.Cut(tui.Span{Text: "Tab: answer", Style: t.Strong},
			tui.Span{Text: " " + t.Glyphs.Dot + " " + n.keys.KeyOf("deny-and-stop") + ": deny and stop", Style: t.Dim})
	}
	switch m := n.visibleMode().(type) {
	case *helpMode:
		return s.Cut(tui.Span{Text: "[?] back  [n]o", Style: t.Strong})
	case *rulesMode:
		row, _ := n.withReason(n.rulesRow(m, s), s)
		return row
	case listMode:
		yes, rest := n.queue.listRow(s.Width < narrowList, n.backKey("A"))
		row, _ := n.withReason(s.Cut(n.approvingSpan(yes, t), tui.Span{Text: rest, Style: t.Strong}), s)
		return row
	case *hunkChoice:
		return s.Cut(tui.Span{Text: m.decisionRow(n.keys.HasEscape()), Style: t.Strong})
	}
	if row, ok := n.offRow(s); ok {
		return row
	}
	if n.yesPressed {
		return n.confirmRow(s)
	}
	return n.keyRow(s)
}

// narrowList is the width below which the decision rows of lists over a proposal are short.
const narrowList = 46

// searchRow returns the search field, and how many matches there are.
func (n *pane) searchRow(s tui.Space) tui.Line {
	t := s.Look()
	text, _, at, of := n.body().Search()
	found := ""
	if text != "" {
		found = fmt.Sprintf("   %d of %d", at, of)
	}
	return s.Cut(tui.Span{Text: "/", Style: t.Accent}, tui.Span{Text: visibleLine(text, t)},
		tui.Span{Text: found, Style: t.Dim})
}

// confirmRow returns the decision row after y was pressed on a flagged proposal.
func (n *pane) confirmRow(s tui.Space) tui.Line {
	t := s.Look()
	key, others := waitY, "  [n]o"
	if n.armed {
		const press = "press Y: "
		key = press + flagReason(n.proposal, s.Width-len(press)-len(others), s)
	}
	if s.Width < narrowKeys {
		key, others = shortY, " [n]o [?]"
	}
	return s.Cut(tui.Span{Text: n.approvingText(key), Style: t.Warning.With(tui.Bold)},
		tui.Span{Text: others, Style: t.Strong})
}

// rulesRow returns the decision row of the list of rules.
func (n *pane) rulesRow(list *rulesMode, s tui.Space) tui.Line {
	t := s.Look()
	if n.proposal.By != "" && list.chosen > 0 {
		return s.Cut(n.granteeSpans(list, s.Width, t)...)
	}
	if list.chosen > 0 && n.canKeep(list.chosen) {
		return s.Cut(n.termSpans(list, s.Width, t)...)
	}
	none, choose, store, others := "no rule was stored", "1-9 choose a rule", "[y]es: store rule %d and approve",
		"  [n]o  "+n.backKey("a")+" back"
	if s.Width < narrowList {
		none, choose, store, others = "not stored", "1-9", "[y]es: %d", " [n]o "+n.backKey("a")
	}
	first := tui.Span{Text: choose, Style: t.Strong}
	switch {
	case len(n.ruleOffers) == 0:
		first.Text = none
	case list.chosen > 0:
		first = n.approvingSpan(fmt.Sprintf(store, list.chosen), t)
	}
	return s.Cut(first, tui.Span{Text: others, Style: t.Strong})
}

// backKey returns the key that closes a list of the pane: Escape, or the key that has opened it
// where Escape does not arrive.
func (n *pane) backKey(opener string) string {
	if n.keys.HasEscape() {
		return "Esc"
	}
	return opener
}

// approvingSpan returns the label of an approving key, in the style for whether the key works now.
func (n *pane) approvingSpan(text string, t *tui.Theme) tui.Span {
	if n.armed {
		return tui.Span{Text: text, Style: t.Strong}
	}
	return tui.Span{Text: waitingText(text), Style: t.Dim}
}

// termSpans returns the decision row of a rule that can be kept. The person can choose how long it
// holds.
func (n *pane) termSpans(m *rulesMode, width int, t *tui.Theme) []tui.Span {
	yes, term := fmt.Sprintf("[y]es: store rule %d and approve", m.chosen), m.term.String()
	others := "  [n]o  " + n.backKey("a") + " back"
	gap := "  "
	if width < 72 { // columns that the longest of these rows needs
		yes = fmt.Sprintf("[y]es: %d", m.chosen)
	}
	if width < 48 {
		term, others, gap = [...]string{"session", "workspace", "all"}[m.term], " [n]o "+n.backKey("a"), " "
	}
	if width < 32 { // there is no room for the key, but for what it did
		return []tui.Span{n.approvingSpan(yes, t),
			{Text: [...]string{" [n]o " + n.backKey("a"), " here [n]o", " all [n]o"}[m.term], Style: t.Strong}}
	}
	return []tui.Span{n.approvingSpan(yes, t), {Text: gap + "[w] " + term + others, Style: t.Strong}}
}

// granteeSpans returns the decision row of a rule for a question of an agent. The person can choose
// for whom it holds.
func (n *pane) granteeSpans(m *rulesMode, width int, t *tui.Theme) []tui.Span {
	yes, whom, others := fmt.Sprintf("[y]es: %d", m.chosen), m.whom.String(), "  [n]o  "+n.backKey("a")+" back"
	if width < 60 { // columns that the longest of these rows needs
		whom, others = strings.Replace(whom, "for agents of the kind", "for each", 1), " [n]o "+n.backKey("a")
	}
	spans := []tui.Span{n.approvingSpan(yes, t), {Text: "  [f] " + visibleLine(whom, t), Style: t.Strong}}
	if (m.whom == approval.Grantee{}) && n.canKeep(m.chosen) && width >= 60 {
		spans = append(spans, tui.Span{Text: "  [w] " + m.term.String(), Style: t.Strong})
	}
	return append(spans, tui.Span{Text: others, Style: t.Strong})
}

// approvingText returns the label of an approving key, as it reads now.
func (n *pane) approvingText(text string) string {
	if n.armed {
		return text
	}
	return waitingText(text)
}

// pressY tells how a flagged change is approved. waitY stands in its place while the key does
// not work yet.
const (
	pressY = "press Y to approve"
	waitY  = "wait, then press Y"
	shortY = "[Y]es!" // on a narrow window
)

// waitingText returns the label of a key that does not work yet, in the same width. Brackets mark
// keys that work; the colour alone would not tell.
func waitingText(text string) string {
	if text == pressY {
		return waitY
	}
	out := strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll(text, "[", ""), "]", ""), "Esc ")
	return out + strings.Repeat(" ", len(text)-len(out))
}

// smallRow returns the decision row of a window that is too small to approve anything: why, the key
// that works, and what to do, as far as the columns allow.
func smallRow(s tui.Space) tui.Line {
	t := s.Look()
	for _, c := range []struct{ why, no, todo string }{
		{"window too small: ", "[n]o", fmt.Sprintf("  %dx%d shows more", minCols, minRows)},
		{"window too small ", "[n]o", ""},
		{"too small ", "[n]o", ""},
		{"too small", "", ""},
		{"", "[n]o", ""},
		{"", "[n]", ""},
	} {
		if s.Columns(c.why+c.no+c.todo) <= s.Width {
			return s.Cut(tui.Span{Text: c.why, Style: t.Warning}, tui.Span{Text: c.no, Style: t.Strong},
				tui.Span{Text: c.todo, Style: t.Dim})
		}
	}
	return s.Cut(tui.Span{Text: "n", Style: t.Strong})
}

// keyLabel is the label of one key on the decision row.
type keyLabel struct {
	text string
	// the key works now
	works bool
}

// helpRows returns the rows of the help (PANE-5): warnings, and all keys that work now.
func (n *pane) helpRows() []diffview.Row {
	lines := n.warnings()
	if fact := overwriteText(n.proposal); fact != "" {
		lines = append(lines, fact)
	}
	if notes := n.notes(); notes != "" { // above they may be cut
		lines = append(lines, notes)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	all := n.keyHelp()
	lines = append(lines, all[:len(all)-1]...)
	lines = append(lines, n.motionHelp()...)
	return noteRows(append(lines, all[len(all)-1])...) // ? comes last
}

// motionHelp returns the rows of the help about keys that move the body.
func (n *pane) motionHelp() (rows []string) {
	for _, m := range []struct{ about, one, other string }{
		{"one row", "row-down", "row-up"}, {"one page", "page-down", "page-up"},
		{"half a page", "half-page-down", "half-page-up"}, {"top and end", "top", "end"},
		{"next and previous hunk", "next-hunk", "previous-hunk"}, {"search", "find", ""},
		{"next and previous match", "next-match", "previous-match"},
		{"wrap or cut long rows", "wrap", ""}, {"sideways, while they are cut", "scroll-left", "scroll-right"},
	} {
		first, more := n.keys.Pair(m.one, m.other)
		if more != "" {
			m.about += "; also " + more
		}
		if first != "" {
			rows = append(rows, fmt.Sprintf("%-13s  %s", first, m.about))
		}
	}
	return rows
}
