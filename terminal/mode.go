package terminal

// A mode is something that we switch on in the terminal and have to leave as it was.
type mode uint8

const (
	modePen    mode = iota // text attributes; only ever reset
	modeCursor             // DECTCEM: hidden by frames
	modeWrap               // DECAWM
	modeKeypad             // DECCKM and DECKPNM: cursor keys and keypad as text programs expect them
	modePaste              // bracketed paste
	modeFocus              // focus reports
	modeScheme             // reports of the colour scheme
	modeInBand             // reports of the size
	// xterm's and urxvt's jump to the end when something is written, switched off: it takes the
	// reader's place away
	modeScroll
	modeGrapheme  // widths by grapheme cluster
	modeAlt       // the alternate screen; before the keyboard modes, which kitty keeps for each screen
	modeKitty     // kitty's keyboard protocol: 1 disambiguate, 4 alternate keys (for layouts that are not Latin)
	modeReleases  // kitty's flag 2 on top of those: repeats and releases are reported
	modeOtherKeys // xterm's modifyOtherKeys, where kitty's protocol is not known
	modeTitle     // the window title, pushed before we set one
	modeProgress  // the taskbar's progress
	modeMouse     // mouse reports
	modeDrag      // they tell of moves while a button is held, too
	modeSync      // an open synchronised update
	modeCount
)

// modeTrigger says when a mode is set.
type modeTrigger uint8

const (
	setAtStart modeTrigger = iota // set at the start
	setOnReply                    // when a reply has told that the terminal knows it, see updateCaps
	setOnUse                      // by a method of Terminal
	onlyReset                     // never, but it is reset at the end: frames may have set it
)

// modeTable holds all modes. They are set in this order and reset in the opposite one. decNumber is
// the number in a DECRQM: a mode that was set before us stays set after us. An empty set or reset
// writes nothing.
var modeTable = [modeCount]struct {
	name        string
	set, reset  string
	decNumber   int
	trigger     modeTrigger
	switchesOff bool // setting the mode switches a feature off that was on
}{
	modePen:    {"pen", "", "\x1b[m", 0, onlyReset, false},
	modeCursor: {"cursor", "", "\x1b[?25h", 0, onlyReset, false},
	modeWrap:   {"autowrap", "\x1b[?7h", "\x1b[?7h", 0, setAtStart, false},
	modeKeypad: {"keypad", "\x1b[?1l\x1b>", "\x1b[?1l\x1b>", 0, setAtStart, false},
	modePaste:  {"paste", "\x1b[?2004h", "\x1b[?2004l", 2004, setAtStart, false},
	modeFocus:  {"focus", "\x1b[?1004h", "\x1b[?1004l", 1004, setAtStart, false},
	// The DECRQM replies of these four decide whether they are set at all.
	modeScheme:   {"scheme", "\x1b[?2031h", "\x1b[?2031l", 2031, setOnReply, false},
	modeInBand:   {"size", "\x1b[?2048h", "\x1b[?2048l", 2048, setOnReply, false},
	modeScroll:   {"scroll on output", "\x1b[?1010l", "\x1b[?1010h", 1010, setOnReply, true},
	modeGrapheme: {"grapheme", "\x1b[?2027h", "\x1b[?2027l", 2027, setOnReply, false},
	modeAlt:      {"alternate screen", "\x1b[?1049h", "\x1b[?1049l", 0, setOnUse, false},
	modeKitty:    {"kitty", "\x1b[>5u", "\x1b[<u", 0, setOnReply, false},
	modeReleases: {"key releases", "\x1b[=2;2u", "\x1b[=2;3u", 0, setOnUse, false},
	// Some terminals that do not know the private marker take this for SGR 4;2 (underline, faint):
	// hence the SGR behind it.
	modeOtherKeys: {"modifyOtherKeys", "\x1b[>4;2m\x1b[m", "\x1b[>4m\x1b[m", 0, setOnReply, false},
	modeTitle:     {"title", "\x1b[22;2t", "\x1b[23;2t", 0, setOnUse, false},
	modeProgress:  {"progress", "", "\x1b]9;4;0\x1b\\", 0, setOnUse, false},
	modeSync:      {"sync", "", "\x1b[?2026l", 0, setOnUse, false},
	modeMouse:     {"mouse", "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l", 0, setOnUse, false},
	modeDrag:      {"drag", "\x1b[?1002h", "\x1b[?1002l\x1b[?1000h", 0, setOnUse, false}, // one of them is on in xterm
}

// priorState is the state of a mode before us, as far as the terminal has reported it.
type priorState uint8

const (
	wasUnknown priorState = iota
	wasSet
	wasReset
)

// modeState holds the modes that we have switched on, and their state before us.
type modeState struct {
	active [modeCount]bool
	prior  [modeCount]priorState
	// Modes that are neither set nor reset, since the terminal would print them.
	unsupported [modeCount]bool
	onChange    func(end []byte) // called at each change with the bytes that switch the modes off; may be nil
}

// set appends the bytes that switch m on, and notes it. It does nothing if m is on.
func (s *modeState) set(dst []byte, m mode) []byte {
	if s.active[m] || s.unsupported[m] {
		return dst
	}
	s.active[m] = true
	s.notifyChange()
	return append(dst, modeTable[m].set...)
}

// reset appends the bytes that switch m off, if m is on and was not on before us.
func (s *modeState) reset(dst []byte, m mode) []byte {
	if !s.active[m] {
		return dst
	}
	s.active[m] = false
	s.notifyChange()
	if s.prior[m] == wasSet {
		return dst
	}
	return append(dst, modeTable[m].reset...)
}

// enterModes appends the modes that are always set, and those that were on when the terminal was
// given away. A mode whose state will be reported is set behind the report, or when modesDue is
// over: then it counts as having been off, and a report is about us. mu is held.
func (t *Terminal) enterModes(dst []byte) []byte {
	for m := range modeCount {
		mode := modeTable[m]
		switch {
		case mode.trigger != setAtStart && !t.loan.modesLater[m]:
		case mode.decNumber != 0 && !t.modesDue.IsZero() && t.probes.mayReport(mode.decNumber):
		default:
			dst = t.modes.set(dst, m)
			if t.modes.prior[m] == wasUnknown {
				t.modes.prior[m] = wasReset
			}
		}
	}
	return dst
}

// leaveModes appends the bytes that restore the terminal, in the opposite order. It returns the
// modes that were on.
func (s *modeState) leaveModes(dst []byte) ([]byte, [modeCount]bool) {
	on, tell := s.active, s.onChange
	s.onChange = nil
	defer func() { s.onChange = tell }()
	for m := modeCount; m > 0; {
		m--
		if modeTable[m].trigger == onlyReset {
			s.active[m] = true
		}
		dst = s.reset(dst, m)
	}
	return dst, on
}
