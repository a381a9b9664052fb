package vt

import "bytes"

var beginSync, endSync = []byte("\x1b[?2026h"), []byte("\x1b[?2026l")

// maxHeld is how many bytes of one synchronized update are held back; with more it is shown at once.
const maxHeld = 2 << 20

// writeHolding is Write for a terminal that holds synchronized updates back (Personality.HoldSync).
func (t *Terminal) writeHolding(p []byte) {
	for len(p) > 0 {
		if !t.modes.has(modeSync) {
			n := len(p)
			if i := bytes.Index(p, beginSync); i >= 0 {
				n = i + len(beginSync)
			}
			t.parser.Parse(p[:n], (*performer)(t))
			p = p[n:]
			continue
		}
		from := max(0, len(t.held)-len(endSync)) // what was searched before need not be searched again
		t.held = append(t.held, p...)
		i := bytes.Index(t.held[from:], endSync)
		n := from + i + len(endSync)
		switch {
		case i >= 0:
		case len(t.held) > maxHeld:
			n = len(t.held)
			t.modes.set(modeSync, false)
		default:
			return
		}
		var update []byte
		update, p, t.held = t.held[:n], t.held[n:], nil
		t.parser.Parse(update, (*performer)(t))
	}
}

// release ends the update that is held back.
func (t *Terminal) release() {
	held := t.held
	t.held = nil
	t.modes.set(modeSync, false)
	t.writeHolding(held)
}
