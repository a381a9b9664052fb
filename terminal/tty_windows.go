package terminal

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/windows"
	"golang.org/x/term"
)

// device is the process's own terminal.
type device = console

// windowsConsole implements consoleAPI for the process's console.
type windowsConsole struct {
	in, out windows.Handle
	stop    windows.Handle // The handle of an event.
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
	return &console{api: windowsConsole{in: in, out: out, stop: stop}}, nil
}

func (w windowsConsole) handle(output bool) windows.Handle {
	if output {
		return w.out
	}
	return w.in
}

func (w windowsConsole) Mode(output bool) (mode uint32, err error) {
	err = windows.GetConsoleMode(w.handle(output), &mode)
	return mode, err
}

func (w windowsConsole) SetMode(output bool, mode uint32) error {
	return windows.SetConsoleMode(w.handle(output), mode)
}

func (w windowsConsole) Wait() (wakeReason, error) {
	which, err := windows.WaitForMultipleObjects([]windows.Handle{w.stop, w.in}, false, 250)
	switch {
	case err != nil && !errors.Is(err, windows.WAIT_TIMEOUT):
		return wokenByTimeout, err
	case which == windows.WAIT_OBJECT_0:
		return wokenByStop, nil
	case which == windows.WAIT_OBJECT_0+1:
		return wokenByInput, nil
	}
	return wokenByTimeout, nil
}

func (w windowsConsole) SetStop(yes bool) error {
	if yes {
		return windows.SetEvent(w.stop)
	}
	return windows.ResetEvent(w.stop)
}

// Read reads UTF-16 units. Bytes would be in the console's code page, which is rarely UTF-8.
func (w windowsConsole) Read(units []uint16) (int, error) {
	var n uint32
	err := windows.ReadConsole(w.in, &units[0], uint32(len(units)), &n, nil)
	return int(n), err
}

func (w windowsConsole) Write(p []byte) (int, error) { return os.Stdout.Write(p) }

func (w windowsConsole) Size() (cols, rows int, err error) { return term.GetSize(int(w.out)) }
