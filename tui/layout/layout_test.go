package layout

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// field is a component with rows that takes keys and the mouse.
type field struct {
	rows   []string
	caret  *tui.Pos
	wants  bool
	keys   string
	clicks []string
	space  tui.Space
}

func (f *field) View(s tui.Space) tui.View {
	f.space = s
	v := tui.View{Cursor: f.caret, Mouse: f.wants}
	for _, r := range f.rows {
		v.Lines = append(v.Lines, tui.Line{Spans: []tui.Span{{Text: r}}})
	}
	return v
}

func (f *field) HandleEvent(ev tui.Event, s tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Key:
		f.keys += ev.String()
	case tui.Mouse:
		if ev.Press {
			f.clicks = append(f.clicks, fmt.Sprintf("%d,%d", ev.Col, ev.Row))
		}
	}
	return true
}

func text(v tui.View) []string {
	var rows []string
	for _, l := range v.Lines {
		row := ""
		for _, s := range l.Spans {
			row += s.Text
		}
		rows = append(rows, strings.TrimRight(row, " "))
	}
	return rows
}

func want(t *testing.T, v tui.View, rows ...string) {
	t.Helper()
	if got := text(v); strings.Join(got, "\n") != strings.Join(rows, "\n") {
		t.Errorf("it shows\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(rows, "\n  "))
	}
}

func TestColumnsShareTheWidthByWeightAndMinimum(t *testing.T) {
	for _, c := range []struct {
		items  string // weight/minimum
		total  int
		widths string
	}{
		{"0/0 0/0", 21, "10 10"}, {"1/0 2/0", 31, "10 20"}, {"0/8 1/0", 30, "8 21"}, {"1/0 1/25", 40, "14 25"},
		{"1/0 1/0 1/0", 12, "3 3 4"}, {"1/20 1/20", 41, "20 20"}, {"1/20 1/20", 40, ""}, {"0/5", 40, "5"},
		{"3/0 1/10 1/10", 32, "10 10 10"}, {"", 10, ""}, {"1/0", 1, "1"},
	} {
		var all []Item
		for _, f := range strings.Fields(c.items) {
			var it Item
			fmt.Sscanf(f, "%d/%d", &it.Weight, &it.Min)
			all = append(all, it)
		}
		got, _ := shareWidth(all, c.total, 1)
		if s := strings.Trim(fmt.Sprint(got), "[]"); s != c.widths {
			t.Errorf("%q of %d: %q, want %q", c.items, c.total, s, c.widths)
		}
	}
}

func TestColumnsStandBelowEachOtherWhereTheyHaveNoRoom(t *testing.T) {
	c := &Columns{Items: []Item{{Of: tui.NewText("one two"), Min: 10},
		{Of: tui.NewText("three four"), Weight: 1, Min: 10}}}
	want(t, c.View(tui.Space{Width: 22}), "one two    three four")
	want(t, c.View(tui.Space{Width: 20}), "one two", "three four")
	want(t, c.View(tui.Space{Width: 5}), "one", "two", "three", "four")
}

func TestRowsShareTheHeight(t *testing.T) {
	list := &field{rows: []string{"1", "2", "3", "4", "5", "6"}}
	r := &Rows{Items: []Item{{Of: tui.NewText("head")}, {Of: list, Weight: 1}, {Of: tui.NewText("foot"), Min: 2}}}
	want(t, r.View(tui.Space{Width: 9, Height: 6}), "head", "1", "2", "3", "foot", "")
	list.caret = &tui.Pos{Row: 4}
	v := r.View(tui.Space{Width: 9, Height: 6})
	want(t, v, "head", "3", "4", "5", "foot", "")
	if v.Cursor == nil || v.Cursor.Row != 3 {
		t.Errorf("the caret is at %v", v.Cursor)
	}
	want(t, r.View(tui.Space{Width: 9}), "head", "1", "2", "3", "4", "5", "6", "foot", "")
	want(t, r.View(tui.Space{Width: 9, Height: 9}), "head", "1", "2", "3", "4", "5", "6", "foot", "")
	want(t, r.View(tui.Space{Width: 9, Height: 2}), "head", "5")
	r.Items = []Item{{Of: tui.NewText("a"), Weight: 1}, {Of: tui.NewText("b"), Weight: 1, Min: 3}}
	r.Gap = 1
	want(t, r.View(tui.Space{Width: 9, Height: 5}), "a", "", "b", "", "")
}

func TestBoxFramesWhatHasRoom(t *testing.T) {
	b := &Box{Of: tui.NewText("hello 漢字 world"), Title: "a title that is long"}
	want(t, b.View(tui.Space{Width: 14}),
		"╭─ a title… ─╮", "│hello 漢字  │", "│world       │", "╰────────────╯")
	b.Title, b.Border = "", Square
	want(t, b.View(tui.Space{Width: 9}), "┌───────┐", "│hello  │", "│漢字   │", "│world  │", "└───────┘")
	want(t, b.View(tui.Space{Width: 3, Height: 9}), "hel", "lo", "漢", "字", "wor", "ld")
	want(t, b.View(tui.Space{Width: 40, Height: 2}), "hello 漢字 world")
	b.Fill = true
	want(t, b.View(tui.Space{Width: 20, Height: 5}),
		"┌──────────────────┐", "│hello 漢字 world  │", "│                  │",
		"│                  │", "└──────────────────┘")
	b.Border, b.Fill = None, false
	want(t, b.View(tui.Space{Width: 20}), "", " hello 漢字 world", "")
	b.Border = Rounded
	ascii := tui.NewTheme(tui.Caps{})
	want(t, b.View(tui.Space{Width: 20, Theme: ascii}),
		"+------------------+", "|hello 漢字 world  |", "+------------------+")
}

func TestFocusIsSeenWithoutColours(t *testing.T) {
	b := &Box{Of: &field{rows: []string{"x"}}, Title: "title"}
	for _, colors := range []int{0, 16} {
		th := tui.NewTheme(tui.Caps{Unicode: true, Color: colors})
		var looks [2]string
		for i, focused := range []bool{false, true} {
			v := b.View(tui.Space{Width: 20, Theme: th, Focused: focused})
			for _, l := range v.Lines {
				for _, sp := range l.Spans {
					st := sp.Style
					st.Attr &^= tui.Faint
					looks[i] += fmt.Sprint(st)
				}
			}
		}
		if looks[0] == looks[1] {
			t.Errorf("with %d colours the focus is not seen", colors)
		}
	}
}

func TestEmptyLayoutsAreEmpty(t *testing.T) {
	for _, c := range []tui.Component{&Columns{}, &Rows{}, &Pad{}, &Align{}, &Columns{Items: []Item{{}}},
		&Rows{Items: []Item{{}, {Weight: 1}}}, &Box{Border: None},
		&Box{Of: &Box{Of: &Pad{Of: &Align{}}}, Border: None}} {
		for _, s := range []tui.Space{{}, {Width: 9}, {Width: 9, Height: 4}, {Width: -1, Height: -1}} {
			for _, row := range text(c.View(s)) {
				if strings.Trim(row, " ╭╮╯╰─│") != "" {
					t.Errorf("%T shows %q", c, row)
				}
			}
			h := c.(tui.EventHandler)
			if h.HandleEvent(tui.Key{Code: '\t'}, s) || h.HandleEvent(tui.Mouse{}, s) || c.(tui.Focuser).Focusable() ||
				c.(tui.Focuser).EnterFocus(-1) || c.(tui.Focuser).MoveFocus(1) {
				t.Errorf("%T takes events", c)
			}
		}
	}
}

func TestPadAndAlignMoveTheirContent(t *testing.T) {
	p := &Pad{Of: tui.NewText("some words"), Top: 1, Left: 2, Right: 2, Bottom: 1}
	want(t, p.View(tui.Space{Width: 12}), "", "  some", "  words", "")
	want(t, p.View(tui.Space{Width: 4, Height: 1}), "some")
	f := &field{rows: []string{"ab", "c"}, caret: &tui.Pos{Col: 1, Row: 1}}
	for _, c := range []struct {
		h, v Side
		rows string
		at   tui.Pos
	}{
		{Start, Start, "ab|c", tui.Pos{Col: 1, Row: 1}},
		{Middle, Start, "  ab|  c", tui.Pos{Col: 3, Row: 1}},
		{End, End, "||    ab|    c", tui.Pos{Col: 5, Row: 3}},
		{Start, Middle, "|ab|c|", tui.Pos{Col: 1, Row: 2}},
	} {
		v := (&Align{Of: f, Horizontal: c.h, Vertical: c.v}).View(tui.Space{Width: 6, Height: 4, Focused: true})
		want(t, v, strings.Split(c.rows, "|")...)
		if v.Cursor == nil || *v.Cursor != c.at {
			t.Errorf("%+v: the caret is at %v", c, v.Cursor)
		}
	}
}

func TestTabsKeepTheirStopsWhereverTextStands(t *testing.T) {
	tabbed := func() tui.Component { return &tui.Text{Spans: []tui.Span{{Text: "a\tbc\td"}}} }
	raw := &field{rows: []string{"a\tbc\td", "\x1b[31m\t|"}}
	want(t, NewColumns(tabbed(), tabbed(), raw).View(tui.Space{Width: 63}),
		"a       bc      d    a       bc      d    a       bc      d",
		"                                          ␛[31m   |")
	want(t, (&Pad{Of: raw, Left: 3}).View(tui.Space{Width: 30}), "   a       bc      d", "   ␛[31m   |")
	want(t, NewRows(raw).View(tui.Space{Width: 12}), "a       bc", "␛[31m   |")
}

func TestJoinPutsViewsSideBySide(t *testing.T) {
	a := (&field{rows: []string{"漢字漢字", "x"}, caret: &tui.Pos{Row: 1}}).View(tui.Space{})
	b := (&field{rows: []string{"👍🏽!", "two", "three"}, wants: true}).View(tui.Space{})
	a.RefreshAfter, b.RefreshAfter, b.Hold = time.Second, time.Minute, true
	s := tui.Space{Width: 20, Model: width.Model{Method: width.Grapheme}}
	v := Join(s, Cell{a, 5}, Cell{Width: 1}, Cell{b, 4}, Cell{a, 0}, Cell{a, 40})
	want(t, v, "漢字  👍🏽! 漢字漢字", "x     two x", "      thre")
	if v.RefreshAfter != time.Second || !v.Hold || !v.Mouse || v.Cursor == nil ||
		*v.Cursor != (tui.Pos{Col: 10, Row: 1}) {
		t.Errorf("%+v", v)
	}
}

func TestFocusGoesRoundThroughNestedLayouts(t *testing.T) {
	names := []string{"a", "b", "c", "d"}
	fields := map[string]*field{}
	for _, n := range names {
		fields[n] = &field{rows: []string{n}, caret: &tui.Pos{}}
	}
	all := NewRows(
		NewColumns(&Box{Of: fields["a"]}, tui.NewText("label"), fields["b"]),
		&Pad{Of: &Align{Of: tui.NewText("nothing")}},
		&tui.Stack{Tab: true, Children: []tui.Component{fields["c"], fields["d"]}})
	s := tui.Space{Width: 60, Height: 20, Focused: true}
	press := func(name string) {
		k := tui.Key{Code: '\t'}
		if name == "shift+tab" {
			k.Mods = 1
		} else if name != "tab" {
			k.Code = rune(name[0])
		}
		if !all.HandleEvent(k, s) {
			t.Errorf("%s is not taken", name)
		}
		all.View(s)
	}
	all.View(s)
	for _, k := range strings.Fields("1 tab 2 tab 3 tab 4 tab 5 shift+tab 6 shift+tab 7 shift+tab shift+tab 8") {
		press(k)
	}
	got := ""
	for _, n := range names {
		got += fields[n].keys + " "
		if at := fields[n].space.Focused; at != (n == "a") {
			t.Errorf("%s has the focus: %v", n, at)
		}
	}
	if got != "15 28 37 46 " && got != "158 2 37 46 " {
		t.Errorf("keys went to %q", got)
	}
	alone := NewRows(tui.NewText("label"), &Box{Of: fields["a"]})
	alone.View(s)
	if alone.HandleEvent(tui.Key{Code: '\t'}, s); !strings.HasSuffix(fields["a"].keys, "tab") {
		t.Error("the only one that takes keys does not get Tab")
	}
}

func TestScreensOfALayout(t *testing.T) {
	for _, size := range [][2]int{{20, 16}, {40, 10}, {80, 24}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left := &field{rows: []string{"first", "second", "third"}, wants: true, caret: &tui.Pos{Row: 1}}
				right := &tui.Editor{Placeholder: "type here"}
				all := &Rows{Items: []Item{
					{Of: &Align{Of: tui.NewText("Layouts"), Horizontal: Middle}},
					{Of: &Columns{Items: []Item{
						{Of: &Box{Of: left, Title: "Left", Fill: true}, Weight: 1, Min: 12},
						{Of: &Box{Of: &Pad{Of: right, Left: 1, Right: 1}, Title: "Right", Border: Square,
							Fill: true}, Weight: 2, Min: 16},
					}}, Weight: 1},
					{Of: tui.NewText("a status line")},
				}}
				app := &tui.App{}
				s := tuitest.Start(t, app, tuitest.Config{Cols: size[0], Rows: size[1]})
				app.Do(func() { app.Overlay(all, tui.Place{Full: true}) })
				s.Settle()
				s.Golden()
				s.Press("x", "tab")
				s.Type("wide 漢字")
				if !strings.Contains(s.Visible(), "wide 漢字") || left.keys != "x" {
					t.Errorf("left got %q:\n%s", left.keys, s.Visible())
				}
				at := strings.Split(s.Visible(), "\n")
				for row, l := range at {
					if i := strings.Index(l, "second"); i >= 0 {
						s.Click(width.Model{}.String(l[:i])+2, row)
					}
				}
				s.Press("y")
				if left.keys != "xy" || strings.Join(left.clicks, " ") != "2,1" {
					t.Errorf("left got the keys %q and the clicks %q", left.keys, left.clicks)
				}
			})
		})
	}
}

// texts are pieces with all that is hard to measure.
var texts = strings.Split("a|hello world|漢字|ｱ|👍🏽|👩‍👩‍👧‍👦|e\u0301|\u0301|\u200d|🇩🇪|🇩|\t|"+
	"\x1b[2J|\x00|\xff|☎️|ㅎ|กำ|\U0010ffff|─|\u202e|한|\u1112\u1161|"+
	strings.Repeat("x", 90)+"|"+strings.Repeat("👍\u200d", 40), "|")

// tree returns a random layout, and what was made of it.
func tree(rng *rand.Rand, depth int) tui.Component {
	if depth == 0 || rng.IntN(4) == 0 {
		if rng.IntN(3) == 0 {
			return tui.NewText(texts[rng.IntN(len(texts))] + " " + texts[rng.IntN(len(texts))])
		}
		f := &field{wants: rng.IntN(2) == 0}
		for range rng.IntN(5) {
			row := ""
			for range rng.IntN(5) {
				row += texts[rng.IntN(len(texts))]
			}
			f.rows = append(f.rows, row)
		}
		if rng.IntN(2) == 0 {
			f.caret = &tui.Pos{Col: rng.IntN(100) - 2, Row: rng.IntN(6) - 1}
		}
		return f
	}
	some := func() (all []Item) {
		for range rng.IntN(4) {
			all = append(all, Item{tree(rng, depth-1), rng.IntN(4), rng.IntN(3) * rng.IntN(20)})
		}
		return all
	}
	switch rng.IntN(6) {
	case 0, 1:
		return &Columns{Items: some(), Gap: rng.IntN(4) - 1}
	case 2, 3:
		return &Rows{Items: some(), Gap: rng.IntN(3)}
	case 4:
		return &Box{Of: tree(rng, depth-1), Title: texts[rng.IntN(len(texts))], Border: Border(rng.IntN(4)),
			Fill: rng.IntN(2) == 0}
	}
	if rng.IntN(2) == 0 {
		return &Pad{tree(rng, depth-1), rng.IntN(4) - 1, rng.IntN(9), rng.IntN(3), rng.IntN(9), group{}}
	}
	return &Align{Of: tree(rng, depth-1), Horizontal: Side(rng.IntN(3)), Vertical: Side(rng.IntN(3))}
}

// The rows are measured as the renderer does it, whatever the method of the terminal.
func FuzzNoRowIsWiderThanItsPlace(f *testing.F) {
	for seed := range uint64(150) {
		f.Add(seed, uint8(seed), uint8(seed/3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, cols, rows uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		root := tree(rng, 4)
		for _, m := range []width.Model{{}, {Method: width.Grapheme}, {Method: width.Leading}, {MarksWrap: true}} {
			s := tui.Space{Width: int(cols), Height: int(rows), Focused: true, Model: m}
			v := root.View(s)
			if s.Height > 0 && len(v.Lines) > s.Height && !isLeaf(root) {
				t.Fatalf("%d rows in %d", len(v.Lines), s.Height)
			}
			if c := v.Cursor; c != nil && !isLeaf(root) && (c.Col < 0 || c.Col >= max(s.Width, 1) ||
				c.Row < 0 || c.Row >= len(v.Lines)) {
				t.Fatalf("the caret is at %+v of %dx%d", *c, s.Width, len(v.Lines))
			}
			for i, l := range v.Lines {
				n := 0
				for _, sp := range l.Spans {
					n += m.String(sp.Text)
				}
				if n > max(s.Width, 1) && !isLeaf(root) {
					t.Fatalf("seed %d: row %d takes %d of %d columns: %q", seed, i, n, s.Width, text(v)[i])
				}
			}
			if h, ok := root.(tui.EventHandler); ok {
				for range 8 {
					h.HandleEvent(tui.Mouse{Col: rng.IntN(90), Row: rng.IntN(30), Press: true}, s)
					h.HandleEvent(tui.Key{Code: '\t', Mods: tui.Mod(rng.IntN(2))}, s)
					root.View(s)
				}
			}
		}
	})
}

func isLeaf(c tui.Component) bool {
	switch c.(type) {
	case *field, *tui.Text:
		return true
	}
	return false
}

// The frame stands in the first and the last column of the emulated screen, whatever is in it and
// however the terminal measures that.
func TestFrameStaysStraightInEveryTerminal(t *testing.T) {
	all := profile.All()
	for seed := range uint64(3 * len(all)) {
		term := all[int(seed)%len(all)]
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 2))
			f := &field{rows: make([]string, 6)}
			change := func() {
				for i := range f.rows {
					f.rows[i] = ""
					for range rng.IntN(6) {
						f.rows[i] += texts[rng.IntN(len(texts))]
					}
				}
			}
			app := &tui.App{Footer: &Box{Of: NewColumns(f, &Box{Of: f, Border: Square})}}
			s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 24,
				Personality: term.Config(40, 24, 0).Personality, Env: map[string]string{"TERM": "xterm-256color"}})
			for range 6 {
				app.Do(change)
				s.Settle()
				s.Inspect(func(v *vt.Terminal) {
					for y := 2; y < 8; y++ {
						row := v.Row(y)
						got := row.Cell(0).Text + row.Cell(20).Text + row.Cell(38).Text + row.Cell(39).Text
						if got != "││││" {
							t.Errorf("%s, seed %d: row %d has %q: %q", term.Name, seed, y, got, row.Text())
						}
					}
				})
			}
		})
	}
}

func TestChildThatIsCutKnowsItsRowsAndShowsNoScene(t *testing.T) {
	f := &field{rows: []string{"0", "1", "2", "3"}, caret: &tui.Pos{Row: 3}, wants: true}
	scene := tui.ComponentFunc(func(s tui.Space) tui.View {
		v := f.View(s)
		v.Scene = "all four"
		return v
	})
	for height, want := range map[int]string{4: "all four", 3: "", 0: "all four"} {
		if got := NewRows(scene).View(tui.Space{Width: 9, Height: height}).Scene; got != want {
			t.Errorf("in %d rows the scene is %q", height, got)
		}
	}
	r := NewColumns(&Pad{Of: f, Left: 1})
	s := tui.Space{Width: 9, Height: 2, Focused: true}
	want(t, r.View(s), " 2", " 3")
	r.HandleEvent(tui.Mouse{Col: 1, Row: 0, Press: true}, s)
	if got := strings.Join(f.clicks, " "); got != "0,2" {
		t.Errorf("it was clicked at %q", got)
	}
}

func TestChainOfJoinersIsOneColumn(t *testing.T) {
	chain := strings.Repeat("👍🏽\u200d", 20) + "👍🏽"
	spans, n := fitSpans(width.Model{}, []tui.Span{{Text: chain + "|"}}, 200)
	if row := text(tui.View{Lines: []tui.Line{{Spans: spans}}})[0]; row != "\ufffd|" || n != 2 {
		t.Errorf("%d columns: %q", n, row)
	}
}

// counted counts how often it is asked.
type counted struct {
	tui.Component
	n atomic.Int32
}

func (c *counted) View(s tui.Space) tui.View {
	c.n.Add(1)
	return c.Component.View(s)
}

func TestTickOfOneChildAsksOnlyThatChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spinner := &counted{Component: &tui.Status{Text: "works"}}
		still := &counted{Component: tui.NewText("still")}
		slow := &counted{Component: tui.ComponentFunc(func(s tui.Space) tui.View {
			return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: s.Now.Format("05")}}}},
				RefreshAfter: time.Second}
		})}
		app := &tui.App{Footer: NewColumns(&Box{Of: NewRows(still, spinner)}, &Pad{Of: slow, Left: 1},
			&Align{Of: still})}
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 16})
		for _, c := range []*counted{spinner, still, slow} {
			c.n.Store(0)
		}
		<-time.After(2500 * time.Millisecond)
		if a, b, c := spinner.n.Load(), still.n.Load(), slow.n.Load(); a < 20 || b != 0 || c != 2 {
			t.Errorf("in two and a half seconds the spinner was asked %d times, the clock %d, the text %d", a, c, b)
		}
		app.Do(func() { still.Component.(*tui.Text).Spans[0].Text = "moved"; still.Component.(*tui.Text).Changed() })
		s.Settle()
		if strings.Count(s.Visible(), "moved") != 2 {
			t.Errorf("a change is not seen:\n%s", s.Visible())
		}
	})
}
