package terminal

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// The modes of a Windows console that we set or clear, by their numbers in its documentation.
const (
	consoleProcessedInput  = 0x0001 // of the input: Ctrl+C is a signal
	consoleLineInput       = 0x0002
	consoleEchoInput       = 0x0004
	consoleVTInput         = 0x0200 // keys come as escape sequences
	consoleProcessedOutput = 0x0001 // of the output
	consoleVTOutput        = 0x0004 // escape sequences are obeyed
	consoleNoAutoReturn    = 0x0008 // a line feed does not return to column 0, and no cursor wraps early
)

// wakeReason says why a wait for the console has ended.
type wakeReason int

const (
	wokenByTimeout wakeReason = iota // nothing happened for a while
	wokenByInput                     // there is something to read
	wokenByStop                      // Stop was called
)

// consoleAPI is the part of Windows that is about a console. It is an interface so that its use is
// tested without Windows.
type consoleAPI interface {
	// Mode and SetMode are about the output, or about the input if output is false.
	Mode(output bool) (uint32, error)
	SetMode(output bool, mode uint32) error
	// Wait waits for input or for the stop, at most for a quarter of a second.
	Wait() (wakeReason, error)
	// SetStop sets or clears the stop. While it is set each Wait ends at once.
	SetStop(yes bool) error
	// Read reads the UTF-16 units that are there.
	Read(units []uint16) (int, error)
	Write(p []byte) (int, error)
	Size() (cols, rows int, err error)
}

// console is a Windows console as a TTY. Windows 10 1809 or later is needed, which takes and gives
// escape sequences. There are no signals for a new size: the size is compared four times a second
// while somebody reads.
type console struct {
	api consoleAPI

	mu      sync.Mutex
	started bool
	// The modes before Start.
	savedInput, savedOutput uint32
	onResize                func()
	cols, rows              int
	reading                 sync.Mutex
	halfUnit                uint16 // the first half of a character that waits for its second one; 0: none
	unreadText              []byte // UTF-8 that did not fit into the caller's buffer
	units                   [512]uint16
	utf8Buf                 [3 * 513]byte
}

// Start sets the modes of the console.
func (c *console) Start() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started {
		return nil
	}
	input, err := c.api.Mode(false)
	if err != nil {
		return fmt.Errorf("terminal: raw mode: %w", err)
	}
	out, err := c.api.Mode(true)
	if err != nil {
		return fmt.Errorf("terminal: raw mode: %w", err)
	}
	raw := input&^(consoleProcessedInput|consoleLineInput|consoleEchoInput) | consoleVTInput
	if err := c.api.SetMode(false, raw); err != nil {
		return fmt.Errorf("terminal: this console gives no escape sequences (Windows 10 1809 is the oldest that "+
			"does): %w", err)
	}
	err = c.api.SetMode(true, out|consoleProcessedOutput|consoleVTOutput|consoleNoAutoReturn)
	if err == nil {
		err = c.api.SetStop(false)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("terminal: this console knows no escape sequences (Windows 10 1809 is the "+
			"oldest that does): %w", err), c.api.SetMode(true, out), c.api.SetMode(false, input))
	}
	c.savedInput, c.savedOutput, c.started = input, out, true
	return nil
}

// Stop restores the modes and ends a Read that waits.
func (c *console) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.started {
		return nil
	}
	c.started = false
	stopped := c.api.SetStop(true)
	c.reading.Lock()
	defer c.reading.Unlock()
	if err := errors.Join(stopped, c.api.SetMode(true, c.savedOutput), c.api.SetMode(false, c.savedInput)); err != nil {
		return fmt.Errorf("terminal: restoring: %w", err)
	}
	return nil
}

// Read waits for input and returns it as UTF-8.
func (c *console) Read(p []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for len(c.unreadText) == 0 {
		switch reason, err := c.api.Wait(); {
		case err != nil:
			return 0, fmt.Errorf("terminal: waiting: %w", err)
		case reason == wokenByStop:
			return 0, ErrClosed
		case reason == wokenByInput:
			n, err := c.api.Read(c.units[:])
			if err != nil {
				return 0, io.EOF
			}
			c.unreadText, c.halfUnit = appendUTF16(c.utf8Buf[:0], c.halfUnit, c.units[:n])
		}
		c.checkSize()
	}
	n := copy(p, c.unreadText)
	c.unreadText = c.unreadText[n:]
	return n, nil
}

// appendUTF16 appends units to dst as UTF-8. half is the first half of a character that came
// before, or 0. pendingHalf is one at the end, whose second half is still to come.
func appendUTF16(dst []byte, half uint16, units []uint16) (text []byte, pendingHalf uint16) {
	for _, u := range units {
		switch first := u >= 0xd800 && u < 0xdc00; {
		case half != 0:
			r := utf16.DecodeRune(rune(half), rune(u))
			dst = utf8.AppendRune(dst, r) // U+FFFD where the two are none
			if half = 0; r != utf8.RuneError {
				continue
			}
			fallthrough
		default:
			if first {
				half = u
				continue
			}
			dst = utf8.AppendRune(dst, rune(u)) // a second half alone is U+FFFD
		}
	}
	return dst, half
}

// checkSize calls onResize if the size has changed.
func (c *console) checkSize() {
	cols, rows, err := c.Size()
	if err != nil || cols == c.cols && rows == c.rows {
		return
	}
	known := c.cols != 0
	c.cols, c.rows = cols, rows
	if f := c.onResize; f != nil && known {
		f()
	}
}

// Write writes p. An error means that the console is gone.
func (c *console) Write(p []byte) (int, error) {
	n, err := c.api.Write(p)
	if err != nil {
		return n, io.EOF
	}
	return n, nil
}

// Size returns the size of the console.
func (c *console) Size() (cols, rows int, err error) {
	cols, rows, err = c.api.Size()
	if err != nil {
		return 0, 0, fmt.Errorf("terminal: size: %w", err)
	}
	return cols, rows, nil
}

// NotifyResize has to be called before the first Read.
func (c *console) NotifyResize(f func()) { c.onResize = f }
