//go:build linux || darwin || freebsd

package terminal_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

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
		{"after SIGINT from outside", "exit", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGINT) },
			100 + int(unix.SIGINT)},
		{"after SIGTERM to a loop that hangs", "deaf", func(c *console) { _ = c.cmd.Process.Signal(unix.SIGTERM) },
			-int(unix.SIGTERM)},
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
				con.expect(n, "\x1b[?1004h")
			}
			if con.state() == before {
				t.Error("the program does not use raw mode")
			}
			c.end(con)
			if code := con.wait(); code != c.code {
				t.Errorf("exit code %d, want %d: %q", code, c.code, con.unreadText())
			}
			if after := con.state(); after != before {
				t.Errorf("the settings differ\nbefore %s\n after %s", before, after)
			}
			out := con.unreadText()
			if c.what == "deaf" { // its replies were never read
				out = strings.Replace(out, "READY",
					"READY\x1b[?2004h\x1b[?1004h\x1b[>5u\x1b[<u\x1b[?1004l\x1b[?2004l", 1)
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
	con.expect(n, "KEY c")
	con.send("q")
	if code := con.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	restored(t, con.unreadText())
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
	restored(t, con.unreadText())
}

// A terminal that is stopped or hangs must not keep the program from ending.
func TestATerminalThatTakesNothingDoesNotHoldUpTheEnd(t *testing.T) {
	for _, controlling := range []bool{true, false} {
		con := startOn(t, self(t, "flood"), controlling)
		n := con.expect(0, "READY")
		con.expect(n, "\x1b[?1004h")
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
	n = con.expect(n, "\x1b[?1004h")
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

func TestALateAnswerDoesNotReachTheShell(t *testing.T) {
	con := start(t, self(t, "asks"))
	n := con.expect(0, "READY")
	con.expect(n, "\x1b[?1004h")
	con.send("q")
	con.wait()
	<-time.After(200 * time.Millisecond) // long after the answer: what the program left would be echoed now
	if s := con.unreadText(); strings.Contains(s, "12;40R") {
		t.Errorf("the answer was echoed: %q", s)
	}
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

// A job that is stopped gets SIGTERM and SIGCONT together, in the background: it has to end without
// the terminal.
func TestAStoppedProgramCanBeKilled(t *testing.T) {
	sh := need.Program(t, "sh")
	prog := self(t, "exit")
	c := exec.Command(sh, "-i")
	c.Env = append(prog.Env, "PS1=prompt> ", "ENV=", helperEnv+"=")
	con := start(t, c)
	n := con.expect(0, "prompt> ")
	con.send(helperEnv + "=exit " + prog.Path + "\r")
	n = con.expect(n, "READY")
	n = con.expect(n, "\x1b[?1004h")
	con.send("\x1b[122;5u")
	n = con.expect(n, "KEY ctrl+z")
	n = con.expect(n, "prompt> ")
	con.send("kill %1; kill -CONT %1\r")
	for ended := fmt.Sprint(100 + int(unix.SIGTERM)); !strings.Contains(con.unreadText()[n:], ended); {
		// The shell tells with a prompt: "Done(115)" or "Exit 115".
		if len(con.unreadText()) > n+2000 {
			t.Fatalf("it goes on: %q", con.unreadText()[n:])
		}
		con.send("sleep 0.1; jobs\r")
		con.expect(len(con.unreadText()), "prompt> ")
	}
	con.send("exit\r")
	con.wait()
}

// A real shell with job control: Ctrl+Z, a command in between, fg.
func TestCtrlZAndFgInAShell(t *testing.T) {
	sh := need.Program(t, "sh")
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
	n = con.expect(n, "\x1b[?1004h")
	for i := range 2 {
		con.send("\x1b[122;5u") // Ctrl+Z as kitty sends it
		n = con.expect(n, "KEY ctrl+z")
		n = con.expect(n, "prompt> ")
		restored(t, con.unreadText())
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
		n = con.expect(n, "\x1b[?1004h")
		n = con.expect(n, "terminal.Resize")
		n = con.expect(n, "terminal.Resumed")
		con.send("x")
		n = con.expect(n, "KEY x")
		if got := strings.Count(con.unreadText(), "terminal.Resumed"); got != i+1 {
			t.Errorf("resumed %d times after %d stops", got, i+1)
		}
	}
	con.send("q")
	n = con.expect(n, "prompt> ")
	restored(t, con.unreadText())
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
	if s := con.unreadText(); strings.Contains(s, "stray") || !strings.Contains(s, "wanted") ||
		!strings.Contains(s, "after") {
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
