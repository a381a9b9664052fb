package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// maker builds one script, operation by operation.
type maker struct {
	text
	height int
	ops    []Op
	expect []string
}

var makers = map[string]func(*maker){
	"w1": func(m *maker) {
		m.addWindow("all", func() { m.stream(1000, 16) })
	},
	"w1scale": func(m *maker) {
		for _, n := range []int{100, 1000, 10_000, 100_000} {
			m.history(n - m.next)
			m.addWindow(fmt.Sprint(n), func() { m.stream(50, 16) })
		}
	},
	"w2-1000":  func(m *maker) { m.ticks(1000) },
	"w2-10000": func(m *maker) { m.ticks(10_000) },
	"w3": func(m *maker) {
		m.history(1000)
		keys := ""
		for len(keys) < 500 {
			keys += m.spokenWord(2+m.rng.IntN(8)) + " "
		}
		m.addWindow("all", func() {
			for _, k := range keys[:500] {
				m.add(Op{K: "key", T: string(k)})
			}
		})
	},
	"w4":  func(m *maker) { m.addOutput(1, 2, 5, 10, 20, 50) },
	"w4s": func(m *maker) { m.addOutput(1, 2, 5, 10) },
	"w5": func(m *maker) {
		m.history(2000)
		m.addWindow("all", func() {
			for _, size := range m.sizeChanges() {
				m.add(size)
			}
		})
		for range 20 {
			m.add(Op{K: "tick"})
		}
	},
	"w5s": func(m *maker) {
		m.history(2000)
		m.addWindow("all", func() {
			from := len(m.ops)
			m.stream(2*m.messageRows(), 16)
			frames, sizes := m.ops[from:], m.sizeChanges()
			m.ops = append([]Op(nil), m.ops[:from]...)
			for i, o := range frames { // the last change comes before the last message ends
				m.add(o)
				if at := (i + 1) * (len(sizes) + 1) / len(frames); at > i*(len(sizes)+1)/len(frames) &&
					at <= len(sizes) {
					m.add(sizes[at-1])
				}
			}
		})
	},
	"w6": func(m *maker) { m.addPane() },
	"w7": func(m *maker) {
		m.wide = true
		m.addWindow("all", func() { m.stream(500/m.messageRows()*m.messageRows(), 8) })
	},
}

// Names returns the names of all workloads, in their order.
func Names() []string {
	return []string{"w1", "w1scale", "w2-1000", "w2-10000", "w3", "w4", "w4s", "w5", "w5s", "w6", "w7"}
}

// Make returns the script of a workload for a screen of that size. The same seed returns the same
// text. The screen must have at least 50 columns and 14 rows, because the workload w5 uses sizes
// that are up to 40 columns and 10 rows smaller.
func Make(name string, cols, rows int, seed uint64) (Script, error) {
	f, ok := makers[name]
	if !ok {
		return Script{}, fmt.Errorf("no workload is called %q, but %s", name, strings.Join(Names(), ", "))
	}
	if cols < 50 || rows < 14 {
		return Script{}, fmt.Errorf("%dx%d is smaller than 50x14", cols, rows)
	}
	m := &maker{text: text{rng: rand.New(rand.NewPCG(seed, 0)), cols: cols}, height: rows}
	m.add(Op{K: "size", W: cols, H: rows})
	f(m)
	return Script{m.ops, m.expect}, nil
}

func (m *maker) add(o Op) { m.ops = append(m.ops, o) }

// addWindow adds the operations that f adds, as a window of the script that is measured under the
// given name.
func (m *maker) addWindow(name string, f func()) {
	m.add(Op{K: "begin", T: name})
	f()
	m.add(Op{K: "end"})
}

// messageRows returns the number of rows of one message. It is larger than the height of the
// screen.
func (m *maker) messageRows() int {
	if m.height < 40 {
		return 40
	}
	return m.height * 3 / 2 / 5 * 5
}

// addProse adds the next n rows of text to the expected rows, and returns them.
func (m *maker) addProse(n int) []string {
	rows := m.rows(n)
	m.expect = append(m.expect, rows...)
	return rows
}

const paragraph = 5 // number of rows of a paragraph

// stream adds n rows of text as a model streams them, piece characters in each frame. No frame has
// both the end of a paragraph and the beginning of the next.
func (m *maker) stream(n, piece int) {
	for row := 0; row < n; row += paragraph {
		rest := []rune(strings.Join(m.addProse(min(paragraph, n-row)), " ") + "\n")
		for len(rest) > 0 {
			k := min(piece, len(rest))
			m.add(Op{K: "s", T: string(rest[:k])})
			rest = rest[k:]
		}
		if end := row + paragraph; end%m.messageRows() == 0 || end >= n {
			m.add(Op{K: "msgend"})
		}
	}
}

// history adds n rows of text as whole paragraphs, up to 15 rows in each frame.
func (m *maker) history(n int) {
	for row := 0; row < n; {
		var o Op
		for o.K = "hist"; row < n && len(o.Rows) < 3; {
			k := min(paragraph, n-row)
			o.Rows = append(o.Rows, strings.Join(m.addProse(k), " "))
			if row += k; row%m.messageRows() == 0 {
				break
			}
		}
		m.add(o)
		if row%m.messageRows() == 0 || row >= n {
			m.add(Op{K: "msgend"})
		}
	}
}

func (m *maker) ticks(history int) {
	m.history(history)
	m.addWindow(fmt.Sprint(history), func() {
		for range 1000 {
			m.add(Op{K: "tick"})
		}
	})
}

// addOutput adds 5,000 rows of tool output. The numbers of rows in a frame are those of sizes, in
// turn.
func (m *maker) addOutput(sizes ...int) {
	m.addWindow("all", func() {
		for i := 0; m.next < 5000; i++ {
			o := Op{K: "out"}
			for range min(sizes[i%len(sizes)], 5000-m.next) {
				o.Rows = append(o.Rows, m.toolRow())
			}
			m.expect = append(m.expect, o.Rows...)
			m.add(o)
		}
	})
}

// sizeChanges returns 50 changes of the window's size. The last one restores the first size.
func (m *maker) sizeChanges() []Op {
	turn := [][2]int{{-20, 0}, {0, -6}, {-40, 0}, {20, 10}, {10, -4}, {-10, 6}, {0, -10}, {40, 0}, {-5, 8}, {5, 0}}
	var out []Op
	for i := range 50 {
		d := turn[i%len(turn)]
		if i == 49 {
			d = [2]int{}
		}
		out = append(out, Op{K: "resize", W: m.cols + d[0], H: m.height + d[1]})
	}
	return out
}

// addPane adds a pane of full height that shows a long diff, and scrolls it.
func (m *maker) addPane() {
	const length = 5000
	var rows []string
	for i := range length {
		rows = append(rows, m.diffRow(i))
	}
	m.add(Op{K: "pane", Rows: rows})
	top := 0
	for _, w := range []struct {
		name  string
		times int
		by    int
	}{{"line down", 300, 1}, {"line up", 100, -1}, {"page down", 50, m.height}} {
		m.addWindow(w.name, func() {
			for range w.times {
				m.add(Op{K: "scroll", N: w.by})
				top = max(0, min(top+w.by, length-m.height))
			}
		})
	}
	m.expect = rows[top : top+m.height]
}
