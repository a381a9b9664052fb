package terminal

// A mode is a state of the terminal that this package switches on and later restores.
type mode uint8

const (
	modePen    mode = iota // The text attributes; they are only reset.
	modeCursor             // DECTCEM: frames hide the cursor.
	modeWrap               // DECAWM (autowrap).
	modeKeypad             // DECCKM and DECKPNM: cursor keys and the keypad send their usual sequences.
	modePaste              // bracketed paste
	modeFocus              // focus reports
	modeScheme             // reports of the colour scheme
	modeInBand             // reports of the size
	// The jump to the end at each output of xterm and urxvt, which is switched off: it moves a user
	// who has scrolled back.
	modeScroll
	modeGrapheme  // widths by grapheme cluster
	modeAlt       // The alternate screen. It comes before the keyboard modes, which kitty keeps for each screen.
	modeKitty     // kitty's keyboard protocol: 1 disambiguate, 4 alternate keys (for layouts that are not Latin).
	modeReleases  // Flag 2 of kitty's protocol besides: repeats and releases are reported.
	modeOtherKeys // modifyOtherKeys of xterm, where the terminal does not support kitty's protocol.
	modeTitle     // The window title; the old one is saved before a new one is set.
	modeProgress  // The progress on the taskbar.
	modeMouse     // mouse reports
	modeDrag      // Reports of a mouse that moves while a button is held.
	modeSync      // A synchronized update that was not ended.
	modeCount
)

// modeTrigger says when a mode is switched on.
type modeTrigger uint8

const (
	setAtStart modeTrigger = iota // At the start.
	setOnReply                    // When a reply has shown that the terminal supports it, see updateCaps.
	setOnUse                      // By a method of Terminal.
	// Never by this package; it is reset at the end because frames may have switched it on.
	onlyReset
)

// modeTable holds all modes. They are switched on in this order, and off in the opposite one.
// decNumber is the number for a request of the mode's state (DECRQM): a mode that was on before
// stays on at the end. Where set or reset is empty, nothing is written.
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

// priorState is the state that a mode had before this program, if the terminal has reported it.
type priorState uint8

const (
	wasUnknown priorState = iota
	wasSet
	wasReset
)

// modeState holds the modes that are on, and the states that the modes had before this program.
type modeState struct {
	active [modeCount]bool
	prior  [modeCount]priorState
	// Modes whose sequences the terminal would print. They are never written.
	unsupported [modeCount]bool
	onChange    func(end []byte) // Called after each change with the bytes that switch off all modes; may be nil.
}

// set appends the bytes that switch mode m on, unless it is on.
func (s *modeState) set(dst []byte, m mode) []byte {
	if s.active[m] || s.unsupported[m] {
		return dst
	}
	s.active[m] = true
	s.notifyChange()
	return append(dst, modeTable[m].set...)
}

// reset appends the bytes that switch mode m off, if it is on and was not on before this program.
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

// enterModes appends the modes that are always switched on, and those that were on when the
// terminal was lent. If a mode's old state is going to be reported, the mode is switched on after
// the report, or at modesDue at the latest: then it counts as having been off. The caller holds
// t.mu.
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

// leaveModes appends the bytes that switch off all modes, the last one first. It returns the modes
// that were on.
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
