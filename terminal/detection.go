package terminal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// detection finds out what the terminal can do: it holds the inputs of resolve, and the results so
// far.
type detection struct {
	env        func(string) string
	replies    replies
	caps       Caps
	nameSource Source // From where the terminal's name is known.
	facts      []Fact
}

// add appends a fact about one capability to the report.
func (d *detection) add(name string, value any, src Source, why string) {
	d.facts = append(d.facts, Fact{name, fmt.Sprint(value), src, why})
}

// modeSource returns the source of a capability that only the reported state of a mode can tell.
func (d *detection) modeSource(mode int) Source {
	if _, ok := d.replies.modes[mode]; ok {
		return FromProbe
	}
	return FromDefault
}

// settable reports whether v is the reported state (DECRPM) of a mode that exists and can be
// switched on.
func settable(v int) bool { return v >= 1 && v <= 3 }

// isYes reports whether v, the value of an environment variable, is set and does not mean no.
func isYes(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "no", "off", "false":
		return false
	}
	return true
}

// orNone returns s, or "none" if s is empty.
func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// detectSync decides whether frames are synchronized updates (DEC 2026). The first of these that
// tells wins: off by the user, on by the user, the terminal's reply, the environment, the known
// terminals. A multiplexer must have replied, and its reply is about itself only (tmux supports DEC
// 2026 since 3.7).
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

// detectKeys decides whether keys with modifiers can be told from those without. Some terminals are
// known to support modifyOtherKeys. tmux passes such keys on if one of its options is set, which
// shows when the first of them comes.
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

// detectDoubt reports whether nobody has measured how the terminal draws: because it has no name,
// because its name is not known, or because it belongs to an editor, which draws differently.
func (d *detection) detectDoubt() bool {
	v, src, why := true, FromDefault, ""
	if d.caps.Name != "" {
		_, found := knownTerminals[d.caps.Name]
		v, src, why = !found || drawDifferently[d.caps.Name], d.nameSource, d.caps.Name
	}
	d.add("what it shows is proven", v, src, why)
	return v
}

// detectLinks decides whether the terminal supports hyperlinks (OSC 8). known is true if it does by
// its name.
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

// detectMarks decides whether rows are marked as a prompt (OSC 133). iTerm2 and VS Code support
// such marks but take the text behind one for a command line of the shell, so that they get none.
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

// detectColor returns the number of colours. truecolor is true if the terminal is known to have
// 24-bit colours.
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

// luminance returns the luminance of a colour by BT.601, from 0 (black) to 1 (white).
func luminance(c [3]uint16) float64 {
	return (0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])) / 0xffff
}

// detectUnicode reports whether the locale and the terminal can show characters outside of ASCII.
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

// detectOuter returns the name of the terminal that tmux runs in. tmux reports the client that was
// used last. Otherwise environment variables name the terminal in which tmux was started.
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

// detectEscape reports whether the Escape key alone does not reach the program. That is so in the
// terminals of Emacs, and in tmux inside of them.
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

// detectPassthrough reports whether tmux is known to pass sequences on to its terminal.
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

// detectNotify returns how to request a notification. known is the way that fits the terminal's
// name.
func (d *detection) detectNotify(known Notify) Notify {
	v, src, why := known, d.nameSource, d.caps.Name
	if d.replies.notify == answeredYes && d.caps.Mux == "" {
		v, src, why = NotifyOSC99, FromProbe, "OSC 99"
	}
	if n := d.env("SCROLLKEEP_NOTIFY"); n != "" {
		src, why = FromUser, "SCROLLKEEP_NOTIFY"
		switch strings.ToLower(n) {
		case "off", "0", "no", "false":
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

// detectImages returns how to draw images. known is the protocol that fits the terminal's name.
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
	case "off", "0", "no", "false":
		v, src, why = ImagesOff, FromUser, "SCROLLKEEP_IMAGES"
	}
	if v != ImagesOff && !d.caps.Strings {
		v, src, why = ImagesOff, FromDefault, noStrings
	}
	d.add("images", v, src, why)
	return v
}
