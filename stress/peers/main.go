// Command peers plays a benchmark script in a program of another library, bubbletea 1 or 2, as its user would write it, and prints what its frames cost:
// the same JSON as stress/cmd/workload. It is a module of its own, so that nobody who imports scrollkeep inherits the library.
//
//	go run . --peer bubbletea1 --make w1 [--size 100x30] [--seed N]      (in stress/peers)
//	go run . --table --make w1,w2-1000
//
// Finished paragraphs go to the scrollback by Println, the rest is the view. The clock is that of testing/synctest: the library's frame ticker
// costs no time, and each op is followed by one frame.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var (
	making  = flag.String("make", "w1", "the workload")
	size    = flag.String("size", "100x30", "columns x rows")
	peer    = flag.String("peer", "bubbletea1", "bubbletea1 or bubbletea2")
	compare = flag.Bool("table", false, "play the workloads, separated by commas, in all peers and in scrollkeep, and print the ratios")
	seed    = flag.Uint64("seed", 1, "for the text")
)

func main() {
	testing.Init()
	flag.Parse()
	if *compare {
		if err := table(strings.Split(*making, ",")); err != nil {
			fmt.Fprintln(os.Stderr, "peers:", err)
			os.Exit(1)
		}
		return
	}
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "peers", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			if err := play(); err != nil {
				fmt.Fprintln(os.Stderr, "peers:", err)
				os.Exit(1)
			}
			os.Exit(0)
		})
	}}}, nil, nil)
}

// peers start a program that writes to out; what they return gives it an op.
var peers = map[string]func(m *model, out io.Writer, cols, rows int) (send func(workload.Op)){"bubbletea1": start1, "bubbletea2": start2}

// model is the chat: the unfinished paragraph, a status, an input, a line about the model.
type model struct {
	width                 int
	text                  strings.Builder
	input                 string
	frames, ticks, tokens int
}

var glyphs = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// update does what o says and returns what goes to the scrollback, "" for nothing.
func (m *model) update(o workload.Op) (finished string) {
	switch o.K {
	case "s":
		m.tokens += 4
		par, ended := strings.CutSuffix(o.T, "\n")
		m.text.WriteString(par)
		if ended {
			finished = ansi.Wordwrap(m.text.String(), m.width, "")
			m.text.Reset()
		}
	case "hist":
		var rows []string
		for _, par := range o.Rows {
			rows = append(rows, ansi.Wordwrap(par, m.width, ""))
		}
		finished = strings.Join(rows, "\n")
	case "out":
		finished = strings.Join(o.Rows, "\n")
	case "tick":
		m.ticks++
		return ""
	case "key":
		m.input += o.T
		return ""
	}
	m.frames++
	return finished
}

// view is the live region.
func (m *model) view() string {
	var b strings.Builder
	if m.text.Len() > 0 {
		b.WriteString(ansi.Wordwrap(m.text.String(), m.width, ""))
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\x1b[36m%s\x1b[0m\x1b[2m Working · %d tokens · esc to interrupt\x1b[0m\n> %s\n\x1b[2m  model peer-1 · 100%% context left\x1b[0m",
		glyphs[(m.frames/4+m.ticks)%len(glyphs)], m.tokens, m.input)
	return b.String()
}

// counter is the terminal.
type counter struct{ bytes, writes int }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes += len(p)
	c.writes++
	return len(p), nil
}

type window struct {
	Name   string `json:"name"`
	Frames int    `json:"frames"`
	Bytes  int    `json:"bytes"`
	Writes int    `json:"writes"`
	CPU    int64  `json:"cpu_us"`
	Allocs uint64 `json:"allocs"`
}

func play() error {
	var cols, rows int
	if n, _ := fmt.Sscanf(*size, "%dx%d", &cols, &rows); n != 2 {
		return fmt.Errorf("%q is not a size", *size)
	}
	s, err := workload.Make(*making, cols, rows, *seed)
	if err != nil {
		return err
	}
	out := &counter{}
	start, ok := peers[*peer]
	if !ok {
		return fmt.Errorf("no peer is called %q", *peer)
	}
	send := start(&model{width: cols}, out, cols, rows)
	clock := time.NewTimer(0)
	<-clock.C
	frame := func() {
		clock.Reset(20 * time.Millisecond) // the library's interval is a sixtieth of a second
		<-clock.C
		synctest.Wait()
	}
	frame()
	var windows []window
	var w window
	var from counter
	var cpu time.Duration
	var mem runtime.MemStats
	for _, o := range s.Ops[1:] {
		switch o.K {
		case "begin":
			w, from = window{Name: o.T}, *out
			runtime.GC()
			runtime.ReadMemStats(&mem)
			w.Allocs = mem.Mallocs
			cpu = cpuTime()
		case "end":
			w.CPU = (cpuTime() - cpu).Microseconds()
			runtime.ReadMemStats(&mem)
			w.Allocs = mem.Mallocs - w.Allocs
			w.Bytes, w.Writes = out.bytes-from.bytes, out.writes-from.writes
			windows = append(windows, w)
		case "resize", "pane", "scroll":
			return fmt.Errorf("the program has no %s", o.K)
		default:
			send(o)
			frame()
			w.Frames++
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"contestant": *peer, "script": *making + "-" + *size, "windows": windows})
}

// cpuTime is what the process has used, user and system.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
