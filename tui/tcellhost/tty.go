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
	change  sync.Cond // of what follows, up to rest
	drained bool      // no more bytes are for tcell
	ended   bool      // nothing is read any more
	rest    []byte    // what was read, in order, and is not tcell's yet
	inside  bool      // the alternate screen is on
	fault   error     // something was kept from the transcript
}

func newTTY(l *terminal.Lent, clear string) *tty {
	t := &tty{lent: l, clear: []byte(clear), ended: true}
	t.change.L = &t.mu
	return t
}

func (t *tty) Start() error {
	if err := t.lent.Start(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained, t.ended = false, false
	go t.pump()
	return nil
}

// pump reads until the device is stopped, never more than one read ahead of tcell.
func (t *tty) pump() {
	for buf := make([]byte, 4096); ; {
		n, err := t.lent.Read(buf)
		t.mu.Lock()
		for n > 0 && len(t.rest) > 0 && !t.drained {
			t.change.Wait()
		}
		t.rest = append(t.rest, buf[:max(n, 0)]...)
		t.ended = err != nil
		t.change.Broadcast()
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Drain ends a Read that waits; no more bytes are for tcell.
func (t *tty) Drain() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true
	t.change.Broadcast()
	return nil
}

func (t *tty) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.rest) == 0 && !t.drained && !t.ended {
		t.change.Wait()
	}
	if t.drained || len(t.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	t.change.Broadcast()
	return n, nil
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

// Stop gives the device back, and what was typed behind what ended the program: that is ours. When
// it returns nothing reads any more.
func (t *tty) Stop() error {
	err := t.lent.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true // nobody waits for tcell
	t.change.Broadcast()
	for !t.ended {
		t.change.Wait()
	}
	t.lent.Unread(t.rest)
	t.rest = nil
	return err
}

func (t *tty) NotifyResize(f func()) { t.lent.NotifyResize(f) }

func (t *tty) WindowSize() (tcell.WindowSize, error) {
	cols, rows, err := t.lent.Size()
	return tcell.WindowSize{Width: cols, Height: rows}, err
}

// Close does nothing: the device is not tcell's.
func (t *tty) Close() error { return nil }
