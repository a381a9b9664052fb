package renderer_test

import (
	"bytes"
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// row is one row of cells: a row that a frame wants, or a row that the terminal is believed to
// show. Comments tell which fields are set in one of the two only.
func row(text string) renderer.Line {
	return renderer.Line{Spans: []renderer.Span{{Text: text}}}
}

// Two rows become final, the live row below them is painted anew.
func ExampleRenderer() {
	v := vt.New(vt.Config{Cols: 20, Rows: 3, Scrollback: 10})
	r := renderer.New(renderer.Config{Out: v, Cols: 20, Rows: 3})
	_, _ = r.Render(renderer.Frame{Live: []renderer.Line{row("working")}})
	seam, err := r.Render(renderer.Frame{Commit: []renderer.Line{row("one"), row("two")},
		Live: []renderer.Line{row("working 1 s")}})
	fmt.Println(v)
	fmt.Println(seam.Live, seam.Doubt, err)
	// Output:
	// one
	// two
	// working 1 s
	// 1 0 <nil>
}

// A frame that changes nothing is no write.
func ExampleFrame() {
	var out bytes.Buffer
	r := renderer.New(renderer.Config{Out: &out, Cols: 20, Rows: 3})
	f := renderer.Frame{Live: []renderer.Line{row("ready")}, Cursor: &renderer.Pos{Col: 5}}
	_, _ = r.Render(f)
	out.Reset()
	_, _ = r.Render(f)
	fmt.Println(out.Len())
	// Output:
	// 0
}

// What a text holds is drawn, never sent.
func ExampleLine() {
	v := vt.New(vt.Config{Cols: 20, Rows: 3})
	r := renderer.New(renderer.Config{Out: v, Cols: 20, Rows: 3})
	_, _ = r.Render(renderer.Frame{Commit: []renderer.Line{row("a\x1b[2Jb")}})
	fmt.Println(v)
	// Output:
	// a␛[2Jb
}

// A picture over the bottom of the window, which leaves no trace.
func ExampleOverlay() {
	v := vt.New(vt.Config{Cols: 20, Rows: 3})
	r := renderer.New(renderer.Config{Out: v, Cols: 20, Rows: 3})
	live := []renderer.Line{row("one"), row("two")}
	for _, o := range []*renderer.Overlay{{Lines: []renderer.Line{row("over")}}, nil} {
		_, _ = r.Render(renderer.Frame{Live: live, Overlay: o})
		fmt.Printf("%q\n", v.Screen())
	}
	// Output:
	// ["one" "over" ""]
	// ["one" "two" ""]
}

// The alternate screen, to which the caller has gone.
func ExampleScreen() {
	v := vt.New(vt.Config{Cols: 20, Rows: 3})
	v.WriteString("\x1b[?1049h")
	s := renderer.NewScreen(renderer.Config{Out: v, Cols: 20, Rows: 3})
	err := s.Render([]renderer.Line{row("a"), row("full"), row("screen")}, nil)
	fmt.Println(v, err)
	// Output:
	// a
	// full
	// screen <nil>
}

// A log of the frames.
func ExampleTrace() {
	var out bytes.Buffer
	n := 0
	r := renderer.New(renderer.Config{Out: &out, Cols: 20, Rows: 3, Trace: func(renderer.Trace) { n++ }})
	_, _ = r.Render(renderer.Frame{Live: []renderer.Line{row("a")}})
	_, _ = r.Render(renderer.Frame{Live: []renderer.Line{row("a")}})
	fmt.Println(n)
	// Output:
	// 1
}
