package tuitest

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
)

func TestAPassiveOverlayStandsAboveTheFooterAndCoversNoRow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: &tui.Editor{}}
		s := Start(t, app, Config{Cols: 20, Rows: 6})
		closeNote := open(s, &note{"saved"}, tui.Place{Top: true, Right: true, Passive: true})
		open(s, tui.ComponentFunc(func(tui.Space) tui.View { return tui.View{} }), tui.Place{Passive: true}) // no rows
		app.Transcript().Print(tui.Line{Spans: []tui.Span{{Text: "said"}}})
		s.Type("x")
		s.Want("said", "saved", "› x")
		if col, row, _ := s.Cursor(); col != 3 || row != 2 {
			t.Errorf("the caret is at %d, %d", col, row)
		}
		remove := open(s, &note{"pane"}, tui.Place{Replace: true})
		s.Want("said", "saved", "pane")
		remove()
		closeNote()
		s.Want("said", "› x")
		app.Quit(nil)
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		if got := strings.Join(s.Lines(), "|"); strings.Trim(got, "|") != "said" {
			t.Errorf("the tape is %q", got)
		}
	})
}

func TestAPassiveOverlayIsOnTopOfAllAndTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 20, Rows: 4})
		closeNote := open(s, &note{"saved"}, tui.Place{Top: true, Right: true, Passive: true})
		page := &target{name: "a page that is wide", rows: 2, wants: true}
		open(s, page, tui.Place{Full: true})
		s.Want("a page that is saved", "a page that is wide…")
		s.Type("x")
		s.Click(17, 0)
		page.want(t, "0:17,0")
		s.Press("esc")
		if strings.Join(page.keys, " ") != "x escape" {
			t.Errorf("keys %q", page.keys)
		}
		if col, row, shown := s.Cursor(); col != 0 || row != 0 || !shown {
			t.Errorf("the caret is at %d, %d, shown %v", col, row, shown)
		}
		open(s, filled("b"), tui.Place{Height: 4, Modal: true})
		s.Want("bbbbbbbbbbbbbbbsaved", strings.Repeat("b", 20), strings.Repeat("b", 20), strings.Repeat("b", 20))
		closeNote()
		s.Want(strings.Repeat("b", 20), strings.Repeat("b", 20), strings.Repeat("b", 20), strings.Repeat("b", 20))
	})
}
