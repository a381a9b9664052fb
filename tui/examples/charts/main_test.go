package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "charts", "Measurements are drawn while they come, and a bar is chosen", 18, charts,
		"~700ms", "<down>", "~700ms", "<enter>", "~700ms")
}

func TestABarIsChosenWhileTheLinesGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := charts()
		s := tuitest.Start(t, app, tuitest.Config{Cols: 80, Rows: 24})
		s.Pass(5 * time.Second)
		s.Press("down", "enter")
		before := s.Visible()
		if !strings.Contains(before, "› tankers") || !strings.Contains(before, "water █") {
			t.Errorf("shown is\n%s", before)
		}
		s.Pass(5 * time.Second)
		if s.Visible() == before {
			t.Error("the lines stand still")
		}
		s.Press("q")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		if got := strings.TrimSpace(s.Scrollback() + s.Visible()); got != "tankers: 4" {
			t.Errorf("at the end there is\n%s", got)
		}
	})
}
