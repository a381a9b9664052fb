package play

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// sink is a terminal that stores all bytes that a program writes. It gives them to an emulator only
// when the program sends a query, so that emulation takes little of the measured time.
type sink struct {
	name        string // name of the terminal's profile
	mu          sync.Mutex
	cols, rows  int
	log         []workload.Record
	store       []byte // memory for the bytes in log
	stores      int    // total size of that memory in bytes
	bytes       int
	writes      int
	term        *vt.Terminal
	fed         int           // number of records that the emulator has processed
	emulatorCPU time.Duration // CPU time that the emulator has used
	notify      func()

	input chan []byte
	rest  []byte
	end   chan struct{}
	once  sync.Once
}

// newSink returns a terminal of that size. Its log has room for a long script from the beginning,
// so that its growth is not measured.
func newSink(p profile.Profile, cols, rows int) *sink {
	log := append(make([]workload.Record, 0, 1<<14), workload.Record{Cols: cols, Rows: rows})
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
		s.stores += cap(s.store)
	}
	n := len(s.store)
	s.store = append(s.store, p...)
	s.log = append(s.log, workload.Record{Data: s.store[n:len(s.store):len(s.store)]})
	s.bytes += len(p)
	s.writes++
	if hasQuery(p) {
		s.answer()
	}
	return len(p), nil
}

// hasQuery reports whether p may contain a query: any sequence that ordinary frames do not use.
func hasQuery(p []byte) bool {
	for i := 0; i < len(p); i++ {
		if p[i] != 0x1b {
			continue
		}
		if i++; i == len(p) {
			return false
		}
		switch p[i] {
		case '[':
			for i++; i < len(p) && (p[i] < 0x40 || p[i] > 0x7e); i++ {
			}
			if i < len(p) {
				switch p[i] {
				case 'c', 'n', 'p', 't', 'u', 'q', 'y':
					return true
				}
			}
		case ']':
			if bytes.HasPrefix(p[i:], []byte("]1")) || bytes.HasPrefix(p[i:], []byte("]4")) {
				return true
			}
		case '\\':
		default:
			return true
		}
	}
	return false
}

// answer gives all new bytes to the emulator and sends its replies to the program. The caller holds
// s.mu.
func (s *sink) answer() {
	start := cpuTime()
	for ; s.fed < len(s.log); s.fed++ {
		playRecord(s.term, s.log[s.fed])
	}
	if r := s.term.TakeReplies(); len(r) > 0 {
		s.input <- bytes.Clone(r)
	}
	s.emulatorCPU += cpuTime() - start
}

// playRecord gives t the bytes of r, or its new size.
func playRecord(t *vt.Terminal, r workload.Record) {
	if r.Cols > 0 {
		t.Resize(r.Cols, r.Rows)
		return
	}
	t.Write(r.Data)
}

// resize changes the terminal's size, then notifies the program.
func (s *sink) resize(cols, rows int) {
	s.mu.Lock()
	s.cols, s.rows = cols, rows
	s.log = append(s.log, workload.Record{Cols: cols, Rows: rows})
	notify := s.notify
	s.mu.Unlock()
	if notify != nil {
		notify()
	}
}

// count returns the number of bytes and Writes so far, and aside, the CPU time that the emulator
// has used.
func (s *sink) count() (bytes, writes int, aside time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes, s.writes, s.emulatorCPU
}

// memory returns the number of bytes of memory that the log takes.
func (s *sink) memory() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stores + cap(s.log)*int(unsafe.Sizeof(workload.Record{}))
}

// records returns all that was written so far, with the changes of size in between.
func (s *sink) records() []workload.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.log)
}
