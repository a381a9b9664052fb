package tuitest

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// tty implements terminal.TTY with an emulator.
type tty struct {
	wire    func(p []byte) []byte // see Config.Wire
	slow    func() time.Duration  // see Config.Slow
	mu      sync.Mutex
	ready   sync.Cond // signals that there is something to read, or that reading has ended
	vt      *vt.Terminal
	in      [][]byte // input for the program, one element for each read
	out     []byte   // everything that the program has written
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

// pushRead adds p as the input for one read. The caller must hold t.mu.
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

// feedEmulator passes p to the emulator.
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
