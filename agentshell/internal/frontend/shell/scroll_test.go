package shell

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// slack is what a frame of a scrolled pane may have above the floor: the brackets of a synchronized
// update are 16 of them.
const slack = 18

// A scrolled pane costs the rows that come into sight, the changed cells of its title and the moves
// to them, on the whole screen and above the transcript alike: the terminal moves the others. -v
// prints bytes a row: what was sent, the floor of its content (text, and the shortest SGR for its
// look), and the moves that any program needs for it.
func TestScrollingAPaneCostsItsNewRows(t *testing.T) {
	for _, c := range []struct {
		cols, rows int
		look       string
	}{{80, 24, "plain"}, {100, 30, "coloured"}} {
		synctest.Test(t, func(t *testing.T) { scrollPane(t, c.cols, c.rows, c.look) })
	}
}

func scrollPane(t *testing.T, cols, rows int, look string) {
	s := bigPane(t, cols, rows, look, 1000)
	for _, place := range []string{"inline", "full"} {
		if place == "full" {
			s.Press("f")
			s.pass(time.Second)
		}
		for _, step := range []struct {
			key string
			n   int
		}{{"j", 20}, {"k", 10}, {"ctrl+d", 4}, {"ctrl+u", 2}, {"space", 4}, {"b", 2}} {
			sent, content, moves, came := 0, 0, 0, 0
			for range step.n {
				before := s.grid()
				s.Bytes()
				s.Press(step.key)
				s.pass(100 * time.Millisecond)
				p := s.Bytes()
				c, m, n := floor(before, s.grid(), place == "full")
				if len(p) > c+m+slack+4*n {
					t.Errorf("%dx%d, %s, %s, %s: %d bytes for %d rows, the floor is %d and %d for moves\n%q", cols,
						rows, look, place, step.key, len(p), n, c, m, p)
				}
				sent, content, moves, came = sent+len(p), content+c, moves+m, came+n
			}
			if came < step.n {
				t.Errorf("%s: %d rows came into sight", step.key, came)
			}
			per := func(n int) float64 { return float64(n) / float64(came) }
			t.Logf(
				"%dx%d %-8s %-6s %-6s %2d rows a key: %5.1f bytes a row, content %5.1f, moves %4.1f, above both %5.1f",
				cols, rows, look, place, step.key, came/step.n, per(sent), per(content), per(moves),
				per(sent-content-moves))
		}
	}
}

// The cost of a row does not depend on how long the change is.
func TestScrollingCostsRowsNotFiles(t *testing.T) {
	cost := func(lines int) (n int) {
		synctest.Test(t, func(t *testing.T) {
			s := bigPane(t, 80, 24, "coloured", lines)
			s.Bytes()
			for range 10 {
				s.Press("j")
				s.pass(100 * time.Millisecond)
			}
			n = len(s.Bytes()) / 10
		})
		return n
	}
	if short, long := cost(1000), cost(8_000); long-short > 20 {
		t.Errorf("a row costs %d bytes, in a longer change %d", short, long)
	}
}

// bigPane returns a session that asks about a change of that many lines; half of them differ.
func bigPane(t *testing.T, cols, rows int, look string, lines int) *session {
	env := map[string]map[string]string{"plain": {"NO_COLOR": "1"}, "coloured": {"COLORTERM": "truecolor"}}[look]
	before, after := big(lines, 0.5)
	content := strings.ReplaceAll(strings.ReplaceAll(string(after), "\t", `\t`), "\n", `\n`)
	s := begin(t, tuitest.Config{Cols: cols, Rows: rows, Env: env}, map[string]string{"big.go": string(before)},
		`{"say":"Now.","tool_chunk_bytes":100000,"tool_calls":[{"id":"c","name":"write_file",`+
			`"input":{"path":"big.go","content":"`+content+`"}}]}`)
	s.ask()
	return s
}

// grid is a picture of the screen.
type grid struct {
	rows     [][]vt.Cell
	col, row int // the cursor
}

func (s *session) grid() (g grid) {
	s.Inspect(func(t *vt.Terminal) {
		_, n := t.Size()
		for y := range n {
			var cells []vt.Cell
			for _, c := range t.Row(y).Cells() {
				cells = append(cells, c)
			}
			g.rows = append(g.rows, cells)
		}
		g.col, g.row = t.Cursor().Col, t.Cursor().Row
	})
	return g
}

// floor returns the least that leads from one picture to the next if the terminal moves the rows
// that stay in sight: the content of those that came, as written into blank rows, with the cells of
// the title that changed; the moves to both; and how many rows came. Brackets do not count.
func floor(old, now grid, skips bool) (content, moves, came int) {
	has := func(r []vt.Cell) bool {
		return slices.ContainsFunc(old.rows, func(o []vt.Cell) bool { return slices.Equal(o, r) })
	}
	title, top, bottom, at := -1, -1, -1, 0
	first, last := -1, -1 // rows that moved
	for y, r := range now.rows {
		switch {
		case slices.Equal(old.rows[y], r):
			continue
		case strings.Contains(texts(r), " of "):
			var n int
			title = y
			n, at = patch(old.rows[y], r)
			content += n
		case has(r):
			if first < 0 {
				first = y
			}
			last = y
		default:
			came++
			content += written(r, skips)
			if top < 0 {
				top = y
			}
			bottom = y
		}
	}
	if came == 0 {
		return content, 0, 0
	}
	y, x := old.row, old.col
	to := func(row, col int) {
		moves += vertical(row - y)
		switch {
		case x == col:
		case col == 0:
			moves++
		case x < col:
			moves += min(len(ansi.AppendCHA(nil, col)), len(ansi.AppendCUF(nil, col-x)))
		default:
			moves += min(len(ansi.AppendCHA(nil, col)), len(ansi.AppendCUB(nil, x-col)))
		}
		y, x = row, col
	}
	up := first < top // rows went up, new ones came in below them
	shift := func() {
		if first < 0 {
			return // a whole page is new
		}
		if up {
			to(first, 0)
			moves += len(ansi.AppendDL(nil, came))
			to(top, 0)
			moves += len(ansi.AppendIL(nil, came))
			return
		}
		to(last+1-came, 0) // as many go there
		moves += len(ansi.AppendDL(nil, came))
		to(top, 0)
		moves += len(ansi.AppendIL(nil, came))
	}
	if !up {
		shift()
	}
	if title >= 0 {
		to(title, at)
		x = at + 1
	}
	if up {
		shift()
	}
	to(top, 0)
	moves += 2 * (bottom - top)
	y, x = bottom, 1
	if now.row != bottom { // on the whole screen it stays
		to(now.row, now.col)
	}
	return content, moves, came
}

func vertical(n int) int {
	switch {
	case n > 0:
		return min(n, len(ansi.AppendCUD(nil, n)))
	case n < 0:
		return len(ansi.AppendCUU(nil, -n))
	}
	return 0
}

func texts(cells []vt.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.Text)
	}
	return b.String()
}

// patch returns the bytes of the cells that differ, and the column of the first.
func patch(old, now []vt.Cell) (n, at int) {
	from, to := len(now), 0
	for x := range now {
		if old[x] != now[x] {
			from, to = min(from, x), max(to, x+1)
		}
	}
	return written(now[from:to], true), from
}

// written returns the bytes of a row that is written into a blank one. The look of a blank without
// a background does not matter; on the alternate screen it may be skipped, elsewhere kitty would
// forget it when the window changes, so that it is printed.
func written(cells []vt.Cell, skips bool) (n int) {
	for len(cells) > 0 && unseen(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1]
	}
	var pen ansi.Style
	for x := 0; x < len(cells); x++ {
		c := cells[x]
		if unseen(c) {
			k := 1
			for unseen(cells[x+k]) {
				k++
			}
			if skips {
				n += min(k, len(ansi.AppendCUF(nil, k)))
			} else {
				n += k
			}
			x += k - 1
			continue
		}
		s := pens(c.Style)
		n += len(ansi.AppendSGR(nil, pen, s)) + max(len(c.Text), c.Width)
		pen = s
	}
	return n + len(ansi.AppendSGR(nil, pen, ansi.Style{}))
}

func unseen(c vt.Cell) bool {
	return (c.Text == "" || c.Text == " ") && c.Width == 1 && c.Style.Bg == 0 &&
		c.Style.Attr&(vt.Inverse|vt.Strike) == 0 && c.Style.Underline == 0
}

func pens(s vt.Style) ansi.Style {
	out := ansi.Style{Fg: s.Fg, Bg: s.Bg, Attr: s.Attr}
	if s.Underline != 0 {
		out.Attr |= ansi.Underline
	}
	return out
}
