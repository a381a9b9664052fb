package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
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

// detection is one run of resolve: its input and what it has found so far.
type detection struct {
	env        func(string) string
	replies    replies
	caps       Caps
	nameSource Source // where the terminal's name is from
	facts      []Fact
}

// add appends a fact to the report.
func (d *detection) add(name string, value any, src Source, why string) {
	d.facts = append(d.facts, Fact{name, fmt.Sprint(value), src, why})
}

// modeSource returns the source of a capability that only a report of mode can tell.
func (d *detection) modeSource(mode int) Source {
	if _, ok := d.replies.modes[mode]; ok {
		return FromProbe
	}
	return FromDefault
}

// settable reports whether v is the DECRPM value of a mode that exists and can be on.
func settable(v int) bool { return v >= 1 && v <= 3 }

// isYes reports whether v, the value of a variable, is set and does not mean no.
func isYes(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "no", "off", "false":
		return false
	}
	return true
}

// orNone returns s, "none" if s is empty.
func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// detectSync decides whether frames are bracketed with DEC 2026. The user's off wins, then the
// user's on, the terminal's reply, what it advertised, and what is known of it. A multiplexer must
// have replied, and its reply is about itself only (tmux from 3.7 on knows DEC 2026).
func (d *detection) detectSync(known bool) bool {
	v, src, why := false, FromDefault, ""
	switch {
	case d.caps.Mux != "":
	case strings.Contains(d.env("TERM_FEATURES"), "Sy"):
		v, src, why = true, FromEnv, "TERM_FEATURES"
	case known:
		v, src, why = true, d.nameSource, d.caps.Name
	}
	if n, ok := d.replies.modes[2026]; ok {
		v, src, why = settable(n), FromProbe, "mode 2026"
	}
	switch {
	case isYes(d.env("SCROLLKEEP_NO_SYNC")):
		v, src, why = false, FromUser, "SCROLLKEEP_NO_SYNC"
	case isYes(d.env("SCROLLKEEP_FORCE_SYNC")):
		v, src, why = true, FromUser, "SCROLLKEEP_FORCE_SYNC"
	}
	d.add("synchronised output", v, src, why)
	return v
}

// detectKeys decides whether modified keys can be told apart. Of some terminals it is known that
// they understand modifyOtherKeys. tmux passes modified keys on if an option of it is set, which
// shows when the first one comes.
func (d *detection) detectKeys() bool {
	switch {
	case d.replies.kittyKeys == answeredYes:
		d.add("modified keys", true, FromProbe, "kitty keyboard protocol")
		return true
	case d.caps.Name == "xterm" || d.caps.Name == "mintty":
		d.add("modified keys", true, d.nameSource, "modifyOtherKeys of "+d.caps.Name)
		return true
	case d.replies.modifiedKeySeen:
		d.add("modified keys", true, FromProbe, "one has come")
		return true
	}
	d.add("modified keys", false, FromDefault, "")
	return false
}

// detectDoubt reports whether it is not known how the terminal draws. That is so if it has no name,
// or one that we do not know, or if it belongs to an editor, which draws differently.
func (d *detection) detectDoubt() bool {
	v, src, why := true, FromDefault, ""
	if d.caps.Name != "" {
		_, found := knownTerminals[d.caps.Name]
		v, src, why = !found || drawDifferently[d.caps.Name], d.nameSource, d.caps.Name
	}
	d.add("what it shows is proven", v, src, why)
	return v
}

// detectLinks decides whether the terminal knows OSC 8.
func (d *detection) detectLinks(known bool) bool {
	v, src, why := known, d.nameSource, d.caps.Name
	switch {
	case d.caps.Mux == "tmux":
		v, why = versionAtLeast(d.caps.Version, 3, 4), "tmux from 3.4 on"
	case d.caps.Mux == "screen":
		v, why = false, "screen"
	case !known:
		src, why = FromDefault, ""
	}
	switch l := d.env("SCROLLKEEP_LINKS"); {
	case l == "":
	default:
		v, src, why = isYes(l), FromUser, "SCROLLKEEP_LINKS"
	}
	v, src, why = d.requireStrings(v, src, why)
	d.add("links", v, src, why)
	return v
}

// detectMarks decides whether OSC 133 is of use. Some terminals that know it take the text after a
// mark for a command line of the shell (iTerm2, VS Code); they get none.
func (d *detection) detectMarks() bool {
	v, src, why := false, FromDefault, ""
	switch d.caps.Name {
	case "kitty", "ghostty", "wezterm", "foot":
		v, src, why = true, d.nameSource, d.caps.Name
	case "tmux":
		v, src, why = versionAtLeast(d.caps.Version, 3, 4), d.nameSource, "tmux from 3.4 on"
	}
	if m := d.env("SCROLLKEEP_MARKS"); m != "" {
		v, src, why = isYes(m), FromUser, "SCROLLKEEP_MARKS"
	}
	v, src, why = d.requireStrings(v, src, why)
	d.add("prompt marks", v, src, why)
	return v
}

// detectColor returns the number of colours. truecolor: the terminal is known to have direct ones.
func (d *detection) detectColor(truecolor bool) int {
	v, src, why := 16, FromDefault, ""
	term, colorterm := d.env("TERM"), strings.ToLower(d.env("COLORTERM"))
	switch {
	case d.caps.Mux == "screen": // 4.9 does not know direct colours
		v, src, why = 256, FromEnv, "screen"
	case colorterm == "truecolor" || colorterm == "24bit":
		v, src, why = 1<<24, FromEnv, "COLORTERM"
	case d.caps.Mux == "tmux" && d.replies.tmux.has("RGB"):
		v, src, why = 1<<24, FromProbe, "client_termfeatures"
	case strings.HasSuffix(term, "-direct"):
		v, src, why = 1<<24, FromEnv, "TERM"
	case truecolor, d.caps.Name == "xterm" && versionAtLeast(d.caps.Version, 331, 0):
		v, src, why = 1<<24, d.nameSource, d.caps.Name
	case strings.Contains(term, "256color"), d.caps.Mux == "tmux":
		v, src, why = 256, FromEnv, "TERM"
	}
	if d.env("NO_COLOR") != "" {
		v, src, why = 0, FromUser, "NO_COLOR"
	}
	d.add("colours", v, src, why)
	return v
}

// detectDark reports whether the background is dark.
func (d *detection) detectDark() bool {
	v, src, why := true, FromDefault, ""
	if bg := d.env("COLORFGBG"); bg != "" {
		n, err := strconv.Atoi(bg[strings.LastIndexByte(bg, ';')+1:])
		if err == nil {
			v, src, why = n >= 0 && n <= 6 || n == 8, FromEnv, "COLORFGBG"
		}
	}
	if fg := d.replies.foreground; fg != nil {
		v, src, why = luminance(*fg) >= 0.5, FromProbe, "OSC 10"
	}
	if b := d.replies.background; b != nil {
		v, src, why = luminance(*b) < 0.5, FromProbe, "OSC 11"
	}
	if d.replies.scheme != 0 {
		v, src, why = d.replies.scheme == 1, FromProbe, "mode 2031"
	}
	d.add("dark background", v, src, why)
	return v
}

// luminance returns the luminance by BT.601, from 0 to 1.
func luminance(c [3]uint16) float64 {
	return (0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])) / 0xffff
}

// detectUnicode reports whether the locale and the terminal have glyphs outside of ASCII.
func (d *detection) detectUnicode() bool {
	locale, why := "", ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = d.env(name); locale != "" {
			why = name
			break
		}
	}
	v, src := true, FromDefault
	switch l := strings.ToLower(locale); {
	case strings.HasPrefix(d.env("TERM"), "linux"): // 512 glyphs
		v, src, why = false, FromEnv, "TERM"
	case strings.Contains(l, "utf-8") || strings.Contains(l, "utf8"):
		src = FromEnv
	case l == "c" || l == "posix" || strings.Contains(l, "iso") || strings.Contains(l, "8859"):
		v, src = false, FromEnv
	}
	d.add("unicode", v, src, why)
	return v
}

// detectOuter returns the name of the terminal around tmux. tmux reports the client that was used
// last. A variable names the terminal in which tmux was started.
func (d *detection) detectOuter() string {
	name, why := editorByVariable(d.env)
	src := FromEnv
	if name == "" {
		src = FromDefault
	}
	for _, p := range terminalVariables {
		if name == "" && d.env(p.env) != "" {
			name, src, why = p.name, FromEnv, p.env
			break
		}
	}
	if reported := d.replies.tmux.Outer; reported != "" {
		n, _ := splitVersion(reported)
		if _, ok := knownTerminals[n]; !ok { // its TERM
			n = termName(reported)
		}
		if n != "" {
			name, src, why = n, FromProbe, "client_termtype "+reported
		}
	}
	d.add("terminal around tmux", orNone(name), src, why)
	return name
}

// detectEscape reports whether the Escape key alone does not arrive: in the terminals of Emacs, and
// in tmux in them.
func (d *detection) detectEscape() bool {
	name := d.caps.Name
	if d.caps.Mux == "tmux" {
		name = d.caps.Outer
	}
	v, src, why := false, FromDefault, ""
	if name == "emacs" || name == "vterm" || name == "eat" {
		v, src, why = true, FromEnv, name
	}
	d.add("Escape is taken by Emacs", v, src, why)
	return v
}

// detectPassthrough reports whether tmux is known to pass sequences on.
func (d *detection) detectPassthrough() bool {
	switch p := d.replies.tmux.Passthrough; p {
	case "":
		d.add("passthrough", "unknown", FromDefault, "")
		return false
	default:
		d.add("passthrough", p != "off", FromProbe, "allow-passthrough "+p)
		return p != "off"
	}
}

// detectNotify returns the way to ask for a notification. known is that of the terminal's name.
func (d *detection) detectNotify(known Notify) Notify {
	v, src, why := known, d.nameSource, d.caps.Name
	if d.replies.notify == answeredYes && d.caps.Mux == "" {
		v, src, why = NotifyOSC99, FromProbe, "OSC 99"
	}
	if n := d.env("SCROLLKEEP_NOTIFY"); n != "" {
		src, why = FromUser, "SCROLLKEEP_NOTIFY"
		switch strings.ToLower(n) {
		case "off", "0":
			v = NotifyOff
		case "bell":
			v = NotifyBell
		case "osc9":
			v = NotifyOSC9
		case "osc99":
			v = NotifyOSC99
		case "osc777":
			v = NotifyOSC777
		}
	}
	if v != NotifyOff && !d.caps.Strings {
		v, src, why = NotifyBell, FromDefault, noStrings
	}
	d.add("notifications", v, src, why)
	return v
}

// detectImages returns the way to draw pictures. known is that of the terminal's name.
func (d *detection) detectImages(known Images) Images {
	v, src, why := known, d.nameSource, d.caps.Name
	switch {
	case d.caps.Mux == "tmux" && d.caps.Passthrough && d.caps.Placeholders:
		v, src, why = ImagesKitty, FromProbe, "allow-passthrough"
	case d.caps.Mux != "":
		v, why = ImagesOff, d.caps.Mux
	case d.replies.graphics == answeredYes:
		v, src, why = ImagesKitty, FromProbe, "kitty graphics"
	case d.replies.graphics == answeredNo && known == ImagesKitty:
		v, src, why = ImagesOff, FromProbe, "kitty graphics"
	case known == ImagesOff && slices.Contains(d.replies.attributes, 4):
		v, src, why = ImagesSixel, FromProbe, "DA1"
	case known == ImagesOff:
		src, why = FromDefault, ""
	}
	switch strings.ToLower(d.env("SCROLLKEEP_IMAGES")) {
	case "kitty":
		v, src, why = ImagesKitty, FromUser, "SCROLLKEEP_IMAGES"
	case "iterm2":
		v, src, why = ImagesITerm, FromUser, "SCROLLKEEP_IMAGES"
	case "sixel":
		v, src, why = ImagesSixel, FromUser, "SCROLLKEEP_IMAGES"
	case "off", "0":
		v, src, why = ImagesOff, FromUser, "SCROLLKEEP_IMAGES"
	}
	if v != ImagesOff && !d.caps.Strings {
		v, src, why = ImagesOff, FromDefault, noStrings
	}
	d.add("images", v, src, why)
	return v
}
