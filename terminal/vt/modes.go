package vt

import (
	"slices"
	"strconv"
)

// mode is a mode that the terminal supports: an index into modeNumbers.
type mode uint8

const (
	modeKeyboardLock mode = iota
	modeInsert
	modeSendReceive
	modeLinefeed
	modeCursorKeys
	mode132Columns
	modeSlowScroll
	modeReverseColors
	modeOrigin
	modeWrap
	modeAutorepeat
	modeMouseX10
	modeCursorBlink
	modeCursorVisible
	modeAllow132
	modeReverseWrap
	modeAltLegacy
	modeKeypad
	modeBackarrow
	modeMargins
	modeMouseNormal
	modeMouseButton
	modeMouseAny
	modeFocus
	modeMouseUTF8
	modeMouseSGR
	modeAlternateScroll
	modeMouseURXVT
	modeMousePixels
	modeIgnoreKeypad
	modeAltEscape
	modeAltSendsEscape
	modeReverseWrapExtended
	modeAlt
	modeSaveCursor
	modeAltSaveCursor
	modePaste
	modeSync
	modeGraphemes
	modeColorScheme
	modeVisibility
	modeInBandSize
	modeCount
)

// modeNumbers holds the parameters of the modes in SM and RM. Those of ANSI modes are negative
// (modes.zig).
var modeNumbers = [modeCount]int{
	modeKeyboardLock: -2, modeInsert: -4, modeSendReceive: -12, modeLinefeed: -20, modeCursorKeys: 1,
	mode132Columns: 3, modeSlowScroll: 4, modeReverseColors: 5, modeOrigin: 6, modeWrap: 7, modeAutorepeat: 8,
	modeMouseX10: 9, modeCursorBlink: 12, modeCursorVisible: 25, modeAllow132: 40, modeReverseWrap: 45,
	modeAltLegacy: 47, modeKeypad: 66, modeBackarrow: 67, modeMargins: 69, modeMouseNormal: 1000,
	modeMouseButton: 1002, modeMouseAny: 1003, modeFocus: 1004, modeMouseUTF8: 1005, modeMouseSGR: 1006,
	modeAlternateScroll: 1007, modeMouseURXVT: 1015, modeMousePixels: 1016, modeIgnoreKeypad: 1035,
	modeAltEscape: 1036, modeAltSendsEscape: 1039, modeReverseWrapExtended: 1045, modeAlt: 1047,
	modeSaveCursor: 1048, modeAltSaveCursor: 1049, modePaste: 2004, modeSync: 2026, modeGraphemes: 2027,
	modeColorScheme: 2031, modeVisibility: 2033, modeInBandSize: 2048,
}

// modeSet has one bit for each mode.
type modeSet uint64

func (m modeSet) has(x mode) bool { return m>>x&1 != 0 }

func (m *modeSet) set(x mode, on bool) {
	if on {
		*m |= 1 << x
	} else {
		*m &^= 1 << x
	}
}

// defaultModes holds the modes that are on at the start. XTRESTORE without an XTSAVE before sets
// them.
const defaultModes modeSet = 1<<modeSendReceive | 1<<modeWrap | 1<<modeCursorVisible | 1<<modeAlternateScroll |
	1<<modeIgnoreKeypad | 1<<modeAltEscape

// startModes returns the modes of a new terminal: the defaults of ghostty's core, and mode 2027 as
// in the ghostty application.
func startModes(p Personality) modeSet {
	m := defaultModes
	m.set(modeGraphemes, !p.NoGraphemeClusters)
	return m
}

// modeOf returns the mode with parameter n of SM, or of its DEC private form. ok is false if it is
// not supported.
func modeOf(n int, private bool) (mode, bool) {
	if !private {
		n = -n
	}
	i := slices.Index(modeNumbers[:], n)
	return mode(i), i >= 0 && n != 0
}

// Mode reports whether a mode is on: a DEC private one (CSI ? n h) or an ANSI one (CSI n h). A mode
// that is not supported is off.
func (t *Terminal) Mode(n int, private bool) bool {
	t.expireSync()
	m, ok := modeOf(n, private)
	return ok && t.modes.has(m)
}

// Modes returns the numbers of the modes that are on. DEC private ones begin with "?".
func (t *Terminal) Modes() []string {
	t.expireSync()
	var on []string
	for m, n := range modeNumbers {
		switch {
		case !t.modes.has(mode(m)):
		case n < 0:
			on = append(on, strconv.Itoa(-n))
		default:
			on = append(on, "?"+strconv.Itoa(n))
		}
	}
	return on
}

// setMode implements SM and RM.
func (t *Terminal) setMode(m mode, on bool) {
	t.modes.set(m, on)
	switch m {
	case modeOrigin:
		t.moveTo(1, 1)
	case modeMargins:
		if !on {
			t.margins.left, t.margins.right = 0, t.cols-1
		}
	case modeAltLegacy, modeAlt, modeAltSaveCursor:
		t.switchScreen(m, on)
	case modeSaveCursor:
		if on {
			t.saveCursor()
		} else {
			t.restoreCursor()
		}
	case mode132Columns:
		t.set132Columns(on)
	case modeSync:
		if on && t.config.Now != nil {
			t.syncSince = t.config.Now()
		}
	case modeVisibility:
		if on {
			t.reportVisibility()
		}
	case modeInBandSize:
		if on {
			t.reportInBandSize()
		}
	case modeFocus:
		if on {
			t.reportFocus()
		}
	}
}

// set132Columns implements DECCOLM. It does nothing unless mode 40 is on.
func (t *Terminal) set132Columns(on bool) {
	if !t.modes.has(modeAllow132) {
		t.modes.set(mode132Columns, false)
		return
	}
	cols := 80
	if on {
		cols = 132
	}
	t.resize(cols, t.rows)
	t.eraseDisplay(2, false)
	t.moveTo(1, 1)
}

// switchScreen implements modes 47, 1047 and 1049. Mode 1047 erases the alternate screen when it is
// left, 1049 when it is entered. 1049 saves the cursor whenever it is set, and restores it whenever
// it is reset. The other two keep the cursor where it is (Terminal.zig switchScreenMode).
func (t *Terminal) switchScreen(m mode, on bool) {
	if on && t.config.Personality.AltScreen == NoAlt {
		if m == modeAltSaveCursor {
			t.saveCursor()
		}
		return
	}
	switch m {
	case modeAlt:
		if !on && t.active == t.alt {
			t.eraseDisplay(2, false)
		}
	case modeAltSaveCursor:
		if on {
			t.saveCursor()
		}
	}
	old := t.active
	to := t.primary
	if on {
		if t.alt == nil {
			t.alt = newScreen(t.cols, t.rows, 0)
		}
		to = t.alt
	}
	if to != old {
		old.cursor.link = 0
		old.cursor.penKnown = false
		to.charset = old.charset
		t.active = to
	}
	if m == modeAltSaveCursor {
		if !on {
			t.restoreCursor()
			return
		}
		t.eraseDisplay(2, false)
	}
	if to != old {
		to.cursor = old.cursor
	}
}
