package play

import (
	"fmt"
	"strings"
)

// budgets lists the largest number of bytes that a frame of each workload may take at 100x30. The
// budgets of W1 and W7 were 64 and 66 bytes at first. They are higher now because frames no longer
// count rows above the cursor, which takes more bytes.
var budgets = []struct {
	title, workload, window string
	bytes                   float64
}{
	{"W1 bytes a frame", "w1", "", 72},
	{"W2 bytes a tick", "w2-1000", "", 20},
	{"W3 bytes a key", "w3", "", 8},
	{"W4 bytes a frame", "w4", "", 1049},
	{"W5 bytes a resize", "w5", "", 250},
	{"W6 bytes a line, down", "w6", "line down", 85},
	{"W6 bytes a line, up", "w6", "line up", 85},
	{"W7 bytes a frame", "w7", "", 74},
}

// The limits of the rendering contract besides the bytes of a frame.
const (
	maxCPUShare    = 0.25 // the largest share of the CPU time that the best other library takes
	maxFrameAllocs = 5    // the largest number of allocations for one frame
	maxGrowth      = 1.05 // the largest factor by which a frame may cost more with 10^5 rows than with 10^2
	maxRowMemory   = 16   // the largest number of bytes of memory for a row in history
)

const summaryFormat = "%-34s %-6s %9s %8s  %-5s %s\n"

// summary prints each budget with the measured figure, and with the figure of the best other
// library whose terminal shows every row correctly at the end.
func (t *table) summary() error {
	const size = "100x30"
	fmt.Fprintf(t.w, "\n"+summaryFormat, "a frame at "+size, "policy", "ours", "budget", "", "peers")
	put := func(title, policy string, got, most float64, form, peers string) {
		mark := ""
		if got > most {
			mark = "OVER"
		}
		fmt.Fprintf(t.w, summaryFormat, title, policy, fmt.Sprintf(form, got), fmt.Sprint(most), mark, peers)
	}
	for _, policy := range t.policies {
		for _, b := range budgets {
			if l, ok := t.findWindow(b.workload, size, policy, ours, b.window); ok {
				put(b.title, policy, l.bytes, b.bytes, "%.1f",
					t.peerFigures(l, func(p line) float64 { return p.bytes }))
				if l.twice > 0 {
					put("  without rows that all send twice", policy, l.bytes-l.twice, b.bytes, "%.1f",
						fmt.Sprintf("a frame has %.1f bytes of them", l.twice))
				}
			}
		}
		l, ok := t.findWindow("w1", size, policy, ours, "")
		if ok {
			for _, kind := range []struct {
				title  string
				editor bool
			}{{"W1 CPU / best peer with an editor", true}, {"W1 CPU / best peer of all", false}} {
				if best := t.fastestPeer(l, kind.editor); best > 0 {
					put(kind.title, policy, l.cpu/best, maxCPUShare, "%.2f",
						t.peerFigures(l, func(p line) float64 { return p.cpu }))
				}
			}
			put("W1 allocations a frame", policy, l.allocs, maxFrameAllocs, "%.1f",
				t.peerFigures(l, func(p line) float64 { return p.allocs }))
		}
		from, ok := t.findWindow("w1scale", size, policy, ours, "100")
		to, both := t.findWindow("w1scale", size, policy, ours, "100000")
		if ok && both {
			put("10^5 rows / 10^2 rows, bytes", policy, to.bytes/from.bytes, maxGrowth, "%.3f", "")
			put("10^5 rows / 10^2 rows, CPU", policy, to.least/from.least, maxGrowth, "%.3f", "")
			put("10^5 rows / 10^2 rows, allocations", policy, to.allocs/from.allocs, maxGrowth, "%.3f", "")
		}
		if mid, ok := t.findWindow("w1scale", size, policy, ours, "10000"); ok && both {
			put("engine bytes a row in history", policy, (to.heap-mid.heap)*(1<<20)/90_000, maxRowMemory, "%.1f", "")
		}
	}
	wrong := 0
	for _, l := range t.lines {
		if strings.HasPrefix(l.who, ours) && l.last && l.tape != nil && !l.tape.clean() {
			wrong++
		}
	}
	put("tapes that are not clean, all above", "all", float64(wrong), 0, "%.0f", "")
	return nil
}

// fastestPeer returns the least CPU time of another library in the measured window of l, or 0 if
// there is none. Libraries whose terminal shows wrong rows at the end do not count. With editor,
// only programs count whose input is an editor, as the workloads are defined, and not a text that
// they draw themselves.
func (t *table) fastestPeer(l line, editor bool) float64 {
	best := 0.0
	for _, p := range t.lines {
		if !p.rivals(l) || p.tape != nil && !p.tape.clean() || editor && strings.HasSuffix(p.who, "-text") {
			continue
		}
		if best == 0 || p.cpu < best {
			best = p.cpu
		}
	}
	return best
}

// rivals reports whether l is the result of another library for the same measured window as other.
func (l line) rivals(other line) bool {
	return l.workload == other.workload && l.size == other.size && l.policy == other.policy &&
		l.window == other.window && !strings.HasPrefix(l.who, ours)
}

// peerFigures returns the figures of the other libraries in the measured window of l, as text. "!"
// follows a figure if the terminal of that library shows wrong rows at the end.
func (t *table) peerFigures(l line, figure func(line) float64) string {
	var out []string
	for _, p := range t.lines {
		if !p.rivals(l) {
			continue
		}
		s := fmt.Sprintf("%s %.1f", p.who, figure(p))
		if p.tape != nil && !p.tape.clean() {
			s += "!"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}
