package renderer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// Where the terminal heeds it, the first live row has the mark after each frame, and the cursor is
// as far below that row at any other size as it was before.
func TestTheLiveRegionIsMarkedWhereItBegins(t *testing.T) {
	for _, name := range []string{"kitty", "kitty-0.40"} {
		p, _ := profile.ByName(name)
		term := p.New(40, 12, 1000)
		r := New(Config{Out: term, Cols: 40, Rows: 12, Marks: true, Quirks: Known("kitty")})
		final, wide := 0, strings.Repeat("=", 37)
		frame := func(commit, live int) {
			t.Helper()
			f := Frame{Base: final, Cursor: &Pos{Col: 3, Row: live - 1}}
			for range commit {
				f.Commit = append(f.Commit, lines(fmt.Sprintf("line %d", final))[0])
				f.Commit[len(f.Commit)-1].Prompt = final%3 == 0
				final++
			}
			for i := range live {
				f.Live = append(f.Live, lines(fmt.Sprint("live ", i, wide[:30]))...)
			}
			if _, err := r.Render(f); err != nil {
				t.Fatal(err)
			}
			top := term.Cursor().Row - (live - 1)
			got, marked := term.Row(top).Text(), term.Row(top).Prompt() != 0
			if !strings.HasPrefix(got, "live 0") || !marked {
				t.Errorf("%s, after line %d: %q begins the live region, marked %v", name, final, got, marked)
			}
		}
		for i := range 30 {
			frame(i%3, 1+i%5)
		}
		frame(1, 5) // what the person said, above the same live rows: its mark says that nothing is drawn again
		for _, size := range [][2]int{{20, 12}, {60, 9}, {11, 20}, {40, 12}} {
			term.Resize(size[0], size[1])
			top := term.Cursor().Row - 4
			if got := term.Row(top - 1).Text(); got != fmt.Sprintf("line %d", final-1) {
				t.Errorf("%s, %v: %q is above the row from which frames go on", name, size, got)
			}
		}
	}
}

// A frame that a terminal reads in several pieces is preceded by the news that nothing is drawn
// again, and so is the end: from a mark that is left behind kitty would blank the rows of a shell.
func TestNoFinalRowIsBelowAMarkForLong(t *testing.T) {
	s := newSession(Config{Cols: 80, Rows: 24, Quirks: Known("kitty")})
	got := s.frame(t, lines("one"), "live")
	if strings.Contains(got, ansi.DoneMark) || !strings.Contains(got, ansi.LiveMark) {
		t.Errorf("a short frame: %q", got)
	}
	got = s.frame(t, lines(strings.Split(strings.Repeat(strings.Repeat("x", 60)+"\n", 20), "\n")...), "live")
	done, text, live := strings.Index(got, ansi.DoneMark), strings.Index(got, "xx"), strings.Index(got, ansi.LiveMark)
	if done < 0 || done > text || live < text {
		t.Errorf("a long frame has the marks at %d and %d, its text at %d: %q", done, live, text, got)
	}
	for _, keep := range []bool{false, true} {
		s.out.Reset()
		if err := s.r.Release(keep); err != nil || !strings.Contains(s.out.String(), ansi.DoneMark) {
			t.Errorf("at the end, %v: %q, %v", keep, s.out.String(), err)
		}
		s.r.Restart()
		s.frame(t, lines("more"), "live")
	}
}
