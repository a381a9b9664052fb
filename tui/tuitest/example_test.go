package tuitest_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// greeter returns a program as it is tested: made by a function.
func greeter() *tui.App {
	app := &tui.App{}
	app.Footer = &tui.Editor{OnSubmit: func(text string) { fmt.Fprintln(app.Transcript(), "hello,", text) }}
	return app
}

// A test of a program, in a bubble.
func ExampleStart() {
	_ = func(t *testing.T) { // func TestWhoTypesIsGreeted
		synctest.Test(t, func(t *testing.T) {
			s := tuitest.Start(t, greeter(), tuitest.Config{Cols: 40, Rows: 5, Before: "$ greeter\n"})
			s.Type("ada")
			s.Press("enter")
			s.Want("$ greeter", "hello, ada", "›")
			s.Golden() // the same with testdata/TestWhoTypesIsGreeted.golden
		})
	}
}

// A small light terminal without colours, in which an earlier command has left something.
func ExampleConfig() {
	c := tuitest.Config{Cols: 40, Rows: 10, Light: true, Before: "$ ls\na.go\n",
		Env: map[string]string{"NO_COLOR": "1"}}
	fmt.Println(c.Cols, c.Rows)
	// Output:
	// 40 10
}

// A person types, waits, and makes the window smaller.
func ExampleScreen() {
	_ = func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := tuitest.Start(t, greeter(), tuitest.Config{})
			s.Paste("two\nlines")
			s.Pass(time.Second)
			s.Resize(30, 8)
			s.Press("ctrl+d")
			if err := s.Wait(); err != nil {
				t.Error(err)
			}
			t.Log(s.Scrollback(), s.Visible())
		})
	}
}

// A moving picture for the documentation, which fails the test when it is out of date.
func ExampleScreen_Film() {
	_ = func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := tuitest.Start(t, greeter(), tuitest.Config{Cols: 60, Rows: 6})
			film := s.Film("Somebody is greeted")
			for _, r := range "ada" {
				s.Pass(100 * time.Millisecond)
				s.Type(string(r))
			}
			s.Pass(time.Second)
			s.Press("enter")
			s.Pass(2 * time.Second)
			tuitest.Golden(t, "docs/greeter.svg", film.SVG())
		})
	}
}

// A picture of any terminal.
func ExampleLook() {
	v := vt.New(vt.Config{Cols: 20, Rows: 2})
	fmt.Fprint(v, "\x1b[1mtides\x1b[m of today\x1b[?25l")
	svg := string(tuitest.Look{Light: true, Name: "the tides"}.SVG(v))
	fmt.Println(strings.Contains(svg, "<title>the tides</title>"))
	fmt.Println(strings.Contains(svg, `font-weight="bold">tides</text>`))
	// Output:
	// true
	// true
}

// A film that is made by hand: what stood on the screen, and when.
func ExampleFilm() {
	v := vt.New(vt.Config{Cols: 20, Rows: 2})
	var f tuitest.Film
	for n := range 3 {
		fmt.Fprintf(v, "\rhigh water in %d", 3-n)
		f.Frame(v, time.Duration(n)*time.Second)
	}
	f.Frame(v, 4*time.Second) // so long the last one stays
	fmt.Println(strings.Count(string(f.SVG()), "@keyframes"))
	// Output:
	// 3
}
