package tui_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// show prints the rows of a component in a space of cols columns and rows rows.
func show(c tui.Component, cols, rows int) {
	for _, l := range c.View(tui.Space{Width: cols, Height: rows}).Lines {
		text := ""
		for _, s := range l.Spans {
			text += s.Text
		}
		fmt.Println(strings.TrimRight(text, " "))
	}
}

// bell is a component that notes what comes.
type bell struct{ rings int }

func (b *bell) View(s tui.Space) tui.View {
	row := s.Cut(tui.Span{Text: strings.Repeat("ding ", b.rings), Style: s.Look().Accent})
	return tui.View{Lines: []tui.Line{row}, Mouse: true, Cursor: &tui.Pos{}}
}

func (b *bell) HandleEvent(ev tui.Event, _ tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Key:
		if ev.Is("r") || ev.Is("enter") {
			b.rings++
			return true
		}
	case tui.Mouse:
		if ev.Press && ev.Button == 0 {
			b.rings++
		}
		return true
	}
	return false
}

func ExampleComponent() {
	var c tui.Component = &bell{rings: 2}
	show(c, 20, 1)
	// Output: ding ding
}

func ExampleComponentFunc() {
	clock := tui.ComponentFunc(func(s tui.Space) tui.View {
		row := s.Cut(tui.Span{Text: s.Now.Format("15:04:05")})
		return tui.View{Lines: []tui.Line{row}, RefreshAfter: time.Second}
	})
	show(clock, 20, 1)
	// Output: 00:00:00
}

func ExampleEventHandler() {
	b := &bell{}
	var h tui.EventHandler = b
	fmt.Println(h.HandleEvent(tui.Key{Code: 'r'}, tui.Space{}), h.HandleEvent(tui.Key{Code: 'x'}, tui.Space{}), b.rings)
	// Output: true false 1
}

func ExampleView() {
	// Two rows are final, the last one may still change.
	v := tui.View{Lines: make([]tui.Line, 3), Stable: 2, RefreshAfter: time.Second}
	fmt.Println(len(v.Lines)-v.Stable, "row is live")
	// Output: 1 row is live
}

func ExampleSpace() {
	s := tui.Space{Width: 12, Height: 3}
	fmt.Println(s.Cut(tui.Span{Text: "one row and no more"}).Spans[0].Text)
	fmt.Println(len(s.Wrap(tui.Span{Text: "one row and no more"})), "rows")
	fmt.Println(s.Columns("日本"), "columns")
	// Output:
	// one row and…
	// 2 rows
	// 4 columns
}

func ExamplePlace() {
	dialog := tui.Place{Center: true, Width: 40, Height: 10, Margin: tui.Pos{Col: 2, Row: 1}, Modal: true}
	cols, rows := dialog.MaxSize(30, 24) // a narrow window
	fmt.Println(cols, rows, dialog.Corner(30, 24, tui.Pos{Col: cols, Row: rows}))
	// Output: 26 10 {2 7}
}

func ExamplePos() {
	v := tui.View{Lines: make([]tui.Line, 2), Cursor: &tui.Pos{Col: 4, Row: 1}}
	fmt.Println(v.Cursor.Col, v.Cursor.Row)
	// Output: 4 1
}

func ExampleSpan() {
	underlined := tui.Style{Attr: tui.Underline}
	row := []tui.Span{{Text: "see "}, {Text: "the page", Link: "https://example.org/", Style: underlined}}
	fmt.Println(row[1].Text, row[1].Link)
	// Output: the page https://example.org/
}

func ExampleLine() {
	l := tui.Line{Spans: []tui.Span{{Text: "the first of "}, {Text: "two", Style: tui.Style{Attr: tui.Bold}}}, End: 16}
	fmt.Println(len(l.Spans), "spans, the source goes on at", l.End)
	// Output: 2 spans, the source goes on at 16
}

func ExampleStyle() {
	warning := tui.Style{Fg: tui.Indexed(3)}
	fmt.Println(warning.With(tui.Bold).Attr == tui.Bold, warning.Attr == 0)
	// Output: true true
}

func ExampleAttr() {
	a := tui.Bold | tui.Underline
	fmt.Println(a&tui.Bold != 0, a&tui.Italic != 0)
	// Output: true false
}

func ExampleColor() {
	named, _ := tui.Indexed(1).Index()
	r, g, b, _ := tui.RGB(255, 128, 0).RGB()
	fmt.Println(named, r, g, b, tui.Color(0) == tui.Style{}.Fg)
	// Output: 1 255 128 0 true
}

func ExampleEvent() {
	for _, ev := range []tui.Event{tui.Key{Code: 'y'}, tui.Paste{Text: "text"}, tui.Resize{Cols: 80, Rows: 24}} {
		switch ev := ev.(type) {
		case tui.Key:
			fmt.Println("key", ev.Text())
		case tui.Paste:
			fmt.Println("paste", ev.Text)
		case tui.Resize:
			fmt.Println("size", ev.Cols, ev.Rows)
		}
	}
	// Output:
	// key y
	// paste text
	// size 80 24
}

func ExampleKey() {
	k, err := terminal.ParseKey("ctrl+shift+left")
	fmt.Println(k, err, k.Is("ctrl+shift+left"), k.Is("left"))
	// Output: ctrl+shift+left <nil> true false
}

func ExampleMod() {
	k := tui.Key{Code: 'k', Mods: terminal.Ctrl | terminal.Alt}
	fmt.Println(k, k.Mods&terminal.Ctrl != 0, k.Mods&terminal.Shift != 0)
	// Output: ctrl+alt+k true false
}

func ExampleMouse() {
	b := &bell{}
	b.HandleEvent(tui.Mouse{Col: 3, Button: 0, Press: true}, tui.Space{})
	b.HandleEvent(tui.Mouse{Col: 3, Button: 0}, tui.Space{}) // it is let go
	fmt.Println(b.rings, tui.Mouse{Button: 32, Press: true}.Moved())
	// Output: 1 true
}

func ExamplePaste() {
	app := &tui.App{OnEvent: func(ev tui.Event) bool {
		p, ok := ev.(tui.Paste)
		if ok {
			fmt.Println(strings.Count(p.Text, "\n"), "lines were pasted")
		}
		return ok
	}}
	app.OnEvent(tui.Paste{Text: "one\ntwo\n"})
	// Output: 2 lines were pasted
}

func ExampleResize() {
	app := &tui.App{OnEvent: func(ev tui.Event) bool {
		if size, ok := ev.(tui.Resize); ok {
			fmt.Println("wide enough for two panes:", size.Cols >= 100)
		}
		return false
	}}
	app.OnEvent(tui.Resize{Cols: 120, Rows: 30})
	// Output: wide enough for two panes: true
}

func ExampleFocus() {
	app := &tui.App{OnEvent: func(ev tui.Event) bool {
		if f, ok := ev.(tui.Focus); ok && !f.In {
			fmt.Println("somebody looks elsewhere: a notification makes sense")
		}
		return false
	}}
	app.OnEvent(tui.Focus{In: false})
	// Output: somebody looks elsewhere: a notification makes sense
}

func ExampleAppearance() {
	app := &tui.App{OnEvent: func(ev tui.Event) bool {
		if a, ok := ev.(tui.Appearance); ok {
			fmt.Println("dark:", a.Dark)
		}
		return false
	}}
	app.OnEvent(tui.Appearance{Dark: true})
	// Output: dark: true
}

func ExampleCaps() {
	theme := func(c tui.Caps) *tui.Theme {
		t := tui.NewTheme(c)
		if c.Color >= 16 {
			t.Accent = tui.Style{Fg: tui.Indexed(6)}
		}
		return t
	}
	fmt.Println(theme(tui.Caps{Color: 16, Unicode: true}).Accent != theme(tui.Caps{Unicode: true}).Accent)
	// Output: true
}

func ExampleTheme() {
	app := &tui.App{Theme: func(c tui.Caps) *tui.Theme {
		t := tui.NewTheme(c)
		t.Styles = map[string]tui.Style{"price": {Attr: tui.Bold}}
		return t
	}}
	fmt.Println(app.Theme(tui.Caps{}).Style("price").Attr == tui.Bold)
	// Output: true
}

func ExampleGlyphs() {
	fmt.Println(tui.NewTheme(tui.Caps{Unicode: true}).Glyphs.Yes, tui.NewTheme(tui.Caps{}).Glyphs.ASCII())
	// Output: ✓ true
}

func ExampleSyntax() {
	t := tui.NewTheme(tui.Caps{Color: 16, Unicode: true})
	row := []tui.Span{{Text: "return", Style: t.Syntax.Keyword}, {Text: " 1", Style: t.Syntax.Number}}
	fmt.Println(row[0].Style != tui.Style{})
	// Output: true
}

func ExampleText() {
	show(&tui.Text{Spans: []tui.Span{{Text: "text breaks at words"}}, NextPrefix: []tui.Span{{Text: "  "}}}, 12, 0)
	// Output:
	// text breaks
	//   at words
}

func ExampleProse() {
	p := &tui.Prose{}
	fmt.Fprint(p, "it grows ")
	fmt.Fprint(p, "while it is shown")
	fmt.Println(p.View(tui.Space{Width: 12}).Stable, "rows are final")
	// Output: 2 rows are final
}

func ExampleWriterComponent() {
	var w tui.WriterComponent = &tui.Prose{}
	fmt.Fprint(w, "what is written is shown")
	show(w, 40, 0)
	// Output: what is written is shown
}

func ExampleStream() {
	app := &tui.App{}
	s := app.Transcript().Stream(&tui.Prose{})
	app.Go(func(context.Context) error {
		fmt.Fprint(s, "half a sentence, ")
		fmt.Fprint(s, "and the rest of it")
		return s.Close()
	})
	plainRun(app)
	// Output: half a sentence, and the rest of it
}

func ExampleStack() {
	st := tui.NewStack(tui.NewText("a status"), &bell{rings: 1})
	show(st, 20, 5)
	fmt.Println(st.HandleEvent(tui.Key{Code: 'r'}, tui.Space{}))
	// Output:
	// a status
	// ding
	// true
}

// indented is a component that holds another one, two columns to the right.
type indented struct {
	of   tui.Component
	slot tui.Slot
}

func (in *indented) View(s tui.Space) tui.View {
	v := in.slot.View(in.of, s.Inside(s.Width-2, s.Height))
	for i := range v.Lines {
		v.Lines[i].Spans = append([]tui.Span{{Text: "  "}}, v.Lines[i].Spans...)
	}
	return v
}

func (in *indented) HandleEvent(ev tui.Event, _ tui.Space) bool { return in.slot.HandleEvent(ev) }

func ExampleSlot() {
	show(&indented{of: &bell{rings: 1}}, 20, 1)
	// Output:   ding
}

func ExampleGrip() {
	var g tui.Grip                                                     // of a component that holds two others
	fmt.Println(g.Route(tui.Mouse{Press: true}, 1, true))              // pressed on the second one
	fmt.Println(g.Route(tui.Mouse{Press: true, Button: 32}, 0, false)) // moved to the first one
	fmt.Println(g.Route(tui.Mouse{}, 0, false))                        // and let go there
	fmt.Println(g.Route(tui.Mouse{Press: true, Button: 32}, 0, false)) // nobody is held
	// Output:
	// 1
	// 1
	// 1
	// -1
}

// lines is a component that takes lines where there is no terminal.
type lines struct{ bell }

func (l *lines) Submit(line string) { fmt.Println("got", line) }

func ExampleSubmitter() {
	app := &tui.App{Footer: &lines{}}
	app.Output, app.Input = io.Discard, strings.NewReader("one\n")
	app.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	fmt.Println(app.Run(context.Background()))
	// Output:
	// got one
	// <nil>
}

// grey is the source of a grey picture, by its width and height.
type grey [2]int

func (g grey) Size() (w, h int) { return g[0], g[1] }
func (g grey) Sum() [16]byte    { return [16]byte{byte(g[0]), byte(g[1])} }

func (g grey) Pixels(w, h int) (*image.NRGBA, []byte, error) {
	pix := image.NewNRGBA(image.Rect(0, 0, min(w, g[0]), min(h, g[1])))
	for i := range pix.Pix {
		pix.Pix[i] = 0x80
	}
	return pix, nil, nil
}

func ExampleImage() {
	show(&tui.Image{Source: grey{16, 8}, Alt: "a grey box"}, 40, 5) // without a terminal it is text
	// Output: [a grey box, 16 by 8 pixels]
}

func ExampleImageBudget() {
	app := &tui.App{Images: tui.ImageBudget{Max: 4, Bytes: 16 << 20}}
	fmt.Println(app.Images.Max, "pictures at most")
	// Output: 4 pictures at most
}

func ExamplePanicError() {
	err := error(&tui.PanicError{Value: errors.New("no such row")})
	var p *tui.PanicError
	fmt.Println(errors.As(err, &p), p.Value)
	// Output: true no such row
}

func ExampleResizeMode() {
	app := &tui.App{Resize: tui.ResizePreserve}
	fmt.Println(app.Resize)
	// Output: preserve
}
