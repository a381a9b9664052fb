package vt

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// keyboard is the stack of kitty's keyboard flags of one screen. It has eight entries; more replace
// the oldest (kitty/key.zig).
type keyboard struct {
	flags [8]uint8
	top   uint8
}

const keyboardFlags = 0x1f

func (k *keyboard) current() uint8 { return k.flags[k.top] }

func (k *keyboard) push(flags uint8) {
	k.top = (k.top + 1) % 8
	k.flags[k.top] = flags
}

func (k *keyboard) pop(n int) {
	if n >= len(k.flags) {
		*k = keyboard{}
		return
	}
	for range n {
		k.flags[k.top] = 0
		k.top = (k.top + 7) % 8
	}
}

// dispatchKeyboard executes the sequences of kitty's keyboard protocol, CSI ... u.
func (t *Terminal) dispatchKeyboard(q *ansi.Sequence, mark byte) {
	if t.config.Personality.NoKittyKeyboard {
		return
	}
	k := &t.active.keyboard
	p := q.Params
	flags := 0
	if len(p) == 1 || len(p) > 1 && mark == '=' {
		flags = int(p[0])
	}
	switch mark {
	case '?':
		t.reply(fmt.Appendf(nil, "\x1b[?%du", k.current()))
	case '>':
		if flags <= keyboardFlags {
			k.push(uint8(flags))
		}
	case '<':
		n := 1
		if len(p) == 1 {
			n = int(p[0])
		}
		k.pop(n)
	case '=':
		operation := 1
		if len(p) >= 2 {
			operation = int(p[1])
		}
		if flags > keyboardFlags {
			return
		}
		switch operation {
		case 1:
			k.flags[k.top] = uint8(flags)
		case 2:
			k.flags[k.top] |= uint8(flags)
		case 3:
			k.flags[k.top] &^= uint8(flags)
		}
	}
}
