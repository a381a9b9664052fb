package tuitest

import (
	"fmt"
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Click presses and releases the left button on a cell of the grid, whose column and row count from
// 0. Like a terminal it sends nothing if the program has not requested the mouse.
func (s *Screen) Click(col, row int) {
	s.button(0, col, row, 'M')
	s.button(0, col, row, 'm')
	s.Settle()
}

// Drag presses the left button on the cell from, moves the pointer to the cell to by steps of at
// most one column and row, and releases the button. Like a terminal it sends no moves if the
// program has not requested drags.
func (s *Screen) Drag(from, to tui.Pos) {
	s.button(0, from.Col, from.Row, 'M')
	s.Settle()
	for at := from; at != to; {
		at.Col += min(max(to.Col-at.Col, -1), 1)
		at.Row += min(max(to.Row-at.Row, -1), 1)
		if s.DragsOn() {
			s.button(32, at.Col, at.Row, 'M')
			s.Settle()
		}
	}
	s.button(0, to.Col, to.Row, 'm')
	s.Settle()
}

// DragsOn reports whether the program has requested moves of the pointer while a button is held
// (mode 1002).
func (s *Screen) DragsOn() (on bool) {
	s.Inspect(func(t *vt.Terminal) { on = t.Mode(1002, true) })
	return on
}

// Wheel turns the wheel over a cell of the grid, whose column and row count from 0. It turns by a
// number of notches, up if that is negative.
func (s *Screen) Wheel(col, row, notches int) {
	button := 65
	if notches < 0 {
		button, notches = 64, -notches
	}
	for range notches {
		s.button(button, col, row, 'M')
	}
	s.Settle()
}

// MouseOn reports whether the program has requested the mouse (modes 1000 and 1006).
func (s *Screen) MouseOn() (on bool) {
	s.Inspect(func(t *vt.Terminal) { on = t.Mode(1000, true) && t.Mode(1006, true) })
	return on
}

func (s *Screen) button(n, col, row int, final byte) {
	if s.MouseOn() {
		s.Send(fmt.Appendf(nil, "\x1b[<%d;%d;%d%c", n, col+1, row+1, final))
	}
}

// Release sends the release of keys, given by their names (terminal.ParseKey). Like a terminal it
// sends nothing if the program has not requested releases.
func (s *Screen) Release(keys ...string) {
	s.tb.Helper()
	for _, name := range keys {
		k, err := terminal.ParseKey(name)
		if err != nil {
			s.tb.Fatal(err)
		}
		var flags int
		s.Inspect(func(t *vt.Terminal) { flags = t.KittyKeyboard() })
		if flags&2 == 0 || k.Code == terminal.KeyEnter || k.Code == terminal.KeyTab || k.Code == terminal.KeyBackspace {
			continue
		}
		if f, ok := finalKeys[k.Code]; ok {
			s.Send(fmt.Appendf(nil, "\x1b[1;%d:3%c", 1+int(k.Mods), f))
			continue
		}
		code, final := strconv.Itoa(int(k.Code)), 'u'
		if n, ok := tildeKeys[k.Code]; ok {
			code, final = strconv.Itoa(n), '~'
		}
		s.Send(fmt.Appendf(nil, "\x1b[%s;%d:3%c", code, 1+int(k.Mods), final))
	}
	s.Settle()
}
