package tuitest

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/layout"
)

// dragged is a component that notes each mouse event.
type dragged struct {
	drags bool
	got   []string
}

func (d *dragged) View(s tui.Space) tui.View {
	return tui.View{Lines: make([]tui.Line, max(s.Height, 2)), Mouse: true, Drags: d.drags}
}

func (d *dragged) HandleEvent(ev tui.Event, _ tui.Space) bool {
	if m, ok := ev.(tui.Mouse); ok {
		what := map[bool]string{true: "press", false: "release"}[m.Press]
		if m.Moved() {
			what = "move"
		}
		d.got = append(d.got, fmt.Sprintf("%s %d,%d", what, m.Col, m.Row))
	}
	return true
}

func (d *dragged) want(t *testing.T, events string) {
	t.Helper()
	if got := strings.Join(d.got, "; "); got != events {
		t.Errorf("got %q, want %q", got, events)
	}
	d.got = nil
}

// The component whose button is held gets all of a drag, wherever the pointer is, in its own cells.
// Nobody else gets a move.
func TestADragGoesToTheComponentWhereItBegan(t *testing.T) {
	for _, place := range []tui.Place{{Full: true}, {Replace: true}, {Top: true, Margin: tui.Pos{Col: 2, Row: 1}}} {
		synctest.Test(t, func(t *testing.T) {
			still, moving := &dragged{}, &dragged{drags: true}
			s := Start(t, &tui.App{}, Config{Cols: 25, Rows: 10, Before: strings.Repeat("\n", 10)})
			if s.DragsOn() {
				t.Error("it is on while nobody wants it")
			}
			remove := open(s, tui.NewStack(layout.NewColumns(still, layout.NewRows(moving))), place)
			at := tui.Pos{} // the corner
			if place.Top {
				at = place.Margin
			}
			right := (25-2*at.Col-1)/2 + 1
			s.Drag(tui.Pos{Col: at.Col + right + 1, Row: at.Row + 1}, tui.Pos{Col: at.Col + right - 1, Row: at.Row})
			moving.want(t, "press 1,1; move 0,0; move -1,0; release -1,0")
			still.want(t, "")
			s.Drag(tui.Pos{Col: at.Col, Row: at.Row}, tui.Pos{Col: at.Col + 1, Row: at.Row + 1})
			still.want(t, "press 0,0; release 1,1")
			s.Click(at.Col+right, at.Row)
			moving.want(t, "press 0,0; release 0,0")
			remove()
			if s.DragsOn() || s.MouseOn() {
				t.Errorf("afterwards drags are on: %v, the mouse: %v", s.DragsOn(), s.MouseOn())
			}
		})
	}
}

// A drag ends with its component, and under a layer that came meanwhile nothing moves.
func TestADragDoesNotReachACoveredComponent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		below := &dragged{drags: true}
		s := Start(t, &tui.App{}, Config{Cols: 20, Rows: 6})
		open(s, below, tui.Place{Full: true})
		s.button(0, 3, 3, 'M')
		s.Settle()
		below.want(t, "press 3,3")
		remove := open(s, &dragged{}, tui.Place{Center: true, Width: 4})
		s.button(32, 4, 3, 'M')
		s.button(0, 4, 3, 'm')
		s.Settle()
		below.want(t, "")
		remove()
		s.button(32, 4, 4, 'M')
		s.Settle()
		below.want(t, "") // no button is held
	})
}
