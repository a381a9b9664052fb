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
	// xterm's and urxvt's jump to the end when something is written, switched off: it steals the
	// reader's place
	modeScroll
	modeGrapheme  // widths by grapheme cluster
	modeAlt       // the alternate screen; before the keyboard modes, which kitty keeps for each screen
	modeKitty     // kitty's keyboard protocol: 1 disambiguate, 4 alternate keys (for layouts that are not Latin)
	modeReleases  // kitty's flag 2 on top of those: repeats and releases are told
	modeOtherKeys // xterm's modifyOtherKeys, where kitty's protocol is not known
	modeTitle     // the window title, pushed before we set one
	modeProgress  // the taskbar's progress
	modeMouse     // mouse reports
	modeSync      // an open synchronised update
	modeCount
)

// when says on what a mode depends.
type when uint8

const (
	always  when = iota // set at the start
	onReply             // set when a reply has told that the terminal knows it, see replies.go
	onUse               // set by a method of Terminal
	never               // not set at all, but restored: frames may have left it
)

// modes is the one table. They are set in this order and reset in the opposite one. private is the
// DEC number that DECRQM is asked for: a mode that was set before us stays set after us. An empty
// set or reset is nothing to write.
var modes = [modeCount]struct {
	name       string
	set, reset string
	private    int
	when       when
	inverse    bool // to set it is to switch something off that was on
}{
	modePen:    {"pen", "", "\x1b[m", 0, never, false},
	modeCursor: {"cursor", "", "\x1b[?25h", 0, never, false},
	modeWrap:   {"autowrap", "\x1b[?7h", "\x1b[?7h", 0, always, false},
	modeKeypad: {"keypad", "\x1b[?1l\x1b>", "\x1b[?1l\x1b>", 0, always, false},
	modePaste:  {"paste", "\x1b[?2004h", "\x1b[?2004l", 2004, always, false},
	modeFocus:  {"focus", "\x1b[?1004h", "\x1b[?1004l", 1004, always, false},
	// The DECRQM replies of these four decide whether they are set at all.
	modeScheme:   {"scheme", "\x1b[?2031h", "\x1b[?2031l", 2031, onReply, false},
	modeInBand:   {"size", "\x1b[?2048h", "\x1b[?2048l", 2048, onReply, false},
	modeScroll:   {"scroll on output", "\x1b[?1010l", "\x1b[?1010h", 1010, onReply, true},
	modeGrapheme: {"grapheme", "\x1b[?2027h", "\x1b[?2027l", 2027, onReply, false},
	modeAlt:      {"alternate screen", "\x1b[?1049h", "\x1b[?1049l", 0, onUse, false},
	modeKitty:    {"kitty", "\x1b[>5u", "\x1b[<u", 0, onReply, false},
	modeReleases: {"key releases", "\x1b[=2;2u", "\x1b[=2;3u", 0, onUse, false},
	// Some terminals that do not know the private marker take this for SGR 4;2 (underline, faint):
	// hence the SGR behind it.
	modeOtherKeys: {"modifyOtherKeys", "\x1b[>4;2m\x1b[m", "\x1b[>4m\x1b[m", 0, onReply, false},
	modeTitle:     {"title", "\x1b[22;2t", "\x1b[23;2t", 0, onUse, false},
	modeProgress:  {"progress", "", "\x1b]9;4;0\x1b\\", 0, onUse, false},
	modeSync:      {"sync", "", "\x1b[?2026l", 0, onUse, false},
	modeMouse:     {"mouse", "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l", 0, onUse, false},
}

// was is what a mode was before us, as far as the terminal said.
type was uint8

const (
	wasUnknown was = iota
	wasSet
	wasReset
)

// modeState is which modes we have on, and what was before.
type modeState struct {
	on  [modeCount]bool
	was [modeCount]was
	// Modes that are neither set nor reset: the terminal would draw them.
	without [modeCount]bool
	tell    func(end []byte) // is told at each change what would end it; nil: nobody is
}

// set appends what switches m on, and notes it. A mode that is on already is left alone.
func (s *modeState) set(dst []byte, m mode) []byte {
	if s.on[m] || s.without[m] {
		return dst
	}
	s.on[m] = true
	s.told()
	return append(dst, modes[m].set...)
}

// reset appends what switches m off, if it is on and was not so before us.
func (s *modeState) reset(dst []byte, m mode) []byte {
	if !s.on[m] {
		return dst
	}
	s.on[m] = false
	s.told()
	if s.was[m] == wasSet {
		return dst
	}
	return append(dst, modes[m].reset...)
}

// enter appends the modes that are always set, and the modes in again: they were on when the
// terminal was given away.
func (s *modeState) enter(dst []byte, again [modeCount]bool) []byte {
	for m := range modeCount {
		if modes[m].when == always || again[m] {
			dst = s.set(dst, m)
		}
	}
	return dst
}

// leave appends what restores the terminal, in the opposite order, and returns what was on.
func (s *modeState) leave(dst []byte) ([]byte, [modeCount]bool) {
	on, tell := s.on, s.tell
	s.tell = nil
	defer func() { s.tell = tell }()
	for m := modeCount; m > 0; {
		m--
		if modes[m].when == never {
			s.on[m] = true
		}
		dst = s.reset(dst, m)
	}
	return dst, on
}
