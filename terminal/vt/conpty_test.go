package vt_test

import (
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// These streams are what the pseudo console of Windows (ConPTY) sends to the terminal around it.
// Nobody has recorded them here: they follow what is public about its renderer (microsoft/terminal,
// src/renderer/vt until version 1.21, and issues 235, 1156 and 17510).
func TestAStreamOfThePseudoConsoleOfWindows(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		history      []string
		screen       []string
		row, col     int // of the cursor, from 0
	}{
		{
			name: "the first frame of Windows 10 1809 draws the first character three times",
			stream: "\x1b[2J\x1b[?25l\x1b[39m\x1b[49m\x1b[Hhello, world!\b\x1b[?25h" +
				"\x1b[Hh\x1b[Hh\x1b[1;14H\x1b[1;14H",
			screen: []string{"hello, world!", "", "", ""}, col: 13,
		},
		{
			name: "later ones ask for Win32 keys and focus, and set the title",
			stream: "\x1b[?9001h\x1b[?1004h\x1b[?25l\x1b[2J\x1b[m\x1b[H\x1b]0;C:\\shell.exe\a\x1b[?25h" +
				"> dir\r\n",
			screen: []string{"> dir", "", "", ""}, row: 1,
		},
		{
			name:   "blanks are erased and stepped over",
			stream: "\x1b[Hleft12345678\x1b[1;5H\x1b[8X\x1b[8Cright",
			screen: []string{"left        right", "", "", ""}, col: 17,
		},
		{
			name:   "rows that leave its grid are line feeds on the last row",
			stream: "\x1b[Hone\x1b[K\r\ntwo\x1b[K\r\nthree\x1b[K\r\nfour\x1b[K\r\nfive\x1b[K\r\nsix\x1b[K",
			history: []string{
				"one", "two",
			},
			screen: []string{"three", "four", "five", "six"}, row: 3, col: 3,
		},
		{
			name:   "its size, and a window that is shown and hidden, change nothing",
			stream: "\x1b[Hstays\x1b[8;30;100t\x1b[1t\x1b[2t\x1b[7t",
			screen: []string{"stays", "", "", ""}, col: 5,
		},
		{
			name: "an alternate screen is passed on",
			stream: "\x1b[Hbelow\x1b[?1049h\x1b[2J\x1b[Hfull\x1b[?1049l" +
				"\x1b[?25l\x1b[2;1Hnext\x1b[K\x1b[?25h",
			screen: []string{"below", "next", "", ""}, row: 1, col: 4,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, piece := range []int{len(c.stream), 7, 1} {
				term := vt.New(vt.Config{Cols: 20, Rows: 4, Scrollback: 100})
				for p := range slices.Chunk([]byte(c.stream), piece) {
					_, _ = term.Write(p)
				}
				if got := term.Scrollback(); !slices.Equal(got, c.history) {
					t.Errorf("in pieces of %d: history %q, want %q", piece, got, c.history)
				}
				if got := term.Screen(); !slices.Equal(got, c.screen) {
					t.Errorf("in pieces of %d: screen %q, want %q", piece, got, c.screen)
				}
				if at := term.Cursor(); at.Row != c.row || at.Col != c.col {
					t.Errorf("in pieces of %d: cursor at %d,%d, want %d,%d", piece, at.Row, at.Col, c.row, c.col)
				}
				if cols, rows := term.Size(); cols != 20 || rows != 4 {
					t.Errorf("in pieces of %d: %dx%d", piece, cols, rows)
				}
			}
		})
	}
}
