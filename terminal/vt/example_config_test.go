package vt_test

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A light terminal that keeps one row of history and says what it answers.
func ExampleConfig() {
	t := vt.New(vt.Config{Cols: 10, Rows: 2, Scrollback: 1, Light: true,
		Reply: func(p []byte) { fmt.Printf("%q\n", p) }})
	fmt.Fprint(t, "one\r\ntwo\r\nthree\r\nfour\x1b[?996n")
	fmt.Println(t.Tape())
	// Output:
	// "\x1b[?997;2n"
	// [two three four]
}

// Where a program erases the screen, history may hold what it has shown.
func ExampleArchive() {
	for _, a := range []vt.Archive{vt.ArchiveNothing, vt.ArchiveUsed, vt.ArchiveScreen} {
		t := vt.New(vt.Config{Cols: 10, Rows: 3, Scrollback: 10, Personality: vt.Personality{EraseAll: a}})
		fmt.Fprint(t, "one\r\ntwo\x1b[2J")
		fmt.Printf("%q\n", t.Scrollback())
	}
	// Output:
	// []
	// ["one" "two"]
	// ["one" "two" ""]
}

func ExampleErase3() {
	for _, e := range []vt.Erase3{vt.ClearScrollback, vt.KeepScrollback, vt.ClearBoth} {
		t := vt.New(vt.Config{Cols: 10, Rows: 1, Scrollback: 10, Personality: vt.Personality{EraseScrollback: e}})
		fmt.Fprint(t, "one\r\ntwo\x1b[3J")
		fmt.Printf("%q\n", t.Tape())
	}
	// Output:
	// ["two"]
	// ["one" "two"]
	// []
}

// What is written on the alternate screen of some terminals comes into history.
func ExampleAltScreen() {
	for _, a := range []vt.AltScreen{vt.OwnAlt, vt.NoAlt, vt.LeakingAlt} {
		t := vt.New(vt.Config{Cols: 10, Rows: 2, Scrollback: 10, Personality: vt.Personality{AltScreen: a}})
		fmt.Fprint(t, "$\x1b[?1049h\x1b[Hone\r\ntwo\r\nthree\x1b[?1049l")
		fmt.Printf("%q\n", t.Tape())
	}
	// Output:
	// ["$"]
	// ["one" "two" "three"]
	// ["one" "$"]
}

// DL on row 1, which some terminals take for scrolling.
func ExampleWhere() {
	for _, w := range []vt.Where{vt.Nowhere, vt.AtTop} {
		t := vt.New(vt.Config{Cols: 10, Rows: 2, Scrollback: 10, Personality: vt.Personality{DeleteLinesPushes: w}})
		fmt.Fprint(t, "one\r\ntwo\x1b[H\x1b[M")
		fmt.Printf("%q\n", t.Tape())
	}
	// Output:
	// ["two"]
	// ["one" "two"]
}

// An erasure to the end of a row that goes on in the next one: whether they are still one line.
func ExampleWrapMark() {
	for _, m := range []vt.WrapMark{vt.WrapOnRow, vt.WrapStays} {
		t := vt.New(vt.Config{Cols: 5, Rows: 2, Personality: vt.Personality{Wraps: m}})
		fmt.Fprint(t, "high water\x1b[H\x1b[4C\x1b[K")
		fmt.Printf("%q\n", t.Lines())
	}
	// Output:
	// ["high" "water"]
	// ["high water"]
}

// A terminal that cuts its rows at the edge of a narrower window.
func ExampleRelayout() {
	cut := func(g *vt.Grid, cols, _ int) {
		for _, r := range g.Tape {
			r.Cells = append(r.Cells, make([]vt.TapeCell, max(cols-len(r.Cells), 0))...)[:cols]
			r.Used = min(r.Used, cols)
		}
		g.Cursor.X = min(g.Cursor.X, cols-1)
	}
	t := vt.New(vt.Config{Cols: 10, Rows: 1, Personality: vt.Personality{Relayout: cut}})
	fmt.Fprint(t, "high water")
	t.Resize(4, 1)
	fmt.Println(strings.Join(t.Lines(), "|"))
	// Output:
	// high
}
