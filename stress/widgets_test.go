package stress

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

var widgets = flag.Int("widgets", 150, "random programs of widgets to run")

// Programs of random trees of widgets, with random keys, clicks, pastes, sizes and changes: none
// panics, no row is wider than its place, and the tape holds each final line once and in order;
// without a change of size it holds nothing else. `go test ./stress -run Widgets -args -seed 7`
// plays one of them.
func TestWidgetsKeepTheirPlacesAndTheTape(t *testing.T) {
	t.Parallel()
	chosen := part.seeds(*first, uint64(*widgets))
	if *seedFlag != 0 {
		chosen = shard{}.seeds(*seedFlag, 1)
	}
	for seed := range chosen {
		if t.Failed() {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			w := &widgetProgram{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 26))}
			defer func() {
				if t.Failed() {
					t.Logf("seed %d: %s", seed, strings.Join(w.tree, " "))
				}
			}()
			w.run()
			for _, f := range w.failures {
				t.Errorf("seed %d, %s: %s", seed, strings.Join(w.tree, " "), f)
			}
		})
	}
}

// widgetProgram is one program of widgets.
type widgetProgram struct {
	t    *testing.T
	seed uint64
	rng  *rand.Rand
	app  *tui.App
	// what changes the widgets, each on the loop
	changes []func()
	tree    []string // of the widgets, for a report

	failures []string
}

func (w *widgetProgram) fail(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

// run plays the program.
func (w *widgetProgram) run() {
	var final []string
	w.app = &tui.App{}
	w.app.OnEvent = func(tui.Event) bool { return true } // Ctrl+C and Ctrl+Z are keys like others
	if w.rng.IntN(2) == 0 {
		w.app.Footer = w.widget(3)
	}
	cols, rows := 1+w.rng.IntN(90), 1+w.rng.IntN(30)
	s := tuitest.Start(w.t, w.app, tuitest.Config{Cols: cols, Rows: rows})
	var remove []func()
	say := func() {
		line := fmt.Sprintf("final %d.", len(final))
		final = append(final, line)
		fmt.Fprintln(w.app.Transcript(), line)
	}
	resized := false
	for range 40 {
		switch w.rng.IntN(12) {
		case 0:
			say()
		case 1:
			if w.seed%2 == 0 {
				resized = true
				s.Resize(1+w.rng.IntN(90), 1+w.rng.IntN(30))
			}
		case 2:
			place := []tui.Place{{}, {Replace: true}, {Full: true},
				{Width: 1 + w.rng.IntN(40), Height: 1 + w.rng.IntN(9), Top: w.yes()}}[w.rng.IntN(4)]
			c := w.widget(2)
			w.app.Do(func() { remove = append(remove, w.app.Overlay(c, place)) })
		case 3:
			w.app.Do(func() {
				for _, f := range remove {
					f()
				}
				remove = nil
			})
		case 4, 5:
			if len(w.changes) > 0 {
				w.app.Do(w.changes[w.rng.IntN(len(w.changes))])
			}
		case 6:
			s.Paste(w.text())
		case 7:
			s.Send(fmt.Appendf(nil, "\x1b[<%d;%d;%dM", []int{0, 0, 0, 64, 65, 2}[w.rng.IntN(6)], 1+w.rng.IntN(90),
				1+w.rng.IntN(30)))
		case 8:
			<-time.After(time.Duration(w.rng.IntN(3000)) * time.Millisecond)
		default:
			w.keys(s)
		}
		s.Settle() // what was asked of the loop draws its random numbers now
		if len(w.failures) > 0 {
			break
		}
	}
	w.app.Do(func() {
		for _, f := range remove {
			f()
		}
	})
	s.Settle()
	say()
	w.app.Quit(nil)
	if err := s.Wait(); err != nil {
		w.fail("Run: %v", err)
	}
	if tape := s.Lines(); resized {
		w.among(s.Scrollback()+s.Visible(), final)
	} else {
		w.judge(tape, final)
	}
}

// judge compares the tape with what was final.
func (w *widgetProgram) judge(tape, final []string) {
	for len(tape) > 0 && tape[len(tape)-1] == "" {
		tape = tape[:len(tape)-1]
	}
	if !slices.Equal(tape, final) {
		w.fail("the tape holds %q, final is %q", tape, final)
	}
}

// finals finds final lines in rows without blanks.
var finals = regexp.MustCompile(`final\d+\.`)

// among looks for what was final, in order, in rows that may also hold what was live when the size
// changed: lines that wait behind an overlay are, too.
func (w *widgetProgram) among(rows string, final []string) {
	found := finals.FindAllString(strings.Join(strings.Fields(rows), ""), -1)
	n := 0
	for _, line := range found {
		if n < len(final) && line == strings.ReplaceAll(final[n], " ", "") {
			n++
		}
	}
	if n < len(final) {
		w.fail("in history and on the screen stand %q, final is %q", found, final)
	}
}

// keys presses some keys.
func (w *widgetProgram) keys(s *tuitest.Screen) {
	for range 1 + w.rng.IntN(5) {
		names := []string{"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "enter", "tab",
			"shift+tab", "esc", "backspace", "delete", "ctrl+pageup", "ctrl+pagedown", "alt+2", "ctrl+d", "ctrl+u",
			"space", "ctrl+c"}
		if w.rng.IntN(2) == 0 {
			s.Press(names[w.rng.IntN(len(names))])
			continue
		}
		const typed = "jkgGwsnN/.bqa1é世"
		all := []rune(typed)
		s.Type(string(all[w.rng.IntN(len(all))]))
	}
}

// text is text of all kinds.
func (w *widgetProgram) text() string {
	var b strings.Builder
	parts := []string{"word ", "世界", "👍🏽", "\x1b[31m", "\t", "\n", "e\u0301", "a-long-word-without-a-break-in-it ",
		"\u202e", "\x9b2J", "\xff", "👩‍👩‍👧", "ERROR ", "🇩🇪", "\r", "क्षि", " "}
	for range w.rng.IntN(12) {
		b.WriteString(parts[w.rng.IntN(len(parts))])
	}
	return b.String()
}

// texts is n of them at most, one at least.
func (w *widgetProgram) texts(n int) []string {
	all := make([]string, 1+w.rng.IntN(n))
	for i := range all {
		all[i] = w.text()
	}
	return all
}

// widget returns one of them, of at most depth levels, behind a guard.
func (w *widgetProgram) widget(depth int) tui.Component {
	kinds := w.kinds(depth)
	c := kinds[w.rng.IntN(len(kinds))]()
	w.tree = append(w.tree, strings.TrimPrefix(fmt.Sprintf("%T", c), "*widget."))
	g := &guard{w: w, comp: c}
	h, keys := c.(tui.EventHandler)
	f, focus := c.(tui.Focuser)
	switch {
	case focus:
		return &focused{keyed{g, h}, f}
	case keys:
		return &keyed{g, h}
	}
	return g
}

// children are some widgets.
func (w *widgetProgram) children(depth int) (all []tui.Component) {
	for range 1 + w.rng.IntN(3) {
		all = append(all, w.widget(depth-1))
	}
	return all
}

// items are some widgets with their shares.
func (w *widgetProgram) items(depth int) (all []layout.Item) {
	for _, c := range w.children(depth) {
		all = append(all, layout.Item{Of: c, Weight: w.rng.IntN(3), Min: w.rng.IntN(20)})
	}
	return all
}

// change is something that happens to a widget later.
func (w *widgetProgram) change(f func()) { w.changes = append(w.changes, f) }

// yes is true half of the time.
func (w *widgetProgram) yes() bool { return w.rng.IntN(2) == 0 }

// kinds make one widget each.
func (w *widgetProgram) kinds(depth int) []func() tui.Component {
	all := []func() tui.Component{w.viewport, w.table, w.branches, w.files, w.progress, w.spinner, w.keyHelp, w.list,
		w.choices, w.input}
	if depth > 0 {
		all = append(all, func() tui.Component { return &tui.Stack{Children: w.children(depth), Tab: w.yes()} },
			func() tui.Component { return &layout.Columns{Items: w.items(depth), Gap: w.rng.IntN(3) - 1} },
			func() tui.Component { return &layout.Rows{Items: w.items(depth), Gap: w.rng.IntN(2)} },
			func() tui.Component { return &layout.Box{Of: w.widget(depth - 1), Title: w.text(), Fill: w.yes()} },
			func() tui.Component { return &layout.Pad{Of: w.widget(depth - 1), Top: 1, Left: w.rng.IntN(9)} },
			func() tui.Component {
				return &layout.Align{Of: w.widget(depth - 1), Horizontal: layout.Side(w.rng.IntN(3))}
			},
			func() tui.Component {
				t := &widget.Tabs{At: w.rng.IntN(3), Mouse: w.yes()}
				for _, c := range w.children(depth) {
					t.Tabs = append(t.Tabs, widget.Tab{Title: w.text(), Body: c})
				}
				return t
			})
	}
	return all
}

func (w *widgetProgram) viewport() tui.Component {
	v := &widget.Viewport{Title: w.text(), Text: strings.Join(w.texts(30), "\n"), Height: w.rng.IntN(9),
		Keep: w.rng.IntN(20), Cut: w.yes(), Follow: w.yes(), Mouse: w.yes(), Hint: w.text()}
	if w.yes() {
		v.Highlight = widget.Levels
	}
	w.change(func() { v.Add(w.text()) })
	w.change(func() { v.Text = w.text() })
	return v
}

func (w *widgetProgram) table() tui.Component {
	t := &widget.Table{Title: w.text(), Height: w.rng.IntN(9), Mouse: w.yes(), At: w.rng.IntN(40) - 5}
	for range w.rng.IntN(6) {
		t.Columns = append(t.Columns, widget.Column{Title: w.text(), Min: w.rng.IntN(12), Weight: w.rng.IntN(4) - 1,
			Right: w.yes()})
	}
	for range w.rng.IntN(30) {
		t.Rows = append(t.Rows, w.texts(6))
	}
	w.change(func() { t.Rows = append(t.Rows, w.texts(5)) })
	w.change(func() {
		t.Rows = t.Rows[:len(t.Rows)/2]
		t.Changed()
	})
	return t
}

func (w *widgetProgram) branches() tui.Component {
	names := w.texts(5)
	t := &widget.Tree{Title: w.text(), Height: w.rng.IntN(9), Mouse: w.yes(), Branches: w.yes()}
	t.Children = func(id string) (nodes []widget.Node) {
		for i, name := range names {
			id := fmt.Sprint(id, "/", i)
			nodes = append(nodes, widget.Node{ID: id, Text: name, Note: name, Branch: len(id)%3 != 0})
		}
		return nodes
	}
	w.change(func() {
		names = w.texts(5)
		t.Changed()
	})
	w.change(func() { t.Open("/0") })
	return t
}

func (w *widgetProgram) files() tui.Component {
	all := fstest.MapFS{"src/deep/b.go": {}, ".git/config": {}, "evil\x1b[2J.txt": {}, "\xff\u202e": {}}
	f := &widget.FilePicker{FS: all, Title: w.text(), Hidden: w.yes(), Dirs: w.yes(), At: "src/deep/b.go",
		Mouse: w.yes()}
	w.change(f.Changed)
	return f
}

func (w *widgetProgram) progress() tui.Component {
	p := &widget.Progress{Title: w.text(), Total: int64(w.rng.IntN(2) * 1000), Bytes: w.yes()}
	w.change(func() { p.Add(int64(w.rng.IntN(900) - 100)) })
	w.change(func() { p.End(errors.New(w.text())) })
	return p
}

func (w *widgetProgram) spinner() tui.Component {
	sp := &widget.Spinner{Text: w.text(), Hint: w.text()}
	w.change(func() { sp.End(nil) })
	return sp
}

func (w *widgetProgram) keyHelp() tui.Component {
	h := &widget.KeyHelp{Rows: w.rng.IntN(4)}
	for range w.rng.IntN(8) {
		h.Keys = append(h.Keys, widget.KeyHint{Key: w.text(), Help: w.text()})
	}
	return h
}

func (w *widgetProgram) list() tui.Component {
	l := &widget.List{Title: w.text(), Hint: w.text(), Fuzzy: w.yes()}
	for _, text := range w.texts(20) {
		l.Items = append(l.Items, widget.Item{Text: text, Note: w.text(), Mark: "* "})
	}
	return l
}

func (w *widgetProgram) choices() tui.Component {
	if w.yes() {
		return &widget.Select[string]{Title: w.text(), Options: w.texts(20), Bare: w.yes()}
	}
	return &widget.MultiSelect[string]{Title: w.text(), Options: w.texts(20), Bare: w.yes()}
}

func (w *widgetProgram) input() tui.Component {
	if w.yes() {
		return &widget.Confirm{Title: w.text(), Bare: w.yes()}
	}
	in := &widget.Input{Title: w.text(), Placeholder: w.text(), Secret: w.yes(), Bare: w.yes()}
	in.Complete = func(prefix string) []string { return w.texts(3) }
	w.change(func() { in.SetText(w.text()) })
	return in
}

// guard is a component whose rows are measured and whose panics are reported.
type guard struct {
	w    *widgetProgram
	comp tui.Component
}

// keyed is one that takes keys, focused one that moves the focus, too.
type (
	keyed struct {
		*guard
		keys tui.EventHandler
	}
	focused struct {
		keyed
		tui.Focuser
	}
)

func (g *guard) rescue(what string) {
	if p := recover(); p != nil {
		g.w.fail("%T: %s panics: %v\n%s", g.comp, what, p, debug.Stack())
	}
}

func (g *guard) View(s tui.Space) (v tui.View) {
	defer g.rescue("View")
	v = g.comp.View(s)
	for i, l := range v.Lines {
		cols := 0
		for _, sp := range l.Spans {
			text, _ := visible.Line(sp.Text)
			cols += s.Columns(text)
		}
		if cols > s.Width {
			g.w.fail("%T: row %d takes %d of %d columns: %v", g.comp, i, cols, s.Width, l.Spans)
		}
	}
	if c := v.Cursor; c != nil && (c.Col < 0 || c.Col > s.Width || c.Row < 0 || c.Row >= max(len(v.Lines), 1)) {
		g.w.fail("%T: the caret stands at %v of %d columns and %d rows", g.comp, *c, s.Width, len(v.Lines))
	}
	return v
}

func (k *keyed) HandleEvent(ev tui.Event, s tui.Space) bool {
	defer k.rescue("HandleEvent")
	return k.keys.HandleEvent(ev, s)
}

// The judge finds a row that is too wide, a panic, and a tape with something else on it.
func TestThePlacesOfWidgetsAreWatched(t *testing.T) {
	for name, c := range map[string]tui.Component{
		"takes 12 of 10 columns": tui.ComponentFunc(func(tui.Space) tui.View {
			return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: "twelve wide."}}}}}
		}),
		"View panics: ouch": tui.ComponentFunc(func(tui.Space) tui.View { panic("ouch") }),
	} {
		w := &widgetProgram{}
		(&guard{w: w, comp: c}).View(tui.Space{Width: 10})
		if len(w.failures) != 1 || !strings.Contains(w.failures[0], name) {
			t.Errorf("nobody says: %s", name)
		}
	}
	for _, tape := range [][]string{{"final 0.", "row", "final 1."}, {"final 1.", "final 0."}, {"final 0."}} {
		w := &widgetProgram{}
		w.judge(tape, []string{"final 0.", "final 1."})
		if w.among(strings.Join(tape, "\n"), []string{"final 0.", "final 1.", "final 2."}); len(w.failures) != 2 {
			t.Errorf("%q passes", tape)
		}
	}
}
