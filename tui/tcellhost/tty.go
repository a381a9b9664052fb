package tcellhost

import (
	"bytes"
	"io"
	"sync"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// altScreenEnter is what tcell sends to go to the alternate screen, on every terminal that can
// leave it again.
const altScreenEnter = "\x1b[?1049h"

// tty is our device as tcell wants it. tcell writes even after it has stopped reading, and a read
// of ours ends with the device only. So a goroutine reads, and gives back what tcell did not take.
type tty struct {
	lent     *terminal.Lent
	clearSeq []byte // the sequence that erases the screen

	mu          sync.Mutex
	changed     sync.Cond // tells of a change of the next three fields
	drained     bool      // tcell gets no more bytes
	ended       bool      // nothing is read any more
	unread      []byte    // read bytes, in order, that tcell has not taken
	altScreenOn bool      // the alternate screen is on
	fault       error     // a write was not passed on to protect the transcript
}

func newTTY(l *terminal.Lent, clearSeq string) *tty {
	t := &tty{lent: l, clearSeq: []byte(clearSeq), ended: true}
	t.changed.L = &t.mu
	return t
}

func (t *tty) Start() error {
	if err := t.lent.Start(); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained, t.ended = false, false
	go t.readLoop()
	return nil
}

// readLoop reads until the device is stopped, never more than one read ahead of tcell.
func (t *tty) readLoop() {
	for buf := make([]byte, 4096); ; {
		n, err := t.lent.Read(buf)
		t.mu.Lock()
		for n > 0 && len(t.unread) > 0 && !t.drained {
			t.changed.Wait()
		}
		t.unread = append(t.unread, buf[:max(n, 0)]...)
		t.ended = err != nil
		t.changed.Broadcast()
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Drain ends a Read that waits. tcell gets no more bytes.
func (t *tty) Drain() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true
	t.changed.Broadcast()
	return nil
}

func (t *tty) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.unread) == 0 && !t.drained && !t.ended {
		t.changed.Wait()
	}
	if t.drained || len(t.unread) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.unread)
	t.unread = t.unread[n:]
	t.changed.Broadcast()
	return n, nil
}

// Write does not pass on an erasure outside of the alternate screen, which would hit the
// transcript.
func (t *tty) Write(p []byte) (int, error) {
	if err := t.followAltScreen(p); err != nil {
		return 0, err
	}
	return t.lent.Write(p)
}

// followAltScreen notes in p which screen is on.
func (t *tty) followAltScreen(p []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for remaining := p; len(remaining) > 0; {
		on, off, erase := bytes.Index(remaining, []byte(altScreenEnter)), bytes.Index(remaining, []byte("\x1b[?1049l")),
			bytes.Index(remaining, t.clearSeq)
		switch {
		case !t.altScreenOn && erase >= 0 && (on < 0 || erase < on):
			t.fault = ErrNoAltScreen
			return t.fault
		case !t.altScreenOn && on >= 0:
			t.altScreenOn, remaining = true, remaining[on+1:]
		case t.altScreenOn && off >= 0:
			t.altScreenOn, remaining = false, remaining[off+1:]
		default:
			remaining = nil
		}
	}
	return nil
}

// Stop gives the device back, with the bytes that were typed after the key that ended the program:
// those are ours. When it returns nothing reads any more.
func (t *tty) Stop() error {
	err := t.lent.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drained = true // nobody waits for tcell
	t.changed.Broadcast()
	for !t.ended {
		t.changed.Wait()
	}
	t.lent.Unread(t.unread)
	t.unread = nil
	return err
}

func (t *tty) NotifyResize(f func()) { t.lent.NotifyResize(f) }

func (t *tty) WindowSize() (tcell.WindowSize, error) {
	cols, rows, err := t.lent.Size()
	return tcell.WindowSize{Width: cols, Height: rows}, err
}

// Close does nothing: the device is not tcell's.
func (t *tty) Close() error { return nil }
