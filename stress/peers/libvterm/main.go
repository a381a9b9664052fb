// Command libvterm plays a script of stress/screen on libvterm, the emulator of vim, neovim and
// Emacs' vterm, and prints its dumps: go run -C stress/peers/libvterm . It needs a C compiler and
// the library's headers (libvterm-dev).
package main

// #cgo pkg-config: vterm
// #include <stdlib.h>
// #include <vterm.h>
// #include "callbacks.h"
import "C"

import (
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/scrollkeep/scrollkeep/stress/screen"
)

func main() {
	if err := screen.Play(os.Stdin, os.Stdout, screen.Size{Cols: 80, Rows: 24}, open); err != nil {
		fmt.Fprintln(os.Stderr, "libvterm:", err)
		os.Exit(1)
	}
}

// emulator is one terminal. The scrollback is for the program that uses the library to keep.
type emulator struct {
	t       *C.VTerm
	s       *C.VTermScreen
	size    screen.Size
	history [][]C.VTermScreenCell
	title   string
	alt     bool
}

// current is the one terminal that is alive: the library calls C functions.
var current *emulator

func open(size screen.Size) screen.Emulator {
	if current != nil {
		C.vterm_free(current.t)
	}
	current = &emulator{t: C.vterm_new(C.int(size.Rows), C.int(size.Cols)), size: size}
	C.vterm_set_utf8(current.t, 1)
	current.s = C.vterm_obtain_screen(current.t)
	C.listen(current.s)
	C.vterm_screen_enable_altscreen(current.s, 1)
	C.vterm_screen_reset(current.s, 1)
	return current
}

//export pushLine
func pushLine(cols C.int, cells *C.VTermScreenCell) {
	line := append([]C.VTermScreenCell(nil), unsafe.Slice(cells, int(cols))...)
	current.history = append(current.history, line)
	if n := len(current.history) - current.size.Scrollback; n > 0 {
		current.history = current.history[n:]
	}
}

//export popLine
func popLine(cols C.int, cells *C.VTermScreenCell) C.int {
	n := len(current.history)
	if n == 0 {
		return 0
	}
	line := current.history[n-1]
	current.history = current.history[:n-1]
	out := unsafe.Slice(cells, int(cols))
	for x := range out {
		out[x] = C.VTermScreenCell{width: 1}
		if x < len(line) {
			out[x] = line[x]
		}
	}
	return 1
}

//export setTitle
func setTitle(s *C.char, n C.int, initial C.int) {
	if initial != 0 {
		current.title = ""
	}
	current.title += C.GoStringN(s, n)
}

//export setAlt
func setAlt(on C.int) { current.alt = on != 0 }

func (e *emulator) Write(output []byte) {
	if len(output) > 0 {
		C.vterm_input_write(e.t, (*C.char)(unsafe.Pointer(&output[0])), C.size_t(len(output)))
	}
}

func (e *emulator) Resize(cols, rows int) {
	e.size.Cols, e.size.Rows = cols, rows
	C.vterm_set_size(e.t, C.int(rows), C.int(cols))
}

func (e *emulator) Dump(what screen.What) *screen.Dump {
	C.vterm_screen_flush_damage(e.s)
	var at C.VTermPos
	C.vterm_state_get_cursorpos(C.vterm_obtain_state(e.t), &at)
	d := &screen.Dump{
		V: screen.Version, Emu: fmt.Sprintf("libvterm %d.%d", C.VTERM_VERSION_MAJOR, C.VTERM_VERSION_MINOR),
		Cols: e.size.Cols, Rows: e.size.Rows, Cursor: screen.Cursor{Row: int(at.row), Col: int(at.col),
			Visible: true},
		Screen: "normal", ScrollbackLen: len(e.history), Title: e.title,
		Unsupported: []string{"wrapped", "images", "prompt", "pwd"},
	}
	if e.alt {
		d.Screen = "alt"
	}
	buf := make([]byte, 64<<10)
	n := C.vterm_output_read(e.t, (*C.char)(unsafe.Pointer(&buf[0])), C.size_t(len(buf)))
	d.Replies = buf[:int(n)]
	for _, line := range e.history {
		d.Scrollback = append(d.Scrollback, row(line))
	}
	for y := range e.size.Rows {
		line := make([]C.VTermScreenCell, e.size.Cols)
		for x := range line {
			C.vterm_screen_get_cell(e.s, C.VTermPos{row: C.int(y), col: C.int(x)}, &line[x])
		}
		d.Grid = append(d.Grid, row(line))
	}
	return d
}

func row(line []C.VTermScreenCell) screen.Row {
	out := screen.Row{Cells: []screen.Cell{}}
	var b strings.Builder
	for i := range line {
		c := &line[i]
		var cell screen.Cell
		if c.chars[0] == ^C.uint32_t(0) {
			cell.Width = screen.Tail
		} else {
			for _, r := range c.chars {
				if r == 0 {
					break
				}
				cell.Text += string(rune(r))
			}
			b.WriteString(max(cell.Text, " "))
			cell.Text = strings.TrimSuffix(cell.Text, " ")
		}
		if c.width == 2 {
			cell.Width = screen.Wide
		}
		var a C.struct_look
		C.look_at(c, &a)
		cell.Fg, cell.Bg = name(a.fg), name(a.bg)
		cell.Under = [...]string{"", "single", "double", "curly"}[a.underline]
		for i, on := range a.attrs {
			if on != 0 {
				cell.Attrs |= [...]screen.Attrs{screen.Bold, screen.Italic, screen.Blink, screen.Inverse,
					screen.Strike}[i]
			}
		}
		out.Cells = append(out.Cells, cell)
	}
	out.Text = strings.TrimRight(b.String(), " ")
	return out
}

// name returns a colour: -1 for the default, a number of the palette, or three bytes above 1<<24.
func name(c C.int) screen.Color {
	switch {
	case c < 0:
		return ""
	case c < 256:
		return screen.Color(fmt.Sprintf("idx:%d", int(c)))
	}
	return screen.Color(fmt.Sprintf("rgb:%06x", int(c)&0xffffff))
}
