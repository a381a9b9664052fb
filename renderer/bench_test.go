package renderer

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"testing"
)

// counter is an Out that counts bytes.
type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

// streaming is workload W1 at the renderer's own door: 16 characters a frame are added to the last
// paragraph, each full row becomes final, and three live rows stand below, of which the first
// changes.
type streaming struct {
	r     *Renderer
	base  int
	frame int
	col   int
	live  []Line
	done  []Line
	text  string
	nums  []string
}

func newStreaming(out io.Writer) *streaming {
	s := &streaming{r: New(Config{Out: out, Cols: 100, Rows: 30, Sync: true})}
	const words = "r000123 lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt " +
		"ut labor"
	s.text = words[:96]
	s.live = make([]Line, 4)
	s.done = []Line{text(s.text)}
	for i := range s.live {
		s.live[i] = Line{Spans: make([]Span, 1)}
	}
	s.live[1].Spans = make([]Span, 2)
	s.live[2].Spans[0].Text = "> "
	s.live[3].Spans[0].Text = "  model peer-1 · 100% context left"
	s.live[1].Spans[0] = Span{Text: "⠋", Style: Style{Fg: 1<<24 | 6}}
	for i := range 1000 {
		s.nums = append(s.nums, fmt.Sprintf(" Working · %d tokens · esc to interrupt", 4*i))
	}
	return s
}

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

func (s *streaming) next() {
	s.frame++
	var commit []Line
	if s.col += 16; s.col > len(s.text) {
		s.col = 16
		commit = s.done
	}
	s.live[0].Spans[0].Text = s.text[:s.col]
	s.live[1].Spans[0].Text = spinner[s.frame/4%len(spinner)]
	s.live[1].Spans[1] = Span{Text: s.nums[s.frame%len(s.nums)], Style: Style{Attr: 2}}
	if _, err := s.r.Render(Frame{Base: s.base, Commit: commit, Live: s.live, Cursor: &cursorW1}); err != nil {
		panic(err)
	}
	s.base += len(commit)
}

var cursorW1 = Pos{2, 2}

func BenchmarkStreaming(b *testing.B) {
	for _, rows := range []int{100, 100_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			var out counter
			s := newStreaming(&out)
			for s.base < rows {
				s.next()
			}
			b.ReportAllocs()
			b.ResetTimer()
			out.n = 0
			for range b.N {
				s.next()
			}
			b.ReportMetric(float64(out.n)/float64(b.N), "bytes/frame")
		})
	}
}

// What the engine keeps of a row that is in history, in bytes: a hash, and its share of the chunk
// that has just been begun.
func TestACommittedRowTakesSixteenBytesAtMost(t *testing.T) {
	const rows = 400_000
	s := newStreaming(&counter{})
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for s.base < 1000 {
		s.next()
	}
	from := heap()
	row := slices.Repeat([]Line{text("r")}, 200)
	for s.base < rows {
		if _, err := s.r.Render(Frame{Base: s.base, Commit: row, Live: s.live, Cursor: &cursorW1}); err != nil {
			t.Fatal(err)
		}
		s.base += len(row)
	}
	if n := float64(int64(heap()-from)) / rows; n < 7 || n > 16 {
		t.Errorf("%.2f bytes a row", n)
	}
	runtime.KeepAlive(s)
}

func TestRenderAllocatesNothingInSteadyState(t *testing.T) {
	s := newStreaming(&counter{})
	for range 1000 {
		s.next()
	}
	// One chunk of hashes every 4,096 final rows is all.
	if n := testing.AllocsPerRun(2000, s.next); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
