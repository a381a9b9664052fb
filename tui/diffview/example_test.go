package diffview_test

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/diffview"
)

// change returns a hunk of a file.
func change() []diffview.Row {
	return []diffview.Row{
		{Kind: diffview.Hunk, Text: "@@ -3,2 +3,2 @@"},
		{Old: 3, New: 3, Text: "Rivers"},
		{Kind: diffview.Removed, Old: 4, Text: "teh Rhine"},
		{Kind: diffview.Added, New: 4, Text: "the Rhine\x1b[2J"},
	}
}

// show prints rows as a screen without colours does.
func show(lines []tui.Line) {
	for _, l := range lines {
		row := ""
		for _, sp := range l.Spans {
			row += sp.Text
		}
		fmt.Println(strings.TrimRight(row, " "))
	}
}

// A body of two rows, which goes to its end.
func ExampleBody() {
	b := diffview.New(change())
	s := tui.Space{Width: 40, Height: 2}
	show(b.View(s).Lines)
	b.End(s)
	show(b.View(s).Lines)
	first, last, of, percent := b.Position()
	fmt.Println(first, last, of, percent)
	// Output:
	// @@ -3,2 +3,2 @@
	// 3   Rivers
	// 4 - teh Rhine
	// 4 + the Rhine␛[2J
	// 3 4 4 100
}

// What a file holds is shown, never sent.
func ExampleRow() {
	show(diffview.New([]diffview.Row{{Kind: diffview.Added, New: 7, Text: "a\x00b\u202e", Mark: "CR"}}).
		Lines(tui.Space{Width: 40}))
	// Output:
	// 7  + a␀b<U+202E> [CR]
}

// Compare tells which parts of two lines differ; they are marked on the screen.
func ExampleRange() {
	b := diffview.New(change())
	b.Compare = func(old, now string) (inOld, inNew []diffview.Range) {
		n := strings.Index(old, "Rhine")
		return []diffview.Range{{To: n}}, []diffview.Range{{To: strings.Index(now, "Rhine")}}
	}
	old, now := b.Compare("teh Rhine", "the Rhine")
	fmt.Println(old, now)
	// Output:
	// [{0 4}] [{0 4}]
}

// Numbers in yellow.
func ExampleTint() {
	b := diffview.New([]diffview.Row{{Old: 1, New: 1, Text: "the 3 harbours"}})
	b.Tints = func(r diffview.Row) []diffview.Tint {
		i := strings.IndexAny(r.Text, "0123456789")
		return []diffview.Tint{{Range: diffview.Range{From: i, To: i + 1}, Class: 1}}
	}
	b.Style = func(t *tui.Theme, _ diffview.Kind, class uint8) tui.Style { return t.Warning }
	show(b.View(tui.Space{Width: 40, Height: 1}).Lines)
	// Output:
	// 1   the 3 harbours
}

// A command that is asked about, and a word about it.
func ExampleKind() {
	show(diffview.New([]diffview.Row{
		{Kind: diffview.Lead, Text: "git push"},
		{Kind: diffview.Prose, Text: "It changes what others see."},
	}).Lines(tui.Space{Width: 40}))
	// Output:
	// git push
	// It changes what others see.
}
