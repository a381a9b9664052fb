package tui_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// plainRun returns the length of the printable ASCII at the start of s. The last character is left
// out if the text after it could join it.
func plainRun(a *tui.App) {
	a.Output, a.Input = os.Stdout, strings.NewReader("")
	a.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	if err := a.Run(context.Background()); err != nil {
		fmt.Println("error:", err)
	}
}

func ExampleApp() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		fmt.Fprintln(app.Transcript(), "a line is final at its newline")
		return nil
	}
	plainRun(app)
	// Output: a line is final at its newline
}

func ExampleTranscript_Stream() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		answer := app.Transcript().Stream(&tui.Prose{FirstPrefix: []tui.Span{{Text: "- "}},
			NextPrefix: []tui.Span{{Text: "  "}}})
		for _, word := range strings.Fields("words come one by one") {
			fmt.Fprint(answer, word, " ")
		}
		return answer.Close()
	}
	plainRun(app)
	// Output: - words come one by one
}

// counter is a component; its fields are changed on the loop only.
type counter struct{ n int }

func (c *counter) View(s tui.Space) tui.View {
	return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: fmt.Sprint(c.n, " files")})}}
}

func ExampleBlock() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		c := &counter{}
		block := app.Transcript().Append(c)
		for range 3 {
			block.Update(func() { c.n++ })
		}
		block.Done()
		return nil
	}
	plainRun(app)
	// Output: 3 files
}

func ExampleEditor() {
	app := &tui.App{}
	app.Footer = &tui.Editor{OnSubmit: func(text string) { fmt.Fprintln(app.Transcript(), "you said", text) }}
	app.Output, app.Input = os.Stdout, strings.NewReader("hello\n")
	app.Terminal = terminal.Config{Env: func(name string) string { return map[string]string{"TERM": "dumb"}[name] }}
	fmt.Println(app.Run(context.Background()))
	// Output:
	// you said hello
	// <nil>
}

func ExampleNewANSI() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		w := tui.NewANSI(app.Transcript())
		fmt.Fprint(w, " 50%\r100%\n\x1b[32mok\x1b[0m\x1b[2J\n")
		return w.Close()
	}
	plainRun(app)
	// Output:
	// 100%
	// ok
}

func ExampleLayout() {
	l := tui.Layout{Width: 16, FirstPrefix: []tui.Span{{Text: "* "}}, NextPrefix: []tui.Span{{Text: "  "}}}
	for _, row := range l.Append(nil, 0, tui.Span{Text: "prose breaks at words"}) {
		for _, s := range row.Spans {
			fmt.Print(s.Text)
		}
		fmt.Println()
	}
	// Output:
	// * prose breaks
	//   at words
}

func ExampleStatus() {
	st := &tui.Status{Text: "working", Hint: "Esc stops", Since: time.Unix(0, 0)}
	v := st.View(tui.Space{Width: 40, Now: time.Unix(75, 0)})
	for _, s := range v.Lines[0].Spans[1:] { // without the spinner
		fmt.Print(s.Text)
	}
	fmt.Println("; next picture in", v.RefreshAfter)
	// Output: working 1 min 15 s · Esc stops; next picture in 40ms
}

func ExampleSheet() {
	sheet, err := tui.ParseSheet(map[string]string{
		"accent": "#5fafff; light: #005faf; 16: bright-blue", // of the theme
		"price":  "bold green; none: bold",                   // the program's own
	})
	if err != nil {
		panic(err)
	}
	app := &tui.App{Theme: func(c tui.Caps) *tui.Theme { return sheet.On(tui.NewTheme(c)) }}
	th := app.Theme(tui.Caps{Color: 16})
	fmt.Println(th.Accent == tui.Style{Fg: tui.Indexed(12)},
		th.Style("price") == tui.Style{Fg: tui.Indexed(2), Attr: tui.Bold})
	fmt.Println(app.Theme(tui.Caps{}).Style("price") == tui.Style{Attr: tui.Bold})
	// Output:
	// true true
	// true
}

func ExampleAdaptive() {
	a := tui.Adaptive{Dark: tui.Style{Fg: tui.RGB(0, 215, 255)}, Light: tui.Style{Fg: tui.Indexed(24)}}
	fmt.Println(a.For(tui.NewTheme(tui.Caps{Color: 256, Dark: true})) == tui.Style{Fg: tui.Indexed(45)})
	// Output: true
}

func ExampleParseAdaptive() {
	_, err := tui.ParseAdaptive("bold rad")
	fmt.Println(err)
	// Output: tui: "rad" is no colour and no attribute
}

// pair is a component that holds two others, one of which has the focus.
type pair struct {
	kids  []tui.Component
	slots [2]tui.Slot
	ring  tui.Ring
}

func (p *pair) View(s tui.Space) (v tui.View) {
	for i, c := range p.kids {
		in := s.Inside(s.Width, s.Height)
		in.Focused = s.Focused && p.ring.At(p.kids) == i
		v.Lines = append(v.Lines, p.slots[i].View(c, in).Lines...)
	}
	return v
}

func (p *pair) HandleEvent(ev tui.Event, _ tui.Space) bool {
	return p.ring.Tab(p.kids, ev) || p.slots[max(p.ring.At(p.kids), 0)].HandleEvent(ev)
}

// button says whether it has the focus.
type button string

func (b button) View(s tui.Space) tui.View {
	text := "[" + string(b) + "]"
	if s.Focused {
		text += " <"
	}
	return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: text})}}
}

func (b button) HandleEvent(tui.Event, tui.Space) bool { return true }

func ExampleRing() {
	p := &pair{kids: []tui.Component{button("yes"), button("no")}}
	for range 2 {
		for _, l := range p.View(tui.Space{Width: 20, Focused: true}).Lines {
			fmt.Println(l.Spans[0].Text)
		}
		p.HandleEvent(tui.Key{Code: terminal.KeyTab}, tui.Space{})
	}
	// Output:
	// [yes] <
	// [no]
	// [yes]
	// [no] <
}

// A goroutine that fails ends the program, and the terminal is given back first.
func ExampleApp_Go() {
	app := &tui.App{Main: func(ctx context.Context) error { <-ctx.Done(); return nil }}
	app.Go(func(ctx context.Context) error {
		fmt.Fprintln(app.Transcript(), "reading")
		return errors.New("the line is cut")
	})
	plainRun(app)
	// Output:
	// reading
	// error: the line is cut
}

// Messages of the program and its libraries are rows of the transcript.
func ExampleApp_Stderr() {
	app := &tui.App{}
	app.Main = func(ctx context.Context) error {
		log.New(app.Stderr(), "server: ", 0).Println("listening")
		return nil
	}
	plainRun(app)
	// Output: server: listening
}
