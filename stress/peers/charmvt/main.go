// Command charmvt plays a script of stress/screen on the emulator of github.com/charmbracelet/x/vt,
// and prints its dumps: go run -C stress/peers/charmvt .
package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

func main() {
	if err := screen.Play(os.Stdin, os.Stdout, screen.Size{Cols: 80, Rows: 24}, open); err != nil {
		fmt.Fprintln(os.Stderr, "charmvt:", err)
		os.Exit(1)
	}
}

// emulator is one terminal. It answers through a pipe, which somebody has to read while it is
// written to.
type emulator struct {
	t       *vt.Emulator
	title   string
	pwd     string
	replies []byte
}

// last goes into the pipe behind the answers to one piece of output.
const last = 0

func open(size screen.Size) screen.Emulator {
	e := &emulator{t: vt.NewEmulator(size.Cols, size.Rows)}
	e.t.SetScrollbackSize(size.Scrollback)
	e.t.SetCallbacks(vt.Callbacks{
		Title: func(s string) { e.title = s }, WorkingDirectory: func(s string) { e.pwd = s },
	})
	return e
}

func (e *emulator) Write(output []byte) { e.answered(func() { e.t.Write(output) }) }

func (e *emulator) Resize(cols, rows int) { e.answered(func() { e.t.Resize(cols, rows) }) }

// answered does something and collects the answers to it.
func (e *emulator) answered(do func()) {
	done := make(chan []byte)
	go func() {
		var got []byte
		buf := make([]byte, 4096)
		for !bytes.HasSuffix(got, []byte{last}) {
			n, err := e.t.Read(buf)
			if err != nil {
				break
			}
			got = append(got, buf[:n]...)
		}
		done <- bytes.TrimSuffix(got, []byte{last})
	}()
	do()
	e.t.InputPipe().Write([]byte{last})
	e.replies = append(e.replies, <-done...)
}

func (e *emulator) Dump(what screen.What) *screen.Dump {
	at := e.t.CursorPosition()
	d := &screen.Dump{
		V: screen.Version, Emu: "charm x/vt", Cols: e.t.Width(), Rows: e.t.Height(),
		Cursor: screen.Cursor{Row: at.Y, Col: at.X, Visible: !e.t.CursorHidden()}, Screen: "normal",
		ScrollbackLen: e.t.ScrollbackLen(), Title: e.title, Pwd: e.pwd,
		Unsupported: []string{"wrapped", "images", "prompt"},
	}
	if e.t.IsAltScreen() {
		d.Screen = "alt"
	}
	d.Replies, e.replies = e.replies, nil
	for y := range e.t.ScrollbackLen() {
		d.Scrollback = append(d.Scrollback, row(e.t.Width(), func(x int) *uv.Cell {
			return e.t.ScrollbackCellAt(x,
				y)
		}))
	}
	for y := range e.t.Height() {
		d.Grid = append(d.Grid, row(e.t.Width(), func(x int) *uv.Cell { return e.t.CellAt(x, y) }))
	}
	return d
}

func row(cols int, at func(x int) *uv.Cell) screen.Row {
	out := screen.Row{Cells: []screen.Cell{}}
	var b strings.Builder
	for x := 0; x < cols; x++ {
		c := at(x)
		if c == nil {
			b.WriteByte(' ')
			out.Cells = append(out.Cells, screen.Cell{})
			continue
		}
		cell := screen.Cell{Text: strings.TrimSuffix(c.Content, " "), Fg: name(c.Style.Fg), Bg: name(c.Style.Bg),
			Ulc: name(c.Style.UnderlineColor), Under: underlines[c.Style.Underline], Link: c.Link.URL,
			Attrs: attributes(c.Style.Attrs)}
		switch {
		case c.Width == 2:
			cell.Width = screen.Wide
		case c.Width == 0 && x > 0:
			cell.Width = screen.Tail
		}
		if cell.Width != screen.Tail {
			b.WriteString(max(c.Content, " "))
		}
		out.Cells = append(out.Cells, cell)
	}
	out.Text = strings.TrimRight(b.String(), " ")
	return out
}

var underlines = map[ansi.Underline]string{1: "single", 2: "double", 3: "curly", 4: "dotted", 5: "dashed"}

func attributes(a uint8) (out screen.Attrs) {
	for _, pair := range []struct {
		theirs uint8
		ours   screen.Attrs
	}{
		{uv.AttrBold, screen.Bold}, {uv.AttrFaint, screen.Faint}, {uv.AttrItalic, screen.Italic},
		{uv.AttrBlink, screen.Blink}, {uv.AttrReverse, screen.Inverse}, {uv.AttrConceal, screen.Invisible},
		{uv.AttrStrikethrough, screen.Strike},
	} {
		if a&pair.theirs != 0 {
			out |= pair.ours
		}
	}
	return out
}

func name(c color.Color) screen.Color {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return screen.Color(fmt.Sprintf("idx:%d", uint8(c)))
	case ansi.IndexedColor:
		return screen.Color(fmt.Sprintf("idx:%d", uint8(c)))
	}
	r, g, b, _ := c.RGBA()
	return screen.Color(fmt.Sprintf("rgb:%02x%02x%02x", r>>8, g>>8, b>>8))
}
