//go:build unix

package ptyexec

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/tui"
)

// runOnTerminal runs cmd on a pseudoterminal of the given size, whose screen is a block of app's
// transcript.
func runOnTerminal(ctx context.Context, app *tui.App, cmd *exec.Cmd, cols, rows int) error {
	m, err := start(cmd, cols, rows)
	if err != nil {
		return err
	}
	defer m.f.Close()
	replies := make(chan []byte, 16)
	s := newScreen(cols, rows)
	s.liveSize = app.LiveSize
	s.resized = m.resize
	s.reply = func(p []byte) {
		select {
		case replies <- p:
		default: // it asks and does not listen
		}
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case p := <-replies:
				_, _ = m.f.Write(p)
			case <-done:
				return
			}
		}
	}()
	block := app.Transcript().Append(s)
	out := output{from: m.f}
	closed, read := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		out.copyTo(ctx, app, block, s, closed)
	}()
	err = waitProcess(ctx, cmd, closed)
	out.markEnded()
	<-read
	block.Update(s.end)
	block.Done()
	return err
}

// master is the controlling side of a program's pseudoterminal.
type master struct{ f *os.File }

// start starts cmd on a new pseudoterminal of the given size.
func start(cmd *exec.Cmd, cols, rows int) (*master, error) {
	ptmx, tty, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("ptyexec: %w", err)
	}
	defer tty.Close()
	defer ptmx.Close()
	// The library leaves it blocking, so that nobody could end a read.
	fd, err := unix.FcntlInt(ptmx.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		return nil, fmt.Errorf("ptyexec: %w", err)
	}
	m := &master{f: os.NewFile(uintptr(fd), ptmx.Name())}
	m.resize(cols, rows)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid = true
	if cmd.Stdin == nil {
		cmd.Stdin = tty
	}
	if cmd.Stdout == nil {
		cmd.Stdout = tty
	}
	if cmd.Stderr == nil {
		cmd.Stderr = tty
	}
	if i := slices.IndexFunc([]any{cmd.Stdin, cmd.Stdout, cmd.Stderr}, func(f any) bool { return f == tty }); i >= 0 {
		cmd.SysProcAttr.Setctty, cmd.SysProcAttr.Ctty = true, i
	}
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = drainTime
	}
	cmd.Env = environ(cmd.Env)
	if err := cmd.Start(); err != nil {
		m.f.Close()
		return nil, err
	}
	return m, nil
}

// environ returns env if it is not nil. Otherwise it returns the environment of this process,
// changed for a program on the emulated terminal.
func environ(env []string) []string {
	if env != nil {
		return env
	}
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "LINES", "COLUMNS", "TMUX",
			"STY"}, name)
	}), "TERM=xterm-256color")
}

// resize changes the size of the terminal. The system informs the program.
func (m *master) resize(cols, rows int) {
	c, err := m.f.SyscallConn()
	if err != nil {
		return
	}
	size := &unix.Winsize{Col: uint16(min(cols, 1<<16-1)), Row: uint16(min(rows, 1<<16-1))}
	_ = c.Control(func(fd uintptr) { _ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
}
