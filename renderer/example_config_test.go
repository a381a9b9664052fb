package renderer_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A terminal of 40 columns that holds synchronized updates back: each frame is one.
func ExampleConfig() {
	var out bytes.Buffer
	r := renderer.New(renderer.Config{Out: &out, Cols: 40, Rows: 10, Sync: true})
	_, _ = r.Render(renderer.Frame{Commit: []renderer.Line{row("one")}})
	fmt.Println(bytes.HasPrefix(out.Bytes(), []byte("\x1b[?2026h")))
	fmt.Println(bytes.HasSuffix(out.Bytes(), []byte("\x1b[?2026l")))
	// Output:
	// true
	// true
}

// Where rows may be deleted, fewer are written anew.
func ExampleQuirks() {
	var live []renderer.Line
	for _, c := range "abcdefgh" {
		live = append(live, row(strings.Repeat(string(c), 40)))
	}
	for _, q := range []renderer.Quirks{{}, {Delete: renderer.DeleteBelow}} {
		var out bytes.Buffer
		r := renderer.New(renderer.Config{Out: &out, Cols: 80, Rows: 24, Quirks: q})
		_, _ = r.Render(renderer.Frame{Commit: []renderer.Line{row("final")}, Live: live})
		out.Reset()
		_, _ = r.Render(renderer.Frame{Live: live[1:]})
		fmt.Println("h is written:", bytes.Contains(out.Bytes(), []byte("hhhh")))
	}
	// Output:
	// h is written: true
	// h is written: false
}

// A terminal that is not known gets the zero value.
func ExampleKnown() {
	fmt.Println(renderer.Known("ghostty").Delete == renderer.DeleteClean)
	fmt.Println(renderer.Known("a new one") == renderer.Quirks{})
	// Output:
	// true
	// true
}

// A person asks for the session anew, and a program that may not erase the saved lines writes it
// below what stands there.
func ExampleResetMode() {
	v := vt.New(vt.Config{Cols: 20, Rows: 3, Scrollback: 10})
	r := renderer.New(renderer.Config{Out: v, Cols: 20, Rows: 3, Strict: true})
	_, _ = r.Render(renderer.Frame{Commit: []renderer.Line{row("one")}, Live: []renderer.Line{row("live")}})
	v.WriteString("\x1b[Hsomebody else") // writes into the window
	mode, _ := r.Reset(renderer.Rebuild)
	fmt.Println(mode == renderer.Redraw)
	mode, _ = r.Reset(renderer.Append)
	fmt.Println(mode == renderer.Append)
	_, _ = r.Render(renderer.Frame{Commit: []renderer.Line{row("one")}, Live: []renderer.Line{row("live")}})
	fmt.Printf("%q\n", v.Tape())
	// Output:
	// true
	// true
	// ["somebody else" "one" "live"]
}
