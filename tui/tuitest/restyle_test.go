package tuitest

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// inColour returns the tape with the colour of each row's first character in front: history, then
// the grid.
func inColour(s *Screen) (history, grid []string) {
	row := func(r vt.Row) string {
		return fmt.Sprintf("%v %s", r.Cell(0).Style.Fg, strings.TrimRight(r.Text(), " "))
	}
	s.Inspect(func(v *vt.Terminal) {
		for i := range v.ScrollbackLen() {
			history = append(history, row(v.ScrollbackRow(i)))
		}
		_, rows := v.Size()
		for y := range rows {
			grid = append(grid, row(v.Row(y)))
		}
	})
	return history, grid
}

// restyled returns a program whose headings are in the colour fg.
func restyled(fg *uint8) *tui.App {
	return &tui.App{
		Theme: func(c tui.Caps) *tui.Theme {
			t := *tui.NewTheme(c)
			t.Heading.Fg, t.Status.Fg = tui.Indexed(*fg), tui.Indexed(*fg)
			return &t
		},
		Footer: tui.ComponentFunc(func(s tui.Space) tui.View {
			return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: "footer", Style: s.Look().Status})}}
		}),
	}
}

func TestRestyleDrawsWhatIsLiveAndLeavesWhatIsFinal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fg := uint8(1)
		app := restyled(&fg)
		app.Restyle() // before Run: nothing to do
		s := Start(t, app, Config{Cols: 30, Rows: 8})
		answer := app.Transcript().Stream(&markdown.Document{})
		for i := range 400 { // more than what a block keeps of what is in history
			fmt.Fprintf(answer, "# head %d\n\nsome words of it that are wrapped %d\n\n", i, i)
			if i%50 == 0 {
				s.Settle()
			}
		}
		fmt.Fprint(answer, "# the last")
		s.Settle()
		history, grid := inColour(s)
		texts := s.Lines()
		fg = 2
		app.Do(app.Restyle)
		s.Settle()
		now, after := inColour(s)
		if strings.Join(now, "\n") != strings.Join(history, "\n") {
			t.Error("rows in history were written again")
		}
		if got := s.Lines(); strings.Join(got, "\n") != strings.Join(texts, "\n") {
			t.Errorf("text has changed:\n%s", strings.Join(got[max(len(got)-12, 0):], "\n"))
		}
		changed := ""
		for y := range grid {
			if grid[y] != after[y] {
				changed += after[y] + "\n"
			}
		}
		live := strings.NewReplacer(grid[len(grid)-1], "").Replace(changed)
		if !strings.Contains(changed, "footer") || !strings.Contains(live, "the last") {
			t.Errorf("what has changed its colour is\n%s", changed)
		}
		if strings.Contains(changed, "head 39") {
			t.Errorf("a final row has changed its colour:\n%s", changed)
		}
		fmt.Fprint(answer, " one\n\nthe end\n")
		answer.Close()
		s.Settle()
		all := strings.Join(s.Lines(), "\n")
		for i := range 400 {
			if n := strings.Count(all+"\n", fmt.Sprintf("head %d\n", i)); n != 1 {
				t.Fatalf("head %d stands on the tape %d times", i, n)
			}
		}
		if !strings.Contains(all, "the last one") {
			t.Errorf("the answer does not go on:\n%s", strings.Join(s.Lines()[len(s.Lines())-8:], "\n"))
		}
	})
}

// A component keeps what it has made by the theme that it was made for.
func TestRestyleReachesAnOverlayAndTheAlternateScreen(t *testing.T) {
	for _, place := range []tui.Place{{}, {Replace: true}, {Full: true}} {
		synctest.Test(t, func(t *testing.T) {
			fg := uint8(1)
			app := restyled(&fg)
			s := Start(t, app, Config{Cols: 30, Rows: 8})
			app.Do(func() {
				app.Overlay(tui.ComponentFunc(func(s tui.Space) tui.View {
					return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: "over", Style: s.Look().Heading})}}
				}), place)
			})
			s.Settle()
			look := func() string {
				_, grid := inColour(s)
				for _, row := range grid {
					if strings.HasSuffix(row, "over") {
						return row
					}
				}
				return "none"
			}
			was := look()
			fg = 2
			app.Do(app.Restyle)
			s.Settle()
			if now := look(); now == was || now == "none" {
				t.Errorf("%+v: the overlay was %q and is %q", place, was, now)
			}
			s.Bytes()           // those until now
			app.Do(app.Restyle) // the same colours
			s.Settle()
			if more := s.Bytes(); len(more) > 0 {
				t.Errorf("%+v: the same theme again writes %q", place, more)
			}
		})
	}
}
