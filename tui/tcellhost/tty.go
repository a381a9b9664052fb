package tcellhost

import (
	"bytes"
	"io"
	"sync"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// enter is how tcell goes to the alternate screen on every terminal that has one to come back from.
const enter = "\x1b[?1049h"

// tty is our device as tcell wants it. tcell writes on after it has stopped reading, and a read of
// ours ends with the device only: hence a goroutine that reads, and gives back what tcell did not
// take.
type tty struct {
	lent  *terminal.Lent
	clear []byte // what erases the screen

	mu      sync.Mutex
	read    chan []byte   // what was read
	drained chan struct{} // closed by Drain
	ended   chan struct{} // closed when nothing is read any more
	rest    []byte        // of a read that was larger than tcell's
	inside  bool          // the alternate screen is on
	fault   error         // something was kept from the transcript
}

func newTTY(l *terminal.Lent, clear string) *tty { return &tty{lent: l, clear: []byte(clear)} }

func (t *tty) Start() error {
	if err := t.lent.Start(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.read, t.drained, t.ended = make(chan []byte), make(chan struct{}), make(chan struct{})
	go t.pump(t.read, t.drained, t.ended)
	return nil
}

// pump reads until the device is stopped.
func (t *tty) pump(read chan<- []byte, drained <-chan struct{}, ended chan<- struct{}) {
	defer close(ended)
	for buf := make([]byte, 4096); ; {
		n, err := t.lent.Read(buf)
		if n > 0 {
			p := bytes.Clone(buf[:n])
			select {
			case <-drained:
				t.lent.Unread(p)
			default:
				select {
				case read <- p:
				case <-drained: // typed behind what ended the program: it is ours
					t.lent.Unread(p)
				}
			}
		}
		if err != nil {
			return
		}
	}
}

// Drain ends a Read that waits; no more bytes are for tcell.
func (t *tty) Drain() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.drained:
	default:
		close(t.drained)
		t.lent.Unread(t.rest)
		t.rest = nil
	}
	return nil
}

func (t *tty) Read(p []byte) (int, error) {
	t.mu.Lock()
	read, drained, ended := t.read, t.drained, t.ended
	if n := copy(p, t.rest); n > 0 {
		t.rest = t.rest[n:]
		t.mu.Unlock()
		return n, nil
	}
	t.mu.Unlock()
	select {
	case <-drained:
		return 0, io.EOF
	case <-ended:
		return 0, io.EOF
	case b := <-read:
		n := copy(p, b)
		t.mu.Lock()
		defer t.mu.Unlock()
		select {
		case <-drained: // tcell is no longer there for the rest
			t.lent.Unread(b[n:])
		default:
			t.rest = b[n:]
		}
		return n, nil
	}
}

// Write keeps an erasure that comes outside of the alternate screen from the transcript.
func (t *tty) Write(p []byte) (int, error) {
	if err := t.look(p); err != nil {
		return 0, err
	}
	return t.lent.Write(p)
}

// look follows which screen is on.
func (t *tty) look(p []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := p; len(rest) > 0; {
		on, off, erase := bytes.Index(rest, []byte(enter)), bytes.Index(rest, []byte("\x1b[?1049l")),
			bytes.Index(rest, t.clear)
		switch {
		case !t.inside && erase >= 0 && (on < 0 || erase < on):
			t.fault = ErrNoAltScreen
			return t.fault
		case !t.inside && on >= 0:
			t.inside, rest = true, rest[on+1:]
		case t.inside && off >= 0:
			t.inside, rest = false, rest[off+1:]
		default:
			rest = nil
		}
	}
	return nil
}

// Stop gives the device back; when it returns nothing reads any more.
func (t *tty) Stop() error {
	err := t.lent.Stop()
	t.mu.Lock()
	ended := t.ended
	t.mu.Unlock()
	if ended != nil {
		<-ended
	}
	return err
}

func (t *tty) NotifyResize(f func()) { t.lent.NotifyResize(f) }

func (t *tty) WindowSize() (tcell.WindowSize, error) {
	cols, rows, err := t.lent.Size()
	return tcell.WindowSize{Width: cols, Height: rows}, err
}

// Close does nothing: the device is not tcell's.
func (t *tty) Close() error { return nil }
