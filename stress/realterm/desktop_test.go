//go:build terminals

package realterm

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// leaks are the variables by which the terminal around the tests, or its desktop, would be taken
// for the one under test, or be asked by it.
var leaks = []string{
	"TERM", "COLORTERM", "COLORFGBG", "WINDOWID", "WINDOWPATH", "XTERM_", "TERMINAL_EMULATOR", "TERMINFO", "KONSOLE_",
	"VTE_", "ALACRITTY_", "KITTY_",
	"GHOSTTY_", "WEZTERM_", "ITERM_", "VSCODE_", "WT_", "INSIDE_EMACS", "TMUX", "STY", "ZELLIJ", "HERDR_", "CMUX_",
	"WMUX", "SSH_", "NO_COLOR", "SCROLLKEEP_",
	"HOME", "XDG_", "DBUS_", "DISPLAY", "WAYLAND_", "QT_", "GDK_", "RXVT_", "URXVT_", "CI", "LANG", "LC_",
}

// home returns a directory that is all that a terminal finds of its user, with files in it by name.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// environ returns what a terminal starts with on a desktop whose user lives in dir: what a terminal
// tells programs about itself is its own work.
func environ(dir string, more ...string) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		leak := false
		for _, l := range leaks {
			leak = leak || name == l || strings.HasSuffix(l, "_") && strings.HasPrefix(name, l) ||
				strings.HasPrefix(name, l+"_")
		}
		if !leak {
			env = append(env, v)
		}
	}
	return append(
		append(env, "HOME="+dir, "XDG_CONFIG_HOME="+dir+"/config", "XDG_DATA_HOME="+dir+"/data",
			"XDG_CACHE_HOME="+dir+"/cache", "XDG_RUNTIME_DIR="+dir,
			"LANG=C.UTF-8", "LC_ALL=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1", "DBUS_SESSION_BUS_ADDRESS=disabled:",
			"PS1=$ "), more...)
}

// opened starts a program and ends it with the test.
func opened(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env, c.Stderr = env, os.Stderr
	if os.Getenv("SCROLLKEEP_NOISE") == "" { // desktop programs say a lot
		c.Stderr = nil
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
}

// frame is the window of a terminal on a display of its own, that is cell pixels for each cell and
// edge around them.
type frame struct {
	show, class string
	cell, edge  [2]int
	id          string
}

// script returns a file that runs a command and lets what it has left stand.
func script(t *testing.T, command string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(name, []byte(command+"\nexec cat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return name
}

func (f *frame) xdotool(args ...string) (string, error) {
	c := exec.Command("xdotool", args...)
	c.Env = append(os.Environ(), "DISPLAY="+f.show)
	out, err := c.Output()
	return strings.TrimSpace(string(out)), err
}

func (f *frame) press(t *testing.T, args ...string) {
	t.Helper()
	if _, err := f.xdotool(args...); err != nil {
		t.Fatalf("xdotool %v: %v", args, err)
	}
}

// seen waits for the window and gives it the focus.
func (f *frame) seen(t *testing.T) {
	t.Helper()
	eventually(t, "the window of "+f.class, func() bool {
		ids, err := f.xdotool("search", "--onlyvisible", "--class", f.class)
		if err != nil || ids == "" {
			return false
		}
		f.id = strings.Fields(ids)[0]
		_, err = f.xdotool("windowfocus", f.id)
		return err == nil
	})
}

func (f *frame) resize(t *testing.T, cols, rows int) {
	t.Helper()
	f.press(t, "windowsize", f.id, strconv.Itoa(cols*f.cell[0]+f.edge[0]), strconv.Itoa(rows*f.cell[1]+f.edge[1]))
}

// send types.
func (f *frame) send(t *testing.T, keys string) {
	t.Helper()
	typed(func(args ...string) { f.press(t, args...) }, keys)
}

// typed are keys, pressed one by one.
func typed(press func(args ...string), keys string) {
	for _, part := range strings.SplitAfter(keys, "\r") {
		switch text := strings.TrimSuffix(part, "\r"); text {
		case "":
		case "\x1a":
			press("key", "ctrl+z")
		default:
			press("type", "--delay", "10", text)
		}
		if strings.HasSuffix(part, "\r") {
			press("key", "Return")
		}
	}
}

// nothing is what a selection holds until the terminal makes it its own.
const nothing = "nothing is selected"

// keys presses keys together, whatever else is held down.
func (f *frame) keys(t *testing.T, keys ...string) {
	t.Helper()
	f.press(t, append([]string{"key", "--clearmodifiers", "--delay", "1"}, keys...)...)
}

// selected returns what stands in a selection, in one of its forms, after something that selects
// and copies. That is done again until it is there: what a program writes takes a selection back.
func (f *frame) selected(t *testing.T, selection, form string, copy func()) (text string) {
	t.Helper()
	xclip := func(in string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // an owner that is busy may never answer
		defer cancel()
		c := exec.CommandContext(ctx, "xclip", append([]string{"-selection", selection}, args...)...)
		c.Env, c.Stdin = append(os.Environ(), "DISPLAY="+f.show), strings.NewReader(in)
		if in != "" { // it stays, as the owner of the selection, and would keep a pipe open
			return "", c.Run()
		}
		out, err := c.Output()
		return string(out), err
	}
	if _, err := xclip(nothing); err != nil {
		t.Fatalf("xclip: %v", err)
	}
	eventually(t, "what "+f.class+" copies", func() bool {
		copy()
		var err error
		text, err = xclip("", "-o", "-t", form)
		return err == nil && text != nothing
	})
	return text
}
