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

// airy is from how many rows on a blank one stands above the pane.
const airy = 10

// frame is the pane's rows but for the body's.
type frame struct {
	above []tui.Line // title and warnings
	below []tui.Line // decision row, or the field that stands for it, and the draft
	caret *tui.Pos   // relative to below
}

// View returns the title, the warnings, the body and the decision row, which is pinned: what does
// not fit is taken from the others.
func (n *pane) View(s tui.Space) tui.View {
	var left time.Duration // of what the house hints at
	if n.house != nil {
		n.hinted, left = n.house.hinting(s.Now)
	}
	if s.Unproven != "" && !n.asked && n.plainly != nil {
		n.asked = true
		n.plainly(s.Unproven)
	}
	inner := n.inner(s)
	rows := n.body().View(inner).Lines
	sc := n.decides()
	if _, _, of, _ := n.body().Position(); tooSmall(s) || len(rows) == 0 && of > 0 {
		sc = noScene
	}
	v := tui.View{Scene: string(sc), Again: sooner(n.arm(s, sc), left)}
	f := n.frame(s) // after the body: the title tells what is in sight
	v.Lines = append(append(append(v.Lines, f.above...), rows...), f.below...)
	if f.caret != nil {
		v.Cursor = &tui.Pos{Col: f.caret.Col, Row: f.caret.Row + len(f.above) + len(rows)}
	}
	if over := len(v.Lines) - s.Height; over > 0 { // a window of next to no rows: the last ones have the keys
		v.Lines, v.Scene, n.scene, n.lit = v.Lines[over:], "", noScene, false
		if v.Cursor != nil {
			v.Cursor.Row = max(v.Cursor.Row-over, 0)
		}
	}
	return v
}

// inner returns the space of the body.
func (n *pane) inner(s tui.Space) tui.Space {
	f := n.frame(s)
	room := max(s.Height-len(f.above)-len(f.below), 1)
	s.Height = n.body().Height(s, room)
	s.From = 0
	return s
}

// What the decision needs (PANE-1): on a smaller window nothing can be approved.
const (
	leastCols = 20
	leastRows = 6
)

func tooSmall(s tui.Space) bool { return s.Width < leastCols || s.Height < leastRows }

// low reports whether the warnings scroll: on a window of few rows they would leave next to nothing
// to the body.
func (n *pane) low(s tui.Space) bool {
	_, plain := n.seen().(judging)
	return s.Height < airy && plain && (len(n.warnings()) > 0 || n.notes() != "" || overwrite(n.prop) != "")
}

// passed scrolls the warnings of a low window out, or in again, as if they were the first row of
// the body. It reports whether that was all that the key did.
func (n *pane) passed(k tui.Key, s tui.Space) bool {
	if !n.low(s) {
		return false
	}
	top := n.body().Top()
	switch k.Code {
	case 'j', terminal.KeyDown:
		if !n.past {
			n.past = true
			return true
		}
	case 'k', terminal.KeyUp, 'b', terminal.KeyPageUp:
		if n.past && top {
			n.past = false
			return true
		}
	case 'g', terminal.KeyHome:
		n.past = false
	case terminal.KeySpace, terminal.KeyPageDown, 'G', terminal.KeyEnd, ']', '/':
		n.past = true
	case 'd':
		n.past = n.past || k.Mods == terminal.Ctrl
	case 'u':
		if n.past && top && k.Mods == terminal.Ctrl {
			n.past = false
			return true
		}
	}
	return false
}

// frame lays out what stands around the body. Its height does not depend on what is in sight.
func (n *pane) frame(s tui.Space) frame {
	var (
		f     frame
		t     = s.Look()
		limit = s.Height // half of the window, see tui.App.PaneRows, or all of the alternate screen
	)
	switch {
	case n.reason() != nil:
		v := n.reason().View(tui.Space{Width: s.Width, Height: max(limit-2, 1), Now: s.Now, Focused: true,
			Theme: s.Theme})
		f.below, f.caret = append(f.below, v.Lines...), v.Cursor
	default:
		f.below = append(f.below, n.decision(s))
		if _, open, _, _ := n.body().Search(); open && len(f.below[0].Spans) > 0 {
			f.caret = &tui.Pos{Col: min(s.Columns("/"+n.query()), s.Width-1)}
		}
	}
	if !n.draft.Empty() && limit >= 6 {
		v := n.draft.View(tui.Space{Width: s.Width, Height: min(limit/3, 3), Now: s.Now, Focused: !n.focus,
			Theme: s.Theme})
		if !n.focus && v.Cursor != nil {
			f.caret = &tui.Pos{Col: v.Cursor.Col, Row: v.Cursor.Row + len(f.below)}
		}
		f.below = append(f.below, v.Lines...)
	}
	if limit >= airy {
		f.above = append(f.above, tui.Line{})
	}
	f.above = append(f.above, n.title(s))
	before := len(f.above)
	warnings := n.warnings()
	hide := n.past && n.low(s)
	if n.listed() || n.helped() || hide { // of one of the changes; the help has them in full
		warnings = nil
	}
	for _, w := range warnings {
		if limit < airy {
			f.above = append(f.above, s.Cut(tui.Span{Text: t.Glyphs.Problem + " ", Style: t.Warning},
				tui.Span{Text: clean(w, t), Style: t.Warning}))
			continue
		}
		rows := tui.Layout{Width: s.Width, Model: s.Model,
			First: []tui.Span{{Text: t.Glyphs.Problem + " ", Style: t.Warning}}, Rest: []tui.Span{{Text: "  "}}}.
			Append(nil, 0, tui.Span{Text: clean(w, t), Style: t.Warning})
		f.above = append(f.above, rows...)
	}
	if fact := overwrite(n.prop); fact != "" && !n.listed() && !n.helped() && !hide { // no warning: each rewrite has it
		f.above = append(f.above, s.Cut(tui.Span{Text: clean(fact, t)}))
	}
	if notes := n.notes(); notes != "" && !n.listed() && !hide {
		f.above = append(f.above, s.Cut(tui.Span{Text: clean(notes, t), Style: t.Dim}))
	}
	// The body keeps a third of what is there, at least one row; the title stays.
	if most := max(limit-len(f.below)-max((limit-len(f.below))/3, 1), 1); len(f.above) > most {
		f.above = f.above[:most]
		if most > 1 {
			f.above[most-1] = s.Cut(tui.Span{Text: t.Glyphs.Problem + " ", Style: t.Warning},
				tui.Span{Text: clean(n.inShort(max(most-1-before, 0)), t), Style: t.Warning})
		}
	}
	return f
}

func (n *pane) query() string { text, _, _, _ := n.body().Search(); return text }

// warnings returns the rows that must be read before the keys, the most urgent first.
func (n *pane) warnings() []string {
	var out []string
	switch {
	case n.stale:
		out = append(out, "The file has changed; reading it again")
	case n.fresh:
		out = append(out, "The file changed while you were asked; this is the new diff")
	}
	if n.note != "" {
		out = append(out, n.note)
	}
	if n.hinted != "" {
		out = append(out, n.hinted)
	}
	out = append(out, flags(n.prop, n.hidden.Total() > 0)...)
	if n.hidden.Total() > 0 {
		out = append(out, fmt.Sprintf("%s, drawn as tokens: %s", count(n.hidden.Total(), "hidden character"), n.hidden))
	}
	if u, ok := n.prop.Payload.(approval.Undo); ok && u.Removal() != "" {
		out = append(out, u.Removal())
	}
	return out
}

// inShort names the warnings from i on, which have no rows of their own: ? shows them in full.
func (n *pane) inShort(i int) string {
	var names []string
	all := n.warnings()
	for _, w := range all[min(i, max(len(all)-1, 0)):] {
		name, _, _ := strings.Cut(w, ":")
		name, _, _ = strings.Cut(name, ",")
		names = append(names, name)
	}
	return strings.Join(append(names, "see ?"), ", ")
}

// notes returns what happens besides, in one row.
func (n *pane) notes() string {
	notes := n.prop.Notes
	if r := n.prop.Revision; r != "" && !slices.Contains(notes, r) {
		notes = append([]string{r}, notes...)
	}
	return strings.Join(notes, " · ")
}

// title returns the first row. What the width does not hold goes in this order: the place, the
// counts in full, the beginning of the path, the counts.
func (n *pane) title(s tui.Space) tui.Line {
	t := s.Look()
	op, path, counts := title(n.prop)
	path = clean(path, t)
	first, last, of, percent := n.body().Position()
	where := fmt.Sprintf("%d-%d of %d, %d%%", first, last, of, percent)
	if text, open, at, found := n.body().Search(); text != "" && !open {
		where = fmt.Sprintf("match %d of %d, ", at, found) + where
	}
	switch n.seen().(type) {
	case *helping:
		op, path, counts = "keys", "", ""
	case *ruling:
		counts = "rules"
	case listing:
		op, path, counts = "all changes", "", ""
	case *choosing:
		counts = "hunks"
	case judging:
		if n.at > 0 {
			counts = n.views[n.at].name
		}
	}
	const gap = "  "
	parts := []struct {
		text  string
		style tui.Style
	}{{op, t.Ask}, {path, t.Strong}, {counts, tui.Style{}}, {where, t.Dim}}
	if s.Width < 40 { // name, counts, percent
		if !n.helped() && !n.listed() {
			path = clean(shown(n.prop.Path), t)
		}
		path = path[strings.LastIndexByte(path, '/')+1:]
		short := plusMinus(n.prop.Diff.Stats)
		if n.prop.Diff.Stats.Hunks == 0 || n.at > 0 || n.ruled() || path == "" {
			short = strings.TrimSuffix(counts, " version")
		}
		parts[1].text, parts[2].text, parts[3].text = path, short, fmt.Sprintf("%d%%", percent)
		if path != "" {
			parts[0].text = ""
		}
	}
	var place string // among several
	if n.past && n.low(s) {
		place = t.Glyphs.Problem
	}
	if n.deck != nil && !n.helped() && !n.listed() {
		place += fmt.Sprintf("%d/%d ", n.place+1, len(n.deck.panes))
	}
	width := func() int {
		w, n := s.Columns(place), 0
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
	if width() > s.Width && n.at == 0 {
		parts[2].text, _, _ = strings.Cut(parts[2].text, ", ")
		parts[2].text, _, _ = strings.Cut(parts[2].text, " in ")
	}
	if over := width() - s.Width; over > 0 && parts[1].text != "" {
		parts[1].text = tail(s, parts[1].text, max(s.Columns(parts[1].text)-over, 6))
	}
	if width() > s.Width {
		parts[2].text = ""
	}
	var spans []tui.Span
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		p.text, place = place+p.text, ""
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

// tail returns the end of text, at most cols columns wide, behind the mark for more.
func tail(s tui.Space, text string, cols int) string {
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

// clean makes untrusted text one harmless line.
func clean(s string, t *tui.Theme) string {
	out, _ := visible.Options{ASCII: t.Glyphs.Dot[0] < 0x80}.String(s)
	return out
}
