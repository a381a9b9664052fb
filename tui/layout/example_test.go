package layout_test

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// show prints what a component looks like; a bar stands behind the last column.
func show(c tui.Component, cols, rows int) {
	s := tui.Space{Width: cols, Height: rows}
	for _, l := range c.View(s).Lines {
		row := ""
		for _, sp := range l.Spans {
			row += sp.Text
		}
		fmt.Printf("%-*s|\n", cols-s.Columns(row)+len([]rune(row)), row)
	}
}

func ExampleColumns() {
	files, text := tui.NewText("go.mod\nmain.go"), tui.NewText("The one that is chosen stands here.")
	show(&layout.Columns{Items: []layout.Item{{Of: files, Min: 8}, {Of: text, Weight: 1, Min: 16}}}, 30, 0)
	// Output:
	// go.mod   The one that is      |
	// main.go  chosen stands here.  |
}

func ExampleNewColumns() {
	show(layout.NewColumns(tui.NewText("left"), tui.NewText("right")), 21, 0)
	// Output: left       right     |
}

func ExampleRows() {
	show(&layout.Rows{Items: []layout.Item{
		{Of: tui.NewText("as high as it is")},
		{Of: tui.NewText("all the rest"), Weight: 1},
		{Of: tui.NewText("two rows"), Min: 2},
	}}, 16, 6)
	// Output:
	// as high as it is|
	// all the rest    |
	//                 |
	//                 |
	// two rows        |
	//                 |
}

func ExampleItem() {
	wide, narrow := layout.Item{Of: tui.NewText("two parts"), Weight: 2}, layout.Item{Of: tui.NewText("one"), Weight: 1}
	show(&layout.Columns{Items: []layout.Item{wide, narrow}, Gap: -1}, 18, 0)
	// Output: two parts   one   |
}

func ExampleBox() {
	show(&layout.Box{Title: "Title", Of: tui.NewText("what is in it"), Border: layout.Square}, 20, 0)
	// Output:
	// ┌─ Title ──────────┐|
	// │what is in it     │|
	// └──────────────────┘|
}

func ExampleBorder() {
	for _, b := range []layout.Border{layout.Rounded, layout.None} {
		show(&layout.Box{Of: tui.NewText("in"), Border: b}, 6, 0)
	}
	// Output:
	// ╭────╮|
	// │in  │|
	// ╰────╯|
	//       |
	//  in   |
	//       |
}

func ExamplePad() {
	show(&layout.Pad{Of: tui.NewText("text"), Left: 3, Top: 1}, 10, 0)
	// Output:
	//           |
	//    text   |
}

func ExampleAlign() {
	show(&layout.Align{Of: tui.NewText("in the\nmiddle"), Horizontal: layout.Middle, Vertical: layout.Middle}, 12, 4)
	// Output:
	//             |
	//    in the   |
	//    middle   |
	//             |
}

func ExampleSide() {
	for _, side := range []layout.Side{layout.Start, layout.Middle, layout.End} {
		show(&layout.Align{Of: tui.NewText("ab"), Horizontal: side}, 8, 0)
	}
	// Output:
	// ab      |
	//    ab   |
	//       ab|
}

func ExampleJoin() {
	s := tui.Space{Width: 20}
	left, right := tui.NewText("漢字").View(s), tui.NewText("two\nrows").View(s)
	v := layout.Join(s, layout.Cell{View: left, Width: 6}, layout.Cell{View: right, Width: 6})
	show(tui.ComponentFunc(func(tui.Space) tui.View { return v }), 12, 0)
	// Output:
	// 漢字  two   |
	//       rows  |
}

func ExampleCell() {
	s := tui.Space{Width: 9}
	name := layout.Cell{View: tui.NewText("a name that is long").View(tui.Space{Width: 40}), Width: 6}
	gap := layout.Cell{Width: 1}
	v := layout.Join(s, name, gap, layout.Cell{View: tui.NewText("ok").View(s), Width: 2})
	show(tui.ComponentFunc(func(tui.Space) tui.View { return v }), 9, 0)
	// Output: a name ok|
}

func ExampleLayers() {
	page := tui.ComponentFunc(func(s tui.Space) (v tui.View) {
		for range s.Height {
			v.Lines = append(v.Lines, s.Cut(tui.Span{Text: strings.Repeat(".", s.Width)}))
		}
		return v
	})
	ask := &layout.Box{Title: "Sure?", Of: tui.NewText("[y]es [n]o")}
	show(&layout.Layers{Of: page, Over: []layout.Layer{{Of: ask, Place: tui.Place{Center: true, Width: 14}}}}, 24, 5)
	// Output:
	// ........................|
	// .....╭─ Sure? ────╮.....|
	// .....│[y]es [n]o  │.....|
	// .....╰────────────╯.....|
	// ........................|
}

func ExampleLayer() {
	note := layout.Layer{Of: tui.NewText("saved"), Place: tui.Place{Top: true, Right: true}}
	show(&layout.Layers{Of: tui.NewText("a page of text"), Over: []layout.Layer{note}}, 20, 1)
	// Output: a page of text saved|
}
