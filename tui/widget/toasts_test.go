package widget_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

func TestToastsComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		table := counted(40)
		app.Overlay(table, tui.Place{Full: true})
		toasts := &widget.Toasts{}
		toasts.Open(app)
		s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 8})
		before := s.Visible()
		app.Do(func() { toasts.Show(widget.Success, "saved \x1b[2Jnotes.md") })
		s.Pass(2 * time.Second)
		app.Do(func() { toasts.Show(widget.Failure, "the disk is full") })
		s.Settle()
		rows := strings.Split(s.Visible(), "\n")
		if !strings.HasSuffix(rows[0], "✓ saved ␛[2Jnotes.md") || !strings.HasSuffix(rows[1], "✗ the disk is full") {
			t.Errorf("shown is\n%s", s.Visible())
		}
		if s.Press("down"); table.At != 1 {
			t.Error("the toasts have taken the keys")
		}
		s.Press("up")
		s.Pass(4 * time.Second)
		if got := s.Visible(); strings.Contains(got, "saved") || !strings.Contains(got, "the disk is full") {
			t.Errorf("after 6 s\n%s", got)
		}
		s.Pass(2 * time.Second)
		if got := s.Visible(); got != before || s.Scrollback() != "" {
			t.Errorf("after 8 s\n%s", got)
		}
		s.Bytes()
		s.Pass(time.Minute)
		if n := len(s.Bytes()); n > 0 {
			t.Errorf("%d bytes while nothing happens", n)
		}
	})
}

func TestToastsKeepToTheirPlace(t *testing.T) {
	for _, cols := range []int{1, 5, 20, 200} {
		for _, height := range []int{1, 3, 20} {
			toasts := &widget.Toasts{Max: 3}
			for i := range 5 {
				toasts.Show(widget.Warning, fmt.Sprint(i, strings.Repeat(" words 漢字", 9)))
			}
			s := tui.Space{Width: cols, Height: height}
			rows := texts(toasts.View(s))
			if len(rows) > height {
				t.Errorf("%d rows in %d", len(rows), height)
			}
			for _, row := range rows {
				if n := s.Columns(row); n > max(cols, 2) || n > 50 {
					t.Errorf("%d columns in %d: %q", n, cols, row)
				}
			}
			if all := strings.Join(texts(toasts.View(tui.Space{Width: 60})), ""); strings.Contains(all, "1 words") ||
				!strings.Contains(all, "4 words") {
				t.Errorf("not the newest three: %q", all)
			}
		}
	}
}

func ExampleToasts() {
	toasts := &widget.Toasts{For: 3 * time.Second}
	toasts.Show(widget.Success, "saved")
	toasts.Show(widget.Warning, "the battery is low")
	show(toasts)
	// Output:
	// ✓ saved
	//  ! the battery is low
}

func ExampleToasts_Open() {
	app := &tui.App{}
	toasts := &widget.Toasts{}
	toasts.Open(app)
	app.Do(func() { toasts.Show(widget.Note, "connected") }) // from any goroutine
}

func ExampleToastKind() {
	toasts := &widget.Toasts{}
	for _, kind := range []widget.ToastKind{widget.Note, widget.Success, widget.Warning, widget.Failure} {
		toasts.Show(kind, "kind "+fmt.Sprint(kind))
	}
	show(toasts)
	// Output:
	// · kind 0
	//  ✓ kind 1
	//  ! kind 2
	//  ✗ kind 3
}
