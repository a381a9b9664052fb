package tuitest_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/layout"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

var (
	layerPrograms = flag.Int("layers", 200, "random programs of widgets in layers")
	layerSeed     = flag.Uint64("layerseed", 0, "run only the program of this seed")
)

// watched passes everything on to a component, and notes what it shows and gets.
type watched struct {
	tui.Component
	name  string
	place tui.Place

	view   tui.View // of the last call, its rows copied
	space  tui.Space
	events []tui.Event // since the last look
	faults []string
}

func (w *watched) View(s tui.Space) tui.View {
	v := w.Component.View(s)
	w.space, w.view = s, v
	w.view.Lines = nil
	for i, l := range v.Lines {
		cols := 0
		for _, span := range l.Spans {
			cols += s.Model.String(span.Text)
		}
		if cols > s.Width {
			w.faults = append(w.faults, fmt.Sprintf("row %d of %s has %d columns of %d", i, w.name, cols, s.Width))
		}
		w.view.Lines = append(w.view.Lines, tui.Line{Spans: slices.Clone(l.Spans)})
	}
	if v.Cursor != nil {
		at := *v.Cursor
		w.view.Cursor = &at
	}
	return v
}

func (w *watched) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev.(type) {
	case tui.Key, tui.Mouse, tui.Paste:
		w.events = append(w.events, ev)
	}
	h, ok := w.Component.(tui.EventHandler)
	return ok && h.HandleEvent(ev, s)
}

// rows returns the part of the view that fits into height rows: the last rows that include its
// caret, or the first ones of a full screen.
func (w *watched) rows(height int) []tui.Line {
	n := len(w.view.Lines) - height
	if n <= 0 {
		return w.view.Lines
	}
	if c := w.view.Cursor; w.place.Full {
		n = 0
	} else if c != nil {
		n = min(n, max(c.Row, 0))
	}
	return w.view.Lines[n : n+height]
}

// words are what widgets show: wide, joined, combined, from right to left, and hostile.
var words = []string{"plain", "日本語", "👩‍👩‍👧", "e\u0301té", "עברית", "العربية", "a\x1b[2Jb", "🏳️‍🌈", "x",
	"long enough to be cut somewhere", "\u202eflip", "क्षि", "ab\tc"}

// randomWidget returns some widget.
func randomWidget(rng *rand.Rand, depth int) tui.Component {
	word := func() string { return words[rng.IntN(len(words))] + " " + words[rng.IntN(len(words))] }
	var some []string
	for range 1 + rng.IntN(12) {
		some = append(some, word())
	}
	child := func() tui.Component {
		if depth == 0 {
			return tui.NewText(word())
		}
		return randomWidget(rng, depth-1)
	}
	mouse := rng.IntN(2) == 0
	switch rng.IntN(17) {
	case 0:
		l := &widget.List{Title: word(), Mouse: mouse}
		for _, t := range some {
			l.Items = append(l.Items, widget.Item{Text: t, Note: word()})
		}
		return l
	case 1:
		t := &widget.Table{Columns: []widget.Column{{Title: word()}, {Title: "n", Right: true}}, Mouse: mouse}
		for i, s := range some {
			t.Rows = append(t.Rows, []string{s, fmt.Sprint(i)})
		}
		return t
	case 2:
		return &widget.Viewport{Title: word(), Text: strings.Join(some, "\n"), Mouse: mouse}
	case 3:
		return &widget.Confirm{Title: word(), Mouse: mouse}
	case 4:
		return &widget.Input{Title: word()}
	case 5:
		return &widget.Tree{Title: word(), Mouse: mouse, Children: func(id string) []widget.Node {
			if len(id) > 2 {
				return nil
			}
			return []widget.Node{{Text: some[0], ID: id + "a", Branch: true}, {Text: "leaf", ID: id + "b"}}
		}}
	case 6:
		two := widget.Tab{Title: "two", Body: child()}
		return &widget.Tabs{Mouse: mouse, Tabs: []widget.Tab{{Title: word(), Body: child()}, two}}
	case 7:
		return &layout.Box{Title: word(), Of: child(), Fill: rng.IntN(2) == 0}
	case 8:
		return layout.NewColumns(child(), child())
	case 9:
		return &layout.Align{Of: child(), Horizontal: layout.Side(rng.IntN(3)), Vertical: layout.Side(rng.IntN(3))}
	case 10:
		return &layout.Layers{Of: child(), Over: []layout.Layer{{Of: child(), Place: randomPlace(rng)}}}
	case 11:
		return &tui.Editor{}
	case 12:
		return &tui.Status{Text: word(), Still: true}
	case 13:
		return tui.NewStack(child(), child())
	case 14:
		b := &chart.Bars{Title: word(), Mouse: mouse}
		for i, s := range some {
			b.Bars = append(b.Bars, chart.Bar{Label: s, Values: []float64{float64(i * i)}})
		}
		return b
	case 15:
		return &chart.Lines{Title: word(), Series: []*chart.Series{chart.NewSeries(some[0], 1, 5, 2, 8, 3)}}
	}
	return tui.NewText(strings.Join(some, " "))
}

// randomPlace returns the place of a layer.
func randomPlace(rng *rand.Rand) tui.Place {
	coin := func() bool { return rng.IntN(3) == 0 }
	p := tui.Place{Top: coin(), Bottom: coin(), Left: coin(), Right: coin(), Center: coin(), Shade: coin(),
		Modal: coin()}
	if coin() {
		p.Width = 1 + rng.IntN(40)
	}
	if coin() {
		p.Height = 1 + rng.IntN(10)
	}
	if coin() {
		p.Margin = tui.Pos{Col: rng.IntN(4), Row: rng.IntN(3)}
	}
	return p
}

// saidLine is a final row.
var saidLine = regexp.MustCompile(`line \d+`)

// layered is one random program, and what it should show.
type layered struct {
	t      *testing.T
	rng    *rand.Rand
	app    *tui.App
	s      *tuitest.Screen
	footer *watched
	open   []*watched // the uppermost last
	remove map[*watched]func()
	other  []tui.Event // that came to App.OnEvent
	said   []string    // final rows
	shown  int         // how many of them came while no layer covered the window
	cols   int
	rows   int
	// A change of size came while layers were live, and may have pushed them into history; or after
	// a full screen, whose way back leaves a saved cursor below: ghostty pushes what is above it.
	pushed, wasFull bool
	log             []string
}

// A random program of widgets in layers, inline and on the alternate screen, shows what a reference
// composition of its views shows, whatever the size; no row is wider than its place, no event comes
// to what is covered, and at the end only the final rows are on the tape.
func TestRandomProgramsInLayersShowWhatAReferenceShows(t *testing.T) {
	seeds := make([]uint64, *layerPrograms)
	for i := range seeds {
		seeds[i] = uint64(i + 1)
	}
	if *layerSeed != 0 {
		seeds = []uint64{*layerSeed}
	}
	failed := 0
	for _, seed := range seeds {
		ok := t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { playLayers(t, seed) })
		})
		if !ok {
			if failed++; failed == 5 {
				t.Fatal("five programs have failed")
			}
		}
	}
}

// playLayers runs the program of seed.
func playLayers(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 56))
	p := &layered{t: t, rng: rng, app: &tui.App{}, remove: map[*watched]func(){}, cols: 12 + rng.IntN(60),
		rows: 4 + rng.IntN(20)}
	p.footer = &watched{Component: &tui.Editor{}, name: "footer"}
	p.app.Footer = p.footer
	p.app.OnEvent = func(ev tui.Event) bool {
		switch ev.(type) {
		case tui.Key, tui.Mouse, tui.Paste:
			p.other = append(p.other, ev)
		}
		return false
	}
	p.s = tuitest.Start(t, p.app, tuitest.Config{Cols: p.cols, Rows: p.rows, Before: strings.Repeat("\n", 30)})
	if rng.IntN(3) > 0 {
		p.add(tui.Place{Full: true})
	}
	for range 8 {
		p.step()
		if p.check(); t.Failed() {
			t.Logf("seed %d: %s", seed, strings.Join(p.log, "; "))
			return
		}
	}
	p.app.Quit(nil)
	if err := p.s.Wait(); err != nil {
		t.Error(err)
	}
	tape := p.s.Lines()
	if p.pushed {
		tape = lastOfEach(saidLine.FindAllString(strings.Join(tape, "\n"), -1))
	}
	got, wanted := strings.Trim(strings.Join(tape, "\n"), "\n"), strings.Join(p.said, "\n")
	if got != wanted {
		t.Errorf("seed %d: %s: the tape holds\n%s\nwant\n%s", seed, strings.Join(p.log, "; "), got, wanted)
	}
}

// lastOfEach returns lines without those that come again. A live copy that a change of size has
// pushed into history stands above the final row.
func lastOfEach(lines []string) (last []string) {
	for i, l := range lines {
		if !slices.Contains(lines[i+1:], l) {
			last = append(last, l)
		}
	}
	return last
}

// add opens a random widget.
func (p *layered) add(place tui.Place) {
	w := &watched{Component: randomWidget(p.rng, 2), place: place}
	w.name = fmt.Sprintf("layer %d, a %T", len(p.open), w.Component)
	p.log = append(p.log, fmt.Sprintf("%s at %+v", w.name, place))
	p.open, p.wasFull = append(p.open, w), p.wasFull || place.Full
	p.app.Do(func() { p.remove[w] = p.app.Overlay(w, place) })
	p.s.Settle()
}

// step does something at random.
func (p *layered) step() {
	switch k := p.rng.IntN(10); {
	case k < 4 && len(p.open) < 5:
		place := randomPlace(p.rng)
		switch p.rng.IntN(8) {
		case 0:
			place = tui.Place{Replace: true}
		case 1:
			place = tui.Place{Full: true}
		}
		p.add(place)
	case k < 5 && len(p.open) > 0:
		i := p.rng.IntN(len(p.open))
		p.log = append(p.log, "close "+p.open[i].name)
		p.app.Do(p.remove[p.open[i]])
		p.open = slices.Delete(p.open, i, i+1)
		p.s.Settle()
	case k < 6:
		p.pushed = p.pushed || p.wasFull || len(p.open) > 0 && !p.open[0].place.Full
		p.cols, p.rows = 12+p.rng.IntN(60), 4+p.rng.IntN(20)
		p.log = append(p.log, fmt.Sprintf("resize %dx%d", p.cols, p.rows))
		p.s.Resize(p.cols, p.rows)
		p.s.Pass(2 * time.Second)
	case k < 8:
		p.press([]string{"a", "down", "tab", "pgdown", "right", "end"}[p.rng.IntN(6)])
	default:
		text := fmt.Sprint("line ", len(p.said))
		p.log = append(p.log, text)
		p.said = append(p.said, text)
		fmt.Fprintln(p.app.Transcript(), text)
		p.s.Pass(time.Second) // the caret is drawn as a cell while text streams
	}
}

// visible returns what is shown: the index of the one with the screen or the footer's place, -1 if
// there is none, and whether it has the screen.
func (p *layered) visible() (base int, full bool) {
	full = slices.ContainsFunc(p.open, func(w *watched) bool { return w.place.Full })
	for i := len(p.open) - 1; i >= 0; i-- {
		if pl := p.open[i].place; pl.Full || pl.Replace && !full {
			return i, full
		}
	}
	return -1, full
}

// press presses a key: only the uppermost one gets it, and the footer only what that leaves.
func (p *layered) press(key string) {
	p.log = append(p.log, "press "+key)
	for _, w := range append(p.open, p.footer) {
		w.events = nil
	}
	p.other = nil
	p.s.Press(key)
	for i, w := range p.open {
		if top := i == len(p.open)-1; top != (len(w.events) == 1) {
			p.t.Errorf("%q: %s of %d got %d events", key, w.name, len(p.open), len(w.events))
		}
	}
	if n := len(p.open); n > 0 && p.open[n-1].place.Modal && len(p.footer.events)+len(p.other) > 0 {
		p.t.Errorf("%q came through a modal layer", key)
	}
}

// cell is one column of a reference.
type cell struct {
	text  string
	style ansi.Style
}

// paint puts the rows of w at a place of grid, as a terminal shows them: w has cols columns there.
func paint(grid [][]cell, w *watched, lines []tui.Line, col, row, cols int) {
	for i, l := range lines {
		y := row + i
		if y < 0 || y >= len(grid) {
			continue
		}
		line := grid[y]
		cut := col < len(line) && line[col].text == "" // a wide cluster, at the left edge
		for x := col - 1; cut && x >= 0; x-- {
			cut = line[x].text == ""
			line[x] = cell{text: " "}
		}
		for x := col + cols; x < len(line) && line[x].text == ""; x++ { // and at the right one
			line[x] = cell{text: " "}
		}
		for x := col; x < min(col+cols, len(line)); x++ {
			line[x] = cell{text: " "}
		}
		x := col
		for _, span := range l.Spans {
			for text := span.Text; text != ""; {
				c, next, n := w.space.Model.Next(text)
				if text = next; n == 0 || x+n > min(col+cols, len(line)) {
					continue
				}
				line[x] = cell{c, span.Style}
				for k := 1; k < n; k++ {
					line[x+k] = cell{"", span.Style}
				}
				x += n
			}
		}
	}
}

// blankGrid returns rows of blanks.
func blankGrid(cols, rows int) [][]cell {
	grid := make([][]cell, rows)
	for y := range grid {
		grid[y] = slices.Repeat([]cell{{text: " "}}, cols)
	}
	return grid
}

// check compares the emulator's screen with the reference, and looks for faults.
func (p *layered) check() {
	for _, w := range append(p.open, p.footer) {
		for _, f := range w.faults {
			p.t.Error(f)
		}
	}
	base, full := p.visible()
	var alt bool
	p.s.Inspect(func(v *vt.Terminal) { alt = v.AltScreen() })
	if alt != full {
		p.t.Errorf("on the alternate screen: %v, want %v", alt, full)
		return
	}
	layers := p.open[base+1:]
	if len(layers) == 0 && !full {
		p.shown = len(p.said)
	}
	if full {
		grid := blankGrid(p.cols, p.rows)
		w := p.open[base]
		paint(grid, w, w.rows(p.rows), 0, 0, p.cols)
		p.over(grid, layers)
		p.compare(grid)
		return
	}
	p.checkInline(base, layers)
}

// over draws layers over grid, the window.
func (p *layered) over(grid [][]cell, layers []*watched) {
	for _, w := range layers {
		if w.place.Shade {
			for y := range grid {
				for x := range grid[y] {
					if c := &grid[y][x]; *c != (cell{text: " "}) {
						c.style.Attr = c.style.Attr&^ansi.Bold | ansi.Faint
					}
				}
			}
		}
		col, row, cols, lines := p.placeOf(w)
		paint(grid, w, lines, col, row, cols)
	}
}

// placeOf returns where a layer stands in the window, by the rules of its place.
func (p *layered) placeOf(w *watched) (col, row, cols int, lines []tui.Line) {
	pl := w.place
	lines, cols = w.rows(w.space.Height), w.space.Width
	if pl.Width == 0 && (pl.Center || pl.Left || pl.Right) {
		widest := 1
		if w.view.Cursor != nil {
			widest = w.view.Cursor.Col + 1
		}
		for _, l := range lines {
			n := 0
			for _, s := range l.Spans {
				n += w.space.Model.String(s.Text)
			}
			widest = max(widest, n)
		}
		cols = min(cols, widest)
	}
	col, row = pl.Margin.Col, p.rows-pl.Margin.Row-len(lines)
	switch {
	case pl.Left:
	case pl.Right:
		col = p.cols - pl.Margin.Col - cols
	case pl.Center:
		col = (p.cols - cols) / 2
	}
	switch {
	case pl.Top:
		row = pl.Margin.Row
	case pl.Bottom:
	case pl.Center:
		row = (p.rows - len(lines)) / 2
	}
	return max(min(col, p.cols-cols), 0), max(min(row, p.rows-len(lines)), 0), cols, lines
}

// checkInline compares the last rows of the window with those of the live region.
func (p *layered) checkInline(base int, layers []*watched) {
	below := p.footer
	if base >= 0 {
		below = p.open[base]
	}
	grid := blankGrid(p.cols, p.rows)
	limit := min(12, max(p.rows/2, 1)) // of live rows
	if base >= 0 {
		limit = min(max(12, p.rows/2), p.rows)
	}
	lines := below.rows(limit)
	height := len(lines)
	waiting := p.said[p.shown:]
	waiting = waiting[max(len(waiting)-min(max(limit-height, 1), p.rows-height), 0):]
	for i := range waiting {
		row := []tui.Line{{Spans: []tui.Span{{Text: waiting[len(waiting)-1-i]}}}}
		paint(grid, below, row, 0, p.rows-height-1-i, p.cols)
	}
	paint(grid, below, lines, 0, p.rows-height, p.cols)
	height += len(waiting)
	for _, w := range layers {
		_, row, _, _ := p.placeOf(w)
		height = max(height, p.rows-row)
	}
	p.over(grid, layers)
	p.compare(grid[max(p.rows-height, 0):])
}

// compare looks for want among the rows of the screen: the live region may end above the last one,
// with blank rows below.
func (p *layered) compare(want [][]cell) {
	p.s.Inspect(func(v *vt.Terminal) {
		_, rows := v.Size()
		fault := ""
		for end := rows; end >= len(want); end-- {
			f := difference(v, want, end-len(want))
			if f == "" {
				return
			}
			fault = f
			if strings.TrimSpace(v.Row(end-1).Text()) != "" {
				break
			}
		}
		p.t.Errorf("%s\n%s", fault, v.String())
	})
}

// difference returns the first cell in which the rows of v from row top on are not those of want,
// "" if there is none.
func difference(v *vt.Terminal, want [][]cell, top int) string {
	for y := range want {
		row := v.Row(top + y)
		for x := range want[y] {
			c, w := row.Cell(x), want[y][x]
			if c.Text == "" && c.Width == 1 {
				c.Text = " "
			}
			style := ansi.Style{Fg: c.Style.Fg, Bg: c.Style.Bg, Attr: c.Style.Attr &^ ansi.Underline}
			w.style.Attr &^= ansi.Underline
			if c.Text != w.text || style != w.style && w.text != "" {
				return fmt.Sprintf("row %d, column %d: %q in %+v, want %q in %+v", y, x, c.Text, style, w.text, w.style)
			}
		}
	}
	return ""
}
