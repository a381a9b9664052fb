package tui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
)

func TestWhatIsOutsideOfThePictureGoesToTheTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{}
		app.SetTitle("before Run")
		if err := app.Copy("x"); !errors.Is(err, ErrClosed) {
			t.Errorf("Copy before Run: %v", err)
		}
		r := start(t, app, 20, 4)
		app.Notify("shell", "it waits")
		app.SetProgress(30)
		r.settle()
		if err := app.Copy("text"); err != nil {
			t.Error(err)
		}
		r.quit()
		app.Notify("shell", "late")
		if err := app.Copy("x"); !errors.Is(err, ErrClosed) {
			t.Errorf("Copy after Run: %v", err)
		}
		if got := strings.Join(r.d.asked, ", "); got != "title before Run, notify shell it waits, progress 30, "+
			"copy text" {
			t.Errorf("the terminal was asked for %s", got)
		}
	})
}
