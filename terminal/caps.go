package terminal

import (
	"fmt"
)

// Caps describes what the terminal can do, as far as the environment and the terminal's replies
// tell. Each reply may change it, which [Changed] reports.
type Caps struct {
	Mux string // The multiplexer that the program runs in: "tmux", "screen", "zellij", ... or "".
	// The terminal, by its own reply or by the environment: "kitty", "ghostty", "tmux", ...; "" if
	// it is not known. In a multiplexer it is the multiplexer.
	Name    string
	Version string // The terminal's version, from its reply (XTVERSION) or the environment; "" if it is not known.
	SSH     bool   // The program runs on another machine than the terminal, over SSH.
	// The terminal is xterm.js, without a console in between that has a grid of its own (ConPTY).
	XtermJS bool

	Sync     bool // The terminal supports synchronized updates (DEC 2026).
	Grapheme bool // Widths are measured by grapheme cluster (mode 2027 is on).
	// Keys such as Shift+Enter differ from those without a modifier, by kitty's protocol or
	// modifyOtherKeys.
	ModifiedKeys bool
	Paste        bool // The terminal has confirmed bracketed paste.
	// Control strings (OSC, DCS, APC, PM, SOS) may be sent: the terminal obeys or ignores them. A
	// terminal that would print them gets none, and Links, Marks and Images are off.
	Strings       bool
	Links         bool // The terminal supports hyperlinks (OSC 8).
	Marks         bool // The user can jump to rows that are marked as a prompt (OSC 133).
	SizeReports   bool // The terminal can report each change of its size (mode 2048).
	SchemeReports bool // The terminal can report changes between a dark and a light theme (mode 2031).

	// How the terminal draws text has not been measured. Where the screen has to be right, cursor
	// reports have to confirm it.
	Unmeasured bool
	// The Escape key alone does not reach the program: Emacs takes it for the beginning of another
	// key. Ctrl+C does when it is pressed twice.
	NoEscape bool
	// All requests to the terminal are answered, or it is sent none. More requests may follow.
	Answered bool

	Color   int  // The number of colours: 0 (NO_COLOR), 16, 256 or 1<<24.
	Dark    bool // The background is dark; true if it is not known.
	Unicode bool // Characters outside of ASCII may be drawn.

	CellWidth, CellHeight int // The size of a cell in pixels; 0 if the terminal does not report it.

	Outer       string // In tmux: the terminal that tmux runs in, named as in Name; "" if it is not known.
	Passthrough bool   // In tmux: tmux is known to pass sequences on to the terminal that it runs in.

	Notify Notify // How to request a desktop notification.
	Images Images // How to draw images.

	// 24-bit colours are shown exactly. tmux converts them to palette colours unless it knows that
	// the terminal supports them (RGB).
	ExactColors bool
	// With ImagesKitty: images can be made of text cells. In tmux, with Passthrough, there is no
	// other way.
	Placeholders bool
}

// Notify is a way to request a desktop notification.
type Notify uint8

const (
	NotifyBell   Notify = iota // Only BEL.
	NotifyOff                  // None, because the user wants none.
	NotifyOSC9                 // iTerm2, ghostty, wezterm
	NotifyOSC99                // kitty
	NotifyOSC777               // urxvt, foot, VTE
)

// String returns "bell", "off", or the number of the escape sequence, such as "OSC 9".
func (n Notify) String() string {
	return [...]string{"bell", "off", "OSC 9", "OSC 99", "OSC 777"}[n]
}

// Images is a protocol to draw images.
type Images uint8

const (
	ImagesOff Images = iota
	// kitty graphics. Images are made of text cells only where Placeholders is set (kitty,
	// ghostty).
	ImagesKitty
	ImagesITerm // OSC 1337
	ImagesSixel
)

// String returns the name of the protocol, or "off".
func (i Images) String() string { return [...]string{"off", "kitty", "iterm2", "sixel"}[i] }

// Source says from where a capability is known.
type Source string

const (
	FromDefault Source = "default" // Nothing tells; it is assumed.
	FromEnv     Source = "env"     // An environment variable that the terminal or the system has set.
	FromProbe   Source = "probe"   // A reply of the terminal.
	FromUser    Source = "user"    // An environment variable that the user has set for this library.
)

// Fact is one capability with the source of its value, for a report.
type Fact struct {
	Name, Value string
	Source      Source
	Why         string // The environment variable or the reply; "" for none.
}

// replies holds the replies that the terminal has sent so far.
type replies struct {
	kittyKeys answer
	// The states that the terminal has reported (DECRPM), by mode number: 0 unknown, 1 set, 2
	// reset, 3 and 4 permanently set and reset.
	modes           map[int]int
	background      *[3]uint16
	foreground      *[3]uint16
	cellSize        [2]int // The width and the height of a cell in pixels.
	graphics        answer
	notify          answer
	tmux            Tmux   // The answer of tmux; the zero value if it has not come.
	scheme          int    // The reported theme (CSI ? 997 ; n n): 1 dark, 2 light, 0 not reported.
	version         string // XTVERSION
	secondary       string // DA2
	attributes      []int  // DA1
	attributesLen   int    // The length in bytes of the whole DA1 reply.
	modifiedKeySeen bool   // A key has come in a form that only modifyOtherKeys or kitty's protocol sends.
}

// answer is the state of a request that is answered with yes or no.
type answer uint8

const (
	unanswered answer = iota
	answeredYes
	answeredNo // The reply to a later request (DA1) has come first.
)

// resolve returns what the terminal can do, and the reasons. It only looks at its arguments. If
// several sources tell, the last of these wins: default, environment, reply, user.
func resolve(env func(string) string, r replies) (Caps, []Fact) {
	f := detection{env: env, replies: r}
	f.caps.Mux, f.caps.Name, f.caps.Version = f.detectName()
	f.caps.SSH = env("SSH_CONNECTION") != "" || env("SSH_TTY") != "" || env("SSH_CLIENT") != ""
	if f.caps.SSH {
		f.add("ssh", true, FromEnv, "SSH_CONNECTION")
	} else {
		f.add("ssh", false, FromDefault, "")
	}
	f.caps.XtermJS = f.caps.Mux == "" && r.secondary == xtermJS
	if r.secondary == "" {
		f.add("xterm.js", "unknown", FromDefault, "")
	} else {
		f.add("xterm.js", f.caps.XtermJS, FromProbe, "DA2 "+r.secondary)
	}
	k := knownTerminals[f.caps.Name]

	f.caps.Sync = f.detectSync(k.sync)
	f.caps.Grapheme = r.modes[2027] == 1 || r.modes[2027] == 3
	if f.caps.Name == "kitty" && f.caps.Mux == "" && f.caps.AtLeast(0, 42) { // it has no others, and no mode for them
		f.caps.Grapheme = true
		f.add("grapheme widths", true, FromProbe, "kitty "+f.caps.Version)
	} else {
		f.add("grapheme widths", f.caps.Grapheme, f.modeSource(2027), "mode 2027")
	}
	f.caps.ModifiedKeys = f.detectKeys()
	_, f.caps.Paste = r.modes[2004]
	f.caps.Paste = f.caps.Paste && r.modes[2004] != 0 && r.modes[2004] != 4
	f.add("bracketed paste", f.caps.Paste, f.modeSource(2004), "mode 2004")
	f.caps.SizeReports = settable(r.modes[2048])
	f.add("size reports", f.caps.SizeReports, f.modeSource(2048), "mode 2048")
	f.caps.SchemeReports = settable(r.modes[2031])
	f.add("colour scheme reports", f.caps.SchemeReports, f.modeSource(2031), "mode 2031")
	f.caps.Unmeasured = f.detectDoubt()
	f.caps.Strings = f.detectStrings()
	f.caps.Links = f.detectLinks(k.links)
	f.caps.Marks = f.detectMarks()
	f.caps.Color = f.detectColor(k.truecolor)
	f.caps.Dark = f.detectDark()
	f.caps.Unicode = f.detectUnicode()
	f.caps.CellWidth, f.caps.CellHeight = r.cellSize[0], r.cellSize[1]
	if r.cellSize[0] > 0 {
		f.add("cell size", fmt.Sprintf("%dx%d pixels", r.cellSize[0], r.cellSize[1]), FromProbe, "CSI 16 t")
	} else {
		f.add("cell size", "unknown", FromDefault, "")
	}
	if f.caps.Mux == "tmux" {
		f.caps.Outer = f.detectOuter()
		f.caps.Passthrough = f.detectPassthrough()
	}
	f.caps.NoEscape = f.detectEscape()
	f.caps.Notify = f.detectNotify(k.notify)
	f.caps.ExactColors = f.caps.Color == 1<<24 && (f.caps.Mux != "tmux" || r.tmux.has("RGB"))
	f.caps.Placeholders = f.detectPlaceholders()
	f.caps.Images = f.detectImages(k.images)
	return f.caps, f.facts
}
