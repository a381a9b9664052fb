package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// device is the process's console. Windows 10 1809 or later is needed: it takes and gives escape
// sequences (virtual terminal processing). There are no signals for a new size: it is looked at
// four times a second while somebody reads.
type device struct {
	mu      sync.Mutex
	in, out windows.Handle
	saved   *term.State
	mode    uint32 // of out, before Start
	started bool
	stop    windows.Handle // an event that Stop sets
	notify  func()
	cols    int
	rows    int
	reading sync.Mutex
}

func openDevice(bool) (TTY, error) {
	in, out := windows.Handle(os.Stdin.Fd()), windows.Handle(os.Stdout.Fd())
	if !term.IsTerminal(int(in)) || !term.IsTerminal(int(out)) {
		return nil, fmt.Errorf("%w: standard input or output is none", ErrNotTerminal)
	}
	stop, err := windows.CreateEvent(nil, 1, 0, nil)
	if err != nil {
		return nil, fmt.Errorf("terminal: %w", err)
	}
	return &device{in: in, out: out, stop: stop}, nil
}

func (d *device) Start() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.started {
		return nil
	}
	saved, err := term.MakeRaw(int(d.in))
	if err != nil {
		return fmt.Errorf("terminal: raw mode: %w", err)
	}
	var mode uint32
	if err := windows.GetConsoleMode(d.in, &mode); err == nil {
		_ = windows.SetConsoleMode(d.in, mode|windows.ENABLE_VIRTUAL_TERMINAL_INPUT)
	}
	if err := windows.GetConsoleMode(d.out, &d.mode); err == nil {
		err = windows.SetConsoleMode(d.out,
			d.mode|windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING|
				windows.DISABLE_NEWLINE_AUTO_RETURN)
		if err != nil {
			_ = term.Restore(int(d.in), saved)
			return fmt.Errorf("terminal: this console knows no escape sequences (Windows 10 1809 is the oldest that "+
				"does): %w", err)
		}
	}
	_ = windows.ResetEvent(d.stop)
	d.saved, d.started = saved, true
	return nil
}

func (d *device) Stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.started {
		return nil
	}
	d.started = false
	_ = windows.SetEvent(d.stop)
	d.reading.Lock()
	defer d.reading.Unlock()
	_ = windows.SetConsoleMode(d.out, d.mode)
	if err := term.Restore(int(d.in), d.saved); err != nil {
		return fmt.Errorf("terminal: restoring: %w", err)
	}
	return nil
}

func (d *device) Read(p []byte) (int, error) {
	d.reading.Lock()
	defer d.reading.Unlock()
	for {
		switch which, err := windows.WaitForMultipleObjects([]windows.Handle{d.stop, d.in}, false, 250); {
		case err != nil && !errors.Is(err, windows.WAIT_TIMEOUT):
			return 0, fmt.Errorf("terminal: waiting: %w", err)
		case which == windows.WAIT_OBJECT_0:
			return 0, ErrClosed
		case which == windows.WAIT_OBJECT_0+1:
			var n uint32
			if err := windows.ReadFile(d.in, p, &n, nil); err != nil {
				return 0, io.EOF
			}
			if n > 0 {
				return int(n), nil
			}
		}
		d.look()
	}
}

// look notices a new size.
func (d *device) look() {
	cols, rows, err := d.Size()
	if err != nil || cols == d.cols && rows == d.rows {
		return
	}
	known := d.cols != 0
	d.cols, d.rows = cols, rows
	if f := d.notify; f != nil && known {
		f()
	}
}

func (d *device) Write(p []byte) (int, error) {
	n, err := os.Stdout.Write(p)
	if err != nil {
		return n, io.EOF
	}
	return n, nil
}

func (d *device) Size() (cols, rows int, err error) {
	cols, rows, err = term.GetSize(int(d.out))
	if err != nil {
		return 0, 0, fmt.Errorf("terminal: size: %w", err)
	}
	return cols, rows, nil
}

// NotifyResize has to be called before the first Read.
func (d *device) NotifyResize(f func()) { d.notify = f }
