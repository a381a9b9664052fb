package terminal

import (
	"fmt"
)

// Caps is what the terminal can do, from the environment and from its replies. Each reply may
// change it, and [Changed] reports that.
type Caps struct {
	Mux string // the multiplexer we are in: "tmux", "screen", "zellij", ... or ""
	// The program that answered, or that the environment names: "kitty", "ghostty", "tmux", ...; ""
	// if it is unknown. In a multiplexer it is the multiplexer.
	Name    string
	Version string // as the program reports it (XTVERSION) or as the environment has it; ""
	SSH     bool   // the terminal is on another machine
	// The terminal is xterm.js itself, without a console in between that has a grid of its own
	// (ConPTY).
	XtermJS bool

	Sync     bool // DEC 2026: synchronised updates
	Grapheme bool // mode 2027 is on: widths by grapheme cluster
	// modified keys can be told apart (Shift+Enter): kitty's protocol or modifyOtherKeys
	ModifiedKeys bool
	Paste        bool // bracketed paste is confirmed
	// Strings (OSC, DCS, APC, PM, SOS) are obeyed or swallowed, not printed. If it is false none
	// goes out, and Links, Marks and Images are off.
	Strings       bool
	Links         bool // OSC 8
	Marks         bool // OSC 133: the user can jump to rows that are marked as a prompt
	SizeReports   bool // mode 2048: size reports
	SchemeReports bool // mode 2031: reports of the colour scheme

	// Nobody has measured how the terminal draws. Where the screen has to be right, cursor reports
	// have to prove it.
	Unmeasured bool
	// Escape alone does not arrive: Emacs takes it for the beginning of another key. Ctrl+C arrives
	// when it is pressed twice.
	NoEscape bool
	// All questions to the terminal are answered, or it is asked none. A new one may follow.
	Answered bool

	Color   int  // colours: 0 (NO_COLOR), 16, 256 or 1<<24
	Dark    bool // the background is dark; true if it is not known
	Unicode bool // glyphs outside ASCII may be used

	CellWidth, CellHeight int // pixels; 0 if the terminal does not say

	Outer       string // in tmux: the name of the terminal around it, as in Name; "" if unknown
	Passthrough bool   // in tmux: it is known to pass sequences on to that terminal

	Notify Notify // the way to ask for a desktop notification
	Images Images // the way to draw pictures

	// Direct colours arrive as they were sent. tmux makes palette colours of them unless it knows
	// better (RGB).
	ExactColors bool
	// With ImagesKitty: pictures can be made of text cells. In tmux, through Passthrough, there is
	// no other way.
	Placeholders bool
}

// Notify is a way to ask for a desktop notification.
type Notify uint8

const (
	NotifyBell   Notify = iota // BEL only
	NotifyOff                  // nothing, by the user's wish
	NotifyOSC9                 // iTerm2, ghostty, wezterm
	NotifyOSC99                // kitty
	NotifyOSC777               // urxvt, foot, VTE
)

// String returns the name of the sequence.
func (n Notify) String() string {
	return [...]string{"bell", "off", "OSC 9", "OSC 99", "OSC 777"}[n]
}

// Images is a way to draw pictures.
type Images uint8

const (
	ImagesOff Images = iota
	// kitty graphics; made of text cells only where Placeholders are known (kitty, ghostty)
	ImagesKitty
	ImagesITerm // OSC 1337
	ImagesSixel
)

// String returns the name of the protocol.
func (i Images) String() string { return [...]string{"off", "kitty", "iterm2", "sixel"}[i] }

// Source says where a capability is known from.
type Source string

const (
	FromDefault Source = "default" // nothing tells
	FromEnv     Source = "env"     // an environment variable that the terminal or the system set
	FromProbe   Source = "probe"   // the terminal reported it
	FromUser    Source = "user"    // a variable that the user set for us
)

// Fact is one capability with its source, for a report.
type Fact struct {
	Name, Value string
	Source      Source
	Why         string // the variable or the reply; ""
}

// replies holds what the terminal has answered so far.
type replies struct {
	kittyKeys       answer
	modes           map[int]int // DECRPM values by DEC number: 0 unknown, 1 set, 2 reset, 3 and 4 permanently so
	background      *[3]uint16
	foreground      *[3]uint16
	cellSize        [2]int // width and height in pixels
	graphics        answer
	notify          answer
	tmux            Tmux   // the answer of tmux; zero: none has come
	scheme          int    // CSI ? 997 ; n n: 1 dark, 2 light
	version         string // XTVERSION
	secondary       string // DA2
	attributes      []int  // DA1
	attributesLen   int    // bytes of the whole reply
	modifiedKeySeen bool   // a modified key has come in one of the newer forms
}

// answer is the state of a yes-or-no question.
type answer uint8

const (
	unanswered answer = iota
	answeredYes
	answeredNo // the sentinel came first
)

// resolve returns what the terminal can do, and a report of why. It is pure, so that a table can
// test it. Of several sources the later one wins: default, environment, probe, user.
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
