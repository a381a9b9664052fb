package main

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// program returns a dashboard of three addresses. One of them does not answer.
func program() *tui.App {
	start := time.Now()
	return dashboard(func(_ context.Context, address string) float64 {
		if address == "lost:443" {
			return math.NaN()
		}
		return math.Round(60 + 40*math.Sin(time.Since(start).Seconds()/3) + 10*float64(len(address)))
	}, "one:443", "three:443", "lost:443")
}

func TestADashboardStreamsIsClickedAndIsResizedWhileItRuns(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {50, 15}} {
		synctest.Test(t, func(t *testing.T) {
			s := tuitest.Start(t, program(), tuitest.Config{Cols: size[0], Rows: size[1]})
			has := func(when string, texts ...string) {
				t.Helper()
				for _, text := range texts {
					if !strings.Contains(s.Visible(), text) {
						t.Errorf("%dx%d, %s: no %q in\n%s", size[0], size[1], when, text, s.Visible())
					}
				}
			}
			has("at the start", "one:443", "three:443", "lost:443", "Now", "Time in ms")
			before := s.Visible()
			s.Pass(20 * time.Second)
			if s.Visible() == before {
				t.Error("nothing streams")
			}
			click := func(text string, col int) { // on the last row with text
				t.Helper()
				for row, line := range strings.Split(s.Visible(), "\n") {
					if strings.Contains(line, text) && col < size[0]/2 == (row < size[1]/3) {
						s.Click(col, row)
						return
					}
				}
				t.Fatalf("no %q in\n%s", text, s.Visible())
			}
			click("three:443", 6)
			has("after a click on a row", "› three:443")
			click("one:443", size[0]/2+6)
			has("after a click on a bar", "› one:443")
			s.Resize(size[0]+20, size[1]+6)
			has("larger", "› one:443")
			s.Resize(size[0], size[1])
			s.Pass(time.Second)
			s.Press("tab", "home", "down", "enter")
			has("in a dialog", "Forget three:443?")
			s.Click(2, 3) // covered: nothing happens
			s.Press("q")
			s.Resize(size[0]-3, size[1]-1)
			has("in a dialog", "Forget three:443?")
			s.Press("esc")
			s.Press("enter")
			s.Press("y")
			if got := s.Visible(); strings.Contains(got, "three:443") || strings.Contains(got, "Forget") {
				t.Errorf("it is not forgotten:\n%s", got)
			}
			s.Press("q")
			if err := s.Wait(); err != nil || strings.Trim(strings.Join(s.Lines(), ""), " ") != "" {
				t.Errorf("%v, left %q", err, s.Lines())
			}
		})
	}
}

func TestTheDashboardEndsAsItShould(t *testing.T) {
	trial.Run(t, program, trial.Play{Do: []string{"<down>", "<enter>", "n", "<enter>", "<esc>", "+2s", "q"},
		PlainErr: terminal.ErrNotTerminal})
}
