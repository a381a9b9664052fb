package shell

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// decisionRow returns the row of the pane that is always visible: the keys that answer the proposal
// now, or why no key does yet.
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
		about, others := n.rulesRow(m, s)
		whole := s.Cut(append(slices.Clone(about), others)...)
		if row, ok := n.withReason(whole, s); ok {
			return row
		}
		if row, ok := n.withReason(s.Cut(about...), s); ok {
			return row
		}
		return whole
	case listMode:
		yes, rest := n.queue.listRow(s.Width < narrowList, n.backKey("A"))
		row, _ := n.withReason(s.Cut(n.approvingSpan(yes, t), tui.Span{Text: rest, Style: t.Strong}), s)
		return row
	case *hunkChoice:
		row := s.Cut(tui.Span{Text: m.decisionRow(n.keys.HasEscape(), s.Width), Style: t.Strong})
		row, _ = n.withReason(row, s)
		return row
	}
	if row, ok := n.offRow(s); ok {
		return row
	}
	if n.yesPressed {
		return n.confirmRow(s)
	}
	return n.keyRow(s)
}

// narrowList is the window width in columns below which a pane shortens the key labels under the
// list of several proposals (key A).
const narrowList = 46

// searchRow returns the row that is shown during a search in a proposal: the searched text, the
// number of the current match, and the number of all matches.
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

// confirmRow returns the key labels that are shown after y was pressed on a proposal with a warning
// flag. They ask for a Y and say why, as far as the width allows.
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

// narrowRules is the window width in columns below which a pane shortens the key labels under the
// list of rules.
const narrowRules = 50

// rulesRow returns the key labels under the list of approval rules that a pane offers. about holds
// the keys that choose a rule and store it. The labels in others deny the proposal, or go back to
// it.
func (n *pane) rulesRow(list *rulesMode, s tui.Space) (about []tui.Span, others tui.Span) {
	t := s.Look()
	others = tui.Span{Text: "  [n]o  " + n.backKey("a") + " back", Style: t.Strong}
	if s.Width < narrowRules {
		others.Text = " [n]o " + n.backKey("a")
	}
	if s.Width < 32 && list.term != approval.ThisSession { // there is no room
		others.Text = " [n]o"
	}
	switch {
	case len(n.ruleOffers) == 0:
		none := "no rule was stored"
		if s.Width < narrowRules {
			none = "not stored"
		}
		about = append(about, tui.Span{Text: none, Style: t.Strong})
	case list.chosen == 0:
		about = append(about, tui.Span{Text: chooseText(len(n.ruleOffers), s.Width), Style: t.Strong})
	default:
		yes := fmt.Sprintf("[y]es: store rule %d and approve", list.chosen)
		if s.Width < 72 || n.proposal.By != "" { // columns that the longest of these rows needs
			yes = fmt.Sprintf("[y]es: %d", list.chosen)
		}
		about = append(about, n.approvingSpan(yes, t))
	}
	if label := n.validityLabel(list, s); label != "" {
		about = append(about, tui.Span{Text: label, Style: t.Strong})
	}
	return about, others
}

// chooseText returns the label of the digit keys that choose one of the offered approval rules,
// such as "1-3 choose a rule". The label is shorter if width is small.
func chooseText(rules, width int) string {
	digits, verb := fmt.Sprintf("1-%d", rules), " choose"
	if rules == 1 {
		digits, verb = "1", " chooses"
	}
	switch {
	case width < narrowRules:
		return digits
	case width < 60:
		return digits + verb
	case rules == 1:
		return digits + verb + " the rule"
	}
	return digits + verb + " a rule"
}

// validityLabel returns the labels of the keys f and w, which set for which agents and for how long
// a stored rule is valid. It leaves out a key that does not work for the chosen rule.
func (n *pane) validityLabel(m *rulesMode, s tui.Space) (label string) {
	if len(n.ruleOffers) == 0 {
		return ""
	}
	if n.proposal.By != "" && s.Width >= narrowRules {
		whom := m.whom.String()
		if s.Width < 60 {
			whom = strings.Replace(whom, "for agents of the kind", "for each", 1)
		}
		label = "  [f] " + visibleLine(whom, s.Look())
	}
	if n.proposal.By != "" && ((m.whom != approval.Grantee{}) || s.Width < 60) || !n.canKeepChosen(m) {
		return label
	}
	switch {
	case s.Width < 32: // there is no room for the key, but for what it did
		return [...]string{"", " here", " all"}[m.term]
	case s.Width < narrowRules:
		return " [w] " + [...]string{"session", "workspace", "all"}[m.term]
	}
	return label + "  [w] " + m.term.String()
}

// canKeepChosen reports whether the chosen rule may be stored for longer than the session. While no
// rule is chosen, it reports whether one of the offered rules may.
func (n *pane) canKeepChosen(m *rulesMode) bool {
	if m.chosen == 0 {
		return n.canKeepOne()
	}
	return n.canKeep(m.chosen)
}

// backKey returns the label of the key that closes a list in the pane: Esc. If the user has no
// Escape key, it is the key that has opened the list, which the parameter opener names.
func (n *pane) backKey(opener string) string {
	if n.keys.HasEscape() {
		return "Esc"
	}
	return opener
}

// approvingSpan returns the label text of a key that approves a proposal. If the key does not work
// yet, the label is dim and in parentheses.
func (n *pane) approvingSpan(text string, t *tui.Theme) tui.Span {
	if n.armed {
		return tui.Span{Text: text, Style: t.Strong}
	}
	return tui.Span{Text: waitingText(text), Style: t.Dim}
}

// approvingText returns the label text of a key that approves a proposal. If the key does not work
// yet, the label is in parentheses.
func (n *pane) approvingText(text string) string {
	if n.armed {
		return text
	}
	return waitingText(text)
}

// pressY is the label of the key that approves a flagged change. waitY takes its place while the
// key does not work yet.
const (
	pressY = "press Y to approve"
	waitY  = "wait, then press Y"
	shortY = "[Y]es!" // the label of pressY in a narrow window
)

// waitingText returns the label of a key that does not work yet. It replaces the brackets in text
// by parentheses, because a dim colour alone would not be seen everywhere. The width stays the
// same.
func waitingText(text string) string {
	if text == pressY {
		return waitY
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "[", "("), "]", ")")
}

// smallRow returns the row of keys in a window that is too small to approve anything: why, the key
// that denies, and the size that is needed, as far as the width allows.
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

// keyLabel holds the label of one key under a proposal, and whether the key works now.
type keyLabel struct {
	text  string
	works bool
}

// helpRows returns the rows of the pane's help (PANE-5): the warnings and facts about the proposal
// in full, and all keys that work now.
func (n *pane) helpRows() []diffview.Row {
	if c, ok := n.mode.(*hunkChoice); ok {
		return proseRows(c.help()...)
	}
	lines := append(n.warnings(), n.facts(tui.Space{Width: math.MaxInt})...) // whole
	if notes := n.notes(); notes != "" {                                     // above they may be cut
		lines = append(lines, notes)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	all := n.keyHelp()
	lines = append(lines, all[:len(all)-1]...)
	lines = append(lines, n.motionHelp()...)
	return proseRows(append(lines, all[len(all)-1])...) // ? comes last
}

// motionHelp returns the rows of the pane's help about the keys that scroll and search the
// proposal.
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
