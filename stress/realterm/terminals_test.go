//go:build terminals

package realterm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// display starts an X server of the test's own.
func display(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp", "-noreset")
	c.ExtraFiles = []*os.File{w}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	var n int
	if _, err := fmt.Fscan(r, &n); err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strconv.Itoa(n)
}

// window starts a program on a display and ends it with the test.
func window(t *testing.T, show string, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "DISPLAY="+show, "LIBGL_ALWAYS_SOFTWARE=1", "TMUX=", "STY=")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
}

type tmux struct{ socket string }

func (m *tmux) do(t *testing.T, args ...string) string {
	return output(t, exec.Command("tmux", append([]string{"-S", m.socket, "-f", "/dev/null"}, args...)...))
}

func (m *tmux) start(t *testing.T, command string) {
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	// The limit is that of new windows.
	m.do(t, "set-option", "-g", "history-limit", "20000", ";", "new-session", "-d", "-x", "80", "-y", "24", "env",
		"PS1=$ ", "sh")
	m.do(t, "send-keys", command, "Enter")
}

func (m *tmux) resize(t *testing.T, cols, rows int) {
	m.do(t, "resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
}

func (m *tmux) tape(t *testing.T) string { return m.do(t, "capture-pane", "-p", "-J", "-S", "-") }

// screen is GNU screen on a pty of ours; its tape is what copy mode copies: a hardcopy has the low
// bytes of characters only, and not always the oldest rows.
type screen struct {
	name, file string
	tty        *os.File
}

func (s *screen) start(t *testing.T, command string) {
	dir := t.TempDir()
	s.name, s.file = fmt.Sprintf("scrollkeep-%d", os.Getpid()), filepath.Join(dir, "copy")
	rc := filepath.Join(dir, "rc")
	if err := os.WriteFile(rc, []byte("defscrollback 20000\nstartup_message off\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("screen", "-c", rc, "-S", s.name, "sh")
	c.Env = append(os.Environ(), "TERM=xterm", "TMUX=", "STY=", "PS1=$ ")
	tty, err := pty.StartWithSize(c, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	s.tty = tty
	go func() { // screen waits for a reader
		for b := make([]byte, 4096); ; {
			if _, err := tty.Read(b); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = exec.Command("screen", "-S", s.name, "-X", "quit").Run(); _ = c.Wait() })
	eventually(t, "screen", func() bool { return exec.Command("screen", "-S", s.name, "-Q", "title").Run() == nil })
	eventually(t, "screen's shell", func() bool { return strings.Contains(s.shown(t), "$") })
	if _, err := tty.WriteString(command + "\r"); err != nil {
		t.Fatal(err)
	}
}

func (s *screen) resize(t *testing.T, cols, rows int) {
	if err := pty.Setsize(s.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		t.Fatal(err)
	}
}

func (s *screen) do(t *testing.T, args ...string) {
	output(t, exec.Command("screen", append([]string{"-S", s.name, "-p", "0", "-X"}, args...)...))
}

// gives returns what screen puts into the file at our order, once it puts nothing more there.
func (s *screen) gives(t *testing.T, order ...string) string {
	_ = os.Remove(s.file)
	s.do(t, append(order, s.file)...)
	var out []byte
	eventually(t, "what screen gives", func() bool {
		before := out
		var err error
		out, err = os.ReadFile(s.file)
		return err == nil && len(out) > 0 && len(out) == len(before)
	})
	return string(out)
}

// shown returns its screen. It does not hold the program up, as copy mode does.
func (s *screen) shown(t *testing.T) string { return s.gives(t, "hardcopy") }

// whole makes the window so high that copy mode comes to the oldest rows, which it does not where
// the window has become lower or narrower.
func (s *screen) whole(t *testing.T) {
	size, err := pty.GetsizeFull(s.tty)
	if err != nil {
		t.Fatal(err)
	}
	s.resize(t, int(size.Cols), 500)
	<-time.After(time.Second)
}

func (s *screen) tape(t *testing.T) string {
	s.do(t, "register", ".", "none")
	out := "none"
	eventually(t, "screen's copy", func() bool { // again where the order above comes after it
		// Copy mode, the oldest row, from there to the end of the last one.
		if _, err := s.tty.WriteString("\x01[g0 G$ "); err != nil {
			t.Fatal(err)
		}
		out = s.gives(t, "writebuf")
		return out != "none"
	})
	return strings.TrimLeft(out, "\n")
}

// xterm under Xvfb: its action print-everything writes the tape to a file, a key away.
type xterm struct{ file, show, id string }

func (x *xterm) xdotool(t *testing.T, args ...string) string {
	c := exec.Command("xdotool", args...)
	c.Env = append(os.Environ(), "DISPLAY="+x.show)
	return strings.TrimSpace(output(t, c))
}

func (x *xterm) start(t *testing.T, command string) {
	x.show, x.file = display(t), filepath.Join(t.TempDir(), "tape")
	script := filepath.Join(t.TempDir(), "run")
	if err := os.WriteFile(script, []byte(command+"\nexec cat\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	window(t, x.show, "xterm", "-name", "keeptape", "-fn", "fixed", "-geometry", "80x24", "-sl", "20000", "-xrm",
		"*VT100.translations: #override <Key>F12: print-everything()",
		"-xrm", "*VT100.printerCommand: cat > "+x.file+".new && mv "+x.file+".new "+x.file, "-xrm",
		"*VT100.printAttributes: 0", "-xrm", "*VT100.precompose: false", "-xrm", "*VT100.allowSendEvents: true", "-e",
		"sh", script)
	eventually(t, "xterm", func() bool {
		// xterm has a window that is never seen, too
		c := exec.Command("xdotool", "search", "--onlyvisible", "--classname", "^keeptape$")
		c.Env = append(os.Environ(), "DISPLAY="+x.show)
		out, err := c.Output()
		x.id = strings.TrimSpace(string(out))
		return err == nil && x.id != ""
	})
	x.id = strings.Fields(x.id)[0]
}

func (x *xterm) resize(t *testing.T, cols, rows int) {
	x.xdotool(t, "windowsize", x.id, strconv.Itoa(cols*6+4), strconv.Itoa(rows*13+4))
}

func (x *xterm) tape(t *testing.T) string {
	_ = os.Remove(x.file)
	var out []byte
	eventually(t, "xterm's tape", func() bool {
		x.xdotool(t, "key", "--window", x.id, "F12")
		var err error
		out, err = os.ReadFile(x.file)
		return err == nil
	})
	return strings.ReplaceAll(string(out), "\uffff", "") // the right halves of wide characters
}
