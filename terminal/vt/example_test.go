package vt_test

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

func Example() {
	t := vt.New(vt.Config{Cols: 12, Rows: 3, Scrollback: 100})
	fmt.Fprint(t, "one\r\ntwo\r\nthree\r\nfour\x1b[2D!")
	fmt.Println(strings.Join(t.Scrollback(), ","))
	fmt.Println(t)
	fmt.Println("cursor:", t.Cursor().Row, t.Cursor().Col)
	// Output:
	// one
	// two
	// three
	// fo!r
	// cursor: 2 3
}

func ExampleTerminal_Resize() {
	t := vt.New(vt.Config{Cols: 20, Rows: 3, Scrollback: 100})
	fmt.Fprint(t, "a line that is longer than the window")
	for _, cols := range []int{20, 10, 40} {
		t.Resize(cols, 3)
		fmt.Println(strings.Join(t.Tape(), "|"), "=", strings.Join(t.Lines(), "|"))
	}
	// Output:
	// a line that is longe|r than the window = a line that is longer than the window
	// a line tha|t is longe|r than the| window = a line that is longer than the window
	// a line that is longer than the window = a line that is longer than the window
}

func ExampleTerminal_TakeReplies() {
	t := vt.New(vt.Config{})
	fmt.Fprint(t, "\x1b[5;7H\x1b[6n\x1b[?2026$p")
	fmt.Printf("%q\n", t.TakeReplies())
	// Output: "\x1b[5;7R\x1b[?2026;2$y"
}

func ExampleRow_Cells() {
	t := vt.New(vt.Config{Cols: 4, Rows: 1})
	fmt.Fprint(t, "\x1b[1;31m日\x1b[0;4:3mé")
	for x, c := range t.Row(0).Cells() {
		fmt.Printf("%d: %q width %d %v underline %q\n", x, c.Text, c.Width, c.Style.Attr.Names(), c.Style.Underline)
	}
	// Output:
	// 0: "日" width 2 [bold] underline ""
	// 1: "" width 0 [bold] underline ""
	// 2: "é" width 1 [] underline "curly"
	// 3: "" width 1 [] underline ""
}

// A terminal that has another idea of a character and does not know grapheme clusters.
func ExamplePersonality() {
	t := vt.New(vt.Config{Cols: 10, Rows: 1, Personality: vt.Personality{
		NoGraphemeClusters: true,
		Widths:             map[string]int{"☁": 2},
		Replies:            &vt.Replies{DA1: "\x1b[?1;2c"},
	}})
	fmt.Fprint(t, "☁x\x1b[c")
	fmt.Println(t.Cursor().Col, len(t.TakeReplies()))
	// Output: 3 7
}
