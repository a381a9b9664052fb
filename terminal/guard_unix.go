//go:build unix

package terminal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// NewGuard returns a Guard for [Config]. In the guard's own process it does not return. Call it
// first in main: what is before it is done in both processes.
func NewGuard() *Guard {
	if os.Getenv(guardEnv) != "" {
		signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGTTOU, unix.SIGTTIN, unix.SIGTSTP)
		(&sentry{control: 3, crash: 4, tty: os.NewFile(5, "tty")}).serve()
		os.Exit(0)
	}
	return &Guard{}
}

// watch is the guard's process as we see it.
type watch struct {
	cmd            *exec.Cmd
	control, crash *os.File // what we tell it, and where a crash's message goes
}

// start starts the guard's process, once.
func (g *Guard) start(d *device) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.live != nil {
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("terminal: guard: %w", err)
	}
	tty, err := d.again()
	if err != nil {
		return fmt.Errorf("terminal: guard: %w", err)
	}
	defer tty.Close()
	control, tell, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("terminal: guard: %w", err)
	}
	defer control.Close()
	text, crash, err := tightPipe()
	if err != nil {
		tell.Close()
		return fmt.Errorf("terminal: guard: %w", err)
	}
	defer text.Close()
	w := &watch{cmd: exec.Command(exe), control: tell, crash: crash}
	w.cmd.Env = append(os.Environ(), guardEnv+"=1")
	w.cmd.ExtraFiles = []*os.File{control, text, tty}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of what is sent to our group
	if err := w.cmd.Start(); err != nil {
		tell.Close()
		crash.Close()
		return fmt.Errorf("terminal: guard: %w", err)
	}
	g.live = w
	return nil
}

// tell arms the guard: end is what ends the modes that are on.
func (g *Guard) tell(d *device, end []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.live == nil {
		return
	}
	d.mu.Lock()
	order := order{Armed: true, Settings: d.settings}
	d.mu.Unlock()
	g.live.send(order, end)
	_ = debug.SetCrashOutput(g.live.crash, debug.CrashOptions{})
}

// rest disarms the guard.
func (g *Guard) rest() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.live != nil {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		g.live.send(order{}, nil)
	}
}

// stop ends the guard's process.
func (g *Guard) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := g.live
	if g.live = nil; w == nil {
		return
	}
	w.control.Close()
	w.crash.Close()
	go w.cmd.Wait() // it ends by itself
}

// order is what the guard is told; what ends the modes follows, End bytes.
type order struct {
	Armed    bool
	Settings unix.Termios // of the terminal before us
	End      uint32
}

func (w *watch) send(o order, end []byte) {
	var b bytes.Buffer
	o.End = uint32(len(end))
	if err := binary.Write(&b, binary.NativeEndian, o); err == nil {
		b.Write(end)
		_, _ = w.control.Write(b.Bytes()) // a guard that is gone guards nothing
	}
}

// stuck is how long a process may say nothing in the middle of its last message.
const stuck = 2 * time.Second

// sentry is the guard's process from within.
type sentry struct {
	control, crash int
	tty            *os.File
	buf            []byte // of control, that is no whole order yet
	order          order
	end            []byte
	line           []byte // of the message, unfinished
	restored, said bool
}

// serve waits for the end of the process that it guards. Orders come before messages: both are
// there when a process has died.
func (s *sentry) serve() {
	buf := make([]byte, 64<<10)
	for s.control >= 0 || s.crash >= 0 {
		fds := []unix.PollFd{{Fd: int32(s.control), Events: unix.POLLIN}, {Fd: int32(s.crash), Events: unix.POLLIN}}
		wait := -1
		if s.said && s.control >= 0 {
			wait = int(stuck.Milliseconds())
		}
		switch n, err := unix.Poll(fds, wait); {
		case err != nil:
			continue
		case n == 0: // it is frozen, and waits for who was to take its standard error
			_ = unix.Kill(os.Getppid(), unix.SIGKILL)
			continue
		}
		if fds[0].Revents != 0 {
			n, err := unix.Read(s.control, buf)
			switch {
			case n > 0:
				s.obey(buf[:n])
			case err != unix.EINTR:
				s.control = -1
			}
			continue
		}
		n, err := unix.Read(s.crash, buf)
		switch {
		case n > 0:
			if s.restore(); !s.said && buf[0] == '\n' {
				// A panic says what it is. Of a fatal error Go 1.26 sends the trace alone.
				s.print([]byte("fatal error of the Go runtime\n"))
			}
			s.said = true
			s.print(buf[:n])
		case err != unix.EINTR:
			s.crash = -1
		}
	}
	s.restore()
	if len(s.line) > 0 {
		s.print([]byte("\n"))
	}
}

// obey takes orders; the last one holds.
func (s *sentry) obey(p []byte) {
	s.buf = append(s.buf, p...)
	for {
		var o order
		n, err := binary.Decode(s.buf, binary.NativeEndian, &o)
		if err != nil || len(s.buf) < n+int(o.End) {
			return
		}
		s.order, s.end = o, bytes.Clone(s.buf[n:n+int(o.End)])
		s.buf = s.buf[n+int(o.End):]
	}
}

// restore gives the terminal back, if that has not been done. The cursor was among rows that may
// still have changed: what is below it goes.
func (s *sentry) restore() {
	if !s.order.Armed || s.restored {
		return
	}
	s.restored = true
	_, _ = s.tty.Write(append(s.end, "\r\n\x1b[J"...))
	_ = unix.IoctlSetTermios(int(s.tty.Fd()), setTermios, &s.order.Settings)
}

// print writes the message, line by line.
func (s *sentry) print(p []byte) {
	if !s.restored {
		return
	}
	s.line = append(s.line, p...)
	if i := bytes.LastIndexByte(s.line, '\n') + 1; i > 0 {
		text, _ := visible.Lines(string(s.line[:i]))
		_, _ = s.tty.WriteString(text)
		s.line = s.line[i:]
	}
}

// again returns the terminal, opened once more: another process may wait there.
func (d *device) again() (*os.File, error) {
	if d.own {
		return os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	}
	fd, err := unix.FcntlInt(uintptr(d.out), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "tty"), nil
}
