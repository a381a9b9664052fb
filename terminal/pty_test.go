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
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// The tests of this file run a real program on a real pty: this test binary again, told by a variable what to do.
const helperEnv = "SCROLLKEEP_TEST_HELPER"

func TestMain(m *testing.M) {
	if what := os.Getenv(helperEnv); what != "" {
		helper(what)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// helper is the program. It says READY, echoes each event as a line, and ends in the way that it is named after when q is typed.
func helper(what string) {
	conf := terminal.Config{}
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

// console is a pty with a program on it. What the program writes is collected, and the questions that it asks are answered as kitty would.
type console struct {
	t   *testing.T
	tty *os.File // the terminal's side
	own *os.File // the program's side, held open so that the state can be read after the program's end
	cmd *exec.Cmd

	before string // the settings before the program started

	mu  sync.Mutex
	out bytes.Buffer
	cut bool // hang up at the next byte

	stall sync.Mutex // held by a test while the terminal takes nothing
	new   chan struct{}
}

func start(t *testing.T, c *exec.Cmd) *console { return startOn(t, c, true) }

// startOn starts c on a pty that is its controlling terminal, or is not.
func startOn(t *testing.T, c *exec.Cmd, controlling bool) *console {
	t.Helper()
	ptmx, slave, err := pty.Open()
	if err != nil {
		t.Skipf("no pty: %v", err)
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
		c.stall.Unlock() // only to wait
		n, err := c.tty.Read(buf)
		c.mu.Lock()
		c.out.Write(buf[:n])
		cut := c.cut
		c.mu.Unlock()
		if cut {
			_ = c.own.Close()
			_ = c.tty.Close()
			return
		}
		for range bytes.Count(buf[:n], []byte("\x1b[c")) {
			_, _ = c.tty.WriteString("\x1b[?62;22c")
		}
		if bytes.Contains(buf[:n], []byte("\x1b[?u")) {
			_, _ = c.tty.WriteString("\x1b[?0u")
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

func (c *console) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.String()
}

// expect waits until want was written after the first n bytes, and returns how many there are now.
func (c *console) expect(n int, want string) int {
	c.t.Helper()
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	for {
		if s := c.text(); strings.Contains(s[n:], want) {
			return n + strings.Index(s[n:], want) + len(want)
		}
		select {
		case <-c.new:
		case <-limit.C:
			c.t.Fatalf("%q does not come; since byte %d: %q", want, n, c.text()[n:])
		}
	}
}

func (c *console) send(s string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(s); err != nil {
		c.t.Fatal(err)
	}
}

// state is the terminal's settings.
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
		c.t.Fatalf("the program does not end: %q", c.text())
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
	c.Env = append(os.Environ(), helperEnv+"="+what, "TERM=xterm-256color", "TMUX=", "STY=", "SSH_TTY=", "SSH_CONNECTION=", "SSH_CLIENT=", "TERM_PROGRAM=")
	return c
}

// restored checks that every mode that was set is reset, the last word of each being the reset, and the cursor shown.
func restored(t *testing.T, out string) {
	t.Helper()
	for _, m := range []struct{ set, reset string }{
		{"\x1b[?2004h", "\x1b[?2004l"}, {"\x1b[?1004h", "\x1b[?1004l"}, {"\x1b[>5u", "\x1b[<u"}, {"", "\x1b[?25h"}, {"", "\x1b[?7h"}, {"\x1b>", "\x1b>"},
	} {
		if !strings.Contains(out, m.set) {
			t.Errorf("%q was never set", m.set)
		}
		if i, j := strings.LastIndex(out, m.set), strings.LastIndex(out, m.reset); m.set != "" && m.set != m.reset && j < i || j < 0 {
			t.Errorf("%q is not undone by %q in %q", m.set, m.reset, out[max(0, len(out)-200):])
		}
	}
}

func TestTheTerminalIsAsItWas(t *testing.T) {
	for _, c := range []struct {
		name string
		what string
		end  func(*console)
		code int
	}{
		{"after a normal end", "exit", func(c *console) { c.send("q") }, 0},
		{"after a panic", "panic", func(c *console) { c.send("q") }, 2},
		{"after a panic in another goroutine", "goroutine", func(c *console) { c.send("q") }, 2},
		{"after SIGTERM", "exit", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGTERM) }, 100 + int(unix.SIGTERM)},
		{"after SIGHUP", "exit", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGHUP) }, 100 + int(unix.SIGHUP)},
		{"after SIGINT from outside", "exit", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGINT) }, 100 + int(unix.SIGINT)},
		{"after SIGTERM to a loop that hangs", "deaf", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGTERM) }, -int(unix.SIGTERM)},
		{"after SIGTERM twice to a loop that hangs", "deaf", func(c *console) {
			_ = c.cmd.Process.Signal(unix.SIGTERM)
			<-time.After(50 * time.Millisecond)
			_ = c.cmd.Process.Signal(unix.SIGTERM)
		}, -int(unix.SIGTERM)},
		{"after SIGQUIT to a loop that hangs", "deaf", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGQUIT) }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			con := start(t, self(t, c.what))
			before := con.before
			n := con.expect(0, "READY")
			if c.what != "deaf" {
				con.expect(n, "\x1b[>5u")
			}
			if con.state() == before {
				t.Error("the program does not use raw mode")
			}
			c.end(con)
			if code := con.wait(); code != c.code {
				t.Errorf("exit code %d, want %d: %q", code, c.code, con.text())
			}
			if after := con.state(); after != before {
				t.Errorf("the settings differ\nbefore %s\n after %s", before, after)
			}
			out := con.text()
			if c.what == "deaf" { // its replies were never read
				out = strings.Replace(out, "READY", "READY\x1b[>5u\x1b[<u", 1)
			}
			restored(t, out)
			if i, j := strings.Index(out, "boom"), strings.LastIndex(out, "\x1b[?2004l"); i >= 0 && i < j {
				t.Error("the panic's message came before the terminal was restored")
			}
		})
	}
}

func TestAHangUpEndsTheProgram(t *testing.T) {
	con := start(t, self(t, "exit"))
	con.expect(0, "READY")
	// The read that waits keeps the terminal's side open: it has to be the one that closes it.
	con.mu.Lock()
	con.cut = true
	con.mu.Unlock()
	if _, err := con.own.WriteString("."); err != nil {
		t.Fatal(err)
	}
	if code := con.wait(); code != 50 && code != 100+int(unix.SIGHUP) {
		t.Errorf("exit code %d", code)
	}
}

func TestTypingSurvivesAHandOver(t *testing.T) {
	con := start(t, self(t, "exit"))
	n := con.expect(0, "READY")
	con.send("as")
	n = con.expect(n, "KEY s")
	n = con.expect(n, "name? ")
	if err := con.cmd.Process.Signal(unix.SIGINT); err != nil { // what Ctrl+C in a child does to us too
		t.Fatal(err)
	}
	con.send("Ada\r") // for the child, all of it
	n = con.expect(n, "got <Ada>")
	n = con.expect(n, "terminal.Resumed")
	con.send("bc")
	n = con.expect(n, "KEY b")
	n = con.expect(n, "KEY c")
	con.send("q")
	if code := con.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	restored(t, con.text())
}

func TestATerminalThatIsNotTheControllingOneWorksToo(t *testing.T) {
	con := startOn(t, self(t, "exit"), false)
	n := con.expect(0, "READY")
	con.send("as")
	n = con.expect(n, "name? ")
	con.send("Ada\r")
	n = con.expect(n, "got <Ada>")
	n = con.expect(n, "terminal.Resumed")
	con.send("b")
	con.expect(n, "KEY b")
	con.send("q")
	if code := con.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if con.state() != con.before {
		t.Errorf("the settings differ\nbefore %s\n after %s", con.before, con.state())
	}
	restored(t, con.text())
}

// A terminal that is stopped or hangs must not keep the program from ending.
func TestATerminalThatTakesNothingDoesNotHoldUpTheEnd(t *testing.T) {
	for _, controlling := range []bool{true, false} {
		con := startOn(t, self(t, "flood"), controlling)
		n := con.expect(0, "READY")
		con.expect(n, "\x1b[>5u")
		con.stall.Lock()
		con.send("q")
		begin := time.Now()
		con.wait()
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("controlling %v: it took %v", controlling, d)
		}
		if con.state() != con.before {
			t.Errorf("controlling %v: the settings differ\nbefore %s\n after %s", controlling, con.before, con.state())
		}
		con.stall.Unlock()
	}
}

func TestAPasteOfTenMegabytesArrivesWhole(t *testing.T) {
	con := start(t, self(t, "exit"))
	n := con.expect(0, "READY")
	n = con.expect(n, "\x1b[>5u")
	text := strings.Repeat("line with größe and 漢字, and some more of it\n", 10<<20/48)
	begin := time.Now()
	go func() { _, _ = con.tty.WriteString("\x1b[200~" + strings.ReplaceAll(text, "\n", "\r") + "\x1b[201~x") }()
	n = con.expect(n, fmt.Sprintf("PASTE %d %x", len(text), sha256.Sum256([]byte(text))))
	n = con.expect(n, "KEY x")
	t.Logf("%d bytes in %v", len(text), time.Since(begin))
	con.send("q")
	con.expect(n, "KEY q")
	con.wait()
}

func TestAResizeIsNoticed(t *testing.T) {
	con := start(t, self(t, "exit"))
	n := con.expect(0, "READY")
	if err := pty.Setsize(con.tty, &pty.Winsize{Rows: 30, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	con.expect(n, "terminal.Resize")
	con.send("q")
	con.wait()
}

// A job that is stopped gets SIGTERM and SIGCONT together, in the background: it has to end without the terminal.
func TestAStoppedProgramCanBeKilled(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	prog := self(t, "exit")
	c := exec.Command(sh, "-i")
	c.Env = append(prog.Env, "PS1=prompt> ", "ENV=", helperEnv+"=")
	con := start(t, c)
	n := con.expect(0, "prompt> ")
	con.send(helperEnv + "=exit " + prog.Path + "\r")
	n = con.expect(n, "READY")
	n = con.expect(n, "\x1b[>5u")
	con.send("\x1b[122;5u")
	n = con.expect(n, "KEY ctrl+z")
	n = con.expect(n, "prompt> ")
	con.send("kill %1; kill -CONT %1\r")
	for ended := fmt.Sprint(100 + int(unix.SIGTERM)); !strings.Contains(con.text()[n:], ended); { // the shell tells with a prompt: "Done(115)" or "Exit 115"
		if len(con.text()) > n+2000 {
			t.Fatalf("it goes on: %q", con.text()[n:])
		}
		con.send("sleep 0.1; jobs\r")
		con.expect(len(con.text()), "prompt> ")
	}
	con.send("exit\r")
	con.wait()
}

// A real shell with job control: Ctrl+Z, a command in between, fg.
func TestCtrlZAndFgInAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	c := exec.Command(sh, "-i")
	c.Dir = dir
	prog := self(t, "exit")
	c.Env = append(prog.Env, "PS1=prompt> ", "ENV=", helperEnv+"=")
	con := start(t, c)
	n := con.expect(0, "prompt> ")
	con.send("stty -a >before\r")
	n = con.expect(n, "prompt> ")
	con.send(helperEnv + "=exit " + prog.Path + "\r")
	n = con.expect(n, "READY")
	n = con.expect(n, "\x1b[>5u")
	for i := range 2 {
		con.send("\x1b[122;5u") // Ctrl+Z as kitty sends it
		n = con.expect(n, "KEY ctrl+z")
		n = con.expect(n, "prompt> ")
		restored(t, con.text())
		con.send("stty -a >stopped\r")
		n = con.expect(n, "prompt> ")
		before, _ := os.ReadFile(filepath.Join(dir, "before"))
		stopped, _ := os.ReadFile(filepath.Join(dir, "stopped"))
		_, before, _ = bytes.Cut(before, []byte(";")) // speed, size
		_, before, _ = bytes.Cut(before, []byte("\n"))
		_, stopped, _ = bytes.Cut(stopped, []byte("\n"))
		if len(before) == 0 || !bytes.Equal(before, stopped) {
			t.Errorf("the shell's settings\n%s\nand with the program stopped\n%s", before, stopped)
		}
		if err := pty.Setsize(con.tty, &pty.Winsize{Rows: 30, Cols: uint16(100 + n%50)}); err != nil {
			t.Fatal(err)
		}
		con.send("fg\r")
		n = con.expect(n, "\x1b[>5u")
		n = con.expect(n, "terminal.Resize")
		n = con.expect(n, "terminal.Resumed")
		con.send("x")
		n = con.expect(n, "KEY x")
		if got := strings.Count(con.text(), "terminal.Resumed"); got != i+1 {
			t.Errorf("resumed %d times after %d stops", got, i+1)
		}
	}
	con.send("q")
	n = con.expect(n, "prompt> ")
	restored(t, con.text())
	con.send("echo code=$?\r")
	con.expect(n, "code=0")
	con.send("exit\r")
	con.wait()
}

func TestStandardErrorStaysOffTheScreen(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	c := self(t, "stderr")
	c.Env = append(c.Env, helperEnv+"_LOG="+log)
	con := start(t, c)
	con.expect(0, "READY")
	con.send("q")
	if code := con.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if s := con.text(); strings.Contains(s, "stray") || !strings.Contains(s, "wanted") || !strings.Contains(s, "after") {
		t.Errorf("the screen got %q", s)
	}
	got, _ := os.ReadFile(log)
	if !strings.HasPrefix(string(got), "stray one\nstray two\n") || strings.Contains(string(got), "wanted") {
		t.Errorf("the log got %q", got)
	}
}

func TestACrashIsStillReadable(t *testing.T) {
	c := self(t, "crash")
	c.Env = append(c.Env, helperEnv+"_LOG="+filepath.Join(t.TempDir(), "log"))
	con := start(t, c)
	con.expect(0, "READY")
	con.send("q")
	if code := con.wait(); code != 2 {
		t.Errorf("exit code %d", code)
	}
	con.expect(0, "nobody catches this")
}

func TestWithoutATerminalOpenSaysSo(t *testing.T) {
	c := self(t, "exit")
	c.Stdin = strings.NewReader("")
	out, err := c.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 7 || !strings.Contains(string(out), "true") {
		t.Errorf("%v: %s", err, out)
	}
	_, _ = io.Discard.Write(out)
}
