package vt

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/internal/work"
	"github.com/scrollkeep/scrollkeep/terminal/vt/load"
)

// pathological inputs are made to be slow or large where work or memory is not bounded by the
// input's length.
var pathological = map[string]func(n int) string{
	"OSC":                func(n int) string { return "\x1b]52;c;" + strings.Repeat("x", n) },
	"parameters":         func(n int) string { return "\x1b[" + strings.Repeat("1;", n/2) + "m" },
	"marks on one cell":  func(n int) string { return "a" + strings.Repeat("\u0301", n/2) },
	"ZWJ on one cell":    func(n int) string { return "👩" + strings.Repeat("\u200d👩", n/7) },
	"marks without 2027": func(n int) string { return "\x1b[?2027la" + strings.Repeat("\u0301", n/2) },
	"different clusters": func(n int) string {
		return distinct(n, func(i int) string {
			return fmt.Sprintf("%c%c%c", 'a'+i%26, 0x300+i/26%0x70, 0x300+i/2912%0x70)
		})
	},
	"different styles": func(n int) string {
		return distinct(n, func(i int) string { return fmt.Sprintf("\x1b[38;2;%d;%d;%dmx", i&255, i>>8&255, i>>16) })
	},
	"different links": func(n int) string {
		return distinct(n, func(i int) string { return fmt.Sprintf("\x1b]8;;%d\ax", i) })
	},
	"titles":             func(n int) string { return strings.Repeat("\x1b]0;x\a", n/6) },
	"resets":             func(n int) string { return strings.Repeat("\x1bc", n/2) },
	"alternate screens":  func(n int) string { return strings.Repeat("\x1b[?1049h\x1b[?1049l", n/16) },
	"scrolling a region": func(n int) string { return "\x1b[2;20r\x1b[20;1H" + strings.Repeat("\n", n) },
	"reverse wrap":       func(n int) string { return "\x1b[?1045h" + strings.Repeat("\x1b[65535D", n/9) },
	"queries":            func(n int) string { return strings.Repeat("\x1b[6n", n/4) },
	"placements": func(n int) string {
		return "\x1b_Gi=1,s=1,v=1;AAAAAA==\x1b\\" + strings.Repeat("\x1b_Ga=p,i=1,r=1000000,c=1\x1b\\\n", n/29)
	},
	"unfinished transfers":  func(n int) string { return strings.Repeat("\x1b_Gi=1,s=9,v=9,m=1;AAAAAAAA\x1b\\", n/28) },
	"an unfinished command": func(n int) string { return "\x1b_Gi=1;" + strings.Repeat("A", n) },
	"DCS":                   func(n int) string { return "\x1bP+q" + strings.Repeat("616D;", n/5) + "\x1b\\" },
	"prompts":               func(n int) string { return strings.Repeat("\x1b]133;A\ax\r\n", n/11) },
	"insert":                func(n int) string { return "\x1b[4h" + strings.Repeat("日a", n/4) },
}

func distinct(n int, f func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(f(i))
	}
	return b.String()
}

// TestPathologicalInputTakesLinearTime compares the work for an input with that for one 32 times as
// long.
func TestPathologicalInputTakesLinearTime(t *testing.T) {
	for name, input := range pathological {
		t.Run(name, func(t *testing.T) {
			run := func(n int) time.Duration {
				in := []byte(input(n))
				return work.Of(t, func() { newTest(80, 24, 1000).Write(in) })
			}
			const n, more = 1 << 13, 32
			if short, long := run(n), run(more*n); long > more*8*short {
				t.Errorf("%d bytes took %v of a processor, %d bytes %v", n, short, more*n, long)
			}
		})
	}
}

// TestPathologicalInputTakesBoundedMemory writes 16 MB of what arrives in one piece, 4 MB of what
// makes entries in tables.
func TestPathologicalInputTakesBoundedMemory(t *testing.T) {
	need.Time(t)
	const limit = 100 << 20
	for name, size := range map[string]int{
		"OSC": 16 << 20, "parameters": 16 << 20, "marks on one cell": 16 << 20, "an unfinished command": 16 << 20,
		"DCS":                16 << 20,
		"different clusters": 4 << 20, "different styles": 4 << 20, "different links": 4 << 20, "queries": 4 << 20,
	} {
		t.Run(name, func(t *testing.T) {
			in := []byte(pathological[name](size))
			term := newTest(80, 24, 1000)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			term.Write(in)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > limit {
				t.Errorf("%d MB are held", held>>20)
			}
			if err := term.Check(); err != nil {
				t.Error(err)
			}
			runtime.KeepAlive(in)
		})
	}
}

func TestAHundredThousandMarksStayOnTheirCell(t *testing.T) {
	term := newTest(10, 2, 0)
	want := "a" + strings.Repeat("\u0301", 100_000)
	term.WriteString(want + "b")
	if got := term.Row(0).Cell(0).Text; got != want {
		t.Errorf("the cell has %d bytes, want %d", len(got), len(want))
	}
	if got := term.Row(0).Cell(1).Text; got != "b" {
		t.Errorf("the next cell has %q", got)
	}
}

// TestScrollbackRowsAreSmall fills 10,000 rows of 100 columns and looks at the heap.
func TestScrollbackRowsAreSmall(t *testing.T) {
	const rows, limit = 10_000, 1.5 * 1024
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	term := newTest(100, 24, rows)
	for i := range rows + 1000 {
		fmt.Fprintf(term, "\x1b[3%dm%s\r\n", i%8, strings.Repeat("x", 90))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	per := float64(after.HeapAlloc-before.HeapAlloc) / float64(term.ScrollbackLen())
	t.Logf("%.0f bytes for each of %d rows", per, term.ScrollbackLen())
	if per > limit {
		t.Errorf("%.0f bytes for each row, more than %.0f", per, limit)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, l := range load.Kinds() {
		t.Run(l.Name, func(t *testing.T) {
			data := l.Bytes(1 << 18)
			term := newTest(80, 24, 500)
			for range 20 {
				term.Write(data)
			}
			if n := testing.AllocsPerRun(5, func() { term.Write(data) }); n > 8 { // tables may still grow now and then
				t.Errorf("%v allocations for %d bytes", n, len(data))
			}
		})
	}
}

// A row of the scrollback takes its cells and little more.
func TestARowOfTheScrollbackTakesItsCells(t *testing.T) {
	const cols, rows = 100, 20_000
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	term := New(Config{Cols: cols, Rows: 24, Scrollback: rows})
	line := []byte(strings.Repeat("x", cols) + "\r\n")
	for range rows + term.primary.pageRows() + 24 { // it keeps a page more than it shows
		term.Write(line)
	}
	kept := int64(term.primary.ring.count)
	if got := (heap() - before) / kept; got > 8*cols+80 || kept < rows {
		t.Errorf("%d rows of %d columns take %d bytes each", kept, cols, got)
	}
	runtime.KeepAlive(term)
}
