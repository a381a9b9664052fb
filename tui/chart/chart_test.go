package chart_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// wave returns n values that rise and fall.
func wave(n int, size float64) (all []float64) {
	for i := range n {
		all = append(all, size*(1+math.Sin(float64(i)/6))/2)
	}
	return all
}

// strange are values that a chart meets sooner or later.
func strange() []float64 {
	return []float64{1, math.NaN(), -3, math.Inf(1), 4, math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64}
}

// charts returns one of each kind, drawn of values, by name.
func charts(values []float64, choose bool) map[string]tui.Component {
	var chosen func(int)
	if choose {
		chosen = func(int) {}
	}
	half := values[:len(values)/2]
	few := values[:min(len(values), 8)]
	bars := func() (all []chart.Bar) {
		for i, v := range values[:min(len(values), 5)] {
			all = append(all, chart.Bar{Label: "bar " + string(rune('a'+i)), Values: []float64{v, v / 2}})
		}
		return all
	}
	single := bars()
	for i := range single {
		single[i].Values = single[i].Values[:1]
	}
	heat := &chart.HeatMap{Title: "Load", Values: [][]float64{few, few[:len(few)/2], few},
		Rows: []string{"mon", "tue", "wed"}, Columns: []string{"a", "b", "c"}}
	if choose {
		heat.OnChoose = func(int, int) {}
	}
	last := math.NaN()
	if len(values) > 0 {
		last = values[len(values)-1]
	}
	names := []string{"in", "out"}
	return map[string]tui.Component{
		"sparkline": &chart.Sparkline{Title: "requests", Series: chart.NewSeries("", values...), Height: 2},
		"lines": &chart.Lines{Title: "Traffic", Series: []*chart.Series{chart.NewSeries("in", values...),
			chart.NewSeries("out", half...)}, X: func(i int) string { return fmt.Sprint("t", i) }, OnChoose: chosen},
		"bars":            &chart.Bars{Title: "Rivers", Bars: single, OnChoose: chosen},
		"grouped":         &chart.Bars{Title: "Rivers", Bars: bars(), Names: names, OnChoose: chosen},
		"stacked":         &chart.Bars{Title: "Rivers", Bars: bars(), Names: names, Stacked: true, OnChoose: chosen},
		"upright":         &chart.Bars{Title: "Rivers", Bars: single, Upright: true, OnChoose: chosen},
		"grouped upright": &chart.Bars{Title: "Rivers", Bars: bars(), Names: names, Upright: true, OnChoose: chosen},
		"stacked upright": &chart.Bars{Title: "Rivers", Bars: bars(), Names: names, Upright: true, Stacked: true,
			OnChoose: chosen},
		"histogram": &chart.Histogram{Title: "Latency", Series: chart.NewSeries("", values...), OnChoose: chosen},
		"heatmap":   heat,
		"gauge":     &chart.Gauge{Title: "memory", Value: last, Warning: 50, Alarm: 90},
	}
}

// setRange gives charts a range that the values need not keep to.
func setRange(all map[string]tui.Component, lo, hi float64) {
	for _, c := range all {
		switch c := c.(type) {
		case *chart.Sparkline:
			c.Min, c.Max = lo, hi
		case *chart.Lines:
			c.Min, c.Max, c.Window = lo, hi, 20
		case *chart.Bars:
			c.Min, c.Max = lo, hi
		case *chart.Histogram:
			c.Min, c.Max = lo, hi
		case *chart.HeatMap:
			c.Min, c.Max = lo, hi
		case *chart.Gauge:
			c.Min, c.Max = lo, hi
		}
	}
}

// looks are the terminals that a chart is drawn for.
func looks() map[string]*tui.Theme {
	return map[string]*tui.Theme{
		"colours":    tui.NewTheme(tui.Caps{Unicode: true, Color: 1 << 24, Dark: true}),
		"16 colours": tui.NewTheme(tui.Caps{Unicode: true, Color: 16}),
		"no colours": tui.NewTheme(tui.Caps{Unicode: true}),
		"ASCII":      tui.NewTheme(tui.Caps{}),
	}
}

// texts returns the rows of a view as text.
func texts(v tui.View) (rows []string) {
	for _, l := range v.Lines {
		row := ""
		for _, sp := range l.Spans {
			row += sp.Text
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return rows
}

func TestEachChartInEachSize(t *testing.T) {
	sizes := [][2]int{{72, 14}, {40, 8}, {20, 5}, {12, 3}, {7, 2}, {1, 1}, {0, 0}, {40, 0}}
	for name, c := range charts(wave(60, 90), true) {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, look := range []string{"colours", "no colours", "ASCII"} {
				for _, size := range sizes {
					fmt.Fprintf(&out, "== %s, %d columns, %d rows\n", look, size[0], size[1])
					v := c.View(tui.Space{Width: size[0], Height: size[1], Theme: looks()[look], Focused: true})
					for _, row := range texts(v) {
						fmt.Fprintln(&out, row)
					}
				}
			}
			file := filepath.Join("testdata", strings.ReplaceAll(name, " ", "-")+".txt")
			tuitest.Golden(t, file, []byte(out.String()))
		})
	}
}

// checkPlace fails if a view is larger than its space, or if a row would be changed by being cut.
func checkPlace(t *testing.T, what string, s tui.Space, v tui.View) {
	t.Helper()
	if s.Height > 0 && len(v.Lines) > s.Height {
		t.Errorf("%s: %d rows in %dx%d", what, len(v.Lines), s.Width, s.Height)
	}
	for _, row := range texts(v) {
		if n := s.Columns(row); n > s.Width {
			t.Errorf("%s: %d columns in %dx%d: %q", what, n, s.Width, s.Height, row)
		}
	}
}

func TestNoChartIsLargerThanItsPlace(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 56))
	some := func() float64 {
		if all := strange(); r.IntN(4) == 0 {
			return all[r.IntN(len(all))]
		}
		return (r.Float64() - 0.3) * math.Pow(10, float64(r.IntN(12)-3))
	}
	models := []width.Model{{}, {Method: width.Grapheme}, {Ambiguous: true}}
	for range 100 {
		values := make([]float64, r.IntN(80))
		for i := range values {
			values[i] = some()
		}
		for look, th := range looks() {
			s := tui.Space{Width: r.IntN(60), Height: r.IntN(14), Theme: th, Model: models[r.IntN(len(models))]}
			all := charts(values, r.IntN(2) == 0)
			if r.IntN(3) == 0 {
				setRange(all, some(), some())
			}
			for name, c := range all {
				what := fmt.Sprintf("seed %d, %s, %s", seed, name, look)
				checkPlace(t, what, s, c.View(s))
				h, ok := c.(tui.EventHandler)
				if !ok {
					continue
				}
				for range 3 {
					codes := []rune{terminal.KeyLeft, terminal.KeyRight, terminal.KeyUp, terminal.KeyDown,
						terminal.KeyEnd, terminal.KeyEnter}
					h.HandleEvent(tui.Key{Code: codes[r.IntN(len(codes))]}, s)
					h.HandleEvent(tui.Mouse{Press: true, Col: r.IntN(60), Row: r.IntN(14)}, s)
					checkPlace(t, what, s, c.View(s))
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

func TestAPlaceOfNoSizeIsLeftAlone(t *testing.T) {
	for name, c := range charts(nil, true) {
		for _, s := range []tui.Space{{}, {Height: 3}, {Width: -1, Height: -1}} {
			if v := c.View(s); len(v.Lines) > 0 {
				t.Errorf("%s: %q in %dx%d", name, texts(v), s.Width, s.Height)
			}
		}
		if v := c.View(tui.Space{Width: 30}); len(v.Lines) == 0 {
			t.Errorf("%s says nothing about having no values", name)
		}
	}
}

func TestTextOfOthersInAChartIsHarmless(t *testing.T) {
	const bad = "\x1b[2Jred\x9b31m\n\u202e"
	bars := []chart.Bar{{Label: bad, Values: []float64{1}}}
	format := func(float64) string { return bad }
	for name, c := range map[string]tui.Component{
		"lines": &chart.Lines{Title: bad, Series: []*chart.Series{chart.NewSeries(bad, 1, 2)},
			X: func(int) string { return bad }, Y: format},
		"bars":    &chart.Bars{Title: bad, Bars: bars, Names: []string{bad}, Format: format},
		"upright": &chart.Bars{Title: bad, Bars: bars, Names: []string{bad}, Upright: true},
		"heatmap": &chart.HeatMap{Title: bad, Values: [][]float64{{1}}, Rows: []string{bad}, Columns: []string{bad}},
		"gauge":   &chart.Gauge{Title: bad, Format: format},
		"spark":   &chart.Sparkline{Title: bad, Series: chart.NewSeries(bad, 1), Format: format},
	} {
		for _, s := range []tui.Space{{Width: 60, Height: 9}, {Width: 60}} {
			for _, row := range texts(c.View(s)) {
				if strings.ContainsAny(row, "\x1b\n\u009b\u202e") || !utf8.ValidString(row) {
					t.Errorf("%s: %q", name, row)
				}
			}
		}
	}
}

func TestASeriesHoldsTheNewestValues(t *testing.T) {
	s := &chart.Series{Max: 3}
	want := func(values ...float64) {
		t.Helper()
		var got []float64
		for i := range s.Len() {
			got = append(got, s.Value(i))
		}
		if fmt.Sprint(got) != fmt.Sprint(values) {
			t.Errorf("it holds %v, want %v", got, values)
		}
	}
	s.Add(1, 2)
	want(1, 2)
	s.Add(3, 4, 5)
	want(3, 4, 5)
	s.Max = 5
	s.Add(6)
	want(3, 4, 5, 6)
	s.Add(7, 8)
	want(4, 5, 6, 7, 8)
	s.Max = 2
	s.Add(9)
	want(8, 9)
	if s.Last() != 9 || !math.IsNaN(s.Value(2)) || !math.IsNaN(s.Value(-1)) {
		t.Error("the last one is not 9, or there is more")
	}
	s.Clear()
	s.Add(1)
	want(1)
	for range 5000 {
		(&chart.Series{}).Add(1)
	}
	var many chart.Series
	for i := range 5000 {
		many.Add(float64(i))
	}
	if many.Len() != 1024 || many.Value(0) != 5000-1024 {
		t.Errorf("%d values from %v on", many.Len(), many.Value(0))
	}
}

// Neither a value nor a frame costs more after a million values than after a thousand.
func TestAStreamCostsTheSameHoweverLongItIs(t *testing.T) {
	s := &chart.Series{Max: 200}
	c := &chart.Lines{Series: []*chart.Series{s}, Window: 200}
	n := 0
	frame := func() {
		n++
		s.Add(float64(n % 7))
		c.View(tui.Space{Width: 60, Height: 10})
	}
	for range 1000 {
		n++
		s.Add(float64(n % 7))
	}
	few := testing.AllocsPerRun(20, frame)
	for range 1_000_000 {
		n++
		s.Add(float64(n % 7))
	}
	if many := testing.AllocsPerRun(20, frame); many > few {
		t.Errorf("%v allocations a frame, %v at the beginning", many, few)
	}
	if n := testing.AllocsPerRun(1000, func() { s.Add(1, 2) }); n != 0 {
		t.Errorf("%v allocations for a value", n)
	}
}

func TestTheBarUnderTheMouseIsFound(t *testing.T) {
	for _, upright := range []bool{false, true} {
		var got []int
		c := &chart.Bars{Title: "Rivers", Upright: upright, Mouse: true, OnChoose: func(i int) { got = append(got, i) },
			Bars: []chart.Bar{{Label: "Rhine", Values: []float64{3}}, {Label: "Po", Values: []float64{1}},
				{Label: "Elbe", Values: []float64{2}}}}
		s := tui.Space{Width: 40, Height: 8}
		if v := c.View(s); !v.Mouse {
			t.Error("it does not ask for the mouse")
		}
		seen := map[int]bool{}
		for row := range s.Height {
			for col := range s.Width {
				got = nil
				i, ok := c.At(col, row)
				took := c.HandleEvent(tui.Mouse{Press: true, Col: col, Row: row}, s)
				if took != ok || ok && (len(got) != 1 || got[0] != i || c.Chosen != i) {
					t.Fatalf("at %d,%d stands %d %t, chosen are %v", col, row, i, ok, got)
				}
				if ok {
					seen[i] = true
				}
			}
		}
		if len(seen) != 3 {
			t.Errorf("found were %v", seen)
		}
		if _, ok := c.At(3, 0); ok {
			t.Error("the title is a bar")
		}
	}
}

func TestThePointUnderTheMouseIsFound(t *testing.T) {
	at := -1
	c := &chart.Lines{Series: []*chart.Series{chart.NewSeries("a", wave(9, 5)...)}, Mouse: true,
		OnChoose: func(i int) { at = i }}
	s := tui.Space{Width: 40, Height: 8}
	c.View(s)
	last := -1
	for col := range s.Width {
		i, ok := c.At(col, 3)
		if !ok {
			continue
		}
		if i < last || i > last+1 {
			t.Errorf("column %d: %d comes after %d", col, i, last)
		}
		if c.HandleEvent(tui.Mouse{Press: true, Col: col, Row: 3}, s); at != i {
			t.Errorf("chosen %d, want %d", at, i)
		}
		last = i
	}
	if last != 8 {
		t.Errorf("the last point is %d", last)
	}
	c.HandleEvent(tui.Key{Code: terminal.KeyHome}, s)
	c.HandleEvent(tui.Key{Code: terminal.KeyRight}, s)
	if c.HandleEvent(tui.Key{Code: terminal.KeyEnter}, s); at != 1 {
		t.Errorf("chosen by keys: %d", at)
	}
}

func TestAHeatMapIsChosenFrom(t *testing.T) {
	got := ""
	c := &chart.HeatMap{Values: [][]float64{{1, 2, 3}, {4, 5, 6}}, Rows: []string{"a", "b"}, Mouse: true,
		OnChoose: func(row, column int) { got = fmt.Sprint(row, column) }}
	s := tui.Space{Width: 40, Height: 8}
	c.View(s)
	for _, code := range []rune{terminal.KeyDown, terminal.KeyRight, terminal.KeyEnter} {
		c.HandleEvent(tui.Key{Code: code}, s)
	}
	if got != "1 1" {
		t.Errorf("chosen by keys: %s", got)
	}
	for row := range s.Height {
		for col := range s.Width {
			y, x, ok := c.At(col, row)
			if got = ""; c.HandleEvent(tui.Mouse{Press: true, Col: col, Row: row}, s) != ok || ok &&
				got != fmt.Sprint(y, x) {
				t.Fatalf("%d,%d: %d %d %t, chosen %q", col, row, y, x, ok, got)
			}
		}
	}
}

// A chart that chooses nothing is passed by the keys that move the focus.
func TestAChartTakesTheFocusOnlyToChoose(t *testing.T) {
	for _, choose := range []bool{false, true} {
		for name, c := range charts(wave(5, 1), choose) {
			if f, ok := c.(tui.Focuser); ok && f.Focusable() != choose {
				t.Errorf("%s, with OnChoose %t: focusable %t", name, choose, f.Focusable())
			}
		}
	}
}

func TestTheSheetColoursASeries(t *testing.T) {
	sheet, err := tui.ParseSheet(map[string]string{"chart1": "red", "chart2": "green", "hot": "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	th := sheet.On(tui.NewTheme(tui.Caps{Unicode: true, Color: 16}))
	second := chart.NewSeries("b", 5, 5)
	c := &chart.Lines{Series: []*chart.Series{chart.NewSeries("a", 1, 1), second}}
	colours := func() string {
		found := map[string]bool{}
		for _, l := range c.View(tui.Space{Width: 30, Height: 6, Theme: th}).Lines {
			for _, sp := range l.Spans {
				for name := range th.Styles {
					if sp.Style == th.Style(name) {
						found[name] = true
					}
				}
			}
		}
		return fmt.Sprint(found)
	}
	if got := colours(); got != "map[chart1:true chart2:true]" {
		t.Errorf("found %s", got)
	}
	second.Style = "hot"
	if got := colours(); got != "map[chart1:true hot:true]" {
		t.Errorf("found %s", got)
	}
}

// What stays of a chart in the scrollback is its numbers, each row once.
func TestAChartInATranscriptIsItsNumbers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		all := charts(wave(5, 9), false)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			app.Transcript().Append(all[name]).Done()
		}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 6})
		rows := strings.Split(s.Scrollback()+"\n"+s.Visible(), "\n")
		for row, want := range map[string]int{"in: 4.5, 5.24653, 5.97238, 6.65741, 7.28266": 1, "memory: 7%": 1,
			"bar a: in 4.5, out 2.25": 4, "bar a: 4.5": 2, "4.5 to 5.2: 1": 1, "a, b, c": 1} {
			n := 0
			for _, r := range rows {
				n += strings.Count("\n"+r+"\n", "\n"+row+"\n")
			}
			if n != want {
				t.Errorf("%q stands there %d times, want %d:\n%s", row, n, want, strings.Join(rows, "\n"))
			}
		}
		if s.Scrollback() == "" {
			t.Error("nothing is in the scrollback")
		}
	})
}

func TestACountIsAWholeNumber(t *testing.T) {
	h := &chart.Histogram{Series: chart.NewSeries("", 1, 2, 2), Bins: 2}
	if rows := strings.Join(texts(h.View(tui.Space{Width: 30, Height: 16})), "\n"); strings.Contains(rows, ".5┤") {
		t.Errorf("half of a value is counted:\n%s", rows)
	}
}

func TestHistogramCountsEachValueOnce(t *testing.T) {
	h := &chart.Histogram{Series: chart.NewSeries("", 0, 1, 1, 2, 3, 4, math.NaN(), math.Inf(1)), Bins: 4}
	ends, counts := h.Counts()
	if fmt.Sprint(ends, counts) != "[0 1 2 3 4] [1 2 1 2]" {
		t.Errorf("%v %v", ends, counts)
	}
	h.Min, h.Max = 1, 3
	if _, counts = h.Counts(); fmt.Sprint(counts) != "[2 0 1 1]" {
		t.Errorf("in a range: %v", counts)
	}
}
