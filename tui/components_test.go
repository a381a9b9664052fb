package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
	"github.com/scrollkeep/scrollkeep/tui/form"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// sample is an exported component that shows a text.
type sample struct {
	of func(text string) tui.Component
	// without a terminal it shows these instead of the text; nil: the text
	plain    []string
	wordless bool // it shows no text that a program gives it
}

// samples has each exported component of tui and the packages in it. Components that hold others
// hold a text.
var samples = map[string]sample{
	"tui.ComponentFunc": {of: func(t string) tui.Component {
		return tui.ComponentFunc(func(s tui.Space) tui.View { return tui.View{Lines: s.Wrap(tui.Span{Text: t})} })
	}},
	"tui.Text":   {of: func(t string) tui.Component { return tui.NewText(t) }},
	"tui.Stack":  {of: func(t string) tui.Component { return tui.NewStack(tui.NewText(t)) }},
	"tui.Status": {of: func(t string) tui.Component { return &tui.Status{Text: t, Still: true} }},
	"tui.Image":  {of: func(t string) tui.Component { return &tui.Image{Alt: t} }},
	"tui.Prose": {of: func(t string) tui.Component {
		p := &tui.Prose{}
		fmt.Fprint(p, t)
		return p
	}},
	"tui.Editor": {of: func(t string) tui.Component {
		e := &tui.Editor{}
		e.SetText(t)
		return e
	}},

	"layout.Align":   {of: func(t string) tui.Component { return &layout.Align{Of: tui.NewText(t)} }},
	"layout.Box":     {of: func(t string) tui.Component { return &layout.Box{Of: tui.NewText(t)} }},
	"layout.Columns": {of: func(t string) tui.Component { return layout.NewColumns(tui.NewText(t)) }},
	"layout.Layers":  {of: func(t string) tui.Component { return &layout.Layers{Of: tui.NewText(t)} }},
	"layout.Pad":     {of: func(t string) tui.Component { return &layout.Pad{Of: tui.NewText(t)} }},
	"layout.Rows":    {of: func(t string) tui.Component { return layout.NewRows(tui.NewText(t)) }},

	"widget.Breadcrumb": {of: func(t string) tui.Component { return &widget.Breadcrumb{Places: []string{t}} }},
	"widget.Calendar": {wordless: true, plain: []string{"2026"}, of: func(string) tui.Component {
		return &widget.Calendar{Date: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
	}},
	"widget.Confirm": {of: func(t string) tui.Component { return &widget.Confirm{Title: t} }},
	"widget.FilePicker": {of: func(t string) tui.Component {
		return &widget.FilePicker{FS: fstest.MapFS{t: &fstest.MapFile{}}}
	}},
	"widget.Input": {of: func(t string) tui.Component { return &widget.Input{Title: t} }},
	"widget.KeyHelp": {of: func(t string) tui.Component {
		return &widget.KeyHelp{Keys: []widget.KeyHint{{Key: "x", Help: t}}}
	}},
	"widget.List":     {of: func(t string) tui.Component { return &widget.List{Items: []widget.Item{{Text: t}}} }},
	"widget.Menu":     {of: func(t string) tui.Component { return &widget.Menu{Items: []widget.MenuItem{{Text: t}}} }},
	"widget.Progress": {of: func(t string) tui.Component { return &widget.Progress{Title: t, Total: 3} }},
	"widget.ScrollBar": {wordless: true, plain: []string{}, of: func(string) tui.Component {
		return &widget.ScrollBar{Total: 100, Size: 10}
	}},
	"widget.Spinner": {of: func(t string) tui.Component { return &widget.Spinner{Text: t} }},
	"widget.StatusLine": {of: func(t string) tui.Component {
		return &widget.StatusLine{Left: []widget.StatusPart{{Text: t}}}
	}},
	"widget.Table": {of: func(t string) tui.Component {
		return &widget.Table{Columns: []widget.Column{{Title: "Word"}}, Rows: [][]string{{t}}}
	}},
	"widget.Tabs": {of: func(t string) tui.Component {
		return &widget.Tabs{Tabs: []widget.Tab{{Title: "One", Body: tui.NewText(t)}}}
	}},
	"widget.Toasts": {plain: []string{}, of: func(t string) tui.Component {
		toasts := &widget.Toasts{}
		toasts.Show(widget.Note, t)
		return toasts
	}},
	"widget.Tree": {of: func(t string) tui.Component {
		return &widget.Tree{Children: func(string) []widget.Node { return []widget.Node{{ID: "a", Text: t}} }}
	}},
	"widget.Viewport": {of: func(t string) tui.Component { return &widget.Viewport{Text: t} }},

	"form.Form": {of: func(t string) tui.Component {
		var answer string
		return &form.Form{Pages: []form.Page{{Fields: []form.Question{form.Text(t, &answer)}}}}
	}},

	"chart.Bars": {of: func(t string) tui.Component {
		return &chart.Bars{Bars: []chart.Bar{{Label: t, Values: []float64{7}}}}
	}},
	"chart.Gauge": {of: func(t string) tui.Component { return &chart.Gauge{Title: t, Value: 7} }},
	"chart.HeatMap": {of: func(t string) tui.Component {
		return &chart.HeatMap{Title: t, Values: [][]float64{{7, 8}}}
	}},
	"chart.Histogram": {of: func(t string) tui.Component {
		return &chart.Histogram{Title: t, Series: chart.NewSeries("", 7, 7, 8)}
	}},
	"chart.Lines": {of: func(t string) tui.Component {
		return &chart.Lines{Title: t, Series: []*chart.Series{chart.NewSeries("", 7)}}
	}},
	"chart.Sparkline": {of: func(t string) tui.Component {
		return &chart.Sparkline{Title: t, Series: chart.NewSeries("", 7)}
	}},

	"diffview.Body": {of: func(t string) tui.Component {
		return diffview.New([]diffview.Row{{Kind: diffview.Added, New: 1, Text: t}})
	}},
	"markdown.Document": {of: func(t string) tui.Component {
		d := &markdown.Document{}
		fmt.Fprint(d, t)
		return d
	}},
}

// Without a terminal each component is text that holds what it shows, in the space of a block and
// as the rows of a program in a pipe.
func TestEachComponentIsTextWithoutATerminal(t *testing.T) {
	for name, sample := range samples {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const text = "gardens"
				want := sample.plain
				if want == nil {
					want = []string{text}
				}
				rows := sample.of(text).View(tui.Space{Width: 60, Now: time.Now()})
				plain := ""
				for _, l := range rows.Lines {
					for _, s := range l.Spans {
						plain += s.Text
					}
					plain += "\n"
				}
				var out strings.Builder
				app := &tui.App{Output: &out, Input: strings.NewReader("")}
				app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
				app.Transcript().Append(sample.of(text)).Done()
				if err := app.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, w := range want {
					if !strings.Contains(plain, w) || !strings.Contains(out.String(), w) {
						t.Errorf("no %q in\n%s\nnor in a pipe\n%s", w, plain, out.String())
					}
				}
				if strings.ContainsAny(plain+out.String(), "\x1b\r\a") {
					t.Errorf("controls in %q, %q", plain, out.String())
				}
				if strings.Count(plain, text) > 1 {
					t.Errorf("twice:\n%s", plain)
				}
			})
		})
	}
}

// Text from right to left is sent in the order in which it is written, each letter once, whatever
// shows it: on a screen that is wide enough, and after the screen was narrow.
func TestTextFromRightToLeftIsThereOnceInEachComponent(t *testing.T) {
	const text = "\u05e9\u05dc\u05d5\u05dd x1 \u0645\u0631\u062d\u0628\u0627"
	for name, sample := range samples {
		if sample.wordless {
			continue
		}
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{}
				app.Overlay(sample.of(text), tui.Place{Full: true})
				s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 12})
				for _, size := range [][2]int{{60, 12}, {9, 12}, {60, 12}} {
					s.Resize(size[0], size[1])
					screen := s.Visible()
					if n := strings.Count(screen, text); size[0] == 60 && n != 1 {
						t.Errorf("%d times in\n%s", n, screen)
					}
					for _, r := range text {
						if n := strings.Count(screen, string(r)); r > 0x500 && n > strings.Count(text, string(r)) {
							t.Errorf("%d columns: %q is there %d times in\n%s", size[0], r, n, screen)
						}
					}
				}
				s.Inspect(func(v *vt.Terminal) {
					if err := v.Check(); err != nil {
						t.Error(err)
					}
				})
			})
		})
	}
}
