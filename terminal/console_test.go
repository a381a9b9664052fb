//go:build linux || darwin || freebsd

package terminal_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// The tests of this file run a real program on a real pty: this test binary again, told by a
// variable what to do.
const helperEnv = "SCROLLKEEP_TEST_HELPER"

func TestMain(m *testing.M) {
	if what := os.Getenv(helperEnv); what != "" {
		helper(what)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper is the program. It says READY, echoes each event as a line, and ends in the way that it is
// named after when q is typed.
func helper(what string) {
	conf := terminal.Config{}
	if strings.HasPrefix(what, "guard") {
		conf.Guard, conf.Stderr = terminal.NewGuard(), io.Discard
	}
	if what == "stderr" || what == "crash" {
		f, err := os.Create(os.Getenv(helperEnv + "_LOG"))
		if err != nil {
			panic(err)
		}
		conf.Stderr = f
	}
	t, err := terminal.Open(context.Background(), conf)
	if err != nil {
		fmt.Println("open:", err, errors.Is(err, terminal.ErrNotTerminal))
		os.Exit(7)
	}
	defer t.Close()
	say := func(s string) { _, _ = t.Write([]byte(s + "\r\n")) }
	say("READY")
	if what == "deaf" { // a loop that hangs
		select {}
	}
	for {
		ev, err := t.Next(context.Background())
		if err != nil {
			t.Close()
			var sig terminal.SignalError
			if errors.As(err, &sig) {
				os.Exit(100 + int(sig.Signal.(syscall.Signal)))
			}
			os.Exit(50)
		}
		switch ev := ev.(type) {
		case terminal.Key:
			say("KEY " + ev.String())
			switch {
			case ev.Is("ctrl+z"):
				if err := t.Stop(); err != nil {
					say("STOP " + err.Error())
				}
			case ev.Is("s"):
				_ = t.Suspend(context.Background(), func() error {
					c := exec.Command("sh", "-c", `printf 'name? '; read -r x; echo "got <$x>"`)
					c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
					return c.Run()
				})
			case !ev.Is("q"):
			case what == "exit":
				return
			case what == "asks":
				say("\x1b[6n")
				return
			case what == "flood":
				_, _ = t.Write(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
				return
			case what == "stderr":
				fmt.Fprintln(os.Stderr, "stray one")
				c := exec.Command("sh", "-c", "echo stray two >&2")
				c.Stderr = os.Stderr
				_ = c.Run()
				_ = t.Suspend(context.Background(), func() error { fmt.Fprintln(os.Stderr, "wanted"); return nil })
				fmt.Fprintln(os.Stderr, "stray three")
				t.Close()
				fmt.Fprintln(os.Stderr, "after")
				return
			case what == "crash":
				go func() { panic("nobody catches this") }()
				select {}
			case what == "guard panic":
				go func() { panic("nobody catches\x1b[2J this") }()
				select {}
			case what == "guard fatal":
				m := map[int]int{}
				for range 2 {
					go func() {
						for i := range 1 << 30 {
							m[i%10] = i
						}
					}()
				}
				select {}
			case what == "guard flood": // more than the pipe of standard error holds, which nobody reads then
				for range 20_000 {
					go func() { select {} }()
				}
				debug.SetTraceback("all")
				go func() { panic("nobody catches\x1b[2J this") }()
				select {}
			case what == "guard exit":
				os.Exit(3)
			case what == "guard normal":
				return
			case what == "panic":
				panic("boom")
			case what == "goroutine":
				go func() {
					defer t.Recover()
					panic("boom")
				}()
				select {}
			}
		case terminal.Paste:
			say(fmt.Sprintf("PASTE %d %x", len(ev.Text), sha256.Sum256([]byte(ev.Text))))
		default:
			say(fmt.Sprintf("%T", ev))
		}
	}
}

// console is a pty with a program on it. What the program writes is collected, and the questions
// that it asks are answered as kitty would.
type console struct {
	t   *testing.T
	tty *os.File // the terminal's side
	own *os.File // the program's side, held open so that the state can be read after the program's end
	cmd *exec.Cmd

	before string // the settings before the program started

	mu          sync.Mutex
	savedOutput bytes.Buffer
	cut         bool // hang up at the next byte

	stall sync.Mutex // held by a test while the terminal takes nothing
	new   chan struct{}
}

func start(t *testing.T, c *exec.Cmd) *console { return startOn(t, c, true) }

// startOn starts c on a pty that is its controlling terminal, or is not.
func startOn(t *testing.T, c *exec.Cmd, controlling bool) *console {
	t.Helper()
	ptmx, slave, err := pty.Open()
	if err != nil {
		need.Missing(t, "pty", err)
	}
	if err := pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: controlling}
	con := &console{t: t, tty: ptmx, own: slave, cmd: c, new: make(chan struct{}, 1)}
	con.before = con.state()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = slave.Close()
		_ = ptmx.Close()
	})
	go con.collect()
	return con
}

func (c *console) collect() {
	buf := make([]byte, 4096)
	for {
		c.stall.Lock()
		c.stall.Unlock() //lint:ignore SA2001 taken only to wait
		n, err := c.tty.Read(buf)
		c.mu.Lock()
		c.savedOutput.Write(buf[:n])
		cut := c.cut
		c.mu.Unlock()
		if cut {
			_ = c.own.Close()
			_ = c.tty.Close()
			return
		}
		if bytes.Contains(buf[:n], []byte("\x1b[6n")) {
			time.AfterFunc(50*time.Millisecond, func() { _, _ = c.tty.WriteString("\x1b[12;40R") })
		}
		if bytes.Contains(buf[:n], []byte("\x1b[>c")) {
			_, _ = c.tty.WriteString("\x1b[>0;1700;1c")
		}
		if bytes.Contains(buf[:n], []byte("\x1b[?u")) {
			_, _ = c.tty.WriteString("\x1b[?0u")
		}
		for range bytes.Count(buf[:n], []byte("\x1b[c")) {
			_, _ = c.tty.WriteString("\x1b[?62;22c")
		}
		select {
		case c.new <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (c *console) unreadText() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.savedOutput.String()
}

// expect waits until want was written after the first n bytes, and returns how many there are now.
func (c *console) expect(n int, want string) int {
	c.t.Helper()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for {
		if s := c.unreadText(); strings.Contains(s[n:], want) {
			return n + strings.Index(s[n:], want) + len(want)
		}
		select {
		case <-c.new:
		case <-limit.C:
			c.t.Fatalf("%q does not come; since byte %d: %q", want, n, c.unreadText()[n:])
		}
	}
}

func (c *console) send(s string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(s); err != nil {
		c.t.Fatal(err)
	}
}

// state returns the terminal's settings.
func (c *console) state() string {
	c.t.Helper()
	st, err := term.GetState(int(c.own.Fd()))
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprintf("%+v", *st)
}

// wait waits for the program's end; code is its exit code, or minus the signal.
func (c *console) wait() (code int) {
	c.t.Helper()
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		c.t.Fatalf("the program does not end: %q", c.unreadText())
	}
	if !c.stall.TryLock() {
		return c.code()
	}
	c.stall.Unlock()
	// What the program wrote last has not all been collected yet.
	c.mu.Lock()
	cut := c.cut
	c.mu.Unlock()
	if !cut {
		if _, err := c.own.WriteString("\x00END"); err != nil {
			c.t.Fatal(err)
		}
		c.expect(0, "\x00END")
	}
	return c.code()
}

func (c *console) code() int {
	ws := c.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return -int(ws.Signal())
	}
	return ws.ExitStatus()
}

func self(t *testing.T, what string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), helperEnv+"="+what, "TERM=xterm-256color", "TMUX=", "STY=", "SSH_TTY=",
		"SSH_CONNECTION=", "SSH_CLIENT=", "TERM_PROGRAM=")
	return c
}

// restored checks that every mode that was set is reset, the last word of each being the reset, and
// the cursor shown.
func restored(t *testing.T, out string) {
	t.Helper()
	for _, m := range []struct{ set, reset string }{
		{"\x1b[?2004h", "\x1b[?2004l"}, {"\x1b[?1004h", "\x1b[?1004l"}, {"\x1b[>5u", "\x1b[<u"}, {"", "\x1b[?25h"},
		{"", "\x1b[?7h"}, {"\x1b>", "\x1b>"},
	} {
		if !strings.Contains(out, m.set) {
			t.Errorf("%q was never set", m.set)
		}
		if i, j := strings.LastIndex(out, m.set), strings.LastIndex(out, m.reset); m.set != "" && m.set != m.reset &&
			j < i || j < 0 {
			t.Errorf("%q is not undone by %q in %q", m.set, m.reset, out[max(0, len(out)-200):])
		}
	}
}
