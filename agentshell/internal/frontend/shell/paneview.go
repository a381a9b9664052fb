package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

// airyHeight is the least number of rows at which an approval pane has a blank row above its title.
const airyHeight = 10

// frame holds the rows of an approval pane above and below its scrollable content.
type frame struct {
	above []tui.Line // The title row and the rows of warnings.
	below []tui.Line // The row of keys, or the field that replaces it, and then the text in the prompt.
	caret *tui.Pos   // The cursor's position, with row 0 the first of below; nil: it is hidden.
}

// View returns the title, the warnings, the scrollable content and the row of keys. The row of keys
// is always shown: in a low window the other parts get fewer rows.
func (n *pane) View(s tui.Space) tui.View {
	var hintLeft time.Duration // of what the house hints at
	if n.host != nil {
		n.hintText, hintLeft = n.host.currentHint(s.Now)
	}
	if s.Unproven != "" && !n.plainlyAsked && n.askPlainly != nil {
		n.plainlyAsked = true
		n.askPlainly(s.Unproven)
	}
	inner := n.inner(s)
	rows := n.body().View(inner).Lines
	shown := len(rows)
	if _, ok := n.visibleMode().(proposalMode); ok && !tooSmall(s) && mustBeSeen(n.proposal) {
		n.body().NoteSeen(inner)
	}
	rows = n.withRival(rows, inner, s)
	target := n.currentTarget()
	if _, _, total, _ := n.body().Position(); tooSmall(s) || shown == 0 && total > 0 {
		target = noTarget
	}
	v := tui.View{Scene: string(target), RefreshAfter: sooner(n.advanceArming(s, target), hintLeft)}
	var offLeft time.Duration
	if n.offText, offLeft = n.off.current(s.Now); n.armed && n.off.untilArmed {
		n.off, n.offText, offLeft = offKey{}, "", 0
	}
	v.RefreshAfter = sooner(v.RefreshAfter, offLeft)
	f := n.layOutFrame(s) // after the body: the title tells what is in sight
	v.Lines = append(append(append(v.Lines, f.above...), rows...), f.below...)
	if f.caret != nil {
		v.Cursor = &tui.Pos{Col: f.caret.Col, Row: f.caret.Row + len(f.above) + len(rows)}
	}
	if excess := len(v.Lines) - s.Height; excess > 0 { // a window of next to no rows: the last ones have the keys
		v.Lines, v.Scene, n.target, n.armed = v.Lines[excess:], "", noTarget, false
		if v.Cursor != nil {
			v.Cursor.Row = max(v.Cursor.Row-excess, 0)
		}
	}
	return v
}

// inner returns the space for the scrollable content of the pane.
func (n *pane) inner(s tui.Space) tui.Space {
	f := n.layOutFrame(s)
	rows := max(s.Height-len(f.above)-len(f.below), 1)
	other := n.rivalBeside(s)
	s.Width = n.ownWidth(s)
	s.Height = n.body().Height(s, rows)
	if other != nil {
		s.Height = max(s.Height, n.rivalBody(other).Height(s, rows))
	}
	s.From = 0
	return s
}

// The size of the smallest window in which anything can be approved (PANE-1).
const (
	minCols = 20
	minRows = 6
)

// tooSmall reports whether the window is too small to approve anything in it.
func tooSmall(s tui.Space) bool { return s.Width < minCols || s.Height < minRows }

// warningsScroll reports whether the warnings can be scrolled out of sight. They can in a low
// window, where they would leave too few rows for the content.
func (n *pane) warningsScroll(s tui.Space) bool {
	_, plain := n.visibleMode().(proposalMode)
	return s.Height < airyHeight && plain &&
		(len(n.warnings()) > 0 || n.notes() != "" || len(n.facts(s)) > 0)
}

// scrollWarnings scrolls the warnings of a low window out of sight or back, as if they were the
// first row of the content. It reports whether key k did only that.
func (n *pane) scrollWarnings(k tui.Key, s tui.Space) bool {
	if !n.warningsScroll(s) {
		return false
	}
	top := n.body().Top()
	switch k.Code {
	case 'j', terminal.KeyDown:
		if !n.hidesWarnings {
			n.hidesWarnings = true
			return true
		}
	case 'k', terminal.KeyUp, 'b', terminal.KeyPageUp:
		if n.hidesWarnings && top {
			n.hidesWarnings = false
			return true
		}
	case 'g', terminal.KeyHome:
		n.hidesWarnings = false
	case terminal.KeySpace, terminal.KeyPageDown, 'G', terminal.KeyEnd, ']', '/':
		n.hidesWarnings = true
	case 'd':
		n.hidesWarnings = n.hidesWarnings || k.Mods == terminal.Ctrl
	case 'u':
		if n.hidesWarnings && top && k.Mods == terminal.Ctrl {
			n.hidesWarnings = false
			return true
		}
	}
	return false
}

// layOutFrame returns the rows around the scrollable content. Their number does not depend on how
// far the content is scrolled.
func (n *pane) layOutFrame(s tui.Space) frame {
	var (
		f      frame
		t      = s.Look()
		height = s.Height // half of the window, see tui.App.PaneRows, or all of the alternate screen
	)
	switch {
	case n.reasonField() != nil:
		v := n.reasonField().View(tui.Space{Width: s.Width, Height: max(height-2, 1), Now: s.Now, Focused: true,
			Theme: s.Theme})
		f.below, f.caret = append(f.below, v.Lines...), v.Cursor
	default:
		f.below = append(f.below, n.decisionRow(s))
		if _, open, _, _ := n.body().Search(); open && len(f.below[0].Spans) > 0 {
			f.caret = &tui.Pos{Col: min(s.Columns("/"+n.searchText()), s.Width-1)}
		}
	}
	if !n.draft.Empty() && height >= 6 {
		v := n.draft.View(tui.Space{Width: s.Width, Height: min(height/3, 3), Now: s.Now, Focused: !n.hasFocus,
			Theme: s.Theme})
		if !n.hasFocus && v.Cursor != nil {
			f.caret = &tui.Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + len(f.below)}
		}
		f.below = append(f.below, v.Lines...)
	}
	if height >= airyHeight {
		f.above = append(f.above, tui.Line{})
	}
	f.above = append(f.above, n.titleRow(s))
	if who, short := n.who(t); who != "" && s.Width < narrowKeys && !n.showsList() {
		if s.Columns(who) > s.Width {
			who = short
		}
		f.above = append(f.above, s.Cut(tui.Span{Text: who}))
	}
	warningsFrom := len(f.above)
	warnings := n.warnings()
	hide := n.hidesWarnings && n.warningsScroll(s)
	if n.showsList() || n.showsHelp() || hide { // of one of the changes; the help has them in full
		warnings = nil
	}
	for _, w := range warnings {
		f.above = append(f.above, textAbove(w, t.Glyphs.Problem+" ", t.Warning, s)...)
	}
	if !n.showsList() && !n.showsHelp() && !hide {
		for _, fact := range n.facts(s) {
			f.above = append(f.above, textAbove(fact, "", tui.Style{}, s)...)
		}
		f.above = append(f.above, textAbove(n.notes(), "", t.Dim, s)...)
	}
	if other := n.rivalBeside(s); other != nil {
		f.above = append(f.above, n.rivalHead(s, other))
	}
	// The body keeps a third of what is there, at least one row; the title stays.
	if maxAbove := max(height-len(f.below)-max((height-len(f.below))/3, 1), 1); len(f.above) > maxAbove {
		f.above = f.above[:maxAbove]
		if maxAbove > 1 {
			f.above[maxAbove-1] = s.Cut(tui.Span{Text: t.Glyphs.Problem + " ", Style: t.Warning},
				tui.Span{Text: visibleLine(n.warningNames(max(maxAbove-1-warningsFrom, 0)), t), Style: t.Warning})
		}
	}
	return f
}

// textAbove returns the rows of a text above the content, with mark before it. In a low window the
// text is cut to one row. It returns nil if text is "".
func textAbove(text, mark string, style tui.Style, s tui.Space) []tui.Line {
	first, span := tui.Span{Text: mark, Style: style}, tui.Span{Text: visibleLine(text, s.Look()), Style: style}
	switch {
	case text == "":
		return nil
	case s.Height < airyHeight:
		return []tui.Line{s.Cut(first, span)}
	}
	layout := tui.Layout{Width: s.Width, Model: s.Model, FirstPrefix: []tui.Span{first},
		NextPrefix: []tui.Span{{Text: strings.Repeat(" ", s.Columns(mark))}}}
	return layout.Append(nil, 0, span)
}

// facts returns sentences about the proposal that the user needs to know, but that are no warnings.
func (n *pane) facts(s tui.Space) (facts []string) {
	for _, fact := range []string{overwriteText(n.proposal, s), n.proposal.Asked()} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	return facts
}

// searchText returns the text of the search in the content, or "".
func (n *pane) searchText() string { text, _, _, _ := n.body().Search(); return text }

// warnings returns the texts that the user must read before answering, the most urgent first.
func (n *pane) warnings() []string {
	var out []string
	switch {
	case n.stale:
		out = append(out, "The file has changed; reading it again")
	case n.replaced.by != "":
		out = append(out, n.replaced.by+" changed the file while you were asked; this is the new diff")
	case n.replaced.stale:
		out = append(out, "The file changed while you were asked; this is the new diff")
	}
	out = append(out, n.askers.rivalNotes(n)...)
	if n.editNote != "" {
		out = append(out, n.editNote)
	}
	if n.hintText != "" {
		out = append(out, n.hintText)
	}
	if n.danger != "" {
		out = append(out, n.danger)
	}
	out = append(out, flagTexts(n.proposal, n.hiddenChars.Total() > 0)...)
	if n.hiddenChars.Total() > 0 {
		out = append(out,
			fmt.Sprintf("%s, drawn as tokens: %s", countOf(n.hiddenChars.Total(), "hidden character"), n.hiddenChars))
	}
	if u, ok := n.proposal.Payload.(approval.Undo); ok && u.Removal() != "" {
		out = append(out, u.Removal())
	}
	return out
}

// warningNames returns the names of the warnings from index first on, in one row. It stands in for
// warnings without a row of their own, which key ? shows in full.
func (n *pane) warningNames(first int) string {
	var names []string
	all := n.warnings()
	for _, w := range all[min(first, max(len(all)-1, 0)):] {
		name, _, _ := strings.Cut(w, ":")
		name, _, _ = strings.Cut(name, ",")
		names = append(names, name)
	}
	return strings.Join(append(names, "see ?"), ", ")
}

// notes returns further effects of the proposal in one line, or "".
func (n *pane) notes() string {
	notes := slices.DeleteFunc(slices.Clone(n.proposal.Notes), func(note string) bool {
		return n.proposal.By != "" && note == approval.AskedBy(n.proposal.By) // the title says so
	})
	if r := n.proposal.Revision; r != "" && !slices.Contains(notes, r) {
		notes = append([]string{r}, notes...)
	}
	return strings.Join(notes, " · ")
}

// titlePart is a piece of text in the title row of an approval pane.
type titlePart struct {
	text  string
	style tui.Style
}

// who returns the agent that asks and the number of other questions that wait, such as "by Reviewer
// · 2 more wait", and the same in fewer words. It returns "" for both if no agent asks and no
// question waits.
func (n *pane) who(t *tui.Theme) (full, short string) {
	others := 0
	if n.askers != nil {
		others = n.askers.others(n.askers.sh.question)
	}
	if n.proposal.By == "" && others == 0 {
		return "", ""
	}
	name := "by " + visibleLine(nameOf(n.proposal.By), t)
	switch others {
	case 0:
		return name, name
	case 1:
		return name + " " + t.Glyphs.Dot + " 1 more waits", name + " +1"
	}
	return name + " " + t.Glyphs.Dot + fmt.Sprintf(" %d more wait", others), name + fmt.Sprintf(" +%d", others)
}

// titleRow returns the title row. If the window is too narrow for all of it, it drops, in this
// order: the position, details of the counts, the beginning of the path, the counts.
func (n *pane) titleRow(s tui.Space) tui.Line {
	t := s.Look()
	operation, path, counts := proposalTitle(n.proposal)
	path = visibleLine(path, t)
	first, last, total, percent := n.body().Position()
	position := fmt.Sprintf("%d-%d of %d, %d%%", first, last, total, percent)
	if text, open, at, found := n.body().Search(); text != "" && !open {
		position = fmt.Sprintf("match %d of %d, ", at, found) + position
	}
	switch n.visibleMode().(type) {
	case *helpMode:
		operation, path, counts = "keys", "", ""
	case *rulesMode:
		counts = "rules"
	case listMode:
		operation, path, counts = "all changes", "", ""
	case *hunkChoice:
		counts = "hunks"
	case proposalMode:
		if n.viewIndex > 0 {
			counts = n.views[n.viewIndex].name
		}
	}
	who, short := n.who(t)
	if n.showsHelp() || n.showsList() {
		who, short = "", ""
	}
	const gap = "  "
	parts := []titlePart{{operation, t.Ask}, {path, t.Strong}, {counts, tui.Style{}}, {position, t.Dim},
		{who, tui.Style{}}}
	if s.Width < narrowKeys { // name, counts, percent; who asks has a row of its own
		parts[4].text = ""
		if !n.showsHelp() && !n.showsList() {
			path = visibleLine(displayPath(n.proposal.Path), t)
		}
		path = path[strings.LastIndexByte(path, '/')+1:]
		stats := plusMinus(n.proposal.Diff.Stats)
		if n.proposal.Diff.Stats.Hunks == 0 || n.viewIndex > 0 || n.showsRules() || path == "" {
			stats = strings.TrimSuffix(counts, " version")
		}
		parts[1].text, parts[2].text, parts[3].text = path, stats, fmt.Sprintf("%d%%", percent)
		if path != "" {
			parts[0].text = ""
		}
	}
	var prefix string // among several
	if n.hidesWarnings && n.warningsScroll(s) {
		prefix = t.Glyphs.Problem
	}
	if n.queue != nil && !n.showsHelp() && !n.showsList() {
		prefix += fmt.Sprintf("%d/%d ", n.index+1, len(n.queue.panes))
	}
	width := func() int {
		w, n := s.Columns(prefix), 0
		for _, p := range parts {
			if p.text != "" {
				w, n = w+s.Columns(p.text)+len(gap), n+1
			}
		}
		if n > 1 {
			w-- // behind the first one stands one blank
		}
		return w - len(gap)
	}
	if width() > s.Width {
		parts[3].text = fmt.Sprintf("%d%%", percent)
	}
	if width() > s.Width && n.viewIndex == 0 {
		parts[2].text, _, _ = strings.Cut(parts[2].text, ", ")
		parts[2].text, _, _ = strings.Cut(parts[2].text, " in ")
	}
	if width() > s.Width && parts[4].text != "" {
		parts[4].text = short
	}
	if excess := width() - s.Width; excess > 0 && parts[1].text != "" {
		parts[1].text = cutStart(s, parts[1].text, max(s.Columns(parts[1].text)-excess, 6))
	}
	if width() > s.Width {
		parts[2].text = ""
	}
	parts = []titlePart{parts[0], parts[1], parts[4], parts[2], parts[3]}
	var spans []tui.Span
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		p.text, prefix = prefix+p.text, ""
		switch len(spans) {
		case 0: // the label that nothing but a decision has (HARN-12)
			p.style = t.Ask
		case 1:
			spans = append(spans, tui.Span{Text: " "}) // the name of what is done, and to what
		default:
			spans = append(spans, tui.Span{Text: gap})
		}
		spans = append(spans, tui.Span{Text: p.text, Style: p.style})
	}
	return s.Cut(spans...)
}

// cutStart returns text if it fits into cols columns, else an ellipsis and as much of the end of
// text as fits behind it.
func cutStart(s tui.Space, text string, cols int) string {
	if s.Columns(text) <= cols {
		return text
	}
	more := s.Look().Glyphs.More
	for i := range text {
		if s.Columns(text[i:])+s.Columns(more) <= cols {
			return more + text[i:]
		}
	}
	return more
}

// visibleLine returns untrusted text as one line without control characters.
func visibleLine(s string, t *tui.Theme) string {
	out, _ := visible.Options{ASCII: t.Glyphs.Dot[0] < 0x80}.String(s)
	return out
}
