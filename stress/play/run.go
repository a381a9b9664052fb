package play

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/workload"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// settle is the time that passes after each operation: more than the shortest interval between two
// frames. settleResize is the time after a change of size, more than the program's longest wait for
// an answer.
const settle, settleResize = 40 * time.Millisecond, 2 * time.Second

// environment holds, by the name of a profile, the variables by which programs recognise its
// terminal. Terminals that are not listed answer queries with their name.
var environment = map[string]map[string]string{
	"xtermjs": {"TERM_PROGRAM": "vscode"}, "konsole": {"KONSOLE_VERSION": "221203"}, "vte": {"VTE_VERSION": "7006"},
	"urxvt":     {"TERM": "rxvt-unicode-256color"},
	"alacritty": {"TERM": "alacritty"}, "screen": {"TERM": "screen-256color", "STY": "1.workload"},
}

// run plays the operations on the terminal s, in a bubble of testing/synctest. It returns the
// measured windows, and all that the terminal was given.
func run(c *chat, s *sink, ops []workload.Op) ([]window, []workload.Record, error) {
	env := map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
	maps.Copy(env, environment[s.name])
	c.app.Terminal = terminal.Config{TTY: s, Env: func(k string) string { return env[k] }}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- c.app.Run(ctx) }()
	clock := time.NewTimer(0)
	<-clock.C
	pass := func(d time.Duration) { // then everything has come to rest
		clock.Reset(d)
		<-clock.C
		synctest.Wait()
	}
	pass(settleResize)
	var windows []window
	var m *meter
	for _, o := range ops {
		switch o.K {
		case "begin":
			m = startMeter(o.T, s)
			continue
		case "end":
			windows = append(windows, m.end(s))
			m = nil
			continue
		}
		frame, err := c.do(o, s)
		if err != nil {
			return nil, nil, err
		}
		if o.K == "resize" {
			pass(settleResize)
		} else {
			pass(settle)
		}
		select {
		case err := <-done:
			return nil, nil, errors.Join(errors.New("the program ended"), err)
		default:
		}
		if frame && m != nil {
			m.w.Frames++
		}
	}
	return windows, s.records(), nil // before the program leaves the terminal
}

// meter measures one window of a script, from startMeter to end.
type meter struct {
	w                window
	bytes, writes    int
	cpu, emulatorCPU time.Duration
	mem              runtime.MemStats
}

func startMeter(name string, s *sink) *meter {
	m := &meter{w: window{Name: name}}
	runtime.GC()
	runtime.ReadMemStats(&m.mem)
	m.bytes, m.writes, m.emulatorCPU = s.count()
	m.cpu = cpuTime()
	return m
}

func (m *meter) end(s *sink) window {
	cpu := cpuTime()
	bytes, writes, aside := s.count()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	m.w.Bytes, m.w.Writes = bytes-m.bytes, writes-m.writes
	m.w.CPU = (cpu - m.cpu - (aside - m.emulatorCPU)).Microseconds()
	m.w.Allocs, m.w.Alloc = mem.Mallocs-m.mem.Mallocs, mem.TotalAlloc-m.mem.TotalAlloc
	runtime.GC()
	runtime.ReadMemStats(&mem)
	m.w.Heap = float64(int(mem.HeapAlloc)-s.memory()) / (1 << 20)
	return m.w
}
