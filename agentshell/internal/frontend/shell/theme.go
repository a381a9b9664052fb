package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
	"github.com/scrollkeep/scrollkeep/tui"
	source "github.com/scrollkeep/scrollkeep/tui/code"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// tuiTheme returns the current theme in the form that package tui draws, for a terminal with the
// abilities c. It is called on the event loop.
func (sh *Shell) tuiTheme(c tui.Caps) *tui.Theme {
	if c.NoEscape {
		sh.cfg.Keys = sh.cfg.Keys.WithoutEscape()
	}
	if sh.lightBackground = !c.Dark; sh.currentTheme == nil {
		return tui.NewTheme(c)
	}
	return sh.currentTheme.Look(c)
}

// setTheme changes the theme. Rows in the terminal's scrollback keep their look. It is called on
// the event loop.
func (sh *Shell) setTheme(t *theme.Theme) {
	sh.currentTheme = t
	sh.app.Restyle()
}

// handleTheme runs /theme: it switches to the theme of that name, or opens a list of themes with a
// preview.
func (sh *Shell) handleTheme(name string) {
	if sh.question != nil { // its look is part of what is being judged
		sh.addBlock(notice, problem("A change waits for your answer.", "Answer it first, then try /theme again."))
		return
	}
	if name == "" {
		sh.pickTheme()
		return
	}
	shelf := sh.cfg.Appearance.Themes
	go func() {
		t, err := shelf.Load(name)
		sh.app.Do(func() {
			switch {
			case err != nil:
				sh.addBlock(notice, problem("The theme was not changed: "+err.Error()+"."))
			case sh.question != nil:
				sh.addBlock(notice, problem("The theme was not changed: a change waits for your answer.",
					"Answer it first, then try /theme again."))
			default:
				sh.setTheme(t)
				sh.reportTheme(t)
			}
		})
	}()
}

// reportTheme tells the user which theme is used now, and how to make it permanent.
func (sh *Shell) reportTheme(t *theme.Theme) {
	rows := []string{"theme: " + t.Name}
	if base := t.Base(); base != "" && (base == "light") != sh.lightBackground {
		other := map[bool]string{true: "light", false: "dark"}[sh.lightBackground]
		rows = append(rows, "It is for a "+base+" ground, and the terminal says that its own is "+other+".")
	}
	rows = append(rows, t.Refused...)
	sh.addBlock(notice, paragraphs(false, append(rows, `For every session: theme = "`+t.Name+`" in config.toml.`)...))
}

// themeArguments suggests the names of themes for /theme.
func themeArguments(_ context.Context, cfg Config) (list []suggestion) {
	all, _ := cfg.Appearance.Themes.All()
	for _, t := range all {
		list = append(list, suggestion{text: t.Name, note: t.About})
	}
	return list
}

// themeList is the list that /theme opens, with a sample of the selected theme. The selected theme
// is applied at once to all rows that can still change.
type themeList struct {
	keyed
	sh *Shell
	// The theme that was used before the list was opened; nil: it followed the terminal's
	// background.
	previous *theme.Theme
	themes   []*theme.Theme
	// The themes were read.
	loaded bool
}

// pickTheme opens a list in which the user chooses a theme. Closing it without a choice restores
// the previous theme.
func (sh *Shell) pickTheme() {
	w := &themeList{sh: sh, previous: sh.currentTheme}
	l := &widget.List{Title: "Theme", Source: w, Hint: " "}
	w.keyed = sh.withKeys(l)
	leave := sh.overlay(w, tui.Place{Replace: true})
	l.OnLeave = func() {
		leave()
		sh.setTheme(w.previous)
	}
	l.OnChoose = func(i int) {
		leave()
		sh.setTheme(w.themes[i])
		sh.reportTheme(w.themes[i])
	}
}

// Len returns the number of themes.
func (l *themeList) Len() int { return len(l.themes) }

// Item returns the row of theme i. A star marks the theme that was used before the list was opened.
func (l *themeList) Item(i int) widget.Item {
	item := widget.Item{Mark: "  ", Text: l.themes[i].Name}
	if l.themes[i].Name == l.previousName() {
		item.Mark = "* " // the one of before
	}
	return item
}

// previousName returns the name of the theme that was used before the list was opened.
func (l *themeList) previousName() string {
	if l.previous == nil {
		return theme.Auto
	}
	return l.previous.Name
}

// Match calls done with the indexes of the themes whose name or description contains all typed
// words. The first call reads the themes, on another goroutine.
func (l *themeList) Match(typed []string, done func([]int)) {
	find := func() {
		var found []int
		for i, t := range l.themes {
			text := strings.ToLower(t.Name + " " + t.About)
			if !slices.ContainsFunc(typed, func(word string) bool { return !strings.Contains(text, word) }) {
				found = append(found, i)
			}
		}
		done(found)
	}
	if l.loaded {
		find()
		return
	}
	shelf := l.sh.cfg.Appearance.Themes
	go func() {
		all, wrong := shelf.All()
		l.sh.app.Do(func() {
			l.themes, l.loaded = all, true
			for _, err := range wrong {
				l.sh.addBlock(notice, problem("A theme cannot be used: "+err.Error()))
			}
			l.At = max(slices.IndexFunc(all, func(t *theme.Theme) bool { return t.Name == l.previousName() }), 0)
			find()
		})
	}()
}

// HandleEvent passes an event to the list, and then applies the theme that is selected.
func (l *themeList) HandleEvent(ev tui.Event, s tui.Space) bool {
	if l.sh.question != nil { // a question that came meanwhile is above
		return l.keyed.HandleEvent(ev, s)
	}
	open := true
	leave, choose := l.OnLeave, l.OnChoose
	l.OnLeave = func() { open = false; leave() }
	l.OnChoose = func(i int) { open = false; choose(i) }
	l.keyed.HandleEvent(ev, s)
	l.OnLeave, l.OnChoose = leave, choose
	if i := l.Chosen(); open && i >= 0 && i < len(l.themes) && l.themes[i] != l.sh.currentTheme {
		l.sh.setTheme(l.themes[i])
	}
	return true
}

const (
	// The least width of the window in columns at which the sample is shown beside the list, not
	// below it.
	sampleBeside = 60
	nameWidth    = 24 // The width of the list in columns while the sample is beside it.
)

// View returns the list and a sample of the selected theme: side by side, or one below the other in
// a narrow window.
func (l *themeList) View(s tui.Space) tui.View {
	t := s.Look()
	about := ""
	if i := l.Chosen(); i >= 0 && i < len(l.themes) {
		about = l.themes[i].About
		if n := len(l.themes[i].Refused); n > 0 {
			about += ", " + countOf(n, "role") + " refused"
		}
	}
	hint := s
	hint.Width = max(s.Width-2, 1)
	hintRow := hint.Cut(tui.Span{Style: t.Dim, Text: l.sh.cfg.Keys.ExpandAll(", ", "{list-choose} keeps it",
		"{list-close} goes back", "rows above stay as they are")})
	listSpace := s
	if s.Width < sampleBeside {
		listSpace.Height = max(s.Height-min(len(sample(s)), max(s.Height-5, 0)), 3)
		v := l.List.View(listSpace)
		v.Lines[len(v.Lines)-1] = hintRow
		rows := slices.Concat(v.Lines[:len(v.Lines)-1], sample(s))
		v.Lines = append(rows[:min(len(rows), max(s.Height-1, 2))], hintRow)
		return v
	}
	listSpace.Width = nameWidth
	v := l.List.View(listSpace)
	sampleSpace := s
	sampleSpace.Width = s.Width - nameWidth - 2
	sampleRows := append([]tui.Line{sampleSpace.Cut(tui.Span{Text: about, Style: t.Dim})}, sample(sampleSpace)...)
	rows := v.Lines[:len(v.Lines)-1]
	for len(rows) < min(len(sampleRows)+1, s.Height-1) {
		rows = append(rows, tui.Line{})
	}
	for i := 1; i < len(rows) && i <= len(sampleRows); i++ {
		spans, cols := rows[i].Spans, 0
		for _, sp := range spans {
			cols += s.Columns(sp.Text)
		}
		gap := tui.Span{Text: strings.Repeat(" ", max(nameWidth+2-cols, 1))}
		rows[i] = s.Cut(slices.Concat(spans, []tui.Span{gap}, sampleRows[i-1].Spans)...)
	}
	v.Lines = append(rows, hintRow)
	return v
}

// sample returns rows that show the styles of the theme of s, the most important first. The rows
// are drawn by the code that uses these styles elsewhere.
func sample(s tui.Space) []tui.Line {
	t := s.Look()
	s.Height, s.From = 0, 0
	rows := []tui.Line{s.Cut(tui.Span{Text: "edit", Style: t.Ask}, tui.Span{Text: " "},
		tui.Span{Text: "sample.go", Style: t.Strong}, tui.Span{Text: "  +1 -1"},
		tui.Span{Text: "  1-4 of 4, 100%", Style: t.Dim})}
	body := diffview.New([]diffview.Row{
		{Kind: diffview.Hunk, Text: "@@ -7,2 +7,2 @@"},
		{Kind: diffview.Context, Old: 7, New: 7, Text: "func name() string {"},
		{Kind: diffview.Removed, Old: 8, Text: "\treturn \"old\" // one"},
		{Kind: diffview.Added, New: 8, Text: "\treturn \"new\" + strconv.Itoa(42) // two"},
	})
	lang := source.Named("go")
	body.Compare = differingWords
	body.Tints = func(r diffview.Row) []diffview.Tint { return tints(lang.Text(r.Text).Line(0)) }
	body.Style = codeStyle
	rows = append(rows, body.Lines(s)...)
	g := t.Glyphs
	rows = append(rows, s.Cut(tui.Span{Text: "keys that work", Style: t.Strong},
		tui.Span{Text: "  or not yet", Style: t.Dim},
		tui.Span{Text: "  ask " + g.Dot + " status row", Style: t.Status}))
	doc := markdown.Document{}
	_, _ = doc.Write([]byte("# A heading\nWords, `code`, **bold**, [a link](https://example.org).\n"))
	for _, l := range doc.View(s).Lines {
		if len(l.Spans) > 0 {
			rows = append(rows, l)
		}
	}
	return append(rows, s.Cut(tui.Span{Text: g.Tool, Style: t.Accent}, tui.Span{Text: " call  "},
		tui.Span{Text: g.Yes, Style: t.Added}, tui.Span{Text: " done  "},
		tui.Span{Text: g.No, Style: t.Removed}, tui.Span{Text: " denied  "},
		tui.Span{Text: g.Problem + " warning  ", Style: t.Warning},
		tui.Span{Text: g.Problem + " error", Style: t.Error}))
}
