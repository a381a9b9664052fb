package renderer

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

var (
	seedFlag    = flag.Uint64("seed", 0, "run only this seed of the tape tests")
	profileFlag = flag.String("profile", "", "run only this terminal of stress/profile")
	seeds       = flag.Int("seeds", 60, "seeds of the tape tests")
)

// world is a renderer on an emulated terminal, and what must stand on its tape: the shell's rows,
// the final rows, the live rows.
type world struct {
	tb      testing.TB
	rng     *rand.Rand
	term    *vt.Terminal
	profile profile.Profile
	r       *Renderer
	bytes   []byte
	log     []string

	cols, rows int
	shell      []string
	partial    bool // the last of the shell's rows had no newline
	final      []Line
	live       []Line
	overlay    *Overlay
	caret      *Pos
	handed     int
	careful    bool
	pending    int // rows that wait
	limit      int // columns of a live row in the last frame
	ids        int
}

// feed is the renderer's Out.
type feed struct{ w *world }

func (f feed) Write(p []byte) (int, error) {
	f.w.bytes = append(f.w.bytes, p...)
	return f.w.term.Write(p)
}

// newWorld starts below some rows of a shell. With partial, the last of them may lack its newline.
func newWorld(tb testing.TB, seed uint64, cols, rows, shell int, partial bool) *world {
	w := &world{tb: tb, rng: rand.New(rand.NewPCG(seed, 7)), cols: cols, rows: rows}
	all := profile.All()
	w.profile = all[int(seed)%len(all)]
	if p, ok := profile.ByName(*profileFlag); ok {
		w.profile = p
	}
	w.profile.Differs.ReflowTears = false // what a renderer must know of, see package stress
	w.note("%s %dx%d", w.profile.Name, cols, rows)
	w.term = w.profile.New(cols, rows, 100000)
	if w.profile.Differs.Layout == profile.LayoutTopLine { // without history it cuts final rows
		for i := range 100 {
			w.shell = append(w.shell, fmt.Sprintf("before %d", i))
			fmt.Fprintf(w.term, "before %d\r\n", i)
		}
	}
	for i := range shell {
		w.shell = append(w.shell, fmt.Sprintf("shell %d", i))
		fmt.Fprintf(w.term, "shell %d\r\n", i)
	}
	if partial && w.rng.IntN(4) == 0 {
		w.partial = true
		w.shell = append(w.shell, "half a line")
		w.term.Write([]byte("half a line"))
	}
	q := Known(w.profile.Is)
	q.CountsLines = false // no line is torn here
	w.r = New(Config{Out: feed{w}, Cols: cols, Rows: rows, Sync: w.rng.IntN(2) == 0, Quirks: q,
		Model: width.Model{Method: width.Grapheme}, Links: true, Marks: seed%2 == 0})
	return w
}

func (w *world) note(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

func (w *world) fail(format string, args ...any) {
	w.tb.Helper()
	w.tb.Fatalf("%s\nprogram:\n  %s\nlast bytes: %q", fmt.Sprintf(format, args...),
		strings.Join(w.log, "\n  "), w.bytes)
}

func (w *world) frame() {
	w.tb.Helper()
	w.bytes = w.bytes[:0]
	for i := w.handed; i < len(w.final); i++ {
		w.final[i].Prompt = len(plain(w.final[i]))%3 == 0
	}
	f := Frame{Base: w.handed, Commit: w.final[w.handed:], Live: w.live, Overlay: w.overlay, Cursor: w.caret,
		Careful: w.careful || w.rng.IntN(5) == 0 && w.pending == 0}
	w.handed = len(w.final)
	for i := range f.Commit { // what is printed while the size is not known ends hard, and so does the last row
		f.Commit[i].Wrapped = f.Commit[i].Wrapped && !f.Careful && i+1 < len(f.Commit)
	}
	w.limit = w.cols
	if f.Careful {
		w.limit = max(w.r.ledger.cols/2-1, 1)
	}
	seam, err := w.r.Render(f)
	if w.pending = seam.Pending; err != nil {
		w.fail("Render: %v", err)
	}
	func() {
		defer func() {
			if p := recover(); p != nil {
				w.fail("ledger: %v %+v", p, w.r.ledger)
			}
		}()
		w.r.ledger.check()
	}()
	if where, bad := notAllowed(w.ordinary()); bad {
		w.fail("not an ordinary frame: %s", where)
	}
	n := len(w.bytes)
	if _, err := w.again(f); err != nil || len(w.bytes) != n {
		w.fail("an unchanged frame wrote %q, %v", w.bytes[n:], err)
	}
}

// again renders f once more, without the rows that it has handed over.
func (w *world) again(f Frame) (Seam, error) {
	f.Base, f.Commit = w.handed, nil
	return w.r.Render(f)
}

// seen returns the text of a live row as the last frame could show it.
func (w *world) seen(l Line) string {
	var r row
	r.setLine(l, w.limit, w.r.config.Model)
	var b strings.Builder
	for _, c := range r.cells {
		b.WriteString(c.text)
	}
	return strings.TrimRight(b.String(), " ")
}

// tape returns history and grid as text, soft-wrapped rows joined if join, blank rows at the end
// cut.
func (w *world) tape(join bool) []string {
	var out []string
	glue := false
	add := func(r vt.Row) {
		if glue && join {
			out[len(out)-1] += r.Text()
		} else {
			out = append(out, r.Text())
		}
		glue = r.Wrapped()
	}
	for i := range w.term.ScrollbackLen() {
		add(w.term.ScrollbackRow(i))
	}
	for i := range w.rows {
		add(w.term.Row(i))
	}
	return trimBlank(out)
}

func trimBlank(ss []string) []string {
	for len(ss) > 0 && ss[len(ss)-1] == "" {
		ss = ss[:len(ss)-1]
	}
	return ss
}

func plain(l Line) string {
	var b strings.Builder
	for _, s := range l.Spans {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// check compares the tape, exactly: no resize has happened.
func (w *world) check() {
	w.tb.Helper()
	rows := slices.Clone(w.shell)
	joined := slices.Clone(w.shell)
	glue := false
	for _, l := range w.final {
		rows = append(rows, plain(l))
		if glue {
			joined[len(joined)-1] += plain(l)
		} else {
			joined = append(joined, plain(l))
		}
		glue = l.Wrapped
	}
	if w.overlay == nil {
		for _, l := range w.live[max(0, len(w.live)-w.rows):] {
			rows = append(rows, w.seen(l))
			joined = append(joined, w.seen(l))
		}
		w.equal("rows", w.tape(false), trimBlank(rows))
		if !w.partial { // the blanks that keep a partial line wrap it into our first row
			w.equal("lines", w.tape(true), trimBlank(joined))
		}
		w.styles()
		w.marks()
	} else {
		// History must be a beginning of the final rows; the overlay is nowhere in it.
		hist := w.tape(false)[:w.term.ScrollbackLen()]
		for i, h := range hist {
			if i >= len(rows) || h != rows[i] {
				w.fail("under an overlay, history row %d is %q", i, h)
			}
		}
	}
	cur := w.term.Cursor()
	if !w.r.untouched && cur.Visible != (w.caret != nil && w.overlay == nil) {
		w.fail("cursor visible: %v", cur.Visible)
	}
	if w.term.Mode(2026, true) || !w.term.Mode(7, true) {
		w.fail("brackets are not balanced")
	}
	w.beliefs()
	if w.caret != nil && w.overlay == nil {
		row := w.r.ledger.seam + len(w.r.ledger.shown) - len(w.live) + w.caret.Row
		if top := row - w.r.ledger.minTop; w.r.ledger.minTop == w.r.ledger.maxTop &&
			(cur.Row != top || cur.Col != w.caret.Col && w.limit == w.cols) {
			w.fail("cursor at %d,%d, want %d,%d", cur.Row, cur.Col, top, w.caret.Col)
		}
	}
	if l := &w.r.ledger; l.minTop == l.maxTop && l.maxTop > 0 && w.term.ScrollbackLen() != len(w.shell)+l.minTop {
		w.fail("history has %d rows, the ledger says %d", w.term.ScrollbackLen(), len(w.shell)+w.r.ledger.minTop)
	}
}

// marks compares the rows that OSC 133 marks as the beginning of what a person said with those that
// were given as such.
func (w *world) marks() {
	w.tb.Helper()
	at, n := len(w.shell), w.term.ScrollbackLen()
	said, glued := false, false
	for i, l := range w.final {
		begins := !glued && l.Prompt && !said
		if !glued {
			said = l.Prompt
		}
		glued = l.Wrapped
		r := w.term.Row(max(at+i-n, 0))
		if at+i < n {
			r = w.term.ScrollbackRow(at + i)
		}
		if got, want := r.Prompt() == vt.PromptStart, begins && w.r.config.Marks; got != want {
			w.fail("final row %d, %q: marked %v, want %v", i, r.Text(), got, want)
		}
	}
}

// beliefs compares the wraps that the ledger believes in with those that the terminal has.
func (w *world) beliefs() {
	w.tb.Helper()
	first := w.term.Cursor().Row - w.r.ledger.cursor.Row
	for i := range w.r.ledger.shown {
		if got := w.term.Row(first + i).Wrapped(); got != w.r.ledger.shown[i].wrapped && !w.r.ledger.shown[i].mayWrap &&
			i < len(w.r.ledger.shown)-1 {
			w.fail("row %d of the live region: wrapped is %v, the ledger says %v", i, got, !got)
		}
	}
}

// styles compares the pens of the live rows, cell by cell, with the rows as they were given.
func (w *world) styles() {
	w.tb.Helper()
	live := w.live[max(0, len(w.live)-w.rows):]
	bottom := w.term.Cursor().Row + len(w.r.ledger.shown) - w.r.ledger.cursor.Row // grid row under the last live one
	for i := range live {
		var want row
		want.setLine(live[i], w.limit, w.r.config.Model)
		got := w.term.Row(bottom - len(live) + i)
		for c := range w.cols {
			g := got.Cell(c)
			x := want.cellAt(c)
			if x.width == 0 {
				continue
			}
			bold, inverse := g.Style.Attr&vt.Bold != 0, g.Style.Attr&vt.Inverse != 0
			if bold != (x.style.Attr&ansi.Bold != 0) || inverse != (x.style.Attr&ansi.Inverse != 0) ||
				g.Link != x.link {
				if x.text == " " && x.style.Attr&ansi.Inverse == 0 && !inverse && g.Link == x.link {
					continue // bold cannot be seen on a blank
				}
				w.fail("live row %d column %d: %+v, want %+v", i, c, g, x)
			}
		}
	}
}

func (w *world) equal(what string, got, want []string) {
	w.tb.Helper()
	for i := range max(len(got), len(want)) {
		g, x := "(end)", "(end)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			x = want[i]
		}
		if g != x {
			from := max(0, i-4)
			w.fail("%s differ at %d:\n got  %.300q\n want %.300q\n around\n  got  %.60q\n  want %.60q\n T [%d,%d] b %d",
				what, i, g, x,
				got[min(from, len(got)):min(i+8, len(got))], want[min(from, len(want)):min(i+8, len(want))],
				w.r.ledger.minTop,
				w.r.ledger.maxTop, w.r.ledger.seam)
		}
	}
}

var words = []string{"alpha", "be", "gamma-ray", "wörter", "漢字", "x", "0123456789", "日本", "-", "e\u0301a",
	"The quick", "(a)"}

// line returns a random row of at most limit columns; every row has an id of its own.
func (w *world) line(limit int) Line {
	w.ids++
	var l Line
	cols := 0
	add := func(s string, st Style, link string) {
		n := w.r.config.Model.String(s)
		if cols+n <= limit {
			l.Spans = append(l.Spans, Span{Text: s, Style: st, Link: link})
			cols += n
		}
	}
	add(fmt.Sprintf("%d", w.ids), Style{}, "")
	for w.rng.IntN(8) > 0 {
		st, link := Style{}, ""
		switch w.rng.IntN(6) {
		case 0:
			st.Attr = ansi.Bold
		case 1:
			st.Fg, st.Attr = ansi.Indexed(2), ansi.Inverse
		case 2:
			link = "https://example.org/" + words[0]
		}
		add(" "+words[w.rng.IntN(len(words))], st, link)
	}
	if w.rng.IntN(6) == 0 {
		add(strings.Repeat("=", limit-cols), Style{}, "")
	}
	return l
}

// paragraph returns one logical line over n full rows and a rest.
func (w *world) paragraph(n int) []Line {
	w.ids++
	var out []Line
	for i := range n {
		s := fmt.Sprintf("%dp%d.", w.ids, i)
		s += strings.Repeat("abcdefghij", w.cols/10+1)
		out = append(out, Line{Spans: []Span{{Text: s[:w.cols], Style: Style{Attr: ansi.Attr(w.rng.IntN(2))}}},
			Wrapped: true})
	}
	return append(out, text("end"))
}

// step does one random operation and a frame.
func (w *world) step() {
	w.tb.Helper()
	limit := w.cols
	switch op := w.rng.IntN(12); op {
	case 0, 1, 2:
		n := 1 + w.rng.IntN(4)
		if w.rng.IntN(8) == 0 {
			n = w.rng.IntN(3 * w.rows)
		}
		w.note("commit %d", n)
		for range n {
			w.final = append(w.final, w.line(limit))
		}
	case 3:
		w.note("commit paragraph")
		w.final = append(w.final, w.paragraph(1+w.rng.IntN(w.rows+2))...)
	case 4, 5, 6:
		if len(w.live) == 0 {
			return
		}
		i := w.rng.IntN(len(w.live))
		w.note("change live %d", i)
		l := Line{Spans: slices.Clone(w.live[i].Spans)}
		j := w.rng.IntN(len(l.Spans))
		if t := []rune(l.Spans[j].Text); len(t) > 0 && t[len(t)-1] < 128 && j > 0 {
			l.Spans[j].Text = string(t[:len(t)-1]) + "#"
		} else {
			l.Spans = append(l.Spans[:j:j], Span{Text: "~"})
		}
		if w.rng.IntN(3) == 0 || w.r.config.Model.String(plain(l)) > w.cols {
			l = w.line(limit)
		}
		w.live[i] = l
	case 7:
		i, n := w.rng.IntN(len(w.live)+1), 1+w.rng.IntN(3)
		if w.rng.IntN(6) == 0 {
			n = w.rng.IntN(w.rows + 4)
		}
		w.note("insert %d live at %d", n, i)
		for range n {
			w.live = slices.Insert(w.live, i, w.line(limit))
		}
	case 8:
		if len(w.live) == 0 {
			return
		}
		i := w.rng.IntN(len(w.live))
		n := 1 + w.rng.IntN(len(w.live)-i)
		w.note("remove %d live at %d", n, i)
		w.live = slices.Delete(w.live, i, i+n)
	case 9:
		n := w.rng.IntN(len(w.live) + 1)
		w.note("finalise %d live", n)
		w.final = append(w.final, w.live[:n]...)
		w.live = slices.Clone(w.live[n:])
	case 10:
		if w.overlay != nil {
			w.note("close overlay")
			w.overlay = nil
		} else if w.rng.IntN(2) == 0 {
			o := &Overlay{Col: w.rng.IntN(w.cols / 2), Up: w.rng.IntN(3)}
			for range 1 + w.rng.IntN(w.rows) {
				o.Lines = append(o.Lines, text(strings.Repeat("O", 1+w.rng.IntN(w.cols/2))))
			}
			w.note("overlay %d rows, up %d, col %d", len(o.Lines), o.Up, o.Col)
			w.overlay = o
		}
	case 11:
		w.note("commit and change")
		w.final = append(w.final, w.line(limit))
		if len(w.live) > 0 {
			w.live[w.rng.IntN(len(w.live))] = w.line(limit)
		}
	}
	w.caret = nil
	if vis := min(len(w.live), w.rows); vis > 0 && w.rng.IntN(3) > 0 {
		w.caret = &Pos{w.rng.IntN(w.cols), len(w.live) - 1 - w.rng.IntN(vis)}
	}
	w.frame()
	w.check()
}

func eachSeed(t *testing.T, f func(t *testing.T, seed uint64)) {
	if *seedFlag != 0 {
		f(t, *seedFlag)
		return
	}
	for seed := uint64(1); seed <= uint64(*seeds); seed++ {
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { f(t, seed) }) {
			return
		}
	}
}

func TestEveryRowIsOnTheTapeOnceWhateverTheProgramDoes(t *testing.T) {
	eachSeed(t, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		sizes := [][2]int{{80, 24}, {40, 10}, {20, 6}, {33, 5}, {100, 30}, {12, 3}, {30, 2}}
		size := sizes[rng.IntN(len(sizes))]
		w := newWorld(t, seed, size[0], size[1], rng.IntN(2*size[1]), true)
		for range 120 {
			w.step()
		}
	})
}

var dl = regexp.MustCompile(`\x1b\[\d*M`)

// ordinary returns what was written without the deletions that the terminal is known for.
func (w *world) ordinary() []byte {
	if d := w.r.config.Delete; d == DeleteNever || d == InsertNever {
		return w.bytes
	}
	return dl.ReplaceAll(w.bytes, nil)
}
