// Package screen represents the state of a terminal emulator as JSON, and compares two such dumps.
//
// stress/cmd/vtdump prints dumps of terminal/vt, and stress/oracle/driver.mjs prints dumps of the
// real ghostty core. Any other emulator that prints them can be compared by [Compare], too. The
// version of the schema is 1. A dump lists in [Dump.Unsupported] what its emulator cannot report;
// the comparison leaves that out.
package screen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Version is the version of the schema, stored in field "v" of a dump.
const Version = 1

// Dump holds everything that an emulator can report about its state. Scrollback, Grid and Images
// are nil if they were not asked for.
type Dump struct {
	V             int    `json:"v"`
	Emu           string `json:"emu"`
	Cols          int    `json:"cols"`
	Rows          int    `json:"rows"`
	Cursor        Cursor `json:"cursor"`
	Screen        string `json:"screen"` // the active screen: normal or alt
	ScrollbackLen int    `json:"scrollback_len"`
	// rows of the active screen's scrollback, the oldest one first
	Scrollback []Row `json:"scrollback,omitzero"`
	// rows of the grid, the top one first, even if the view is scrolled up
	Grid          []Row    `json:"grid,omitzero"`
	Modes         []string `json:"modes"` // modes that are on, "?" before DEC private ones
	Title         string   `json:"title"`
	Pwd           string   `json:"pwd"`
	KittyKeyboard int      `json:"kitty_keyboard"`
	Bells         int      `json:"bells"`
	Replies       []byte   `json:"replies"` // bytes that the terminal has answered since the last dump
	Images        []Image  `json:"images,omitzero"`
	Stored        []Stored `json:"stored,omitzero"`
	Unsupported   []string `json:"unsupported"`
}

// Cursor holds the position, counted from 0, and the state of the cursor. Col stays on the last
// column while a wrap is pending.
type Cursor struct {
	Row         int    `json:"row"`
	Col         int    `json:"col"`
	Visible     bool   `json:"visible"`
	PendingWrap bool   `json:"pending_wrap"`
	Shape       string `json:"shape"` // block, underline or bar
}

// Row holds the cells of one row, as runs of equal cells. Default cells at the end may be absent.
type Row struct {
	Text    string `json:"text"`
	Wrapped bool   `json:"wrapped,omitzero"` // the row is soft-wrapped into the next one
	Prompt  int    `json:"prompt,omitzero"`  // 1: an OSC 133 prompt, 2: its continuation
	Cells   []Cell `json:"cells"`
}

// Cell describes N equal neighbouring cells; N is 0 or 1 for a single cell. The zero value is a
// default blank cell.
type Cell struct {
	N     int    `json:"n,omitzero"`
	Text  string `json:"t,omitzero"` // the whole grapheme cluster; "" for a blank
	Width Width  `json:"w,omitzero"`
	Fg    Color  `json:"fg,omitzero"`
	Bg    Color  `json:"bg,omitzero"`
	Attrs Attrs  `json:"attrs,omitzero"`
	Under string `json:"ul,omitzero"`  // style of the underline: single, double, curly, dotted, dashed
	Ulc   Color  `json:"ulc,omitzero"` // colour of the underline
	Link  string `json:"link,omitzero"`
	Prot  bool   `json:"prot,omitzero"`
}

// Count returns the number of cells in the run.
func (c Cell) Count() int { return max(c.N, 1) }

// Blank reports whether the cell shows no text.
func (c Cell) Blank() bool { return c.Text == "" || c.Text == " " }

// Image describes one placement of a kitty image on the active screen. Row and Col are relative to
// the top of the grid. Px is the size of the whole image in pixels.
type Image struct {
	ID        int    `json:"id"`
	Placement int    `json:"placement"`
	Row       int    `json:"row"`
	Col       int    `json:"col"`
	Cols      int    `json:"cols"`
	Rows      int    `json:"rows"`
	Z         int    `json:"z"`
	Virtual   bool   `json:"virtual"`
	Px        [2]int `json:"px"`
}

// Stored describes a kitty image that the active screen has stored, shown or not. A dump lists only
// the images with ids from 1 to 15, because the API of ghostty's core can find an image by its id,
// but cannot list all images.
type Stored struct {
	ID int    `json:"id"`
	Px [2]int `json:"px"`
}

// Width says which part of a character a cell holds. The zero value is a narrow character.
type Width int8

// The widths. In JSON they are 1, 2 and 0.
const (
	Narrow Width = 0
	Wide   Width = 1  // the first half of a wide character
	Tail   Width = -1 // the second half of a wide character
)

// MarshalJSON returns 2 for the first half of a wide character, 0 for the second half, and 1 for a
// narrow character.
func (w Width) MarshalJSON() ([]byte, error) { return []byte{byte('1' + w)}, nil }

// UnmarshalJSON reads the numbers that MarshalJSON returns.
func (w *Width) UnmarshalJSON(b []byte) error {
	if len(b) != 1 || b[0] < '0' || b[0] > '2' {
		return fmt.Errorf("screen: cell width %q", b)
	}
	*w = Width(b[0]) - '1'
	return nil
}

// Color is a colour as the program has set it: "idx:0" to "idx:255", "rgb:rrggbb", or "" for the
// default.
type Color string

// UnmarshalJSON reads a colour. It also accepts "default" for the default colour.
func (c *Color) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s == "default" {
		s = ""
	}
	*c = Color(s)
	return nil
}

// Attrs is a set of text attributes.
type Attrs uint8

// The attributes, in the order in which they are printed.
const (
	Bold Attrs = 1 << iota
	Faint
	Italic
	Blink
	Inverse
	Invisible
	Strike
	Overline
)

var attrNames = [...]string{"bold", "faint", "italic", "blink", "inverse", "invisible", "strike", "overline"}

// Names returns the names of the attributes in the set.
func (a Attrs) Names() []string {
	var names []string
	for i, name := range attrNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON returns the set as a list of names.
func (a Attrs) MarshalJSON() ([]byte, error) { return json.Marshal(a.Names()) }

// UnmarshalJSON reads a list of names, in any order. It returns an error for an unknown name.
func (a *Attrs) UnmarshalJSON(b []byte) error {
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		return err
	}
	*a = 0
next:
	for _, name := range names {
		for i, known := range attrNames {
			if name == known {
				*a |= 1 << i
				continue next
			}
		}
		return fmt.Errorf("screen: unknown attribute %q", name)
	}
	return nil
}

// String returns a readable picture of the dump: size, cursor and modes, then the rows between
// bars, with "s" before rows of the scrollback and ">" behind soft-wrapped ones, then the replies.
func (d *Dump) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%dx%d %s, cursor row %d col %d", d.Cols, d.Rows, d.Screen, d.Cursor.Row, d.Cursor.Col)
	if d.Cursor.PendingWrap {
		b.WriteString(" (pending wrap)")
	}
	fmt.Fprintf(&b, ", scrollback %d, modes %s\n", d.ScrollbackLen, strings.Join(d.Modes, " "))
	draw := func(mark string, rows []Row) {
		for i, row := range rows {
			end := "|"
			if row.Wrapped {
				end = ">"
			}
			fmt.Fprintf(&b, "%s%3d |%s%s\n", mark, i, row.Text, end)
		}
	}
	draw("s", d.Scrollback)
	draw(" ", d.Grid)
	if len(d.Replies) > 0 {
		fmt.Fprintf(&b, "replies %q\n", d.Replies)
	}
	return b.String()
}
