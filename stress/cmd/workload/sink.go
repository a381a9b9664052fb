package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A sink is a terminal that keeps bytes. Only when the program asks something are they given to an emulator, for its answer.
type sink struct {
	name       string // the profile's
	mu         sync.Mutex
	cols, rows int
	log        []record
	store      []byte // room for their bytes
	bytes      int
	writes     int
	term       *vt.Terminal
	fed        int           // records that the emulator has
	aside      time.Duration // CPU time that went into the emulator
	notify     func()

	input chan []byte
	rest  []byte
	end   chan struct{}
	once  sync.Once
}

// A record is a size, or bytes.
type record struct {
	cols, rows int
	data       []byte
}

// newSink has room for the log of a long script, so that what is measured is the program.
func newSink(p profile.Profile, cols, rows int) *sink {
	log := append(make([]record, 0, 1<<14), record{cols: cols, rows: rows})
	return &sink{
		name: p.Name,
		cols: cols, rows: rows, log: log, fed: 1, term: p.New(cols, rows, 1000),
		input: make(chan []byte, 64), end: make(chan struct{}),
	}
}

func (s *sink) Start() error { return nil }

func (s *sink) Stop() error {
	s.once.Do(func() { close(s.end) })
	return nil
}

func (s *sink) Size() (cols, rows int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cols, s.rows, nil
}

func (s *sink) NotifyResize(f func()) { s.notify = f }

func (s *sink) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		select {
		case s.rest = <-s.input:
		case <-s.end:
			return 0, io.EOF
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(p) > cap(s.store)-len(s.store) {
		s.store = make([]byte, 0, max(1<<20, len(p)))
	}
	n := len(s.store)
	s.store = append(s.store, p...)
	s.log = append(s.log, record{data: s.store[n:len(s.store):len(s.store)]})
	s.bytes += len(p)
	s.writes++
	if asks(p) {
		s.answer()
	}
	return len(p), nil
}

// asks reports whether p may hold a query: anything but the sequences of ordinary frames.
func asks(p []byte) bool {
	for i := bytes.IndexByte(p, 0x1b); i >= 0; {
		j := i + 1
		if j < len(p) && p[j] == '[' {
			for j++; j < len(p) && (p[j] < 0x40 || p[j] > 0x7e); j++ {
			}
			if j < len(p) && bytes.IndexByte([]byte("cnptuqy"), p[j]) >= 0 {
				return true
			}
		} else if j < len(p) && p[j] != ']' && p[j] != '\\' || bytes.HasPrefix(p[j:], []byte("]1")) || bytes.HasPrefix(p[j:], []byte("]4")) {
			return true
		}
		k := bytes.IndexByte(p[j:], 0x1b)
		if k < 0 {
			return false
		}
		i = j + k
	}
	return false
}

// answer feeds the emulator and sends what it replies. It is called with the lock held.
func (s *sink) answer() {
	start := cpuTime()
	for ; s.fed < len(s.log); s.fed++ {
		s.log[s.fed].play(s.term)
	}
	if r := s.term.TakeReplies(); len(r) > 0 {
		s.input <- bytes.Clone(r)
	}
	s.aside += cpuTime() - start
}

func (r record) play(t *vt.Terminal) {
	if r.cols > 0 {
		t.Resize(r.cols, r.rows)
		return
	}
	t.Write(r.data)
}

// resize gives the terminal a new size, then tells the program.
func (s *sink) resize(cols, rows int) {
	s.mu.Lock()
	s.cols, s.rows = cols, rows
	s.log = append(s.log, record{cols: cols, rows: rows})
	notify := s.notify
	s.mu.Unlock()
	if notify != nil {
		notify()
	}
}

// count is what was written so far.
func (s *sink) count() (bytes, writes int, aside time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes, s.writes, s.aside
}

// records is what was written so far, with the sizes in between.
func (s *sink) records() []record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}

// encode is the log in the format of the workloads: 'R' and 'D' records with little-endian lengths.
func encode(log []record) []byte {
	var out []byte
	for _, r := range log {
		if r.cols > 0 {
			out = append(out, 'R')
			out = binary.LittleEndian.AppendUint32(out, 4)
			out = binary.LittleEndian.AppendUint16(out, uint16(r.cols))
			out = binary.LittleEndian.AppendUint16(out, uint16(r.rows))
			continue
		}
		out = append(out, 'D')
		out = binary.LittleEndian.AppendUint32(out, uint32(len(r.data)))
		out = append(out, r.data...)
	}
	return out
}
