package tuitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// open opens c on the loop and returns what closes it.
func open(s *Screen, c tui.Component, p tui.Place) (remove func()) {
	s.tb.Helper()
	var leave func()
	s.app.Do(func() { leave = s.app.Overlay(c, p) })
	s.Settle()
	return func() {
		s.app.Do(leave)
		s.Settle()
	}
}

// filled is a component that fills its space with a letter.
func filled(letter string) tui.Component {
	return tui.ComponentFunc(func(s tui.Space) (v tui.View) {
		for range max(s.Height, 1) {
			v.Lines = append(v.Lines, tui.Line{Spans: []tui.Span{{Text: strings.Repeat(letter, s.Width)}}})
		}
		return v
	})
}

func TestLayersStackOverEachOtherAndTheLastOneOpenedIsOnTop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, &tui.App{}, Config{Cols: 20, Rows: 6})
		open(s, filled("."), tui.Place{Full: true})
		closeA := open(s, filled("a"), tui.Place{Center: true, Width: 10, Height: 4})
		closeB := open(s, filled("b"), tui.Place{Top: true, Right: true, Width: 7, Height: 3})
		closeC := open(s, filled("c"), tui.Place{Replace: true, Height: 1})
		s.Want(".............bbbbbbb", ".....aaaaaaaabbbbbbb", ".....aaaaaaaabbbbbbb", ".....aaaaaaaaaa.....",
			".....aaaaaaaaaa.....", strings.Repeat("c", 20))
		closeA()
		s.Want(".............bbbbbbb", ".............bbbbbbb", ".............bbbbbbb", "....................",
			"....................", strings.Repeat("c", 20))
		closeC()
		closeB()
		s.Want(strings.Split(strings.Repeat(strings.Repeat(".", 20)+"\n", 5)+strings.Repeat(".", 20), "\n")...)
		if n := bytes.Count(s.Bytes(), []byte("\x1b[?1049l")); n != 0 {
			t.Errorf("the alternate screen was left %d times", n)
		}
	})
}

func TestLayersStackOverTheInlineRegionAndLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{Footer: tui.NewText("footer")}
		s := Start(t, app, Config{Cols: 20, Rows: 6})
		for i := range 9 {
			fmt.Fprintln(app.Transcript(), "line", i)
		}
		s.Settle()
		closeA := open(s, filled("a"), tui.Place{Width: 12, Height: 2})
		closeB := open(s, filled("b"), tui.Place{Center: true, Width: 4, Height: 2})
		s.Want("line 7", "line 8", "        bbbb", "        bbbb", "aaaaaaaaaaaa", "aaaaaaaaaaaa")
		fmt.Fprintln(app.Transcript(), "line 9")
		closeA()
		closeB()
		if got := s.Scrollback() + "\n" + s.Visible(); got != "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\n"+
			"line 6\nline 7\nline 8\nline 9\nfooter" {
			t.Errorf("got\n%s", got)
		}
	})
}

// A pane in the footer's place, and a screen of its own, hide the layers that were opened before.
func TestWhatHasTheScreenToItselfHidesEarlierLayers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, &tui.App{Footer: tui.NewText("footer")}, Config{Cols: 20, Rows: 4})
		open(s, filled("a"), tui.Place{Top: true, Width: 5, Height: 1})
		closePane := open(s, tui.NewText("pane"), tui.Place{Replace: true})
		s.Want("pane")
		closeFull := open(s, filled("."), tui.Place{Full: true})
		if got := s.Visible(); strings.Contains(got, "a") {
			t.Errorf("got\n%s", got)
		}
		closeFull()
		closePane()
		s.Want("aaaaa", "", "", "footer")
	})
}

func TestKeysMouseAndCaretGoToTheUppermostLayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 40, Rows: 12})
		below, over := &target{name: "below", rows: 12, wants: true}, &target{name: "over", rows: 3, wants: true}
		open(s, below, tui.Place{Full: true})
		remove := open(s, over, tui.Place{Center: true, Width: 10, Height: 3})
		s.Type("ab")
		s.Click(15, 4)
		s.Click(18, 5)
		s.Click(3, 3) // below is covered by a layer, beside it or not
		over.want(t, "0:0,0", "0:3,1")
		below.want(t)
		if strings.Join(over.keys, "") != "ab" || below.keys != nil {
			t.Errorf("keys: over %q, below %q", over.keys, below.keys)
		}
		if col, row, shown := s.Cursor(); col != 15 || row != 4 || !shown {
			t.Errorf("the caret is at %d, %d, shown %v", col, row, shown)
		}
		remove()
		s.Type("c")
		s.Click(3, 3)
		below.want(t, "0:3,3")
		if strings.Join(below.keys, "") != "c" {
			t.Errorf("keys: below %q", below.keys)
		}
		if col, row, _ := s.Cursor(); col != 0 || row != 0 {
			t.Errorf("the caret is at %d, %d", col, row)
		}
	})
}

// The caret is a mode of the terminal, which both screens have in common.
func TestTheCaretIsShownOnTheScreenThatHasOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		footer := tui.NewStack(tui.NewText("no caret"))
		app := &tui.App{Footer: footer}
		s := Start(t, app, Config{Cols: 20, Rows: 4})
		want := func(shown bool, where string) {
			t.Helper()
			if _, _, got := s.Cursor(); got != shown {
				t.Errorf("%s: shown %v", where, got)
			}
		}
		for _, inline := range []bool{false, true, false} {
			app.Do(func() {
				if footer.Children[0] = tui.Component(&note{"no caret"}); inline {
					footer.Children[0] = &tui.Editor{}
				}
			})
			s.Settle()
			for _, full := range []bool{true, false} {
				want(inline, "inline")
				remove := open(s, &target{name: "full", rows: 1, bare: !full}, tui.Place{Full: true})
				want(full, "on the alternate screen")
				closeDialog := open(s, &target{name: "dialog", rows: 1, bare: full}, tui.Place{Center: true})
				want(!full, "in a dialog")
				closeDialog()
				want(full, "without the dialog")
				remove()
				want(inline, "inline again")
			}
		}
	})
}

// note is a component that takes no key.
type note struct{ text string }

func (n *note) View(s tui.Space) tui.View {
	return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: n.text})}}
}

func TestEscClosesTheUppermostLayerOnly(t *testing.T) {
	for _, modal := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: tui.NewText("footer")}
			s := Start(t, app, Config{Cols: 20, Rows: 4})
			open(s, tui.NewText("pane"), tui.Place{Replace: true})
			open(s, &note{"one"}, tui.Place{Top: true, Width: 5, Modal: modal})
			open(s, &note{"two"}, tui.Place{Top: true, Right: true, Width: 5, Modal: modal})
			s.Want("one            two", "", "", "pane")
			s.Press("esc")
			s.Want("one", "", "", "pane")
			s.Press("esc")
			s.Want("pane")
			s.Press("esc") // it is no layer
			s.Want("pane")
		})
	}
}

func TestAModalLayerLetsNoKeyAndNoClickThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		footer, seen := &target{name: "footer", rows: 1, wants: true}, ""
		app := &tui.App{Footer: footer, OnEvent: func(ev tui.Event) bool {
			if k, ok := ev.(tui.Key); ok {
				seen += k.String()
			}
			return false
		}}
		s := Start(t, app, Config{Cols: 20, Rows: 4})
		open(s, &note{"one"}, tui.Place{Top: true, Width: 5, Modal: true})
		s.Type("x")
		s.Paste("y")
		s.Click(0, 3)
		footer.want(t)
		if seen != "" || footer.keys != nil {
			t.Errorf("OnEvent got %q, the footer %q", seen, footer.keys)
		}
		s.Press("esc")
		s.Type("z")
		s.Click(0, find(t, s, "footer"))
		footer.want(t, "0:0,0")
		s.Press("ctrl+c")
		if strings.Join(footer.keys, " ") != "z ctrl+c" {
			t.Errorf("the footer got %q", footer.keys)
		}
		footer.wants = false
		open(s, &note{"two"}, tui.Place{Modal: true})
		s.Press("ctrl+c")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Errorf("Ctrl+C in a modal layer: %v", err)
		}
	})
}

func TestEscInALayerEndsItsAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		s := Start(t, app, Config{Cols: 20, Rows: 4})
		open(s, filled("."), tui.Place{Full: true})
		errs := make(chan error)
		for range 2 {
			app.Go(func(ctx context.Context) error {
				_, err := tui.Ask(ctx, app, tui.Place{Center: true, Modal: true}, func(func(int)) tui.Component {
					return &note{"sure?"}
				})
				errs <- err
				return nil
			})
			s.Settle()
		}
		for range 2 {
			s.Want("....................", ".......sure?........", "....................", "....................")
			s.Press("esc")
			if err := <-errs; !errors.Is(err, tui.ErrDismissed) {
				t.Errorf("got %v", err)
			}
			s.Settle()
		}
		if strings.Contains(s.Visible(), "sure") {
			t.Errorf("got\n%s", s.Visible())
		}
	})
}

// While a layer waits for its FocusDelay keys go to what the person has before the eyes: the layer
// below, never one that is hidden.
func TestKeysBeforeTheFocusDelayGoToTheLayerBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		footer := &target{name: "footer", rows: 1}
		app := &tui.App{Footer: footer}
		s := Start(t, app, Config{Cols: 20, Rows: 6})
		below, over := &target{name: "below", rows: 2}, &target{name: "over", rows: 1}
		open(s, below, tui.Place{Full: true})
		open(s, over, tui.Place{Center: true, FocusDelay: quiet})
		s.Type("a")
		s.advance(quiet)
		s.Type("b")
		if fmt.Sprint(below.keys, over.keys, footer.keys) != "[a] [b] []" {
			t.Errorf("below %q, over %q, footer %q", below.keys, over.keys, footer.keys)
		}
		open(s, &target{name: "pane", rows: 1}, tui.Place{Full: true, FocusDelay: quiet})
		s.Type("c")
		if fmt.Sprint(below.keys, over.keys, footer.keys) != "[a] [b] [c]" {
			t.Errorf("hidden: below %q, over %q, footer %q", below.keys, over.keys, footer.keys)
		}
	})
}

func TestAContextMenuStandsAtTheClickAndAClickBesideItClosesIt(t *testing.T) {
	for _, full := range []bool{true, false} {
		for _, c := range []struct{ col, row, wantCol, wantRow int }{
			{3, 2, 3, 3}, {18, 2, 14, 3}, {3, 8, 3, 6}, {19, 9, 14, 7}, {0, 0, 0, 1},
		} {
			synctest.Test(t, func(t *testing.T) {
				app := &tui.App{LiveRows: 10}
				s := Start(t, app, Config{Cols: 20, Rows: 10})
				menu := &target{name: "item", rows: 2, wants: true, bare: true}
				page := &target{name: ".", rows: 10, wants: true, bare: true}
				if full {
					open(s, page, tui.Place{Full: true})
				} else {
					open(s, page, tui.Place{Replace: true})
				}
				s.Click(c.col, c.row)
				page.want(t, fmt.Sprintf("0:%d,%d", c.col, c.row))
				open(s, menu, tui.Place{Pointer: true})
				if row := find(t, s, "item 0"); row != c.wantRow {
					t.Errorf("full %v: a click in row %d opens it in row %d, want %d", full, c.row, row, c.wantRow)
				}
				if line := strings.Split(s.Visible(), "\n")[c.wantRow]; strings.Index(line, "item 0") != c.wantCol {
					t.Errorf("full %v: a click in column %d opens it as %q, not in %d", full, c.col, line, c.wantCol)
				}
				s.Click(c.wantCol, c.wantRow+1)
				menu.want(t, "0:0,1")
				s.Click(10, 5) // beside it
				menu.want(t)
				page.want(t)
				if strings.Contains(s.Visible(), "item") {
					t.Errorf("a click beside it leaves\n%s", s.Visible())
				}
			})
		}
	}
}

// Whatever a place asks for, the overlay keeps within the window and within its margins, where
// there are as many cells.
func TestEachPlaceKeepsWithinItsWindow(t *testing.T) {
	flags := []func(*tui.Place){
		func(p *tui.Place) { p.Top = true }, func(p *tui.Place) { p.Bottom = true },
		func(p *tui.Place) { p.Left = true }, func(p *tui.Place) { p.Right = true },
		func(p *tui.Place) { p.Center = true },
	}
	for set := range 1 << len(flags) {
		for _, window := range [][2]int{{1, 1}, {3, 2}, {20, 8}, {80, 24}} {
			for _, margin := range []int{0, 1, 5} {
				for _, size := range []int{0, 1, 7, 200} {
					p := tui.Place{Width: size, Height: size, Margin: tui.Pos{Col: margin, Row: margin}}
					for i, f := range flags {
						if set>>i&1 == 1 {
							f(&p)
						}
					}
					cols, rows := window[0], window[1]
					w, h := p.MaxSize(cols, rows)
					at := p.Corner(cols, rows, tui.Pos{Col: w, Row: h})
					if w < 1 || h < 1 || at.Col < 0 || at.Row < 0 || at.Col+w > cols || at.Row+h > rows {
						t.Errorf("%+v in %dx%d: %dx%d at %v", p, cols, rows, w, h, at)
					}
					if cols > 2*margin && (at.Col < margin || at.Col+w > cols-margin) {
						t.Errorf("%+v in %dx%d: columns %d to %d", p, cols, rows, at.Col, at.Col+w)
					}
				}
			}
		}
	}
}

func TestAShadeMakesEverythingBelowFaint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := Start(t, &tui.App{}, Config{Cols: 20, Rows: 3})
		open(s, tui.ComponentFunc(func(tui.Space) tui.View {
			return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: "plain "},
				{Text: "bold", Style: tui.Style{Attr: tui.Bold}}}}}}
		}), tui.Place{Full: true})
		remove := open(s, tui.NewText("over"), tui.Place{Bottom: true, Right: true, Shade: true})
		faint := func() (got string) {
			s.Inspect(func(v *vt.Terminal) {
				for col := range 10 {
					got += map[bool]string{true: "f", false: "-"}[v.Row(0).Cell(col).Style.Attr&vt.Faint != 0]
				}
				got += fmt.Sprint(" ", v.Row(2).Cell(16).Style.Attr&vt.Faint != 0)
			})
			return got
		}
		if got := faint(); got != "fffff-ffff false" && got != "ffffffffff false" {
			t.Errorf("got %s", got)
		}
		remove()
		if got := faint(); got != "---------- false" {
			t.Errorf("afterwards %s", got)
		}
	})
}
