package vt_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

func ExampleRow() {
	t := vt.New(vt.Config{Cols: 10, Rows: 2})
	fmt.Fprint(t, "high water at noon")
	fmt.Println(t.Row(0).Text(), t.Row(0).Wrapped())
	fmt.Println(t.Row(1).Text(), t.Row(1).Wrapped())
	// Output:
	// high water true
	//  at noon false
}

func ExampleCell() {
	t := vt.New(vt.Config{Cols: 10, Rows: 1})
	fmt.Fprint(t, "\x1b[1m日\x1b[m.")
	for x, c := range t.Row(0).Cells() {
		if x < 3 {
			fmt.Printf("%d %q %d %v\n", x, c.Text, c.Width, c.Style.Attr.Names())
		}
	}
	// Output:
	// 0 "日" 2 [bold]
	// 1 "" 0 [bold]
	// 2 "." 1 []
}

func ExampleStyle() {
	t := vt.New(vt.Config{Cols: 10, Rows: 1})
	fmt.Fprint(t, "\x1b[4:3;38;5;208mx")
	s := t.Row(0).Cell(0).Style
	n, indexed := s.Fg.Index()
	fmt.Println(s.Underline, n, indexed)
	// Output:
	// curly 208 true
}

func ExampleCursor() {
	t := vt.New(vt.Config{Cols: 10, Rows: 3})
	fmt.Fprint(t, "one\r\ntwo\x1b[?25l\x1b[5 q")
	c := t.Cursor()
	fmt.Println(c.Row, c.Col, c.Visible, c.Shape, c.Blink)
	// Output:
	// 1 3 false bar true
}

// A terminal of another name.
func ExampleReplies() {
	t := vt.New(vt.Config{Personality: vt.Personality{Replies: &vt.Replies{DA1: "\x1b[?62c"}}})
	fmt.Fprint(t, "\x1b[c")
	fmt.Printf("%q\n", t.TakeReplies())
	// Output:
	// "\x1b[?62c"
}

func ExamplePromptMark() {
	t := vt.New(vt.Config{Cols: 10, Rows: 2})
	fmt.Fprint(t, "\x1b]133;A\a$ ls\r\n\x1b]133;C\aa.go")
	for y := range 2 {
		fmt.Println(t.Row(y).Text(), t.Row(y).Prompt() == vt.PromptStart)
	}
	// Output:
	// $ ls true
	// a.go false
}

// A picture by the kitty protocol: its pixels are counted, not kept.
func ExampleTraffic() {
	t := vt.New(vt.Config{})
	fmt.Fprint(t, "\x1b_Ga=t,i=7,f=24,s=1,v=1,q=2;AAAA\x1b\\")
	for _, im := range t.Images() {
		fmt.Println(im.ID, im.Width, im.Height, im.Bytes)
	}
	fmt.Println(t.Traffic().Images, t.Traffic().Payload)
	// Output:
	// 7 1 1 3
	// 1 4
}
