package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Caps is what the terminal can do, from the environment and from its replies. Each probe that
// comes in may change it, which [Changed] tells.
type Caps struct {
	Mux string // the multiplexer we are in: "tmux", "screen", "zellij", ... or ""
	// The program that answered, or that the environment names: "kitty", "ghostty", "tmux", ...; ""
	// if unknown. In a multiplexer it is the multiplexer.
	Name    string
	Version string // as it said itself (XTVERSION) or as the environment has it; ""
	SSH     bool   // the terminal is on another machine
	XtermJS bool   // the terminal is xterm.js itself, with no console in between that has a grid of its own (ConPTY)

	Sync     bool // DEC 2026: synchronised updates
	Grapheme bool // mode 2027 is on: widths by grapheme cluster
	Keys     bool // modified keys come as such (Shift+Enter): kitty's protocol or modifyOtherKeys
	Paste    bool // bracketed paste is confirmed
	// Strings (OSC, DCS, APC, PM, SOS) are obeyed or swallowed, not printed: where that is not so
	// none goes out, and Links, Marks and Images are off.
	Strings bool
	Links   bool // OSC 8
	Marks   bool // OSC 133: one can jump to rows that are marked as a prompt
	InBand  bool // mode 2048: size reports
	Scheme  bool // mode 2031: reports of the colour scheme

	// Nobody has measured how the terminal draws: where what it shows has to be right, cursor
	// reports are to prove it.
	Doubt bool

	Color   int  // colours: 0 (NO_COLOR), 16, 256 or 1<<24
	Dark    bool // the background is dark; true also if it is not known
	Unicode bool // glyphs outside ASCII may be used

	CellWidth, CellHeight int // pixels; 0 if the terminal does not say

	Outer       string // in tmux: the name of the terminal around it, as in Name; "" if unknown
	Passthrough bool   // in tmux: it is known to let sequences through to that terminal

	Notify Notify // how a desktop notification is asked for
	Images Images // how pictures are drawn

	// Direct colours arrive as they were sent: tmux makes palette colours of them unless it knows
	// better (RGB)
	Exact bool
	// With ImagesKitty: pictures can be made of text cells. In tmux, through Passthrough, they
	// cannot be made otherwise.
	Placeholders bool
}

// Notify is a way to ask for a desktop notification.
type Notify uint8

const (
	NotifyBell   Notify = iota // BEL only
	NotifyOff                  // nothing: the user says so
	NotifyOSC9                 // iTerm2's, also of ghostty, wezterm
	NotifyOSC99                // kitty's
	NotifyOSC777               // urxvt's, also of foot, VTE
)

func (n Notify) String() string {
	return [...]string{"bell", "off", "OSC 9", "OSC 99", "OSC 777"}[n]
}

// Images is a way to draw pictures.
type Images uint8

const (
	ImagesOff   Images = iota
	ImagesKitty        // kitty graphics, placed by cells of the text only where Placeholders are known (kitty, ghostty)
	ImagesITerm        // OSC 1337
	ImagesSixel
)

func (i Images) String() string { return [...]string{"off", "kitty", "iterm2", "sixel"}[i] }

// Source tells where a capability is known from.
type Source string

const (
	FromDefault Source = "default" // nobody said anything
	FromEnv     Source = "env"     // an environment variable that the terminal or the system set
	FromProbe   Source = "probe"   // the terminal said so itself
	FromUser    Source = "user"    // a variable that the user set for us
)

// Fact is one capability with its source, for a report.
type Fact struct {
	Name, Value string
	Source      Source
	Why         string // the variable or the reply; ""
}

// replies is what the terminal has said so far.
type replies struct {
	kitty      answer
	modes      map[int]int // DECRPM values by DEC number: 0 unknown, 1 set, 2 reset, 3 and 4 permanently so
	background *[3]uint16
	foreground *[3]uint16
	cell       [2]int // width and height in pixels
	graphics   answer
	notify     answer
	tmux       Tmux   // its answer; zero: none has come
	scheme     int    // CSI ? 997 ; n n: 1 dark, 2 light
	version    string // XTVERSION
	secondary  string // DA2
	attributes []int  // DA1
	keySeen    bool   // a modified key has come in one of the newer forms
}

// answer is what came of a yes-or-no question.
type answer uint8

const (
	open answer = iota
	yes
	no // the sentinel came first
)

// resolve returns the whole of detection: pure, so that a table can test it. Precedence, most
// trusted last: default, environment, probe, user.
func resolve(env func(string) string, r replies) (Caps, []Fact) {
	f := facts{env: env, r: r}
	f.c.Mux, f.c.Name, f.c.Version = f.identity()
	f.c.SSH = env("SSH_CONNECTION") != "" || env("SSH_TTY") != "" || env("SSH_CLIENT") != ""
	if f.c.SSH {
		f.note("ssh", true, FromEnv, "SSH_CONNECTION")
	} else {
		f.note("ssh", false, FromDefault, "")
	}
	f.c.XtermJS = f.c.Mux == "" && r.secondary == xtermJS
	if r.secondary == "" {
		f.note("xterm.js", "unknown", FromDefault, "")
	} else {
		f.note("xterm.js", f.c.XtermJS, FromProbe, "DA2 "+r.secondary)
	}
	k := known[f.c.Name]

	f.c.Sync = f.sync(k.sync)
	f.c.Grapheme = r.modes[2027] == 1 || r.modes[2027] == 3
	if f.c.Name == "kitty" && f.c.Mux == "" && f.c.AtLeast(0, 42) { // it has no others, and no mode for them
		f.c.Grapheme = true
		f.note("grapheme widths", true, FromProbe, "kitty "+f.c.Version)
	} else {
		f.note("grapheme widths", f.c.Grapheme, f.ifAsked(2027), "mode 2027")
	}
	f.c.Keys = f.keys()
	_, f.c.Paste = r.modes[2004]
	f.c.Paste = f.c.Paste && r.modes[2004] != 0 && r.modes[2004] != 4
	f.note("bracketed paste", f.c.Paste, f.ifAsked(2004), "mode 2004")
	f.c.InBand = settable(r.modes[2048])
	f.note("size reports", f.c.InBand, f.ifAsked(2048), "mode 2048")
	f.c.Scheme = settable(r.modes[2031])
	f.note("colour scheme reports", f.c.Scheme, f.ifAsked(2031), "mode 2031")
	f.c.Doubt = f.doubt()
	f.c.Strings = f.strings()
	f.c.Links = f.links(k.links)
	f.c.Marks = f.marks()
	f.c.Color = f.color(k.truecolor)
	f.c.Dark = f.dark()
	f.c.Unicode = f.unicode()
	f.c.CellWidth, f.c.CellHeight = r.cell[0], r.cell[1]
	if r.cell[0] > 0 {
		f.note("cell size", fmt.Sprintf("%dx%d pixels", r.cell[0], r.cell[1]), FromProbe, "CSI 16 t")
	} else {
		f.note("cell size", "unknown", FromDefault, "")
	}
	if f.c.Mux == "tmux" {
		f.c.Outer = f.outer()
		f.c.Passthrough = f.passthrough()
	}
	f.c.Notify = f.notify(k.notify)
	f.c.Exact = f.c.Color == 1<<24 && (f.c.Mux != "tmux" || r.tmux.has("RGB"))
	f.c.Placeholders = f.placeholders()
	f.c.Images = f.images(k.images)
	return f.c, f.list
}

// facts collects what resolve finds.
type facts struct {
	env  func(string) string
	r    replies
	c    Caps
	name Source // where the terminal's name is from
	list []Fact
}

func (f *facts) note(name string, value any, src Source, why string) {
	f.list = append(f.list, Fact{name, fmt.Sprint(value), src, why})
}

// ifAsked returns the source of what only a mode report can tell.
func (f *facts) ifAsked(mode int) Source {
	if _, ok := f.r.modes[mode]; ok {
		return FromProbe
	}
	return FromDefault
}

// settable reports whether a DECRPM value is of a mode that exists and can be on.
func settable(v int) bool { return v >= 1 && v <= 3 }

// flag reports whether a variable is set to something that is not a no.
func flag(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "no", "off", "false":
		return false
	}
	return true
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// sync decides whether frames are bracketed with DEC 2026. In this order: the user's off, the
// user's on, the terminal's reply, what it advertised, what is known of it. A multiplexer must have
// replied, and then it speaks of itself only (tmux from 3.7 on knows it).
func (f *facts) sync(known bool) bool {
	v, src, why := false, FromDefault, ""
	switch {
	case f.c.Mux != "":
	case strings.Contains(f.env("TERM_FEATURES"), "Sy"):
		v, src, why = true, FromEnv, "TERM_FEATURES"
	case known:
		v, src, why = true, f.name, f.c.Name
	}
	if n, ok := f.r.modes[2026]; ok {
		v, src, why = settable(n), FromProbe, "mode 2026"
	}
	switch {
	case flag(f.env("SCROLLKEEP_NO_SYNC")):
		v, src, why = false, FromUser, "SCROLLKEEP_NO_SYNC"
	case flag(f.env("SCROLLKEEP_FORCE_SYNC")):
		v, src, why = true, FromUser, "SCROLLKEEP_FORCE_SYNC"
	}
	f.note("synchronised output", v, src, why)
	return v
}

// keys decides whether modified keys can be told apart. That modifyOtherKeys was understood can be
// known of some terminals only; tmux passes modified keys on when its option says so, which shows
// when the first one comes.
func (f *facts) keys() bool {
	switch {
	case f.r.kitty == yes:
		f.note("modified keys", true, FromProbe, "kitty keyboard protocol")
		return true
	case f.c.Name == "xterm" || f.c.Name == "mintty":
		f.note("modified keys", true, f.name, "modifyOtherKeys of "+f.c.Name)
		return true
	case f.r.keySeen:
		f.note("modified keys", true, FromProbe, "one has come")
		return true
	}
	f.note("modified keys", false, FromDefault, "")
	return false
}

// doubt reports whether it is not known how the terminal draws: it has not said its name, or one
// that we do not know, or it is that of an editor, which draws otherwise than others.
func (f *facts) doubt() bool {
	v, src, why := true, FromDefault, ""
	if f.c.Name != "" {
		_, found := known[f.c.Name]
		v, src, why = !found || doubted[f.c.Name], f.name, f.c.Name
	}
	f.note("what it shows is proven", v, src, why)
	return v
}

func (f *facts) links(known bool) bool {
	v, src, why := known, f.name, f.c.Name
	switch {
	case f.c.Mux == "tmux":
		v, why = versionAtLeast(f.c.Version, 3, 4), "tmux from 3.4 on"
	case f.c.Mux == "screen":
		v, why = false, "screen"
	case !known:
		src, why = FromDefault, ""
	}
	switch l := f.env("SCROLLKEEP_LINKS"); {
	case l == "":
	default:
		v, src, why = flag(l), FromUser, "SCROLLKEEP_LINKS"
	}
	v, src, why = f.gated(v, src, why)
	f.note("links", v, src, why)
	return v
}

// marks decides whether OSC 133 is of use. Others that know it take what follows a mark for a
// command line of the shell (iTerm2, VS Code).
func (f *facts) marks() bool {
	v, src, why := false, FromDefault, ""
	switch f.c.Name {
	case "kitty", "ghostty", "wezterm", "foot":
		v, src, why = true, f.name, f.c.Name
	case "tmux":
		v, src, why = versionAtLeast(f.c.Version, 3, 4), f.name, "tmux from 3.4 on"
	}
	if m := f.env("SCROLLKEEP_MARKS"); m != "" {
		v, src, why = flag(m), FromUser, "SCROLLKEEP_MARKS"
	}
	v, src, why = f.gated(v, src, why)
	f.note("prompt marks", v, src, why)
	return v
}

func (f *facts) color(truecolor bool) int {
	v, src, why := 16, FromDefault, ""
	term, colorterm := f.env("TERM"), strings.ToLower(f.env("COLORTERM"))
	switch {
	case f.c.Mux == "screen": // 4.9 does not know direct colours
		v, src, why = 256, FromEnv, "screen"
	case colorterm == "truecolor" || colorterm == "24bit":
		v, src, why = 1<<24, FromEnv, "COLORTERM"
	case f.c.Mux == "tmux" && f.r.tmux.has("RGB"):
		v, src, why = 1<<24, FromProbe, "client_termfeatures"
	case strings.HasSuffix(term, "-direct"):
		v, src, why = 1<<24, FromEnv, "TERM"
	case truecolor, f.c.Name == "xterm" && versionAtLeast(f.c.Version, 331, 0):
		v, src, why = 1<<24, f.name, f.c.Name
	case strings.Contains(term, "256color"), f.c.Mux == "tmux":
		v, src, why = 256, FromEnv, "TERM"
	}
	if f.env("NO_COLOR") != "" {
		v, src, why = 0, FromUser, "NO_COLOR"
	}
	f.note("colours", v, src, why)
	return v
}

func (f *facts) dark() bool {
	v, src, why := true, FromDefault, ""
	if bg := f.env("COLORFGBG"); bg != "" {
		n, err := strconv.Atoi(bg[strings.LastIndexByte(bg, ';')+1:])
		if err == nil {
			v, src, why = n >= 0 && n <= 6 || n == 8, FromEnv, "COLORFGBG"
		}
	}
	if fg := f.r.foreground; fg != nil {
		v, src, why = luminance(*fg) >= 0.5, FromProbe, "OSC 10"
	}
	if b := f.r.background; b != nil {
		v, src, why = luminance(*b) < 0.5, FromProbe, "OSC 11"
	}
	if f.r.scheme != 0 {
		v, src, why = f.r.scheme == 1, FromProbe, "mode 2031"
	}
	f.note("dark background", v, src, why)
	return v
}

// luminance returns the luminance by BT.601, from 0 to 1.
func luminance(c [3]uint16) float64 {
	return (0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])) / 0xffff
}

func (f *facts) unicode() bool {
	locale, why := "", ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = f.env(name); locale != "" {
			why = name
			break
		}
	}
	v, src := true, FromDefault
	switch l := strings.ToLower(locale); {
	case strings.HasPrefix(f.env("TERM"), "linux"): // 512 glyphs
		v, src, why = false, FromEnv, "TERM"
	case strings.Contains(l, "utf-8") || strings.Contains(l, "utf8"):
		src = FromEnv
	case l == "c" || l == "posix" || strings.Contains(l, "iso") || strings.Contains(l, "8859"):
		v, src = false, FromEnv
	}
	f.note("unicode", v, src, why)
	return v
}

// outer returns the name of the terminal around tmux. What tmux says is that of the client that was
// used last; a variable is that of the terminal in which tmux was started.
func (f *facts) outer() string {
	name, src, why := "", FromDefault, ""
	for _, p := range programs {
		if f.env(p.env) != "" {
			name, src, why = p.name, FromEnv, p.env
			break
		}
	}
	if said := f.r.tmux.Outer; said != "" {
		n, _ := splitVersion(said)
		if _, ok := known[n]; !ok { // its TERM
			n = termName(said)
		}
		if n != "" {
			name, src, why = n, FromProbe, "client_termtype "+said
		}
	}
	f.note("terminal around tmux", orNone(name), src, why)
	return name
}

func (f *facts) passthrough() bool {
	switch p := f.r.tmux.Passthrough; p {
	case "":
		f.note("passthrough", "unknown", FromDefault, "")
		return false
	default:
		f.note("passthrough", p != "off", FromProbe, "allow-passthrough "+p)
		return p != "off"
	}
}

func (f *facts) notify(known Notify) Notify {
	v, src, why := known, f.name, f.c.Name
	if f.r.notify == yes && f.c.Mux == "" {
		v, src, why = NotifyOSC99, FromProbe, "OSC 99"
	}
	if n := f.env("SCROLLKEEP_NOTIFY"); n != "" {
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
	if v != NotifyOff && !f.c.Strings {
		v, src, why = NotifyBell, FromDefault, noStrings
	}
	f.note("notifications", v, src, why)
	return v
}

func (f *facts) images(known Images) Images {
	v, src, why := known, f.name, f.c.Name
	switch {
	case f.c.Mux == "tmux" && f.c.Passthrough && f.c.Placeholders:
		v, src, why = ImagesKitty, FromProbe, "allow-passthrough"
	case f.c.Mux != "":
		v, why = ImagesOff, f.c.Mux
	case f.r.graphics == yes:
		v, src, why = ImagesKitty, FromProbe, "kitty graphics"
	case f.r.graphics == no && known == ImagesKitty:
		v, src, why = ImagesOff, FromProbe, "kitty graphics"
	case known == ImagesOff && slices.Contains(f.r.attributes, 4):
		v, src, why = ImagesSixel, FromProbe, "DA1"
	case known == ImagesOff:
		src, why = FromDefault, ""
	}
	switch strings.ToLower(f.env("SCROLLKEEP_IMAGES")) {
	case "kitty":
		v, src, why = ImagesKitty, FromUser, "SCROLLKEEP_IMAGES"
	case "iterm2":
		v, src, why = ImagesITerm, FromUser, "SCROLLKEEP_IMAGES"
	case "sixel":
		v, src, why = ImagesSixel, FromUser, "SCROLLKEEP_IMAGES"
	case "off", "0":
		v, src, why = ImagesOff, FromUser, "SCROLLKEEP_IMAGES"
	}
	if v != ImagesOff && !f.c.Strings {
		v, src, why = ImagesOff, FromDefault, noStrings
	}
	f.note("images", v, src, why)
	return v
}
