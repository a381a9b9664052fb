package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// decision returns the pinned row: the keys that work now, or what has to be done before they do.
func (n *pane) decision(s tui.Space) tui.Line {
	t := s.Look()
	if text, open, at, of := n.body().Search(); open {
		found := ""
		if text != "" {
			found = fmt.Sprintf("   %d of %d", at, of)
		}
		return s.Cut(tui.Span{Text: "/", Style: t.Accent}, tui.Span{Text: clean(text, t)},
			tui.Span{Text: found, Style: t.Dim})
	}
	if tooSmall(s) {
		return smallRow(s)
	}
	if n.stale {
		return s.Cut(tui.Span{Text: "wait: reading the file again", Style: t.Dim})
	}
	if n.done {
		return s.Cut(tui.Span{Text: "wait: preparing the change again", Style: t.Dim})
	}
	if !n.focus && !n.draft.Empty() {
		return s.Cut(tui.Span{Text: "Tab: answer", Style: t.Strong},
			tui.Span{Text: " " + t.Glyphs.Dot + " Esc: deny and stop", Style: t.Dim})
	}
	if n.helped() {
		return s.Cut(tui.Span{Text: "[?] back  [n]o", Style: t.Strong})
	}
	grants := t.Dim // what approves
	if n.lit {
		grants = t.Strong
	}
	narrow := s.Width < 46 // columns that the longest of these rows needs
	switch m := n.seen().(type) {
	case *ruling:
		first, rest := tui.Span{Text: "1-9 choose a rule", Style: t.Strong}, "  [n]o  Esc back"
		if m.chosen > 0 && n.keepable(m.chosen) {
			return s.Cut(n.terms(m, s.Width, grants, t.Strong)...)
		}
		switch {
		case len(n.offers) == 0:
			first.Text = "no rule was stored"
		case m.chosen > 0:
			first = tui.Span{Text: n.granting(fmt.Sprintf("[y]es: store rule %d and approve", m.chosen)), Style: grants}
		}
		if narrow {
			rest = " [n]o Esc"
			switch {
			case len(n.offers) == 0:
				first.Text = "not stored"
			case m.chosen > 0:
				first.Text = n.granting(fmt.Sprintf("[y]es: %d", m.chosen))
			default:
				first.Text = "1-9"
			}
		}
		return s.Cut(first, tui.Span{Text: rest, Style: t.Strong})
	case listing:
		yes, rest := n.deck.rowAll(narrow)
		return s.Cut(tui.Span{Text: n.granting(yes), Style: grants}, tui.Span{Text: rest, Style: t.Strong})
	case *choosing:
		return s.Cut(tui.Span{Text: m.row(), Style: t.Strong})
	}
	if n.sure && s.Width < 40 {
		return s.Cut(tui.Span{Text: n.granting("[Y]es!"), Style: t.Warning.With(tui.Bold)},
			tui.Span{Text: " [n]o [?]", Style: t.Strong})
	}
	if n.sure {
		return s.Cut(tui.Span{Text: n.granting(pressY), Style: t.Warning.With(tui.Bold)},
			tui.Span{Text: "  [n]o", Style: t.Strong})
	}
	yes := choice{"[y]es", n.lit}
	if n.flagged() {
		yes.text = pressY
		if s.Width < 40 {
			yes.text = "[Y]es!"
		}
	}
	choices := []choice{yes, {"[n]o", n.focus}, {"[?]", n.focus}}
	gap, used := "  ", 0
	if s.Width < 40 {
		gap = " "
	}
	for _, c := range choices {
		used += len(c.text) + len(gap)
	}
	used -= len(gap)
	extra := []choice{{"[r]eason", n.focus}}
	if offers(n.prop) {
		extra[0] = choice{"Esc later", n.focus}
	}
	if _, again := asksAgain(n.prop); again {
		extra = append([]choice{{"[x] stop server", n.focus}}, extra...)
	}
	if n.full { // the way back comes first
		extra = append([]choice{{"[f] small", n.focus}}, extra...)
	}
	if n.edits {
		extra = append([]choice{{"[m] yes, edits run", n.lit}}, extra...)
	}
	if len(n.offers) > 0 {
		extra = append(extra, choice{"[a]lways" + t.Glyphs.More, n.lit})
	}
	if n.prop.Flagged(approval.FlagHardLink) {
		what := "[i]n place"
		if n.prop.InPlace {
			what = "[i] new file"
		}
		extra = append(extra, choice{what, n.focus})
	}
	if n.deck != nil && n.deck.several() {
		extra = append(extra, choice{"[}] next", n.focus}, choice{"[A]ll", n.lit})
	}
	if n.edit != nil {
		extra = append(extra, choice{"[e]dit", n.focus})
	}
	if canChoose(n.prop) {
		extra = append(extra, choice{"[s]ome", n.focus})
	}
	if len(n.views) > 1 {
		extra = append(extra, choice{"[v]iew", n.focus})
	}
	if !n.full {
		extra = append(extra, choice{"[f]ull", n.focus})
	}
	for _, c := range extra {
		need := len(gap) + s.Columns(c.text)
		if used+need > s.Width {
			continue
		}
		used += need
		choices = append(choices[:len(choices)-1], c, choices[len(choices)-1])
	}
	var spans []tui.Span
	for i, c := range choices {
		if i > 0 {
			spans = append(spans, tui.Span{Text: gap})
		}
		if c.on {
			spans = append(spans, tui.Span{Text: c.text, Style: t.Strong})
			continue
		}
		spans = append(spans, tui.Span{Text: resting(c.text), Style: t.Dim})
	}
	return s.Cut(spans...)
}

// terms returns the decision row of a rule that can be kept: how long it holds can be chosen.
func (n *pane) terms(m *ruling, width int, grants, strong tui.Style) []tui.Span {
	yes, term, rest := fmt.Sprintf("[y]es: store rule %d and approve", m.chosen), m.term.String(), "  [n]o  Esc back"
	gap := "  "
	if width < 72 { // columns that the longest of these rows needs
		yes = fmt.Sprintf("[y]es: %d", m.chosen)
	}
	if width < 48 {
		term, rest, gap = [...]string{"session", "workspace", "all"}[m.term], " [n]o Esc", " "
	}
	if width < 32 { // there is no room for the key, but for what it did
		return []tui.Span{{Text: n.granting(yes), Style: grants},
			{Text: [...]string{" [n]o Esc", " here [n]o", " all [n]o"}[m.term], Style: strong}}
	}
	return []tui.Span{{Text: n.granting(yes), Style: grants}, {Text: gap + "[w] " + term + rest, Style: strong}}
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
	yes := "y              approve this once"
	if n.flagged() {
		yes = "Y              approve this once, despite its flag"
	}
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
	if _, plan := aPlan(n.prop); plan && !n.flagged() {
		yes = "y              approve the plan; each change is asked from then on"
	}
	if offers(n.prop) {
		yes = "y              use them, and do not ask until they change"
	}
	lines = append(lines, yes)
	if n.edits {
		lines = append(lines,
			"m              approve it; file changes run without a question from then on, but for flagged ones")
	}
	lines = append(lines,
		"n              deny",
		"r              deny with a reason for the model",
		"Esc  Ctrl+C    deny and stop the turn",
	)
	if server, again := asksAgain(n.prop); again {
		lines = append(lines, "x              stop the MCP server "+server+"; /mcp restart "+server+" starts it again")
	}
	if len(n.offers) > 0 {
		lines = append(lines, "a              always allow: a digit chooses a rule, w how long, y stores it")
	}
	if n.prop.Flagged(approval.FlagHardLink) {
		what := "i              write into the file itself, so that all its names change; it is shown again"
		if n.prop.InPlace {
			what = "i              make a new file after all; the other names keep the old content"
		}
		lines = append(lines, what)
	}
	if n.deck != nil {
		lines = append(lines,
			"} {            next and previous change of this message",
			"A              one answer for all you have seen")
	}
	if n.edit != nil {
		lines = append(lines, "e              edit the change in your editor; it is shown again")
	}
	if canChoose(n.prop) {
		lines = append(lines, "s              choose hunks; the rest is shown again")
	}
	if len(n.views) > 1 {
		lines = append(lines, "v              next view: diff, new version, old version")
	}
	lines = append(lines,
		"f              full screen, and back",
	)
	lines = append(lines, n.moves()...)
	lines = append(lines,
		"?              this list, and back",
	)
	return note(lines...)
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
