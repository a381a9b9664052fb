package terminal

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// Modes of a Windows console that this package changes, by their numbers in the documentation.
const (
	consoleProcessedInput  = 0x0001 // Input: Ctrl+C is a signal.
	consoleLineInput       = 0x0002
	consoleEchoInput       = 0x0004
	consoleVTInput         = 0x0200 // Input: keys come as escape sequences.
	consoleProcessedOutput = 0x0001 // Output: control characters are obeyed.
	consoleVTOutput        = 0x0004 // Output: escape sequences are obeyed.
	// Output: a line feed keeps the column, and the cursor stays in the last column until the next
	// character.
	consoleNoAutoReturn = 0x0008
)

// wakeReason says why consoleAPI.Wait has returned.
type wakeReason int

const (
	wokenByTimeout wakeReason = iota // The time limit has passed.
	wokenByInput                     // There is input to read.
	wokenByStop                      // SetStop was called.
)

// consoleAPI holds the functions of Windows for a console. Tests on other systems implement it.
type consoleAPI interface {
	// Mode and SetMode get and set the modes of the output, or of the input if output is false.
	Mode(output bool) (uint32, error)
	SetMode(output bool, mode uint32) error
	// Wait waits for input or for a stop, at most for a quarter of a second.
	Wait() (wakeReason, error)
	// SetStop requests a stop or takes the request back. While it is requested each Wait returns at
	// once.
	SetStop(yes bool) error
	// Read reads the UTF-16 units that have come.
	Read(units []uint16) (int, error)
	Write(p []byte) (int, error)
	Size() (cols, rows int, err error)
}

// console implements [TTY] for a Windows console, of Windows 10 1809 or later, which reads and
// writes escape sequences. Windows sends no signal for a new size, so that Read compares the size
// four times a second.
type console struct {
	api consoleAPI

	mu      sync.Mutex
	started bool
	// The modes before Start.
	savedInput, savedOutput uint32
	onResize                func()
	cols, rows              int
	reading                 sync.Mutex
	halfUnit                uint16 // The first half of a surrogate pair whose second half has not come; 0: none.
	unreadText              []byte // UTF-8 that did not fit into the buffer of the last Read.
	units                   [512]uint16
	utf8Buf                 [3 * 513]byte
}

// Start sets the console's modes for escape sequences, and keeps the old ones.
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

// Stop restores the modes from before Start and ends a waiting Read.
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

// appendUTF16 appends units to dst as UTF-8. half is the first half of a surrogate pair from the
// units before, or 0. pendingHalf is the first half at the end of units, or 0.
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

// checkSize calls onResize if the size has changed since the last call.
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

// Write writes p to the console. After an error the console cannot be used any more.
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

// NotifyResize sets the function that Read calls when the size has changed. It must be called
// before the first Read.
func (c *console) NotifyResize(f func()) { c.onResize = f }
