package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// decision returns the pinned row: the keys that work now, or what has to be done before they do.
func (n *pane) decision(s tui.Space) tui.Line {
	t := s.Look()
	switch {
	case n.searching():
		return n.searchRow(s)
	case tooSmall(s):
		return smallRow(s)
	case n.stale:
		return s.Cut(tui.Span{Text: "wait: reading the file again", Style: t.Dim})
	case n.done:
		return s.Cut(tui.Span{Text: "wait: preparing the change again", Style: t.Dim})
	case !n.focus && !n.draft.Empty():
		return s.Cut(tui.Span{Text: "Tab: answer", Style: t.Strong},
			tui.Span{Text: " " + t.Glyphs.Dot + " Esc: deny and stop", Style: t.Dim})
	}
	switch m := n.seen().(type) {
	case *helping:
		return s.Cut(tui.Span{Text: "[?] back  [n]o", Style: t.Strong})
	case *ruling:
		return n.rulesRow(m, s)
	case listing:
		yes, rest := n.deck.rowAll(s.Width < narrowModes)
		return s.Cut(n.grants(yes, t), tui.Span{Text: rest, Style: t.Strong})
	case *choosing:
		return s.Cut(tui.Span{Text: m.row(), Style: t.Strong})
	}
	if n.sure {
		return n.sureRow(s)
	}
	return n.row(s)
}

// narrowModes is the width below which the rows of what was opened over a proposal are short.
const narrowModes = 46

// searchRow returns the field of the search, and how many matches there are.
func (n *pane) searchRow(s tui.Space) tui.Line {
	t := s.Look()
	text, _, at, of := n.body().Search()
	found := ""
	if text != "" {
		found = fmt.Sprintf("   %d of %d", at, of)
	}
	return s.Cut(tui.Span{Text: "/", Style: t.Accent}, tui.Span{Text: clean(text, t)},
		tui.Span{Text: found, Style: t.Dim})
}

// sureRow returns the row after y on a flagged proposal.
func (n *pane) sureRow(s tui.Space) tui.Line {
	t := s.Look()
	key, rest := pressY, "  [n]o"
	if s.Width < narrowKeys {
		key, rest = shortY, " [n]o [?]"
	}
	return s.Cut(tui.Span{Text: n.granting(key), Style: t.Warning.With(tui.Bold)},
		tui.Span{Text: rest, Style: t.Strong})
}

// rulesRow returns the row of the list of rules.
func (n *pane) rulesRow(m *ruling, s tui.Space) tui.Line {
	t := s.Look()
	if m.chosen > 0 && n.keepable(m.chosen) {
		return s.Cut(n.terms(m, s.Width, t)...)
	}
	none, choose, store, rest := "no rule was stored", "1-9 choose a rule", "[y]es: store rule %d and approve",
		"  [n]o  Esc back"
	if s.Width < narrowModes {
		none, choose, store, rest = "not stored", "1-9", "[y]es: %d", " [n]o Esc"
	}
	first := tui.Span{Text: choose, Style: t.Strong}
	switch {
	case len(n.offers) == 0:
		first.Text = none
	case m.chosen > 0:
		first = n.grants(fmt.Sprintf(store, m.chosen), t)
	}
	return s.Cut(first, tui.Span{Text: rest, Style: t.Strong})
}

// grants returns the text of what approves in the style that it has now.
func (n *pane) grants(text string, t *tui.Theme) tui.Span {
	if n.lit {
		return tui.Span{Text: text, Style: t.Strong}
	}
	return tui.Span{Text: resting(text), Style: t.Dim}
}

// terms returns the decision row of a rule that can be kept: how long it holds can be chosen.
func (n *pane) terms(m *ruling, width int, t *tui.Theme) []tui.Span {
	yes, term, rest := fmt.Sprintf("[y]es: store rule %d and approve", m.chosen), m.term.String(), "  [n]o  Esc back"
	gap := "  "
	if width < 72 { // columns that the longest of these rows needs
		yes = fmt.Sprintf("[y]es: %d", m.chosen)
	}
	if width < 48 {
		term, rest, gap = [...]string{"session", "workspace", "all"}[m.term], " [n]o Esc", " "
	}
	if width < 32 { // there is no room for the key, but for what it did
		return []tui.Span{n.grants(yes, t),
			{Text: [...]string{" [n]o Esc", " here [n]o", " all [n]o"}[m.term], Style: t.Strong}}
	}
	return []tui.Span{n.grants(yes, t), {Text: gap + "[w] " + term + rest, Style: t.Strong}}
}

// granting returns the text of what approves, as it reads now.
func (n *pane) granting(text string) string {
	if n.lit {
		return text
	}
	return resting(text)
}

// pressY is how a flagged change is approved; until it can be, it reads otherwise.
const (
	pressY = "press Y to approve"
	waitY  = "wait, then press Y"
	shortY = "[Y]es!" // on a narrow window
)

// resting returns the text of a key that does not work yet, as wide as it is then: brackets are for
// keys that work. The colour alone would not tell.
func resting(text string) string {
	if text == pressY {
		return waitY
	}
	out := strings.TrimPrefix(strings.NewReplacer("[", "", "]", "").Replace(text), "Esc ")
	return out + strings.Repeat(" ", len(text)-len(out))
}

// smallRow returns the decision row of a window on which nothing can be approved: why, what works,
// and what to do, as far as the columns go.
func smallRow(s tui.Space) tui.Line {
	t := s.Look()
	for _, c := range []struct{ why, no, todo string }{
		{"window too small: ", "[n]o", fmt.Sprintf("  %dx%d shows more", leastCols, leastRows)},
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

// choice is one key on the decision row; on: it works now.
type choice struct {
	text string
	on   bool
}

// keys returns the help (PANE-5): all keys that work, and no others.
func (n *pane) keys() []diffview.Row {
	lines := n.warnings()
	if fact := overwrite(n.prop); fact != "" {
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
	lines = append(lines, n.moves()...)
	return note(append(lines, all[len(all)-1])...) // ? comes last
}

// moves returns the rows of the keys that move the body.
func (n *pane) moves() (rows []string) {
	for _, m := range []struct{ about, one, other string }{
		{"one row", "row-down", "row-up"}, {"one page", "page-down", "page-up"},
		{"half a page", "half-page-down", "half-page-up"}, {"top and end", "top", "end"},
		{"next and previous hunk", "next-hunk", "previous-hunk"}, {"search", "find", ""},
		{"next and previous match", "next-match", "previous-match"},
		{"wrap or cut long rows", "wrap", ""}, {"sideways, while they are cut", "scroll-left", "scroll-right"},
	} {
		first, more := n.mapped.Pair(m.one, m.other)
		if more != "" {
			m.about += "; also " + more
		}
		if first != "" {
			rows = append(rows, fmt.Sprintf("%-13s  %s", first, m.about))
		}
	}
	return rows
}
