package tuitest

import (
	"strconv"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// finalKeys lists the keys that are encoded as CSI with a final letter; the first four function
// keys use SS3.
var finalKeys = map[rune]byte{
	terminal.KeyUp: 'A', terminal.KeyDown: 'B', terminal.KeyRight: 'C', terminal.KeyLeft: 'D', terminal.KeyHome: 'H',
	terminal.KeyEnd: 'F',
	terminal.KeyF1:  'P', terminal.KeyF2: 'Q', terminal.KeyF3: 'R', terminal.KeyF4: 'S',
}

// tildeKeys lists the keys that are encoded as CSI n ~, with their n.
var tildeKeys = map[rune]int{
	terminal.KeyInsert: 2, terminal.KeyDelete: 3, terminal.KeyPageUp: 5, terminal.KeyPageDown: 6, terminal.KeyF5: 15,
	terminal.KeyF6: 17,
	terminal.KeyF7: 18, terminal.KeyF8: 19, terminal.KeyF9: 20, terminal.KeyF10: 21, terminal.KeyF11: 23,
	terminal.KeyF12: 24,
}

// encodeKey returns the bytes that a terminal sends for k. kitty holds the active flags of the
// kitty keyboard protocol.
func encodeKey(k terminal.Key, kitty int) []byte {
	mods := ""
	if k.Mods != 0 {
		mods = strconv.Itoa(1 + int(k.Mods)) // the bits are those of xterm and kitty
	}
	if f, ok := finalKeys[k.Code]; ok {
		switch {
		case mods != "":
			return []byte("\x1b[1;" + mods + string(f))
		case k.Code >= terminal.KeyF1:
			return []byte("\x1bO" + string(f))
		}
		return []byte("\x1b[" + string(f))
	}
	if n, ok := tildeKeys[k.Code]; ok {
		if mods != "" {
			mods = ";" + mods
		}
		return []byte("\x1b[" + strconv.Itoa(n) + mods + "~")
	}
	if t := k.Text(); t != "" {
		return []byte(t)
	}
	if kitty&1 != 0 && (k.Mods != 0 || k.Code == terminal.KeyEscape) {
		if mods != "" {
			mods = ";" + mods
		}
		return []byte("\x1b[" + strconv.Itoa(int(k.Code)) + mods + "u")
	}
	var out []byte
	if k.Mods&terminal.Alt != 0 {
		out = append(out, 0x1b)
	}
	c := k.Code
	switch {
	case c == terminal.KeyTab && k.Mods&terminal.Shift != 0:
		return append(out, "\x1b[Z"...)
	case c < 0x20 || c == 0x7f:
		if k.Mods&(terminal.Shift|terminal.Ctrl) != 0 { // modifyOtherKeys
			return []byte("\x1b[27;" + mods + ";" + strconv.Itoa(int(c)) + "~")
		}
	case k.Mods&terminal.Ctrl != 0:
		return append(out, byte(c)&0x1f)
	}
	return append(out, string(c)...)
}
