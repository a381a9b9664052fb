package tcellhost

import (
	"bytes"
	"io"
	"sync"

	"github.com/gdamore/tcell/v2"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// altScreenEnter is the sequence with which tcell enters the alternate screen, on every terminal
// whose alternate screen it can leave.
const altScreenEnter = "\x1b[?1049h"

// tty implements tcell.Tty on the lent terminal. tcell writes even after it has stopped reading,
// and a Read of the lent terminal ends only with the terminal. Therefore a goroutine reads, and
// returns the bytes that tcell has not taken.
type tty struct {
	lent     *terminal.Lent
	clearSeq []byte // sequence that erases the screen

	mu          sync.Mutex
	changed     sync.Cond // signals changes of the next three fields
	drained     bool      // tcell gets no more bytes
	ended       bool      // the goroutine has stopped reading
	unread      []byte    // bytes that tcell has not taken, in order
	altScreenOn bool      // the terminal shows the alternate screen
	fault       error     // why a write was refused, to protect the transcript
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

// readLoop reads until the terminal is stopped. It is never more than one read ahead of tcell.
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

// Drain ends a waiting Read. tcell gets no more bytes.
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

// Write writes p to the terminal. It refuses to erase the normal screen, which shows the
// transcript.
func (t *tty) Write(p []byte) (int, error) {
	if err := t.followAltScreen(p); err != nil {
		return 0, err
	}
	return t.lent.Write(p)
}

// followAltScreen tracks in p which screen the terminal shows. It returns an error if p would erase
// the normal screen.
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

// Stop stops the terminal. When it returns nothing reads any more, and the bytes typed after the
// key that ended the program are returned for the App.
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

// Close does nothing: the terminal does not belong to tcell.
func (t *tty) Close() error { return nil }
