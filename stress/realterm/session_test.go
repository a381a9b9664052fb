//go:build terminals

package realterm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/tui"
)

// session is the program of TestASession: it says what it was given and ends with "quit".
func session() {
	app := &tui.App{}
	n := 0
	app.Footer = tui.NewStack(&tui.Status{Text: "working"},
		&tui.Editor{Placeholder: "draft", OnSubmit: func(text string) {
			n++
			fmt.Fprintf(app.Transcript(), "in %d %d %.8x\n", n, len(text), sha256.Sum256([]byte(text)))
			if text == "quit" {
				app.Quit(nil)
			}
		}})
	app.OnEvent = func(ev tui.Event) bool {
		if r, ok := ev.(tui.Resize); ok {
			fmt.Fprintf(app.Transcript(), "size %d %d\n", r.Cols, r.Rows)
		}
		return false
	}
	if err := app.Run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// asked are the modes that a session must leave as they were.
var asked = []int{1, 7, 25, 66, 1000, 1002, 1004, 1006, 1010, 1047, 1049, 2004, 2026, 2027, 2031, 2048}

// modes is the program that writes what the terminal says about its modes to a file: a report for
// each, then one for the keyboard.
func modes(file string) {
	stty := func(args ...string) string {
		c := exec.Command("stty", args...)
		c.Stdin = os.Stdin
		out, _ := c.Output()
		return strings.TrimSpace(string(out))
	}
	saved := stty("-g")
	stty("raw", "-echo")
	defer stty(saved)
	for _, m := range asked {
		fmt.Printf("\x1b[?%d$p", m)
	}
	fmt.Print("\x1b[?u\x1b[c")
	var all []byte
	for buf := make([]byte, 4096); !regexp.MustCompile(`\x1b\[\?[\d;]*c`).Match(all); {
		n, err := os.Stdin.Read(buf)
		if err != nil {
			break
		}
		all = append(all, buf[:n]...)
	}
	_ = os.WriteFile(file, all, 0o600)
}

// desk is a terminal with a shell in it and somebody who types.
type desk interface {
	terminal
	shell(t *testing.T)
	send(t *testing.T, keys string) // text, and the controls CR and ^Z
	paste(t *testing.T, text string)
}

func TestASession(t *testing.T) {
	for name, d := range map[string]desk{"tmux": &tmux{}, "kitty": &kitty{}, "xterm": &xterm{}, "vte": &vte{}} {
		t.Run(name, func(t *testing.T) {
			need.Program(t, "Xvfb")
			need.Program(t, "xdotool")
			need.Program(t, "xclip")
			switch name {
			case "kitty":
				needKitty(t)
			case "tmux", "xterm":
				need.Program(t, name)
			}
			wholeSession(t, d)
		})
	}
}

func wholeSession(t *testing.T, d desk) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, env := range map[string]string{"session": "SCROLLKEEP_SESSION=1",
		"modes": "SCROLLKEEP_MODES=" + dir + "/$1"} {
		if err := os.WriteFile(filepath.Join(dir, name),
			[]byte("#!/bin/sh\nstty -a >"+dir+"/stty.$1\n"+env+" exec "+self+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.shell(t)
	<-time.After(time.Second) // its first prompts
	wait := func(what string, text string) {
		t.Helper()
		eventually(t, what, func() bool { return strings.Contains(d.tape(t), text) })
	}
	read := func(name string) []byte { b, _ := os.ReadFile(filepath.Join(dir, name)); return b }
	state := func(name string) []byte {
		d.send(t, dir+"/modes "+name+"\r")
		eventually(t, "the modes", func() bool {
			return len(read(name)) > 0 && strings.HasSuffix(strings.TrimRight(d.tape(t), " \n\r\x00"), "$")
		})
		all := bytes.Join([][]byte{read(name), read("stty." + name)}, nil)
		if m, ok := d.(*tmux); ok { // it answers no mode reports
			all = append(all,
				m.do(t, "display-message", "-p",
					"#{alternate_on} #{cursor_flag} #{wrap_flag} #{keypad_cursor_flag} #{keypad_flag} "+
						"#{mouse_any_flag} #{mouse_sgr_flag} #{pane_key_mode} #{insert_flag}")...)
		}
		return all
	}
	sum := func(text string) string { return fmt.Sprintf("%d %.8x", len(text), sha256.Sum256([]byte(text))) }

	before := state("before")
	d.send(t, dir+"/session x\r")
	wait("the footer", "draft")
	d.send(t, "hello, world\r")
	wait("typing", "in 1 "+sum("hello, world"))
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		fmt.Fprintf(&b, "line %06d of what is pasted\n", i)
	}
	text := strings.TrimSuffix(b.String(), "\n")
	d.paste(t, text)
	<-time.After(time.Second)
	d.send(t, "\r")
	wait("the paste", "in 2 "+sum(text))
	sizes := func() int { return strings.Count(d.tape(t), "size ") }
	resized := func(cols, rows int, then func()) { // a window manager, or a widget, may give another size
		n := sizes()
		d.resize(t, cols, rows)
		then()
		eventually(t, "the new size", func() bool { return sizes() > n })
	}
	resized(60, 18, func() {})
	d.send(t, "\x1a")
	wait("the stop", "Stopped")
	stopped := state("stopped")
	resized(90, 30, func() {
		<-time.After(500 * time.Millisecond)
		d.send(t, "fg\r")
	})
	d.send(t, "again\r")
	wait("typing after the stop", "in 3 "+sum("again"))
	d.send(t, "quit\r")
	wait("the last word", "in 4 "+sum("quit"))
	after := state("after")

	columns := regexp.MustCompile(`rows \d+; columns \d+;`)
	clean := func(b []byte) string { return columns.ReplaceAllString(fmt.Sprintf("%q", b), "") }
	if clean(before) != clean(after) || clean(before) != clean(stopped) {
		t.Errorf("the modes were\n%s\nstopped\n%s\nafter\n%s", clean(before), clean(stopped), clean(after))
	}
	n := 0
	known := regexp.MustCompile(`^(\$.*|size \d+ \d+|.*Stopped.*|\S*/session x|\S*)$`)
	for _, line := range strings.Split(d.tape(t), "\n") {
		line = strings.TrimRight(line, " \r\x00")
		if strings.HasPrefix(line, "in ") {
			if n++; !strings.HasPrefix(line, fmt.Sprintf("in %d ", n)) {
				t.Errorf("%q is line %d of the transcript", line, n)
			}
			continue
		}
		if !known.MatchString(line) || strings.Contains(line, "\x1b") || strings.Contains(line, "^[") ||
			strings.Contains(line, "draft") {
			t.Errorf("%q is not of the transcript", line)
		}
	}
	if n != 4 || t.Failed() {
		t.Errorf("%d lines of the transcript; the tape is\n%s", n, d.tape(t))
	}
}

func (m *tmux) shell(t *testing.T) {
	m.socket = filepath.Join(t.TempDir(), "s")
	m.start(t, "true")
	eventually(t, "tmux's shell", func() bool {
		return strings.Count(m.tape(t), "$ ") > 1 || strings.HasSuffix(strings.TrimSpace(m.tape(t)), "$")
	})
}

func (m *tmux) send(t *testing.T, keys string) {
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(keys) {
		args = append(args, fmt.Sprintf("%02x", b))
	}
	m.do(t, args...)
}

func (m *tmux) paste(t *testing.T, text string) {
	name := filepath.Join(t.TempDir(), "paste")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.do(t, "load-buffer", name)
	m.do(t, "paste-buffer", "-p")
}

func (v *vte) shell(t *testing.T) { v.start(t, "true") }

func (v *vte) send(t *testing.T, keys string) { v.give(t, "feed", keys) }

func (v *vte) paste(t *testing.T, text string) { v.give(t, "paste", text) }

func (x *xterm) shell(t *testing.T) { x.start(t, "PS1='$ ' exec sh") }

func (x *xterm) send(t *testing.T, keys string) {
	typed(keyboard(t, x.show, "xterm"), keys)
}

func (x *xterm) paste(t *testing.T, text string) {
	clip(t, x.show, "primary", text)
	keyboard(t, x.show, "xterm")("key", "--clearmodifiers", "shift+Insert")
}

// clip makes text what a terminal pastes.
func clip(t *testing.T, show, selection, text string) {
	t.Helper()
	c := exec.Command("xclip", "-quiet", "-selection", selection)
	c.Stdin = strings.NewReader(text)
	c.Env = append(os.Environ(), "DISPLAY="+show)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	<-time.After(500 * time.Millisecond)
}

func (s *screen) send(t *testing.T, keys string) {
	if _, err := s.tty.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}
