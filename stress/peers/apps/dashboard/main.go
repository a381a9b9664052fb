//go:build linux

// Command dashboard plays a dashboard of 200x60 at 30 frames a second with tui and with bubbletea,
// turn by turn, each on a pseudo terminal with the emulator of terminal/vt, and prints what a frame
// costs: bytes, and CPU of the whole process (user and system).
//
//	cd stress/peers/apps && go run ./dashboard [-rounds 5] [-frames 300] [-screen]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

var (
	rounds = flag.Int("rounds", 5, "how often each program is played")
	frames = flag.Int("frames", 300, "frames that are measured")
	screen = flag.Bool("screen", false, "print the screen after the last frame, to compare what is shown")
)

const (
	cols, rows = 200, 60
	before     = 60 // frames that are not measured
	patient    = 2 * time.Minute
)

// figures are what a frame costs.
type figures struct {
	bytes       float64
	cpu         time.Duration
	floor, runs float64 // bytes of the text of cells that change, and runs of such cells
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "dashboard:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "dashboard")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	names := []string{"own", "tea"}
	for _, name := range names {
		build := exec.Command("go", "build", "-trimpath", "-o", filepath.Join(dir, name), "./dashboard/"+name)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	all := map[string][]figures{}
	for round := range max(*rounds, 1) {
		for _, name := range names {
			f, err := play(filepath.Join(dir, name))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			all[name] = append(all[name], f)
		}
		if round%2 == 0 {
			slices.Reverse(names)
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%d frames of %dx%d at 30 a second, medians of %d rounds, load %s\n\n", *frames, cols, rows, *rounds,
		strings.Join(strings.Fields(string(load))[:min(3, len(strings.Fields(string(load))))], " "))
	fmt.Println("| program | bytes a frame | CPU a frame | text of changed cells | runs of them |")
	fmt.Println("| --- | --- | --- | --- | --- |")
	own, tea := medians(all["own"]), medians(all["tea"])
	for _, m := range []struct {
		name string
		f    figures
	}{{"scrollkeep", own}, {"bubbletea", tea}} {
		fmt.Printf("| %s | %.0f | %.2f ms | %.0f bytes | %.0f |\n",
			m.name, m.f.bytes, m.f.cpu.Seconds()*1000, m.f.floor, m.f.runs)
	}
	fmt.Printf("| share | 1/%.1f | 1/%.1f | | |\n", tea.bytes/own.bytes, float64(tea.cpu)/float64(own.cpu))
	return nil
}

// medians returns the median of each figure.
func medians(all []figures) (f figures) {
	slices.SortFunc(all, func(a, b figures) int { return int(a.bytes - b.bytes) })
	f.bytes = all[len(all)/2].bytes
	slices.SortFunc(all, func(a, b figures) int { return int(a.cpu - b.cpu) })
	f.cpu = all[len(all)/2].cpu
	f.floor, f.runs = all[0].floor, all[0].runs
	return f
}

// terminal is a pseudo terminal with a program, and what is known of it after each read.
type terminal struct {
	mu      sync.Mutex
	vt      *vt.Terminal
	bytes   int
	cells   [rows][cols]vt.Cell // of the last frame
	last    int                 // its number
	floor   int                 // bytes of the clusters of cells that have changed
	runs    int                 // runs of such cells
	frames  int                 // that were compared
	changed chan struct{}       // a read has come
	done    chan struct{}
}

// read feeds the emulator until the program ends.
func (t *terminal) read(ptmx *os.File) {
	defer close(t.done)
	buf := make([]byte, 1<<16)
	for {
		n, err := ptmx.Read(buf)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.bytes += n
		t.vt.Write(buf[:n])
		t.measure()
		t.mu.Unlock()
		select {
		case t.changed <- struct{}{}:
		default:
		}
	}
}

// measure compares the screen with that of the frame before, if another is shown.
func (t *terminal) measure() {
	text, _ := strings.CutPrefix(t.vt.Row(rows-1).Text(), "frame ")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n == t.last {
		return
	}
	compare := n == t.last+1 && n > before
	t.last = n
	if compare {
		t.frames++
	}
	for y := range rows {
		row, end := t.vt.Row(y), -1
		for x := range cols {
			c := row.Cell(x)
			if c == t.cells[y][x] {
				continue
			}
			t.cells[y][x] = c
			if compare {
				t.floor += max(len(c.Text), 1)
				if x != end {
					t.runs++
				}
				end = x + 1
			}
		}
	}
}

// frame returns the number of the frame that is shown, -1 if there is none, and the bytes so far.
func (t *terminal) frame() (frame, bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, n := t.vt.Size()
	text, ok := strings.CutPrefix(t.vt.Row(n-1).Text(), "frame ")
	frame, err := strconv.Atoi(strings.TrimSpace(text))
	if !ok || err != nil {
		frame = -1
	}
	return frame, t.bytes
}

// until waits until frame want is shown, and returns it with the bytes until then.
func (t *terminal) until(want int) (frame, bytes int, err error) {
	late := time.NewTimer(patient)
	defer late.Stop()
	for {
		if frame, bytes = t.frame(); frame >= want {
			return frame, bytes, nil
		}
		select {
		case <-t.changed:
		case <-t.done:
			return 0, 0, fmt.Errorf("it has ended:\n%s", t.vt)
		case <-late.C:
			return 0, 0, fmt.Errorf("frame %d does not come:\n%s", want, t.vt)
		}
	}
}

// play plays the program in file once.
func play(file string) (f figures, err error) {
	cmd := exec.Command(file)
	cmd.Env = []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "HOME=/nowhere",
		"PATH=" + os.Getenv("PATH")}
	ptmx, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: cols, Rows: rows})
	if err != nil {
		return f, err
	}
	defer ptmx.Close()
	defer func() { _ = cmd.Process.Kill() }()
	t := &terminal{changed: make(chan struct{}, 1), done: make(chan struct{})}
	t.vt = vt.New(vt.Config{Cols: cols, Rows: rows, Scrollback: 100, Reply: func(p []byte) { _, _ = ptmx.Write(p) }})
	go t.read(ptmx)
	first, bytesBefore, err := t.until(before)
	if err != nil {
		return f, err
	}
	cpuBefore, err := cpuTime(cmd.Process.Pid)
	if err != nil {
		return f, err
	}
	last, bytesAfter, err := t.until(before + *frames)
	if err != nil {
		return f, err
	}
	cpuAfter, err := cpuTime(cmd.Process.Pid)
	if err != nil {
		return f, err
	}
	if *screen {
		fmt.Println(bytes.NewBufferString(t.vt.String()))
	}
	if _, err := ptmx.WriteString("q"); err != nil {
		return f, err
	}
	<-t.done
	n := last - first
	f = figures{bytes: float64(bytesAfter-bytesBefore) / float64(n), cpu: (cpuAfter - cpuBefore) / time.Duration(n)}
	f.floor, f.runs = float64(t.floor)/float64(t.frames), float64(t.runs)/float64(t.frames)
	return f, cmd.Wait()
}

// cpuTime returns the CPU that a process has used, user and system, of all its threads.
func cpuTime(pid int) (time.Duration, error) {
	const scheduled = 2 // clock_getcpuclockid(3)
	var ts syscall.Timespec
	_, _, code := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^pid)<<3|scheduled),
		uintptr(unsafe.Pointer(&ts)), 0)
	if code != 0 {
		return 0, code
	}
	return time.Duration(ts.Nano()), nil
}
