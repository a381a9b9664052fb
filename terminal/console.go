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

// woken is why a wait for the console has ended.
type woken int

const (
	wokenLate  woken = iota // nothing happened for a while
	wokenInput              // there is something to read
	wokenStop               // Stop was called
)

// consoleAPI is what Windows offers for a console. It is an interface so that what we do with it
// is tested where there is no Windows.
type consoleAPI interface {
	// Mode and SetMode are about the output, or else about the input.
	Mode(output bool) (uint32, error)
	SetMode(output bool, mode uint32) error
	// Wait waits for input or for the stop, for a quarter of a second at most.
	Wait() (woken, error)
	// Stopped sets or clears the stop; a set one ends each Wait.
	Stopped(yes bool) error
	// Read reads UTF-16 that is there.
	Read(units []uint16) (int, error)
	Write(p []byte) (int, error)
	Size() (cols, rows int, err error)
}

// console is a Windows console as a TTY. Windows 10 1809 or later is needed: it takes and gives
// escape sequences. There are no signals for a new size: it is looked at four times a second while
// somebody reads.
type console struct {
	api consoleAPI

	mu          sync.Mutex
	started     bool
	input, out  uint32 // the modes before Start
	notify      func()
	cols, rows  int
	reading     sync.Mutex
	half        uint16 // the first half of a character whose second one was not there yet; 0: none
	text        []byte // UTF-8 that did not fit into the caller's buffer
	units       [512]uint16
	transformed [3 * 513]byte
}

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
		err = c.api.Stopped(false)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("terminal: this console knows no escape sequences (Windows 10 1809 is the "+
			"oldest that does): %w", err), c.api.SetMode(true, out), c.api.SetMode(false, input))
	}
	c.input, c.out, c.started = input, out, true
	return nil
}

func (c *console) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.started {
		return nil
	}
	c.started = false
	stopped := c.api.Stopped(true)
	c.reading.Lock()
	defer c.reading.Unlock()
	if err := errors.Join(stopped, c.api.SetMode(true, c.out), c.api.SetMode(false, c.input)); err != nil {
		return fmt.Errorf("terminal: restoring: %w", err)
	}
	return nil
}

func (c *console) Read(p []byte) (int, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	for len(c.text) == 0 {
		switch why, err := c.api.Wait(); {
		case err != nil:
			return 0, fmt.Errorf("terminal: waiting: %w", err)
		case why == wokenStop:
			return 0, ErrClosed
		case why == wokenInput:
			n, err := c.api.Read(c.units[:])
			if err != nil {
				return 0, io.EOF
			}
			c.text, c.half = utf8Of(c.transformed[:0], c.half, c.units[:n])
		}
		c.look()
	}
	n := copy(p, c.text)
	c.text = c.text[n:]
	return n, nil
}

// utf8Of adds UTF-16 to dst as UTF-8. half is the first half of a character that came before, or 0;
// rest is one that came last, whose second half is still to come.
func utf8Of(dst []byte, half uint16, units []uint16) (text []byte, rest uint16) {
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

// look notices a new size.
func (c *console) look() {
	cols, rows, err := c.Size()
	if err != nil || cols == c.cols && rows == c.rows {
		return
	}
	known := c.cols != 0
	c.cols, c.rows = cols, rows
	if f := c.notify; f != nil && known {
		f()
	}
}

func (c *console) Write(p []byte) (int, error) {
	n, err := c.api.Write(p)
	if err != nil {
		return n, io.EOF
	}
	return n, nil
}

func (c *console) Size() (cols, rows int, err error) {
	cols, rows, err = c.api.Size()
	if err != nil {
		return 0, 0, fmt.Errorf("terminal: size: %w", err)
	}
	return cols, rows, nil
}

// NotifyResize has to be called before the first Read.
func (c *console) NotifyResize(f func()) { c.notify = f }
