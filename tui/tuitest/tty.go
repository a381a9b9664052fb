package tuitest

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// tty is an emulator as a terminal.TTY.
type tty struct {
	wire    func(p []byte) []byte
	slow    func() time.Duration
	mu      sync.Mutex
	ready   sync.Cond // there is something to read, or reading has ended
	vt      *vt.Terminal
	in      [][]byte // each one is a read of its own
	out     []byte
	started bool
	resized func()
	watch   func(*vt.Terminal) // called after each Write
}

func newTTY(c vt.Config) *tty {
	t := &tty{}
	t.ready.L = &t.mu
	c.Reply = func(p []byte) { t.pushRead(p) } // called in Write, with mu held
	t.vt = vt.New(c)
	return t
}

// pushRead makes p one read. mu is held.
func (t *tty) pushRead(p []byte) {
	t.in = append(t.in, append([]byte(nil), p...))
	t.ready.Broadcast()
}

func (t *tty) send(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pushRead(p)
}

func (t *tty) Start() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = true
	return nil
}

func (t *tty) Stop() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.started = false
	t.ready.Broadcast()
	return nil
}

func (t *tty) Read(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.started && len(t.in) == 0 {
		t.ready.Wait()
	}
	if !t.started {
		return 0, os.ErrClosed
	}
	n := copy(p, t.in[0])
	if t.in[0] = t.in[0][n:]; len(t.in[0]) == 0 {
		t.in = t.in[1:]
	}
	return n, nil
}

func (t *tty) Write(p []byte) (int, error) {
	if t.slow != nil {
		if d := t.slow(); d > 0 {
			n, err := t.feedEmulator(p[:len(p)/2])
			if err != nil {
				return n, err
			}
			time.Sleep(d)
			more, err := t.feedEmulator(p[n:])
			return n + more, err
		}
	}
	return t.feedEmulator(p)
}

// feedEmulator gives p to the emulator.
func (t *tty) feedEmulator(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		return 0, errors.New("tuitest: the program writes to a terminal that it has given back")
	}
	t.out = append(t.out, p...)
	if t.wire != nil {
		_, err := t.vt.Write(t.wire(p))
		return len(p), err
	}
	n, err := t.vt.Write(p)
	if t.watch != nil {
		t.watch(t.vt)
	}
	return n, err
}

func (t *tty) Size() (cols, rows int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	cols, rows = t.vt.Size()
	return cols, rows, nil
}

func (t *tty) NotifyResize(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resized = f
}

func (t *tty) resize(cols, rows int) {
	t.mu.Lock()
	t.vt.Resize(cols, rows)
	f := t.resized
	t.mu.Unlock()
	if f != nil {
		f()
	}
}
