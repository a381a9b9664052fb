package terminal

import (
	"bytes"
	"context"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeTTY is a device in memory. What arrives is read as it was sent, one send for each read.
type fakeTTY struct {
	in chan []byte

	mu       sync.Mutex
	out      bytes.Buffer
	writes   int
	raw      bool
	stop     chan struct{} // closed by Stop
	starts   int
	stolen   int    // writes while nobody may
	back     []byte // what a read that was stopped has not taken
	cols     int
	rows     int
	notify   func()
	block    chan struct{} // not nil: Write waits until it is closed
	writeErr error
	atEnd    string // what comes when the last question is asked
}

func newFake() *fakeTTY { return &fakeTTY{in: make(chan []byte, 1000), cols: 80, rows: 24} }

func (f *fakeTTY) Start() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.raw, f.stop = true, make(chan struct{})
	f.starts++
	return nil
}

func (f *fakeTTY) Stop() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.raw {
		f.raw = false
		close(f.stop)
	}
	return nil
}

func (f *fakeTTY) Read(p []byte) (int, error) {
	f.mu.Lock()
	stop := f.stop
	if !f.raw { // a read that came too late: it takes nothing
		f.mu.Unlock()
		return 0, ErrClosed
	}
	if f.back != nil {
		b := f.back
		f.back = nil
		f.mu.Unlock()
		return copy(p, b), nil
	}
	f.mu.Unlock()
	select {
	case b, ok := <-f.in:
		if !ok {
			return 0, io.EOF
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if !f.raw { // it came at the same moment as Stop, which comes first
			f.back = b
			return 0, ErrClosed
		}
		return copy(p, b), nil
	case <-stop:
		return 0, ErrClosed
	}
}

func (f *fakeTTY) Write(p []byte) (int, error) {
	f.mu.Lock()
	block, stop := f.block, f.stop
	if !f.raw {
		f.stolen++
	}
	f.mu.Unlock()
	if block != nil {
		select {
		case <-block:
		case <-stop:
			return 0, ErrClosed
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.writeErr != nil {
		return 0, f.writeErr
	}
	if f.atEnd != "" && bytes.HasSuffix(p, []byte("\x1b[?7h\x1b[?25h\x1b[m"+sentinel)) {
		f.in <- []byte(f.atEnd)
	}
	f.writes++
	return f.out.Write(p)
}

func (f *fakeTTY) Size() (int, int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.cols, f.rows, nil
}

func (f *fakeTTY) NotifyResize(g func()) { f.notify = g }

func (f *fakeTTY) resize(cols, rows int) {
	f.mu.Lock()
	f.cols, f.rows = cols, rows
	f.mu.Unlock()
	f.notify()
}

// written returns all that was written since the last call.
func (f *fakeTTY) written() string {
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.out.String()
	f.out.Reset()
	return s
}

// answersTheEnd lets the terminal answer the last thing that is written to it.
func (f *fakeTTY) answersTheEnd(with string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.atEnd = with
}

func (f *fakeTTY) send(parts ...string) {
	for _, p := range parts {
		f.in <- []byte(p)
	}
}

// session is a Terminal on a fake, inside a bubble.
type session struct {
	*Terminal
	f *fakeTTY
	t *testing.T
}

func env(pairs ...string) func(string) string {
	m := map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(k string) string { return m[k] }
}

// bubble runs f with an open terminal in a synctest bubble, and closes it.
func bubble(t *testing.T, environ func(string) string, f func(*testing.T, session), with ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		tty := newFake()
		c := Config{TTY: tty, Env: environ}
		for _, w := range with {
			w(&c)
		}
		term, err := Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		f(t, session{term, tty, t})
		if err := term.Close(); err != nil {
			t.Error(err)
		}
		if tty.raw {
			t.Error("Close left the device raw")
		}
		if tty.stolen > 0 {
			t.Errorf("%d writes while the terminal was not ours", tty.stolen)
		}
	})
}

// next waits for one event, at most a second of the bubble.
func (s session) next() Event {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Second)
	defer cancel()
	ev, err := s.Next(ctx)
	if err != nil {
		s.t.Fatalf("no event: %v", err)
	}
	return ev
}

// all takes events until none has come for d.
func (s session) all(d time.Duration) (evs []Event) {
	s.t.Helper()
	for {
		ctx, cancel := context.WithTimeout(s.t.Context(), d)
		ev, err := s.Next(ctx)
		cancel()
		if err != nil {
			return evs
		}
		evs = append(evs, ev)
	}
}

// settled drops what the start brings.
func (s session) settled(replies ...string) session {
	s.f.send(replies...)
	s.all(time.Second)
	s.f.written()
	return s
}
