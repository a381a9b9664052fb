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

// NewGuard returns a Guard for [Config]. Call it first in main, since code before it runs in the
// guard's process, too. In that process it never returns.
func NewGuard() *Guard {
	if os.Getenv(guardEnv) != "" {
		signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGTTOU, unix.SIGTTIN, unix.SIGTSTP)
		(&guardWatcher{control: 3, crashInput: 4, tty: os.NewFile(5, "tty")}).serve()
		os.Exit(0)
	}
	return &Guard{}
}

// guardProcess is the guard's process, as the guarded program sees it.
type guardProcess struct {
	cmd                  *exec.Cmd
	control, crashOutput *os.File // Pipes to the guard: for orders, and for the message of a crash.
}

// start starts the guard's process for d, unless it runs already.
func (g *Guard) start(d *device) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process != nil {
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("terminal: guard: %w", err)
	}
	tty, err := d.reopen()
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
	w := &guardProcess{cmd: exec.Command(exe), control: tell, crashOutput: crash}
	w.cmd.Env = append(os.Environ(), guardEnv+"=1")
	w.cmd.ExtraFiles = []*os.File{control, text, tty}
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of what is sent to our group
	if err := w.cmd.Start(); err != nil {
		tell.Close()
		crash.Close()
		return fmt.Errorf("terminal: guard: %w", err)
	}
	g.process = w
	return nil
}

// arm tells the guard to restore d when this process dies. end holds the bytes that switch off the
// modes that are on.
func (g *Guard) arm(d *device, end []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process == nil {
		return
	}
	d.mu.Lock()
	order := guardOrder{Armed: true, Settings: d.settings}
	d.mu.Unlock()
	g.process.send(order, end)
	_ = debug.SetCrashOutput(g.process.crashOutput, debug.CrashOptions{})
}

// disarm tells the guard that there is nothing to restore.
func (g *Guard) disarm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.process != nil {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
		g.process.send(guardOrder{}, nil)
	}
}

// stop ends the guard's process.
func (g *Guard) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	w := g.process
	if g.process = nil; w == nil {
		return
	}
	w.control.Close()
	w.crashOutput.Close()
	go w.cmd.Wait() // it ends by itself
}

// guardOrder is a message to the guard. End is the number of bytes that follow it, which switch off
// the modes.
type guardOrder struct {
	Armed    bool
	Settings unix.Termios // The settings that the terminal had before this program.
	End      uint32
}

// send writes the order o, and the bytes end behind it, to the guard.
func (g *guardProcess) send(o guardOrder, end []byte) {
	var b bytes.Buffer
	o.End = uint32(len(end))
	if err := binary.Write(&b, binary.NativeEndian, o); err == nil {
		b.Write(end)
		_, _ = g.control.Write(b.Bytes()) // a guard that is gone guards nothing
	}
}

// crashSilence is how long a dying process may pause while it writes its last message.
const crashSilence = 2 * time.Second

// guardWatcher runs in the guard's process. It waits for the end of the process that has started
// it, and then restores the terminal.
type guardWatcher struct {
	control, crashInput int
	tty                 *os.File
	unparsed            []byte // Bytes from control that are not a complete order yet.
	order               guardOrder
	resetBytes          []byte
	line                []byte // The unfinished last line of the message.
	restored, printing  bool
}

// serve reads orders and the message of a crash until the guarded process has ended. It reads
// orders first, since both can be there when a process has died.
func (w *guardWatcher) serve() {
	buf := make([]byte, 64<<10)
	for w.control >= 0 || w.crashInput >= 0 {
		fds := []unix.PollFd{{Fd: int32(w.control), Events: unix.POLLIN},
			{Fd: int32(w.crashInput), Events: unix.POLLIN}}
		wait := -1
		if w.printing && w.control >= 0 {
			wait = int(crashSilence.Milliseconds())
		}
		switch n, err := unix.Poll(fds, wait); {
		case err != nil:
			continue
		case n == 0: // it is frozen, and waits for who was to take its standard error
			_ = unix.Kill(os.Getppid(), unix.SIGKILL)
			continue
		}
		if fds[0].Revents != 0 {
			n, err := unix.Read(w.control, buf)
			switch {
			case n > 0:
				w.takeOrders(buf[:n])
			case err != unix.EINTR:
				w.control = -1
			}
			continue
		}
		n, err := unix.Read(w.crashInput, buf)
		switch {
		case n > 0:
			if w.restore(); !w.printing && buf[0] == '\n' {
				// A panic says what it is. Of a fatal error Go 1.26 sends the trace alone.
				w.printMessage([]byte("fatal error of the Go runtime\n"))
			}
			w.printing = true
			w.printMessage(buf[:n])
		case err != unix.EINTR:
			w.crashInput = -1
		}
	}
	w.restore()
	if len(w.line) > 0 {
		w.printMessage([]byte("\n"))
	}
}

// takeOrders parses the orders in p. Each order replaces the one before.
func (w *guardWatcher) takeOrders(p []byte) {
	w.unparsed = append(w.unparsed, p...)
	for {
		var o guardOrder
		n, err := binary.Decode(w.unparsed, binary.NativeEndian, &o)
		if err != nil || len(w.unparsed) < n+int(o.End) {
			return
		}
		w.order, w.resetBytes = o, bytes.Clone(w.unparsed[n:n+int(o.End)])
		w.unparsed = w.unparsed[n+int(o.End):]
	}
}

// restore restores the terminal, unless it was done before. The cursor may be among rows that were
// to change, so that everything below it is erased.
func (w *guardWatcher) restore() {
	if !w.order.Armed || w.restored {
		return
	}
	w.restored = true
	_, _ = w.tty.Write(append(w.resetBytes, "\r\n\x1b[J"...))
	_ = unix.IoctlSetTermios(int(w.tty.Fd()), setTermios, &w.order.Settings)
}

// printMessage prints the lines of a crash's message that are complete.
func (w *guardWatcher) printMessage(p []byte) {
	if !w.restored {
		return
	}
	w.line = append(w.line, p...)
	if i := bytes.LastIndexByte(w.line, '\n') + 1; i > 0 {
		text, _ := visible.Lines(string(w.line[:i]))
		_, _ = w.tty.WriteString(text)
		w.line = w.line[i:]
	}
}

// reopen returns a second descriptor of the terminal, to pass on to another process.
func (d *device) reopen() (*os.File, error) {
	if d.ownsTTY {
		return os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	}
	fd, err := unix.FcntlInt(uintptr(d.out), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "tty"), nil
}
