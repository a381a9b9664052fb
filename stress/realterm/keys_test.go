//go:build terminals

package realterm

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
)

var record = flag.Bool("record", false, "write what the terminals send for keys to terminal/testdata/keys")

// recordKeys is the program whose input is recorded: it sets the modes of SCROLLKEEP_SET and
// appends what it reads to a file.
func recordKeys(file string) {
	stty := exec.Command("stty", "raw", "-echo")
	stty.Stdin = os.Stdin
	if err := stty.Run(); err != nil {
		panic(err)
	}
	f, err := os.Create(file)
	if err != nil {
		panic(err)
	}
	fmt.Print(os.Getenv("SCROLLKEEP_SET"))
	fmt.Fprint(f, "ready")
	for buf := make([]byte, 4096); ; {
		n, err := os.Stdin.Read(buf)
		if err != nil {
			return
		}
		_, _ = f.Write(buf[:n])
	}
}

// pressed returns the keys to record: our name and xdotool's.
func pressed() [][2]string {
	var all [][2]string
	add := func(ours, x string) { all = append(all, [2]string{ours, x}) }
	for _, r := range "az1" {
		add(string(r), string(r))
	}
	add("A", "shift+a")
	add("!", "shift+1")
	for _, k := range [][2]string{{"space", "space"}, {"enter", "Return"}, {"tab", "Tab"}, {"shift+tab", "shift+Tab"},
		{"backspace", "BackSpace"}, {"escape", "Escape"}, {"shift+enter", "shift+Return"},
		{"ctrl+enter", "ctrl+Return"}, {"alt+enter", "alt+Return"},
		{"alt+backspace", "alt+BackSpace"}, {"ctrl+backspace", "ctrl+BackSpace"}, {"ctrl+space", "ctrl+space"},
		{`ctrl+\`, "ctrl+backslash"}, {"ctrl+]", "ctrl+bracketright"}, {"ctrl+_", "ctrl+shift+minus"},
		{"alt+a", "alt+a"}, {"alt+A", "alt+shift+a"},
		{"alt+.", "alt+period"}, {"ctrl+alt+a", "ctrl+alt+a"}, {"*", "KP_Multiply"}, {"+", "KP_Add"},
		{"ctrl+tab", "ctrl+Tab"}} {
		add(k[0], k[1])
	}
	for _, r := range "acdhijmuwz" {
		add("ctrl+"+string(r), "ctrl+"+string(r))
	}
	for _, k := range [][2]string{{"up", "Up"}, {"down", "Down"}, {"right", "Right"}, {"left", "Left"},
		{"home", "Home"}, {"end", "End"}} {
		for _, m := range []string{"", "shift+", "alt+", "ctrl+", "ctrl+alt+"} {
			add(m+k[0], m+k[1])
		}
	}
	for _, k := range [][2]string{{"insert", "Insert"}, {"delete", "Delete"}, {"pageup", "Prior"},
		{"pagedown", "Next"}} {
		add(k[0], k[1])
	}
	add("ctrl+delete", "ctrl+Delete")
	for i := range 12 {
		f := strconv.Itoa(i + 1)
		add("f"+f, "F"+f)
	}
	add("ctrl+f5", "ctrl+F5")
	add("shift+f6", "shift+F6")
	return all
}

func TestKeysAreSentAsRecorded(t *testing.T) {
	for _, p := range []string{"xdotool", "xterm", "tmux"} {
		need.Program(t, p)
	}
	ofKitty, protocolOfKitty := oracle.Kitty(), "kitty-protocol"
	if needKitty(t).Differs.Layout == profile.LayoutJoined {
		protocolOfKitty += "-0.40" // F3 is another, since the old one is a cursor report, too
	}
	all := pressed()
	_, vteVersion := vtePython(t)
	// Key codes, since xdotool knows a key by what it types on the layout: 54 is c, 55 v, 38 a.
	russian := [][2]string{{"с", "54"}, {"С", "shift+54"}, {"ctrl+c", "ctrl+54"}, {"ctrl+v", "ctrl+55"},
		{"ctrl+shift+c", "ctrl+shift+54"}, {"alt+ф", "alt+38"}, {"ctrl+alt+a", "ctrl+alt+38"}, {"enter", "36"}}
	const modify, protocol = "\x1b[>4;2m", "\x1b[>5u"
	tmuxIn := func(socket, options string) []string {
		return []string{"tmux", "-S", socket, "-f", "/dev/null", "start-server", ";", "set", "-s", "escape-time", "10",
			";", "set", "-s", "extended-keys", options, ";", "set", "-as", "terminal-features", "xterm*:extkeys", ";",
			"new-session"}
	}
	version := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return strings.TrimSpace(strings.SplitN(string(out), "\n", 2)[0])
	}
	xterm := []string{"xterm", "-fn", "fixed", "-xrm", "*VT100.metaSendsEscape: true", "-xrm",
		"*VT100.eightBitInput: false", "-e"}
	kittyOf := []string{ofKitty, "--config", "NONE", "-o", "font_size=7", "-o", "clear_all_shortcuts=yes"}
	for _, c := range []struct {
		file, about, class, set string
		keys                    [][2]string
		command                 func(dir string) []string
	}{
		{"xterm", version("xterm", "-version") + ", legacy", "xterm", "", all, func(string) []string { return xterm }},
		{"xterm-modify", version("xterm", "-version") + ", modifyOtherKeys 2", "xterm", modify, all,
			func(string) []string { return xterm }},
		{"kitty", version(ofKitty, "--version") + ", legacy", "kitty", "", all, func(string) []string {
			return kittyOf
		}},
		{protocolOfKitty, version(ofKitty, "--version") + ", keyboard protocol with flags 5", "kitty", protocol, all,
			func(string) []string { return kittyOf }},
		{"tmux", version("tmux", "-V") + " in " + version("xterm", "-version") + ", extended-keys off", "xterm", modify,
			all, func(dir string) []string {
				return append(xterm[:len(xterm):len(xterm)], tmuxIn(filepath.Join(dir, "s"), "off")...)
			}},
		{"tmux-extended", version("tmux", "-V") + " in " + version("xterm", "-version") + ", extended-keys on", "xterm",
			modify, all, func(dir string) []string {
				return append(xterm[:len(xterm):len(xterm)], tmuxIn(filepath.Join(dir, "s"), "on")...)
			}},
		{"vte", "VTE " + vteVersion + ", legacy", "vte", "", all, nil},
		{"kitty-russian", version(ofKitty, "--version") + ", keyboard protocol with flags 5", "kitty", protocol,
			russian, func(string) []string { return kittyOf }},
	} {
		t.Run(c.file, func(t *testing.T) {
			dir := t.TempDir()
			log := filepath.Join(dir, "log")
			layout := "us"
			if strings.HasSuffix(c.file, "russian") {
				layout = "ru"
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			show := display(t)
			if layout != "us" {
				need.Program(t, "setxkbmap")
				output(t, exec.Command("setxkbmap", "-display", show, "-layout", layout))
			}
			run := filepath.Join(dir, "run")
			script := fmt.Sprintf("#!/bin/sh\nSCROLLKEEP_KEYS=%s SCROLLKEEP_SET='%s' exec %s\n", log, c.set, self)
			if err := os.WriteFile(run, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			if c.command == nil {
				v := &vte{}
				v.open(t, show, run)
			} else {
				args := append(c.command(dir), run)
				window(t, show, args[0], args[1:]...)
				t.Cleanup(func() { _ = exec.Command("tmux", "-S", filepath.Join(dir, "s"), "kill-server").Run() })
			}
			x := keyboard(t, show, c.class)
			read := func() []byte { b, _ := os.ReadFile(log); return b }
			eventually(t, "the recorder", func() bool { return bytes.HasPrefix(read(), []byte("ready")) })
			<-time.After(500 * time.Millisecond)
			before := len(read())
			var out strings.Builder
			fmt.Fprintf(&out,
				"# %s; X.Org keys by xdotool, layout %s.\n"+
					"# Recorded %s by go test -tags terminals ./stress/realterm -run Keys -record\n", c.about, layout,
				time.Now().Format(time.DateOnly))
			for _, k := range c.keys {
				x("key", "--clearmodifiers", k[1])
				<-time.After(90 * time.Millisecond)
				b := read()
				if sent := b[before:]; len(sent) > 0 {
					fmt.Fprintf(&out, "%s\t%s\n", k[0], strings.Trim(strconv.QuoteToASCII(string(sent)), `"`))
				}
				before = len(b)
			}
			name := filepath.Join("..", "..", "terminal", "testdata", "keys", c.file+".txt")
			if *record {
				if err := os.WriteFile(name, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rows := func(s string) []string { return strings.Split(s, "\n")[2:] }
			if got, want := rows(out.String()),
				rows(string(want)); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("it sends\n%s\nand has sent\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// keyboard gives the window of a class the focus and returns what runs xdotool there.
func keyboard(t *testing.T, show, class string) func(args ...string) {
	t.Helper()
	run := func(args ...string) (string, error) {
		// A window may be gone before xdotool has seen it.
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		c := exec.CommandContext(ctx, "xdotool", args...)
		c.Env = append(os.Environ(), "DISPLAY="+show)
		out, err := c.Output()
		return strings.TrimSpace(string(out)), err
	}
	eventually(t, "the window of "+class, func() bool {
		id, err := run("search", "--onlyvisible", "--class", class)
		if err != nil || id == "" {
			return false
		}
		ids := strings.Fields(id)
		_, err = run("windowfocus", "--sync", ids[len(ids)-1])
		return err == nil
	})
	return func(args ...string) {
		if _, err := run(args...); err != nil {
			t.Fatalf("xdotool %v: %v", args, err)
		}
	}
}
