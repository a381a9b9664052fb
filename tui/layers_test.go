package tui

import (
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// changing is rows of which one changes with each View.
type changing struct {
	rows [2][]Line
	n    int
}

func newChanging(cols, rows int) *changing {
	c := &changing{}
	for k := range c.rows {
		for i := range rows {
			text := fmt.Sprintf("%-*d", cols, i+k*(i%7/6))
			c.rows[k] = append(c.rows[k], Line{Spans: []Span{{Text: text[:cols]}}})
		}
	}
	return c
}

func (c *changing) View(Space) View {
	c.n++
	return View{Lines: c.rows[c.n%2]}
}

// layeredFrame returns what paints the next frame of 200x60 cells, with so many layers over a pane
// or over the alternate screen. A row in seven of what is below changes with each frame.
func layeredFrame(full bool, layers int) func() {
	const cols, rows = 200, 60
	app := &App{PaneRows: rows}
	l := benchLoop(app, cols, rows)
	app.Overlay(newChanging(cols, rows), Place{Full: full, Replace: true})
	if full {
		l.pictures = newPictures(l.queue, ImageBudget{Seed: 1}, time.Unix(0, 0), func() {})
		l.chrome.fullScreen = &fullScreen{screen: renderer.NewScreen(renderer.Config{Out: io.Discard, Cols: cols,
			Rows: rows})}
	}
	for i := range layers {
		app.Overlay(newChanging(40, 10), Place{Center: true, Top: i == 1, Right: i == 2, Width: 40, Shade: i == 2})
	}
	now := time.Unix(0, 0)
	return func() {
		now = now.Add(frameInterval)
		l.markAllDirty()
		l.paintFrame(now)
	}
}

func TestLayersAllocateNothingInAFrame(t *testing.T) {
	for _, full := range []bool{false, true} {
		var allocs []float64
		for _, n := range []int{0, 3} {
			frame := layeredFrame(full, n)
			for range 10 { // storage grows
				frame()
			}
			allocs = append(allocs, testing.AllocsPerRun(20, frame))
		}
		if t.Logf("full %v: %v without layers, %v with three", full, allocs[0], allocs[1]); allocs[1] > allocs[0] {
			t.Errorf("full %v: a frame with three layers allocates %v times, one without %v times", full, allocs[1],
				allocs[0])
		}
	}
}

func BenchmarkLayers(b *testing.B) {
	for _, n := range []int{0, 3} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			frame := layeredFrame(true, n)
			b.ReportAllocs()
			for b.Loop() {
				frame()
			}
		})
	}
}

// Where there is no alternate screen that leaves history alone, a layer stands over the pane that a
// full screen is there.
func TestALayerStandsOverAFullScreenThatIsAPane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("footer")}
		r := start(t, app, 20, 6, func(d *fakeDevice) { d.caps.Mux = "screen" })
		for i := range 5 {
			fmt.Fprintln(app.Transcript(), "line", i)
		}
		r.settle()
		page := &rows{lines: numbered("page %d", 1, 5)}
		app.Do(func() { app.Overlay(page, Place{Full: true}) })
		var remove func()
		app.Do(func() { remove = app.Overlay(NewText("over"), Place{Center: true, Width: 6}) })
		r.settle()
		r.want("line 0", "line 1", "line 2", "line 3", "--", "line 4", "page 1", "page 2 over", "page 3", "page 4",
			"page 5")
		app.Do(func() { remove() })
		r.settle()
		r.want("line 0", "line 1", "line 2", "line 3", "--", "line 4", "page 1", "page 2", "page 3", "page 4", "page 5")
		r.quit()
	})
}
