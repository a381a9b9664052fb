package terminal

import (
	"strconv"
	"strings"
)

// knownTerminals holds the capabilities of terminals that are known by their names.
var knownTerminals = map[string]struct {
	sync, links, truecolor bool
	notify                 Notify
	images                 Images
}{
	"kitty":     {true, true, true, NotifyOSC99, ImagesKitty},
	"ghostty":   {true, true, true, NotifyOSC9, ImagesKitty},
	"wezterm":   {true, true, true, NotifyOSC9, ImagesKitty},
	"iterm2":    {true, true, true, NotifyOSC9, ImagesITerm},
	"vscode":    {true, true, true, NotifyBell, ImagesOff},
	"xterm.js":  {false, true, true, NotifyBell, ImagesOff},
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
	"st":        {false, false, true, NotifyBell, ImagesOff},
	"apple":     {false, false, false, NotifyBell, ImagesOff},
	"linux":     {false, false, false, NotifyBell, ImagesOff},
	"tmux":      {false, false, false, NotifyBell, ImagesOff},
	"screen":    {false, false, false, NotifyBell, ImagesOff},
	"mintty":    {false, true, true, NotifyBell, ImagesOff},
	"jetbrains": {false, false, true, NotifyBell, ImagesOff},
	"emacs":     {false, false, false, NotifyBell, ImagesOff},
	"vterm":     {false, false, false, NotifyBell, ImagesOff},
	"eat":       {false, false, false, NotifyBell, ImagesOff},
	"vim":       {false, false, false, NotifyBell, ImagesOff},
	"neovim":    {false, false, false, NotifyBell, ImagesOff},
	"mosh":      {false, false, false, NotifyBell, ImagesOff},
	"zellij":    {false, true, true, NotifyBell, ImagesOff},
}

// drawDifferently holds the known terminals that draw some text in another way than the width model
// says: those of editors (measured), the Linux console, which has 512 glyphs, and mosh, which uses
// the widths of the machine that it runs on.
var drawDifferently = map[string]bool{"emacs": true, "vterm": true, "eat": true, "vim": true, "neovim": true,
	"linux": true, "mosh": true}

// muxVariables holds the environment variables that show that the program runs in a multiplexer, in
// order. Variables that are also set outside of its panes are not in the list.
var muxVariables = [...]struct{ env, name string }{
	{"TMUX", "tmux"}, {"STY", "screen"}, {"ZELLIJ", "zellij"}, {"HERDR_ENV", "herdr"},
	{"CMUX_WORKSPACE_ID", "cmux"}, {"CMUX_SURFACE_ID", "cmux"}, {"WMUX", "wmux"}, {"WMUX_SURFACE_ID", "wmux"},
}

// terminalVariables holds the environment variables that name a terminal.
var terminalVariables = [...]struct{ env, name string }{
	{"KITTY_WINDOW_ID", "kitty"}, {"GHOSTTY_RESOURCES_DIR", "ghostty"}, {"WEZTERM_PANE", "wezterm"},
	{"ITERM_SESSION_ID", "iterm2"},
	{"VSCODE_PID", "vscode"}, {"ALACRITTY_WINDOW_ID", "alacritty"}, {"KONSOLE_VERSION", "konsole"},
	{"VTE_VERSION", "vte"}, {"WT_SESSION", "windows"},
}

// termPrograms holds the terminals by the value of TERM_PROGRAM, in lower case.
var termPrograms = map[string]string{
	"iterm.app": "iterm2", "apple_terminal": "apple", "vscode": "vscode", "wezterm": "wezterm", "ghostty": "ghostty",
	"warpterminal": "warp",
	"rio":          "rio", "mintty": "mintty", "tmux": "tmux", "contour": "contour",
}

// xtermJS is the answer of xterm.js to DA2 (InputHandler.ts), since its first version. It answers
// XTVERSION since 6.1. ConPTY, through which Windows runs programs in its terminals, answers DA2
// itself, but passes XTVERSION on.
const xtermJS = "0;276;0"

// moshSecondary is the beginning of the answer of mosh 1.4.0 to DA2. It gives this answer in every
// terminal.
const moshSecondary = "1;10;0"

// detectName returns the name of the multiplexer, and the name and version of the terminal. In a
// multiplexer these are its own.
func (d *detection) detectName() (mux, name, version string) {
	term := d.env("TERM")
	src, why := FromDefault, ""
	inner, by := hostEditor(d.env)
	for _, m := range muxVariables {
		if inner == "" && d.env(m.env) != "" {
			mux, src, why = m.name, FromEnv, m.env
			break
		}
	}
	if mux == "" && inner == "" { // ssh or sudo let only TERM through
		switch {
		case strings.HasPrefix(term, "tmux"):
			mux, src, why = "tmux", FromEnv, "TERM"
		case strings.HasPrefix(term, "screen"):
			mux, src, why = "screen", FromEnv, "TERM" // tmux's default too: the reply corrects it
		}
	}
	reply, replyVersion := splitVersion(d.replies.version)
	if reply == "tmux" || reply == "screen" {
		mux, src, why = reply, FromProbe, "XTVERSION"
	}
	d.add("multiplexer", orNone(mux), src, why)

	src, why = FromDefault, ""
	product := termPrograms[strings.ToLower(d.env("TERM_PROGRAM"))]
	if inner != "" {
		product = "" // that of the terminal around the editor
	}
	switch {
	case mux == "" && product != "vscode" && (reply == "xterm.js" || reply == "" && d.replies.secondary == xtermJS):
		name, version, src, why = "xterm.js", replyVersion, FromProbe, "XTVERSION"
		if reply == "" {
			why = "DA2"
		}
	case mux == "" && inner == "" && reply == "" && strings.HasPrefix(d.replies.secondary, moshSecondary):
		name, src, why = "mosh", FromProbe, "DA2"
	case reply != "" && reply != "xterm.js":
		name, version, src, why = reply, replyVersion, FromProbe, "XTVERSION"
	case mux != "":
		name, src, why = mux, FromEnv, "multiplexer"
	case inner != "":
		name, src, why = inner, FromEnv, by
	default:
		if product != "" {
			name, version, src, why = product, d.env("TERM_PROGRAM_VERSION"), FromEnv, "TERM_PROGRAM"
			break
		}
		for _, p := range terminalVariables {
			if d.env(p.env) != "" {
				name, src, why = p.name, FromEnv, p.env
				break
			}
		}
		if name != "" {
			break
		}
		switch {
		case d.env("TERMINAL_EMULATOR") == "JetBrains-JediTerm":
			name, why = "jetbrains", "TERMINAL_EMULATOR"
		case termName(term) != "":
			name, why = termName(term), "TERM"
		case d.env("XTERM_VERSION") != "":
			name, version, why = "xterm", d.env("XTERM_VERSION"), "XTERM_VERSION"
		}
		if name != "" {
			src = FromEnv
		}
	}
	d.nameSource = src
	d.add("terminal", strings.TrimSpace(orNone(name)+" "+version), src, why)
	return mux, name, version
}

// hostEditor returns the name of the editor in whose terminal the program runs, and the environment
// variable that shows it, or "", "". Inside of an editor the variables of other terminals and
// multiplexers are inherited and mean nothing. If TERM names another terminal, the editor started a
// program that has set it.
func hostEditor(env func(string) string) (name, by string) {
	switch term := env("TERM"); {
	case strings.HasPrefix(term, "eterm"):
		return "emacs", "TERM"
	case strings.HasPrefix(term, "eat-"):
		return "eat", "TERM"
	case strings.HasPrefix(term, "tmux"), strings.HasPrefix(term, "screen"), termName(term) != "":
		return "", ""
	}
	return editorByVariable(env)
}

// editorByVariable returns the name of the editor in whose terminal the program was started, and
// the environment variable that shows it, or "", "". In a multiplexer this is the terminal that it
// was started in.
func editorByVariable(env func(string) string) (name, by string) {
	switch emacs := env("INSIDE_EMACS"); {
	case strings.Contains(emacs, "vterm"):
		return "vterm", "INSIDE_EMACS"
	case strings.Contains(emacs, ",eat"):
		return "eat", "INSIDE_EMACS"
	case emacs != "":
		return "emacs", "INSIDE_EMACS"
	case env("NVIM") != "":
		return "neovim", "NVIM"
	case env("VIM_TERMINAL") != "":
		return "vim", "VIM_TERMINAL"
	}
	return "", ""
}

// termName returns the name of the terminal that a value of TERM stands for, or "".
func termName(term string) string {
	switch {
	case strings.Contains(term, "kitty"):
		return "kitty"
	case strings.Contains(term, "ghostty"):
		return "ghostty"
	case strings.HasPrefix(term, "alacritty"):
		return "alacritty"
	case strings.HasPrefix(term, "foot"):
		return "foot"
	case strings.HasPrefix(term, "rxvt"):
		return "urxvt"
	case strings.HasPrefix(term, "linux"):
		return "linux"
	case strings.HasPrefix(term, "eterm"):
		return "emacs"
	case strings.HasPrefix(term, "eat-"):
		return "eat"
	case term == "st", strings.HasPrefix(term, "st-"):
		return "st"
	}
	return ""
}

// splitVersion splits a reply to XTVERSION into name and version: "tmux 3.5a", "kitty(0.26.5)",
// "XTerm(379)", "ghostty 1.1.0", "foot(1.13.1)", "iTerm2 3.5".
func splitVersion(s string) (name, version string) {
	name, version, _ = strings.Cut(strings.ReplaceAll(strings.ReplaceAll(s, "(", " "), ")", ""), " ")
	switch name = strings.ToLower(name); name {
	case "vte", "libvterm":
	case "windowsterminal", "windows":
		name = "windows"
	}
	return name, strings.TrimSpace(version)
}

// AtLeast reports whether the terminal has reported the version major.minor or a later one.
func (c Caps) AtLeast(major, minor int) bool { return versionAtLeast(c.Version, major, minor) }

// versionAtLeast reports whether v, such as "3.5a", is the version major.minor or a later one.
func versionAtLeast(v string, major, minor int) bool {
	head, minorText, _ := strings.Cut(strings.TrimPrefix(v, "next-"), ".")
	a, err := strconv.Atoi(head)
	if err != nil {
		return false
	}
	end := strings.IndexFunc(minorText, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(minorText)
	}
	b, _ := strconv.Atoi(minorText[:end])
	return a > major || a == major && b >= minor
}
