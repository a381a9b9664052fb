package profile_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A writer is the small program of the tape measurements: it commits rows R00001.. above four live
// rows that it repaints in place with relative moves, EL and ED0 inside ?2026.
type writer struct {
	t          tape
	cols, rows int
	fullWidth  bool // live rows as wide as the window, not 30 columns
	counts     bool // reckons with the rewrapping of live rows after a change of width
	committed  int
	drawn      []string // live rows as they were last drawn
}

const liveRows = 4

func (w *writer) live() []string {
	var rows []string
	for i := range liveRows {
		row := fmt.Sprintf("live %d after %05d", i, w.committed)
		width := 30
		if w.fullWidth {
			width = w.cols
		}
		rows = append(rows, (row + strings.Repeat("=", width))[:width])
	}
	return rows
}

// frame commits n rows; between is called in the middle of the bytes.
func (w *writer) frame(n int, between func()) {
	var b strings.Builder
	b.WriteString("\x1b[?2026h\r")
	up := len(w.drawn) - 1
	if w.counts {
		up = 0
		for _, row := range w.drawn {
			up += (len(row) + w.cols - 1) / w.cols
		}
		up = max(0, up-1)
	}
	if up > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", up)
	}
	for range n {
		w.committed++
		fmt.Fprintf(&b, "\x1b[KR%05d some text\r\n", w.committed)
	}
	if w.counts {
		b.WriteString("\x1b[J")
	}
	w.drawn = w.live()
	for i, row := range w.drawn {
		b.WriteString("\x1b[K")
		if i == len(w.drawn)-1 {
			b.WriteString("\x1b[J")
		}
		b.WriteString(row)
		if i < len(w.drawn)-1 {
			b.WriteString("\r\n")
		}
	}
	b.WriteString("\x1b[?2026l")
	s := b.String()
	if between == nil {
		w.t.write(s)
		return
	}
	half := strings.Index(s[len(s)/2:], "\r\n") + len(s)/2
	w.t.write(s[:half])
	between()
	w.t.write(s[half:])
}

func (w *writer) resize(cols, rows int) {
	w.cols, w.rows = cols, rows
	w.t.resize(cols, rows)
}

var committedRow = regexp.MustCompile(`^R(\d{5}) some text$`)

// verdict says what became of the committed rows, in the words of the tables.
func (w *writer) verdict() string {
	rows := w.t.look().rows()
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	rows = rows[:max(0, len(rows)-liveRows)]
	seen := map[string]int{}
	stale, blank, order := 0, 0, true
	last := ""
	for _, row := range rows {
		switch {
		case committedRow.MatchString(row):
			seen[row]++
			order = order && row > last
			last = row
		case row == "":
			blank++
		case strings.HasPrefix(row, "live"):
			stale++
		}
	}
	var parts []string
	if lost := w.committed - len(seen); lost > 0 {
		parts = append(parts, fmt.Sprintf("lost %d", lost))
	}
	if stale > 0 {
		parts = append(parts, fmt.Sprintf("%d stale live rows", stale))
	}
	if blank > 0 {
		parts = append(parts, fmt.Sprintf("%d blank", blank))
	}
	if !order {
		parts = append(parts, "out of order")
	}
	if len(parts) == 0 {
		return "exact"
	}
	return strings.Join(parts, ", ")
}

// tapes are the rows of the tables that run this program for 500 rows.
var tapes = []behaviour{
	{"500 rows, no resize", run(writer{}, nil, nil)},
	{"500 rows, height changes at rest", run(writer{}, nil, heights)},
	{"500 rows, width changes, short rows", run(writer{}, widths, nil)},
	{"500 rows, both, short rows", run(writer{}, widths, heights)},
	{"500 rows, height changes in flow", inFlow(nil, heights)},
	{"500 rows, both in flow, short rows", inFlow(widths, heights)},
	{"full-width live rows, program ignores reflow", run(writer{fullWidth: true}, []int{60, 80}, nil)},
	{"full-width live rows, program counts reflow", run(writer{fullWidth: true, counts: true}, []int{60, 80}, nil)},
	{"same, narrowed while the screen is nearly empty", early(writer{fullWidth: true, counts: true})},
	{"short live rows, narrowed while nearly empty", early(writer{})},
}

var (
	heights = slices.Repeat([]int{24, 12, 30, 18, 24, 10, 40}, 4)
	widths  = slices.Repeat([]int{80, 60, 100, 40, 72}, 5)
)

// run changes the size every eight frames, to the next of the list; the last stays.
func run(w writer, cols, rows []int) func(tape) string {
	return func(t tape) string {
		w := w
		w.t, w.cols, w.rows = t, 80, 24
		w.frame(1, nil)
		for i := 0; w.committed < 500; i++ {
			if i%8 == 7 {
				w.next(i/8, cols, rows)
			}
			w.frame(1+i%5, nil)
		}
		return w.verdict()
	}
}

func (w *writer) next(i int, cols, rows []int) {
	c, r := w.cols, w.rows
	if cols != nil {
		c = cols[min(i, len(cols)-1)]
	}
	if rows != nil {
		r = rows[min(i, len(rows)-1)]
	}
	if c != w.cols || r != w.rows {
		w.resize(c, r)
	}
}

// inFlow changes the size in the middle of a frame.
func inFlow(cols, rows []int) func(tape) string {
	return func(t tape) string {
		w := writer{t: t, cols: 80, rows: 24}
		w.frame(1, nil)
		for i := 0; w.committed < 500; i++ {
			var between func()
			if i%8 == 7 {
				between = func() { w.next(i/8, cols, rows) }
			}
			w.frame(1+i%5, between)
		}
		return w.verdict()
	}
}

// early narrows the window when two rows are committed.
func early(w writer) func(tape) string {
	return func(t tape) string {
		w := w
		w.t, w.cols, w.rows = t, 80, 24
		w.frame(2, nil)
		w.resize(60, 24)
		for i := 0; w.committed < 500; i++ {
			w.frame(1+i%5, nil)
		}
		return w.verdict()
	}
}
