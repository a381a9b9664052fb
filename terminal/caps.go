package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Caps is what the terminal can do, from the environment and from its replies. Each probe that comes in may change it, which [Changed] tells.
type Caps struct {
	Mux     string // the multiplexer we are in: "tmux", "screen", "zellij", ... or ""
	Name    string // the program that answered, or that the environment names: "kitty", "ghostty", "tmux", ...; "" if unknown. In a multiplexer it is the multiplexer
	Version string // as it said itself (XTVERSION) or as the environment has it; ""
	SSH     bool   // the terminal is on another machine

	Sync     bool // DEC 2026: synchronised updates
	Grapheme bool // mode 2027 is on: widths by grapheme cluster
	Keys     bool // modified keys come as such (Shift+Enter): kitty's protocol or modifyOtherKeys
	Paste    bool // bracketed paste is confirmed
	Links    bool // OSC 8
	Marks    bool // OSC 133: one can jump to rows that are marked as a prompt
	InBand   bool // mode 2048: size reports
	Scheme   bool // mode 2031: reports of the colour scheme

	Color   int  // colours: 0 (NO_COLOR), 16, 256 or 1<<24
	Dark    bool // the background is dark; true also if it is not known
	Unicode bool // glyphs outside ASCII may be used

	Notify Notify // how a desktop notification is asked for
	Images Images // how pictures are drawn
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
	scheme     int    // CSI ? 997 ; n n: 1 dark, 2 light
	version    string // XTVERSION
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

// known is what the environment says about terminals by name.
var known = map[string]struct {
	sync, links, truecolor bool
	notify                 Notify
	images                 Images
}{
	"kitty":     {true, true, true, NotifyOSC99, ImagesKitty},
	"ghostty":   {true, true, true, NotifyOSC9, ImagesKitty},
	"wezterm":   {true, true, true, NotifyOSC9, ImagesKitty},
	"iterm2":    {true, true, true, NotifyOSC9, ImagesITerm},
	"vscode":    {true, true, true, NotifyBell, ImagesOff},
	"alacritty": {true, true, true, NotifyBell, ImagesOff},
	"foot":      {true, true, true, NotifyOSC777, ImagesSixel},
	"contour":   {true, true, true, NotifyBell, ImagesOff},
	"rio":       {false, true, true, NotifyBell, ImagesOff},
	"warp":      {false, false, true, NotifyOSC9, ImagesOff},
	"windows":   {false, true, true, NotifyBell, ImagesOff},
	"vte":       {false, true, true, NotifyOSC777, ImagesOff},
	"konsole":   {false, true, true, NotifyBell, ImagesOff},
	"xterm":     {false, false, false, NotifyBell, ImagesOff},
	"urxvt":     {false, false, false, NotifyOSC777, ImagesOff},
	"apple":     {false, false, false, NotifyBell, ImagesOff},
	"linux":     {false, false, false, NotifyBell, ImagesOff},
	"tmux":      {false, false, false, NotifyBell, ImagesOff},
	"screen":    {false, false, false, NotifyBell, ImagesOff},
	"mintty":    {false, true, true, NotifyBell, ImagesOff},
	"jetbrains": {false, false, true, NotifyBell, ImagesOff},
	"emacs":     {false, false, false, NotifyBell, ImagesOff},
	"zellij":    {false, true, true, NotifyBell, ImagesOff},
}

// resolve is the whole of detection: pure, so that a table can test it. Precedence, most trusted last: default, environment, probe, user.
func resolve(env func(string) string, r replies) (Caps, []Fact) {
	f := facts{env: env, r: r}
	f.c.Mux, f.c.Name, f.c.Version = f.identity()
	f.c.SSH = env("SSH_CONNECTION") != "" || env("SSH_TTY") != "" || env("SSH_CLIENT") != ""
	if f.c.SSH {
		f.note("ssh", true, FromEnv, "SSH_CONNECTION")
	} else {
		f.note("ssh", false, FromDefault, "")
	}
	k := known[f.c.Name]

	f.c.Sync = f.sync(k.sync)
	f.c.Grapheme = r.modes[2027] == 1 || r.modes[2027] == 3
	f.note("grapheme widths", f.c.Grapheme, f.ifAsked(2027), "mode 2027")
	f.c.Keys = f.keys()
	_, f.c.Paste = r.modes[2004]
	f.c.Paste = f.c.Paste && r.modes[2004] != 0 && r.modes[2004] != 4
	f.note("bracketed paste", f.c.Paste, f.ifAsked(2004), "mode 2004")
	f.c.InBand = settable(r.modes[2048])
	f.note("size reports", f.c.InBand, f.ifAsked(2048), "mode 2048")
	f.c.Scheme = settable(r.modes[2031])
	f.note("colour scheme reports", f.c.Scheme, f.ifAsked(2031), "mode 2031")
	f.c.Links = f.links(k.links)
	f.c.Marks = f.marks()
	f.c.Color = f.color(k.truecolor)
	f.c.Dark = f.dark()
	f.c.Unicode = f.unicode()
	f.c.Notify = f.notify(k.notify)
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

// ifAsked is the source of what only a mode report can tell.
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

// muxes are the variables that say which multiplexer we are in, in order. Variables that are also set outside its panes are not among them.
var muxes = [...]struct{ env, name string }{
	{"TMUX", "tmux"}, {"STY", "screen"}, {"ZELLIJ", "zellij"}, {"HERDR_ENV", "herdr"},
	{"CMUX_WORKSPACE_ID", "cmux"}, {"CMUX_SURFACE_ID", "cmux"}, {"WMUX", "wmux"}, {"WMUX_SURFACE_ID", "wmux"},
}

// programs are the variables that name a terminal.
var programs = [...]struct{ env, name string }{
	{"KITTY_WINDOW_ID", "kitty"}, {"GHOSTTY_RESOURCES_DIR", "ghostty"}, {"WEZTERM_PANE", "wezterm"}, {"ITERM_SESSION_ID", "iterm2"},
	{"VSCODE_PID", "vscode"}, {"ALACRITTY_WINDOW_ID", "alacritty"}, {"KONSOLE_VERSION", "konsole"}, {"VTE_VERSION", "vte"}, {"WT_SESSION", "windows"},
}

// termPrograms are values of TERM_PROGRAM, in lower case.
var termPrograms = map[string]string{
	"iterm.app": "iterm2", "apple_terminal": "apple", "vscode": "vscode", "wezterm": "wezterm", "ghostty": "ghostty", "warpterminal": "warp",
	"rio": "rio", "mintty": "mintty", "tmux": "tmux", "contour": "contour",
}

// identity finds the multiplexer and the name of what draws our output.
func (f *facts) identity() (mux, name, version string) {
	term := f.env("TERM")
	src, why := FromDefault, ""
	for _, m := range muxes {
		if f.env(m.env) != "" {
			mux, src, why = m.name, FromEnv, m.env
			break
		}
	}
	if mux == "" { // ssh or sudo let only TERM through
		switch {
		case strings.HasPrefix(term, "tmux"):
			mux, src, why = "tmux", FromEnv, "TERM"
		case strings.HasPrefix(term, "screen"):
			mux, src, why = "screen", FromEnv, "TERM" // tmux's default too: the reply corrects it
		}
	}
	reply, replyVersion := splitVersion(f.r.version)
	if reply == "tmux" || reply == "screen" {
		mux, src, why = reply, FromProbe, "XTVERSION"
	}
	f.note("multiplexer", orNone(mux), src, why)

	src, why = FromDefault, ""
	switch {
	case reply != "":
		name, version, src, why = reply, replyVersion, FromProbe, "XTVERSION"
	case mux != "":
		name, src, why = mux, FromEnv, "multiplexer"
	default:
		if n := termPrograms[strings.ToLower(f.env("TERM_PROGRAM"))]; n != "" {
			name, version, src, why = n, f.env("TERM_PROGRAM_VERSION"), FromEnv, "TERM_PROGRAM"
			break
		}
		for _, p := range programs {
			if f.env(p.env) != "" {
				name, src, why = p.name, FromEnv, p.env
				break
			}
		}
		if name != "" {
			break
		}
		switch {
		case f.env("TERMINAL_EMULATOR") == "JetBrains-JediTerm":
			name, why = "jetbrains", "TERMINAL_EMULATOR"
		case f.env("INSIDE_EMACS") != "":
			name, why = "emacs", "INSIDE_EMACS"
		case strings.Contains(term, "kitty"):
			name, why = "kitty", "TERM"
		case strings.Contains(term, "ghostty"):
			name, why = "ghostty", "TERM"
		case strings.HasPrefix(term, "alacritty"):
			name, why = "alacritty", "TERM"
		case strings.HasPrefix(term, "foot"):
			name, why = "foot", "TERM"
		case strings.HasPrefix(term, "rxvt"):
			name, why = "urxvt", "TERM"
		case strings.HasPrefix(term, "linux"):
			name, why = "linux", "TERM"
		case f.env("XTERM_VERSION") != "":
			name, version, why = "xterm", f.env("XTERM_VERSION"), "XTERM_VERSION"
		}
		if name != "" {
			src = FromEnv
		}
	}
	f.name = src
	f.note("terminal", strings.TrimSpace(orNone(name)+" "+version), src, why)
	return mux, name, version
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// splitVersion reads an XTVERSION reply: "tmux 3.5a", "kitty(0.26.5)", "XTerm(379)", "ghostty 1.1.0", "foot(1.13.1)", "iTerm2 3.5".
func splitVersion(s string) (name, version string) {
	name, version, _ = strings.Cut(strings.ReplaceAll(strings.ReplaceAll(s, "(", " "), ")", ""), " ")
	switch name = strings.ToLower(name); name {
	case "vte", "libvterm":
	case "windowsterminal", "windows":
		name = "windows"
	}
	return name, strings.TrimSpace(version)
}

// sync is whether frames are bracketed with DEC 2026: user off, user on, what the terminal replied, what it advertised, what is known of it;
// not in a multiplexer, unless it replied: then it speaks of itself only (tmux from 3.7 on knows it).
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

// keys is whether modified keys can be told apart. That modifyOtherKeys was understood can be known of some terminals only; tmux passes modified keys on when its option
// says so, which shows when the first one comes.
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

// versionAtLeast compares "3.5a" with a major and a minor number.
func versionAtLeast(v string, major, minor int) bool {
	head, rest, _ := strings.Cut(strings.TrimPrefix(v, "next-"), ".")
	a, err := strconv.Atoi(head)
	if err != nil {
		return false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	b, _ := strconv.Atoi(rest[:end])
	return a > major || a == major && b >= minor
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
	f.note("links", v, src, why)
	return v
}

// marks is whether OSC 133 is of use. Others that know it take what follows a mark for a command line of the shell (iTerm2, VS Code).
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
	if b := f.r.background; b != nil {
		v, src, why = luminance(*b) < 0.5, FromProbe, "OSC 11"
	}
	if f.r.scheme != 0 {
		v, src, why = f.r.scheme == 1, FromProbe, "mode 2031"
	}
	f.note("dark background", v, src, why)
	return v
}

// luminance is that of BT.601, from 0 to 1.
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

func (f *facts) notify(known Notify) Notify {
	v, src, why := known, f.name, f.c.Name
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
	f.note("notifications", v, src, why)
	return v
}

func (f *facts) images(known Images) Images {
	v, src, why := known, f.name, f.c.Name
	switch {
	case f.c.Mux != "":
		v, why = ImagesOff, f.c.Mux
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
	f.note("images", v, src, why)
	return v
}
