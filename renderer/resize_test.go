package renderer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

var cpr = regexp.MustCompile(`\x1b\[(\d+);(\d+)R`)

// resize changes the terminal's size, tells the renderer, and answers its request for the cursor
// unless the terminal is mute.
func (w *world) resize(cols, rows int, mute bool) {
	w.tb.Helper()
	w.note("resize %dx%d, mute %v", cols, rows, mute)
	w.cols, w.rows = cols, rows
	w.term.Resize(cols, rows)
	w.note("lines %d; cursor %+v, sb %d", len(w.tape(true)), w.term.Cursor(), w.term.ScrollbackLen())
	w.r.Resize(cols, rows)
	w.bytes = w.bytes[:0]
	w.term.TakeReplies()
	if w.r.untouched {
		return
	}
	if err := w.r.Ask(); err != nil {
		w.fail("Ask: %v", err)
	}
	for _, m := range cpr.FindAllStringSubmatch(string(w.term.TakeReplies()), -1) {
		row, _ := strconv.Atoi(m[1])
		col, _ := strconv.Atoi(m[2])
		if mute {
			continue
		}
		if w.r.Anchor(col-2, row-1) || !w.r.Anchor(col-1, row-1) {
			w.fail("the report %q was not taken for what it is", m[0])
		}
	}
	if mute {
		w.r.Predict()
	}
}

func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

// logical joins rows that go on in the next.
func logical(ls []Line) []string {
	var out []string
	glue := false
	for _, l := range ls {
		if s := squeeze(plain(l)); glue {
			out[len(out)-1] += s
		} else {
			out = append(out, s)
		}
		glue = l.Wrapped
	}
	return out
}

// checkAfterResize compares logical lines from the bottom up: the live rows, then every final row
// once and in order, then the shell's. What else stands there must be residue, no more than the
// ledger admits.
func (w *world) checkAfterResize(residue int) {
	w.tb.Helper()
	tape := w.tape(true)
	for i := range tape {
		tape[i] = squeeze(tape[i])
	}
	want := append(slices.Clone(w.shell), logical(w.final)...)
	for i := range w.shell {
		want[i] = squeeze(want[i])
	}
	for _, l := range w.live[max(0, len(w.live)-w.rows):] {
		want = append(want, squeeze(w.seen(l)))
	}
	want = trimBlank(want)
	extra := []string{}
	i := len(want) - 1
	for j := len(tape) - 1; j >= 0; j-- {
		if i >= 0 && tape[j] == want[i] {
			i--
		} else {
			extra = append(extra, tape[j])
		}
	}
	if i >= 0 {
		at := max(0, len(tape)-w.rows-8)
		w.fail("%.120q is not on the tape in its place (%d extra: %.20q)\ntape ends %.90q\nwant ends %.30q", want[i],
			len(extra), extra[:min(6, len(extra))], tape[max(at, len(tape)-16):], want[max(0, len(want)-16):])
	}
	if w.profile.Differs.Layout.In(profile.LayoutApart, profile.LayoutJoined, profile.LayoutFromEnd,
		profile.LayoutTopLine) {
		// Kitty: the cursor stays on its grid row while rows are pushed under it; GNU screen keeps
		// blank rows below.
		residue = max(residue, w.r.ledger.residue)
	}
	for n := len(extra); w.profile.Differs.Layout.In(profile.LayoutFromEnd, profile.LayoutTopLine) && n > 0 &&
		extra[n-1] == ""; n = len(extra) {
		extra = extra[:n-1] // a higher window shows rows from before there were any
	}
	if len(extra) > residue {
		w.fail("%d rows too many, %d admitted: %.30q\ntape %.30q", len(extra), residue, extra, tape)
	}
}

// keepsLines reports whether what is wider than the window survives a resize in one piece: xterm
// cuts it, kitty 0.26 splits a line that lies half in the scrollback. No engine can prevent that.
func (w *world) keepsLines() bool {
	return w.profile.Differs.Reflow != profile.Cut && w.profile.Differs.Layout != profile.LayoutApart
}

// short returns a row that needs no rewrapping at any width of the test.
func (w *world) short() Line {
	w.ids++
	return text("n" + strconv.Itoa(w.ids))
}

func TestResizesLoseAndDoubleNothing(t *testing.T) {
	eachSeed(t, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 3))
		// A partial line is joined to our first row by the blanks that keep it.
		w := newWorld(t, seed, 80, 24, rng.IntN(50), false)
		for len(w.live) < 3 {
			w.live = append(w.live, w.short())
		}
		w.caret = &Pos{2, 1}
		for range 60 {
			for range rng.IntN(6) {
				kind := rng.IntN(4)
				if !w.keepsLines() && kind != 3 {
					kind = 1
				}
				switch kind {
				case 0:
					w.final = append(w.final, w.line(w.cols))
				case 1:
					w.final = append(w.final, w.short())
				case 2:
					w.final = append(w.final, w.paragraph(1+rng.IntN(3))...)
				case 3:
					w.live[rng.IntN(len(w.live))] = w.short()
				}
				w.note("frame: %d final, %d live", len(w.final), len(w.live))
				w.frame()
				w.checkAfterResize(0)
			}
			w.resize(20+rng.IntN(100), 5+rng.IntN(40), rng.IntN(4) == 0)
			w.frame()
			w.checkAfterResize(0)
		}
	})
}

// TestFramesThatMeetAnUnknownSizeLoseNothing: the terminal resizes its grid before it says so (tmux
// by up to 250 ms), and frames go on meanwhile. Careful frames are right at every size.
func TestFramesThatMeetAnUnknownSizeLoseNothing(t *testing.T) {
	eachSeed(t, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 9))
		w := newWorld(t, seed, 80, 24, rng.IntN(50), false)
		for len(w.live) < 1+rng.IntN(5) {
			w.live = append(w.live, w.short())
		}
		w.caret = &Pos{2, rng.IntN(len(w.live))}
		w.careful = true
		long := seed%2 == 0 && w.keepsLines() // a full row streams above the short ones
		residue := 0
		frames := func(n int) {
			for range n {
				if long && rng.IntN(2) == 0 {
					if rng.IntN(3) == 0 {
						s := w.live[0].Spans[0].Text // laid out for the width that is known, as a program does
						w.final = append(w.final, text(s[:min(len(s), w.r.ledger.cols)]))
						w.live[0] = w.short()
					} else if s := &w.live[0].Spans[0]; len(s.Text) < w.r.ledger.cols-12 {
						w.live[0] = text(s.Text + " streamed"[:1+rng.IntN(8)])
					} else {
						w.live[0] = text(s.Text[:min(len(s.Text), w.r.ledger.cols-2)])
					}
					w.note("stream: %d final, %d columns", len(w.final), len(w.live[0].Spans[0].Text))
					w.frame()
					continue
				}
				switch rng.IntN(5) {
				case 0:
					for range 1 + rng.IntN(5) {
						w.final = append(w.final, w.short())
					}
				case 1:
					l := w.short()
					if w.keepsLines() {
						l.Spans[0].Text += strings.Repeat("x", rng.IntN(w.r.ledger.cols-8))
					}
					w.final = append(w.final, l)
				case 2:
					if w.keepsLines() {
						w.final = append(w.final, w.paragraph(1+rng.IntN(2))...)
					}
				default:
					w.live[len(w.live)-1] = w.short()
				}
				w.note("frame: %d final", len(w.final))
				w.frame()
				w.note("%q cur %+v", w.bytes, w.term.Cursor())
			}
		}
		frames(3)
		for range 30 {
			cols, rows := max(w.r.ledger.cols/2, 20)+rng.IntN(60), 6+rng.IntN(40)
			if w.profile.Differs.Layout.In(profile.LayoutFromEnd, profile.LayoutTopLine) {
				// A lower GNU screen keeps blank rows and pushes live ones, which the frame on its
				// way writes again uncounted.
				rows = max(rows, w.r.ledger.rows)
			}
			w.note("the terminal becomes %dx%d", cols, rows)
			w.term.Resize(cols, rows)
			w.rows = rows
			w.cols = w.r.ledger.cols
			frames(rng.IntN(4))
			w.resize(cols, rows, rng.IntN(4) == 0)
			w.frame()
			w.checkAfterResize(residue)
		}
	})
}

// In a careful frame a line with a cluster that the terminal measures otherwise is printed as plain
// text: a column that is named would be another one where the terminal breaks the line elsewhere.
func TestALineInDoubtIsPrintedAsPlainTextWhileTheWidthIsUnknown(t *testing.T) {
	p, _ := profile.ByName("tmux")
	letters := func(s string) string { return strings.ReplaceAll(s, " ", "") } // narrow clusters leave blanks
	for _, line := range [][]Line{
		{{Spans: []Span{{Text: strings.Repeat("0123456789", 4)}}, Wrapped: true},
			text("family \U0001f468\u200d\U0001f469\u200d\U0001f467 of three")},
		{text("a row of more than thirty columns \U0001f44d\U0001f3fd!")},
	} {
		term := p.New(40, 10, 100)
		r := New(Config{Out: term, Cols: 40, Rows: 10})
		frame := func(base int, careful bool, commit ...Line) {
			t.Helper()
			if s, err := r.Render(Frame{Base: base, Commit: commit, Live: lines("live"),
				Careful: careful}); err != nil || s.Pending != 0 {
				t.Fatal(s, err)
			}
			r.ledger.check()
		}
		frame(0, false, text("first"))
		term.Resize(30, 10)
		frame(1, true, append(line, text("last"))...)
		frame(2+len(line), true)
		want := "first"
		for i := range line {
			want += plain(line[i])
		}
		if got, want := letters(strings.Join(term.Lines(), "")), letters(want+"lastlive"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A careful frame whose live rows find no room in the window that reads it leaves none of them
// behind: they are cut, and the cursor comes back to the first. Where sizes overtake frames it is
// so in an ordinary one without a caret, too, behind the columns that nearly all windows have.
func TestALiveRegionIsCutInANarrowerWindow(t *testing.T) {
	for _, p := range profile.All() {
		q := Known(p.Is)
		for _, careful := range []bool{true, false} {
			if q.CountsLines || q.CutsUnwrapped || !careful && !q.ResizeOvertakes {
				continue
			}
			cols := 22 // the renderer has not heard of it
			if careful {
				cols = 12
			}
			term := p.New(cols, 10, 100)
			r := New(Config{Out: term, Cols: 80, Rows: 10, Quirks: q})
			for i := range 4 {
				footer := lines(fmt.Sprintf("working for %d seconds", i), "a prompt with some text, which",
					"the status of this session")
				f := Frame{Base: i, Commit: lines("final"), Live: footer, Careful: careful}
				if _, err := r.Render(f); err != nil {
					t.Fatal(err)
				}
				r.ledger.check()
			}
			if got := strings.Count(strings.Join(term.Lines(), "\n"), "working"); got != 1 {
				t.Errorf("%s, careful %v: %d footers in %q", p.Name, careful, got, term.Lines())
			}
			if !term.Mode(7, true) {
				t.Errorf("%s, careful %v: autowrap stays off", p.Name, careful)
			}
		}
	}
}

// A final row that is made for more columns than the window has runs on into the next row, and what
// stood there, a row of the footer, must not be read as the end of it. Where sizes overtake frames
// that is so in an ordinary one, too.
func TestAFinalRowThatWrapsInANarrowerWindowEndsWithBlanks(t *testing.T) {
	var finals []string
	for _, n := range []int{44, 59, 60, 61, 45} { // of 30 columns; a full row, and a column less and more
		finals = append(finals, "a final row of many words"+strings.Repeat("o", n-31)+" knows")
	}
	for _, p := range profile.All() {
		q := Known(p.Is)
		if q.CountsLines || q.CutsUnwrapped {
			continue
		}
		for _, how := range []struct{ careful, sync bool }{{true, true}, {false, true}, {false, false}} {
			if !how.careful && !q.ResizeOvertakes {
				continue
			}
			term := p.New(30, 10, 100) // the renderer has not heard of it
			r := New(Config{Out: term, Cols: 80, Rows: 10, Quirks: q, Sync: how.sync})
			finals := finals
			if how.careful || how.sync { // else columns are named behind the cluster
				finals = append(finals, "a final row of \U0001f44d\U0001f3fd many words that no one knows")
			}
			for i, final := range finals {
				footer := lines([]string{"the tail", ""}[i%2], strings.Repeat("#", 20), strings.Repeat("#", 20))
				f := Frame{Base: i, Commit: lines(final), Live: footer, Careful: how.careful}
				if _, err := r.Render(f); err != nil {
					t.Fatal(err)
				}
				r.ledger.check()
			}
			tape := strings.Join(term.Lines(), "\n") + "\n"
			for _, final := range finals {
				if !strings.Contains(tape, final+"\n") {
					t.Errorf("%s, %+v: %q does not end as it should:\n%s", p.Name, how, final, tape)
				}
			}
		}
	}
}

// A live row names the column behind a doubtful cluster, a final one does not if it fits by any
// measure. Where the terminal measures less than we do, the end of the live one must not stay
// behind it; where it measures more, nothing is written over.
func TestADoubtfulFinalRowIsWholeByAnyMeasure(t *testing.T) {
	text := "ab \U0001f44d\U0001f3fd cde fgh" // of 13 or 15 columns
	for _, p := range profile.All() {
		q := Known(p.Is)
		for _, m := range []width.Method{width.Wcwidth, width.Grapheme} {
			for _, sync := range []bool{true, false} {
				for cols := 17; cols < 24; cols++ {
					if m == width.Grapheme && !(sync && q.ResizeOvertakes) {
						continue // columns are named, and what a longer cluster has there is written over
					}
					term := p.New(cols, 6, 100)
					r := New(Config{Out: term, Cols: cols, Rows: 6, Quirks: q, Sync: sync,
						Model: width.Model{Method: m}})
					for _, f := range []Frame{
						{Live: lines(text)}, {Commit: lines(text)},
						{Base: 1, Live: lines(text, "12345")}, {Base: 1, Commit: lines(text), Live: lines("12345")},
					} {
						if _, err := r.Render(f); err != nil {
							t.Fatal(err)
						}
					}
					got, want := squeeze(strings.Join(term.Lines(), "")), squeeze(text+text+"12345")
					if got != want {
						t.Errorf("%s, method %d, sync %v, %d columns: %q, want %q", p.Name, m, sync, cols, got, want)
					}
				}
			}
		}
	}
}

// What is erased below the live region begins behind its last cluster, wherever that ends.
func TestAClusterAtTheEndIsWholeAfterAResize(t *testing.T) {
	p, _ := profile.ByName("tmux")
	for _, live := range []string{"ab \U0001f44d\U0001f3fd", "\U0001f44d\U0001f3fd"} {
		term := p.New(40, 10, 100)
		r := New(Config{Out: term, Cols: 40, Rows: 10, Model: width.Model{Method: width.Grapheme}})
		for cols := 40; cols > 30; cols-- {
			if _, err := r.Render(Frame{Live: lines("top", live)}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(term.Lines(), ""); got != "top"+live {
				t.Errorf("%d columns: %q, want %q below top", cols, got, live)
			}
			term.Resize(cols-1, 10)
			r.Resize(cols-1, 10)
			r.Predict()
		}
	}
}

// In ghostty a blank row that goes on from another is none, and the row behind it goes on from that
// other one. The first live row is such a row once it is painted anew behind what it was wrapped
// to.
func TestABlankFirstRowIsOneAfterAResize(t *testing.T) {
	for _, p := range profile.All() {
		term := p.New(67, 11, 100)
		r := New(Config{Out: term, Cols: 67, Rows: 11, Quirks: Known(p.Is)})
		resize := func(cols, rows int) {
			term.Resize(cols, rows)
			r.Resize(cols, rows)
			term.TakeReplies()
			if err := r.Ask(); err != nil {
				t.Fatal(err)
			}
			for _, m := range cpr.FindAllStringSubmatch(string(term.TakeReplies()), -1) {
				row, _ := strconv.Atoi(m[1])
				col, _ := strconv.Atoi(m[2])
				r.Anchor(col-1, row-1)
			}
		}
		frame := func(f Frame) {
			if _, err := r.Render(f); err != nil {
				t.Fatal(err)
			}
			r.ledger.check()
		}
		caret := &Pos{Row: 1, Col: 29}
		wide := lines(strings.Repeat("wide ", 12), "", "", "end")
		frame(Frame{Commit: lines("one", "two", "three"), Live: wide, Cursor: caret})
		resize(30, 7)
		frame(Frame{Base: 3, Live: lines("", "", "", "end"), Cursor: caret})
		resize(96, 22)
		frame(Frame{Base: 3, Live: wide, Cursor: caret})
		if got := strings.Join(term.Lines(), "|"); !strings.Contains(got, "one|two|three|") {
			t.Errorf("%s: %q", p.Name, got)
		}
	}
}

// A real VTE had one row for a moment while its window changed.
func TestAWrappedLineIsAddedOnTheOnlyRow(t *testing.T) {
	var out bytes.Buffer
	r := New(Config{Out: &out, Cols: 20, Rows: 5})
	frame := func(base int, careful bool, commit ...Line) {
		t.Helper()
		if _, err := r.Render(Frame{Base: base, Commit: commit, Live: lines("live"), Careful: careful}); err != nil {
			t.Fatal(err)
		}
		r.ledger.check()
	}
	frame(0, false, lines("a", "b")...)
	r.Resize(10, 1)
	r.Predict()
	frame(2, false, Line{Spans: []Span{{Text: "0123456789"}}, Wrapped: true}, text("end"))
	if !strings.Contains(out.String(), "0123456789end") {
		t.Errorf("%q", out.String())
	}
}

// urxvt makes a row as long as the cursor is to the right when a CR or LF comes: rows are left in
// column 0.
func TestRowsThatGrowWithTheCursorAreLeftInTheFirstColumn(t *testing.T) {
	for _, wraps := range []Wraps{WrapsErased, WrapsStretched} {
		var out strings.Builder
		r := New(Config{Out: &out, Cols: 80, Rows: 10, Quirks: Quirks{Wraps: wraps}})
		for _, f := range [][]Line{lines("one", "two", "three"), lines("oneX", "two", "threeY")} {
			out.Reset()
			if _, err := r.Render(Frame{Live: f}); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := strings.Contains(out.String(), "X\r"), wraps == WrapsStretched; got != want {
			t.Errorf("%d: %q", wraps, out.String())
		}
	}
}
