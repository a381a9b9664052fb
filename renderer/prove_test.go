package renderer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

var reported = regexp.MustCompile(`\x1b\[(\d+);(\d+)R`)

// reports returns the cursor reports that a terminal has sent, 0-based.
func reports(b []byte) (list []Pos) {
	for _, m := range reported.FindAllSubmatch(b, -1) {
		row, _ := strconv.Atoi(string(m[1]))
		col, _ := strconv.Atoi(string(m[2]))
		list = append(list, Pos{Row: row - 1, Col: col - 1})
	}
	return list
}

// The answers lead down row by row, a cluster in doubt is as wide as the terminal has it, and the
// screen stays as it was.
func TestAProofTellsHowRowsAreDrawn(t *testing.T) {
	const family = "\U0001F468\u200d\U0001F469\u200d\U0001F467"
	lines := []string{"title", "plain", family + " family", "日本語", "", "a row that is as long as it can be.", "[y]es"}
	for _, method := range []width.Method{width.Grapheme, width.Wcwidth} {
		for _, caret := range []*Pos{nil, {Row: 6, Col: 3}} {
			t.Run(fmt.Sprint(method, caret), func(t *testing.T) {
				term := vt.New(vt.Config{Cols: 35, Rows: 9, Scrollback: 100})
				term.WriteString("\x1b[?2027h")
				r := New(Config{Out: term, Cols: 35, Rows: 9, Model: width.Model{Method: method}})
				var rows []Line
				for _, l := range lines {
					rows = append(rows, Line{Spans: []Span{{Text: l}}})
				}
				above := []Line{{Spans: []Span{{Text: "final 1"}}}, {Spans: []Span{{Text: "final 2"}}}}
				if _, err := r.Render(Frame{Commit: above, Live: rows, Cursor: caret}); err != nil {
					t.Fatal(err)
				}
				term.TakeReplies()
				screen, at, belief := term.String(), term.Cursor(), r.ledger.cursor
				var ends []Ends
				for from := 0; from < len(rows); from += 3 {
					some, err := r.Prove(from, 3)
					if err != nil {
						t.Fatal(err)
					}
					ends = append(ends, some...)
				}
				got := reports(term.TakeReplies())
				if len(got) != len(rows) || len(ends) != len(rows) {
					t.Fatalf("%d reports, %d columns", len(got), len(ends))
				}
				for i, p := range got {
					if e := ends[i]; p.Row != i+2 || p.Col < e.First || p.Col > e.Last || i != 2 && e.First < e.Last-1 {
						t.Errorf("row %d: %+v, %+v are believed", i, p, e)
					}
				}
				if method == width.Wcwidth { // the name of the family stands beside it, not where we believe
					screen = strings.Replace(screen, family+"     family", family+" family", 1)
				}
				if term.String() != screen || term.Cursor() != at || r.ledger.cursor != belief {
					t.Errorf("the screen is now\n%s\nand was\n%s", term, screen)
				}
				r.ledger.check()
			})
		}
	}
}

// Samples are measured on the first live row, and the screen stays as it was. What cannot be shown
// there is not asked.
func TestSamplesLeaveNothingBehind(t *testing.T) {
	samples := []string{"\U0001F468\u200d\U0001F469", "abc"}
	for _, caret := range []*Pos{nil, {Row: 1, Col: 3}} {
		for _, final := range []int{0, 3, 20} {
			term := vt.New(vt.Config{Cols: 35, Rows: 9, Scrollback: 100})
			r := New(Config{Out: term, Cols: 35, Rows: 9})
			if n, err := r.Measure(samples, 10); n != 0 || err != nil {
				t.Errorf("%d questions before there is a row, %v", n, err)
			}
			live := []Line{{Spans: []Span{{Text: "日本語 and text"}}}, {Spans: []Span{{Text: "last"}}}}
			f := Frame{Live: live, Cursor: caret}
			for range final {
				f.Commit = append(f.Commit, Line{Spans: []Span{{Text: "final"}}})
			}
			if _, err := r.Render(f); err != nil {
				t.Fatal(err)
			}
			term.TakeReplies()
			screen, at, belief := term.String(), term.Cursor(), r.ledger.cursor
			if n, err := r.Measure(samples, 36); n != 0 || err != nil {
				t.Errorf("%d questions where a sample may wrap, %v", n, err)
			}
			if n, err := r.Measure(samples, 10); n != 3 || err != nil {
				t.Errorf("%d questions, %v", n, err)
			}
			got := reports(term.TakeReplies())
			if len(got) != 3 || got[0].Col != 0 || got[1].Col != 2 || got[2].Col != 3 || got[0].Row != got[2].Row {
				t.Errorf("the answers are %+v", got)
			}
			if term.String() != screen || term.Cursor() != at || r.ledger.cursor != belief {
				t.Errorf("the screen is now\n%s\nand was\n%s", term, screen)
			}
			r.ledger.check()
		}
	}
}

// A row that the terminal wraps moves those below it, and is found on the last row of the grid,
// too.
func TestAProofTellsThatARowWraps(t *testing.T) {
	for _, at := range []int{0, 3, 5} {
		term := vt.New(vt.Config{Cols: 20, Rows: 6, Scrollback: 100})
		r := New(Config{Out: term, Cols: 24, Rows: 6}) // it is narrower than we know
		var rows []Line
		for i := range 6 {
			text := "short"
			if i == at {
				text = "22 columns, two more.."
			}
			rows = append(rows, Line{Spans: []Span{{Text: text}}})
		}
		if _, err := r.Render(Frame{Live: rows}); err != nil {
			t.Fatal(err)
		}
		term.TakeReplies()
		ends, err := r.Prove(0, 6)
		if err != nil {
			t.Fatal(err)
		}
		good := true
		got := reports(term.TakeReplies())
		for i, p := range got {
			good = good && p.Col >= ends[i].First && p.Col <= ends[i].Last && p.Row == got[0].Row+i
		}
		if good {
			t.Errorf("row %d is two columns too long, and nothing tells it: %+v", at, got)
		}
	}
}

func TestNothingIsProvenBeforeAFrameOrBetweenSizes(t *testing.T) {
	term := vt.New(vt.Config{Cols: 20, Rows: 6})
	r, s := New(Config{Out: term, Cols: 20, Rows: 6}), NewScreen(Config{Out: term, Cols: 20, Rows: 6})
	ask := func(what string, f func(int, int) ([]Ends, error), want int) {
		t.Helper()
		ends, err := f(0, 6)
		if got := reports(term.TakeReplies()); err != nil || len(ends) != want || len(got) != want {
			t.Errorf("%s: %v, %v, %v", what, ends, got, err)
		}
	}
	ask("before a frame", r.Prove, 0)
	ask("before a screen", s.Prove, 0)
	row := []Line{{Spans: []Span{{Text: "row"}}}}
	_, _ = r.Render(Frame{Live: row})
	ask("a live row", r.Prove, 1)
	r.Resize(10, 6)
	ask("between sizes", r.Prove, 0)
	_, _ = r.Render(Frame{Live: row})
	ask("a frame later", r.Prove, 1)
	_ = r.Release(false)
	ask("released", r.Prove, 0)
	_ = s.Render(row, nil)
	ask("the alternate screen", s.Prove, 6)
}

func TestOnlyWhatIsInDoubtMayEndElsewhere(t *testing.T) {
	for _, c := range []struct {
		text string
		want Ends
	}{
		{"", Ends{0, 0}}, {"plain", Ends{5, 5}}, {"\u65e5\u672c", Ends{4, 4}}, {"e\u0301", Ends{1, 1}},
		{"\u2764\ufe0f!", Ends{2, 3}},
		{strings.Repeat("x", 20), Ends{19, 20}}, {strings.Repeat("x", 18) + "\u2764\ufe0f", Ends{19, 20}},
	} {
		var r row
		r.setLine(Line{Spans: []Span{{Text: c.text}}}, 20, width.Model{})
		if got := r.reportEnds(20); got != c.want {
			t.Errorf("%q: %+v, want %+v", c.text, got, c.want)
		}
	}
}
