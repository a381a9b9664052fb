package main

import (
	"io"
	"runtime"
	"sync"
	"syscall"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// terminal keeps what is written and gives what is typed.
type terminal struct {
	mu            sync.Mutex
	log           []workload.Record
	store         []byte
	bytes, writes int
	keys          chan string
}

func newTerminal(cols, rows int) *terminal {
	log := append(make([]workload.Record, 0, 1<<14), workload.Record{Cols: cols, Rows: rows})
	return &terminal{log: log, keys: make(chan string, 1)}
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(p) > cap(t.store)-len(t.store) {
		t.store = make([]byte, 0, max(1<<20, len(p)))
	}
	n := len(t.store)
	t.store = append(t.store, p...)
	t.log = append(t.log, workload.Record{Data: t.store[n:len(t.store):len(t.store)]})
	t.bytes += len(p)
	t.writes++
	return len(p), nil
}

func (t *terminal) Read(p []byte) (int, error) {
	k, ok := <-t.keys
	if !ok {
		return 0, io.EOF
	}
	return copy(p, k), nil
}

func (t *terminal) resize(cols, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log = append(t.log, workload.Record{Cols: cols, Rows: rows})
}

func (t *terminal) count() (bytes, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes, t.writes
}

type window struct {
	Name   string `json:"name"`
	Frames int    `json:"frames"`
	Bytes  int    `json:"bytes"`
	Writes int    `json:"writes"`
	CPU    int64  `json:"cpu_us"`
	Allocs uint64 `json:"allocs"`
}

// play gives the ops to send, or to the terminal, and measures the windows.
func play(send func(any), t *terminal, ops []workload.Op) ([]window, error) {
	clock := time.NewTimer(0)
	<-clock.C
	frame := func() {
		clock.Reset(40 * time.Millisecond) // the libraries' interval is a sixtieth of a second
		<-clock.C
		synctest.Wait()
	}
	frame()
	var windows []window
	var w window
	var cpu time.Duration
	var mem runtime.MemStats
	for _, o := range ops {
		switch o.K {
		case "begin":
			w = window{Name: o.T}
			w.Bytes, w.Writes = t.count()
			runtime.GC()
			runtime.ReadMemStats(&mem)
			w.Allocs = mem.Mallocs
			cpu = cpuTime()
			continue
		case "end":
			w.CPU = (cpuTime() - cpu).Microseconds()
			runtime.ReadMemStats(&mem)
			w.Allocs = mem.Mallocs - w.Allocs
			bytes, writes := t.count()
			w.Bytes, w.Writes = bytes-w.Bytes, writes-w.Writes
			windows = append(windows, w)
			continue
		case "key":
			t.keys <- o.T
		case "resize":
			t.resize(o.W, o.H)
			send(o)
		default:
			send(o)
		}
		frame()
		w.Frames++
	}
	return windows, nil
}

// cpuTime returns what the process has used, user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
