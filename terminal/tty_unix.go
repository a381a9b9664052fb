//go:build unix

package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// device is the process's own terminal. It opens /dev/tty anew, so that it can read and write
// without blocking, while the descriptors that other processes share stay as they are. If that
// fails it uses standard input and output.
//
// Stop ends a waiting Read or Write before it takes a byte: both wait for the descriptor together
// with a pipe to which Stop writes.
type device struct {
	in, out int // descriptors; the same for /dev/tty
	ownsTTY bool

	mu    sync.Mutex
	saved *term.State // The settings from before Start.
	// The same settings in a form that can be sent to another process, see Guard.
	settings   unix.Termios
	started    bool
	stopped    atomic.Bool
	stopReader int // Can be read once Stop was called.
	stopWriter int
	reading    sync.Mutex // Held during a Read.
	writing    sync.Mutex // Held during a Write.

	winch chan os.Signal
}

// openDevice opens the process's terminal. Standard input and output must be a terminal, since a
// program in a pipeline should not draw on the screen, unless pipeline is set.
func openDevice(pipeline bool) (TTY, error) {
	standard := term.IsTerminal(0) && term.IsTerminal(1)
	if !standard && !pipeline {
		return nil, fmt.Errorf("%w: standard input or output is none", ErrNotTerminal)
	}
	d := &device{in: 0, out: 1}
	if !standard || controlling(0) && controlling(1) {
		fd, err := unix.Open("/dev/tty", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err == nil {
			d.in, d.out, d.ownsTTY = fd, fd, true
		}
	}
	if !standard && (!d.ownsTTY || d.background()) {
		d.closeTTY()
		return nil, fmt.Errorf("%w: no controlling terminal, or another program has it", ErrNotTerminal)
	}
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		d.closeTTY()
		return nil, fmt.Errorf("terminal: %w", err)
	}
	for _, fd := range p {
		unix.CloseOnExec(fd)
		_ = unix.SetNonblock(fd, true)
	}
	d.stopReader, d.stopWriter = p[0], p[1]
	return d, nil
}

// controlling reports whether fd is the process's controlling terminal, which /dev/tty opens, too.
func controlling(fd int) bool {
	_, err := unix.IoctlGetInt(fd, unix.TIOCGPGRP)
	return err == nil
}

// Start puts the terminal into raw mode.
func (d *device) Start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return nil
	}
	settings, err := unix.IoctlGetTermios(d.in, getTermios)
	if err != nil {
		return fmt.Errorf("terminal: settings: %w", err)
	}
	saved, err := term.MakeRaw(d.in)
	if err != nil {
		return fmt.Errorf("terminal: raw mode: %w", err)
	}
	var b [16]byte // what an earlier Stop wrote
	_, _ = unix.Read(d.stopReader, b[:])
	d.saved, d.settings, d.started = saved, *settings, true
	d.stopped.Store(false)
	return nil
}

// Stop restores the settings from before Start. When it returns, no Read or Write is running.
func (d *device) Stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.started {
		return nil
	}
	d.started = false
	d.stopped.Store(true)
	_, _ = unix.Write(d.stopWriter, []byte{0})
	d.reading.Lock()
	d.writing.Lock()
	defer d.reading.Unlock()
	defer d.writing.Unlock()
	if err := term.Restore(d.in, d.saved); err != nil && !hungUp(err) {
		return fmt.Errorf("terminal: restoring: %w", err)
	}
	return nil
}

// background reports whether another process group is in the foreground of the terminal now.
func (d *device) background() bool {
	group, err := unix.IoctlGetInt(d.in, unix.TIOCGPGRP)
	return err == nil && group != unix.Getpgrp()
}

// hungUp reports whether err means that the terminal does not exist any more.
func hungUp(err error) bool {
	return errors.Is(err, unix.EIO) || errors.Is(err, unix.ENXIO) || errors.Is(err, unix.ENODEV) ||
		errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EBADF)
}

// Read waits for input, or until Stop is called.
func (d *device) Read(p []byte) (int, error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	for {
		if err := waitReady(d.in, d.stopReader, false); err != nil {
			return 0, err
		}
		n, err := unix.Read(d.in, p)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil && hungUp(err), err == nil && n == 0:
			return 0, io.EOF
		case err != nil:
			return 0, fmt.Errorf("terminal: reading: %w", err)
		}
		return n, nil
	}
}

// maxBlockingWrite is the most bytes of one write to a blocking descriptor that was found writable.
// It is less than the buffer of any tty, so that Stop need not wait.
const maxBlockingWrite = 256

// Write writes all of p, unless Stop is called.
func (d *device) Write(p []byte) (int, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	written, waiting := 0, false
	for written < len(p) {
		part := p[written:]
		if !d.ownsTTY {
			part = part[:min(len(part), maxBlockingWrite)]
		}
		if waiting || !d.ownsTTY || d.stopped.Load() {
			if err := waitReady(d.out, d.stopReader, true); err != nil {
				return written, err
			}
		}
		n, err := unix.Write(d.out, part)
		waiting = err == unix.EAGAIN
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil && hungUp(err):
			return written, io.EOF
		case err != nil:
			return written, fmt.Errorf("terminal: writing: %w", err)
		}
		written += n
	}
	return written, nil
}

// Size asks the terminal for its size in columns and rows.
func (d *device) Size() (cols, rows int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	cols, rows, err = term.GetSize(d.out)
	if err != nil {
		return 0, 0, fmt.Errorf("terminal: size: %w", err)
	}
	return cols, rows, nil
}

// NotifyResize calls f after each SIGWINCH, until Close.
func (d *device) NotifyResize(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.winch != nil {
		return
	}
	d.winch = make(chan os.Signal, 1)
	signal.Notify(d.winch, unix.SIGWINCH)
	go func(c chan os.Signal) {
		for range c {
			f()
		}
	}(d.winch)
}

// Close stops the device and closes what openDevice has opened.
func (d *device) Close() error {
	err := d.Stop()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.winch != nil {
		signal.Stop(d.winch)
		close(d.winch)
		d.winch = nil
	}
	if d.stopWriter >= 0 {
		// A Read that comes now finds the pipe readable for ever.
		d.reading.Lock()
		d.writing.Lock()
		unix.Close(d.stopReader)
		unix.Close(d.stopWriter)
		d.stopReader, d.stopWriter = -1, -1
		d.closeTTY()
		d.in, d.out = -1, -1
		d.writing.Unlock()
		d.reading.Unlock()
	}
	return err
}

// closeTTY closes /dev/tty if it was opened.
func (d *device) closeTTY() {
	if d.ownsTTY {
		unix.Close(d.in)
	}
}

// waitReady waits until fd can be read, or written if write is set. It returns ErrClosed if stop
// can be read first.
func waitReady(fd, stop int, write bool) error {
	if fd < 0 || stop < 0 {
		return ErrClosed
	}
	for {
		ready, stopped, err := poll(fd, stop, write)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
			continue
		case err != nil:
			return fmt.Errorf("terminal: waiting: %w", err)
		case stopped:
			return ErrClosed
		case ready:
			return nil
		}
	}
}

// stopGrace is how long a process group may take to stop after SIGTSTP.
const stopGrace = 200 * time.Millisecond
