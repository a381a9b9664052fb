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

// styled returns what the engine asks for, on the loop.
func (sh *Shell) styled(c tui.Caps) *tui.Theme {
	if sh.light = !c.Dark; sh.theme == nil {
		return tui.NewTheme(c)
	}
	return sh.theme.Look(c)
}

// wear changes the theme, on the loop. Rows that are final stay as they are.
func (sh *Shell) wear(t *theme.Theme) {
	sh.theme = t
	sh.app.Restyle()
}

// themes handles /theme: a list with a preview, or the theme of that name at once.
func (sh *Shell) themes(name string) {
	if sh.open != nil { // its look is part of what is being judged
		sh.append(notice, problem("A change waits for your answer.", "Answer it first, then try /theme again."))
		return
	}
	if name == "" {
		sh.pickTheme()
		return
	}
	shelf := sh.cfg.Look.Themes
	go func() {
		t, err := shelf.Load(name)
		sh.app.Do(func() {
			switch {
			case err != nil:
				sh.append(notice, problem("The theme was not changed: "+err.Error()+"."))
			case sh.open != nil:
				sh.append(notice, problem("The theme was not changed: a change waits for your answer.",
					"Answer it first, then try /theme again."))
			default:
				sh.wear(t)
				sh.wears(t)
			}
		})
	}()
}

// wears says which theme is used now, and for how long.
func (sh *Shell) wears(t *theme.Theme) {
	rows := []string{"theme: " + t.Name}
	if base := t.Base(); base != "" && (base == "light") != sh.light {
		other := map[bool]string{true: "light", false: "dark"}[sh.light]
		rows = append(rows, "It is for a "+base+" ground, and the terminal says that its own is "+other+".")
	}
	rows = append(rows, t.Refused...)
	sh.append(notice, words(false, append(rows, `For every session: theme = "`+t.Name+`" in config.toml.`)...))
}

// themeValues returns the themes, for the prompt.
func themeValues(_ context.Context, cfg Config) (list []suggestion) {
	all, _ := cfg.Look.Themes.All()
	for _, t := range all {
		list = append(list, suggestion{text: t.Name, note: t.About})
	}
	return list
}

// wardrobe is the list of /theme, and a sample in the theme that is chosen there. What is chosen is
// used at once, for all that is live.
type wardrobe struct {
	keyed
	sh   *Shell
	was  *theme.Theme // before
	all  []*theme.Theme
	read bool
}

// pickTheme opens the list.
func (sh *Shell) pickTheme() {
	w := &wardrobe{sh: sh, was: sh.theme}
	l := &widget.List{Title: "Theme", Source: w, Hint: " "}
	w.keyed = sh.keyed(l)
	leave := sh.overlay(w, tui.Place{Replace: true})
	l.OnLeave = func() {
		leave()
		sh.wear(w.was)
	}
	l.OnChoose = func(i int) {
		leave()
		sh.wear(w.all[i])
		sh.wears(w.all[i])
	}
}

// Len returns the number of themes.
func (w *wardrobe) Len() int { return len(w.all) }

// Item returns the row of one.
func (w *wardrobe) Item(i int) widget.Item {
	item := widget.Item{Mark: "  ", Text: w.all[i].Name}
	if w.all[i].Name == w.name() {
		item.Mark = "* " // the one of before
	}
	return item
}

// name returns the theme of before.
func (w *wardrobe) name() string {
	if w.was == nil {
		return theme.Auto
	}
	return w.was.Name
}

// Match reads the themes beside the loop, once, and looks for words.
func (w *wardrobe) Match(typed []string, done func([]int)) {
	find := func() {
		var found []int
		for i, t := range w.all {
			text := strings.ToLower(t.Name + " " + t.About)
			if !slices.ContainsFunc(typed, func(word string) bool { return !strings.Contains(text, word) }) {
				found = append(found, i)
			}
		}
		done(found)
	}
	if w.read {
		find()
		return
	}
	shelf := w.sh.cfg.Look.Themes
	go func() {
		all, wrong := shelf.All()
		w.sh.app.Do(func() {
			w.all, w.read = all, true
			for _, err := range wrong {
				w.sh.append(notice, problem("A theme cannot be used: "+err.Error()))
			}
			w.At = max(slices.IndexFunc(all, func(t *theme.Theme) bool { return t.Name == w.name() }), 0)
			find()
		})
	}()
}

// HandleEvent takes the keys of the list, and shows what is chosen then.
func (w *wardrobe) HandleEvent(ev tui.Event, s tui.Space) bool {
	if w.sh.open != nil { // a question that came meanwhile is above
		return w.keyed.HandleEvent(ev, s)
	}
	open := true
	leave, choose := w.OnLeave, w.OnChoose
	w.OnLeave = func() { open = false; leave() }
	w.OnChoose = func(i int) { open = false; choose(i) }
	w.keyed.HandleEvent(ev, s)
	w.OnLeave, w.OnChoose = leave, choose
	if i := w.Chosen(); open && i >= 0 && i < len(w.all) && w.all[i] != w.sh.theme {
		w.sh.wear(w.all[i])
	}
	return true
}

const (
	beside    = 60 // columns from which on the sample stands beside the list
	nameWidth = 24 // columns of the list there
)

// View returns the list and the sample: beside it, or below it where the window is narrow.
func (w *wardrobe) View(s tui.Space) tui.View {
	t := s.Look()
	about := ""
	if i := w.Chosen(); i >= 0 && i < len(w.all) {
		about = w.all[i].About
		if n := len(w.all[i].Refused); n > 0 {
			about += ", " + count(n, "role") + " refused"
		}
	}
	hint := s
	hint.Width = max(s.Width-2, 1)
	last := hint.Cut(tui.Span{Style: t.Dim, Text: w.sh.cfg.Keys.Join(", ", "{list-choose} keeps it",
		"{list-close} goes back", "rows above stay as they are")})
	left := s
	if s.Width < beside {
		left.Height = max(s.Height-min(len(sample(s)), max(s.Height-5, 0)), 3)
		v := w.List.View(left)
		v.Lines[len(v.Lines)-1] = last
		rows := slices.Concat(v.Lines[:len(v.Lines)-1], sample(s))
		v.Lines = append(rows[:min(len(rows), max(s.Height-1, 2))], last)
		return v
	}
	left.Width = nameWidth
	v := w.List.View(left)
	right := s
	right.Width = s.Width - nameWidth - 2
	shown := append([]tui.Line{right.Cut(tui.Span{Text: about, Style: t.Dim})}, sample(right)...)
	rows := v.Lines[:len(v.Lines)-1]
	for len(rows) < min(len(shown)+1, s.Height-1) {
		rows = append(rows, tui.Line{})
	}
	for i := 1; i < len(rows) && i <= len(shown); i++ {
		spans, cols := rows[i].Spans, 0
		for _, sp := range spans {
			cols += s.Columns(sp.Text)
		}
		gap := tui.Span{Text: strings.Repeat(" ", max(nameWidth+2-cols, 1))}
		rows[i] = s.Cut(slices.Concat(spans, []tui.Span{gap}, shown[i-1].Spans)...)
	}
	v.Lines = append(rows, last)
	return v
}

// sample returns a little of all that has a look, made by what shows it elsewhere; what matters
// most comes first.
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
	body.Compare = differing
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
