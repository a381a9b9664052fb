package main

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestStepsMoveAndStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, progress("fetch", "build"), tuitest.Config{Cols: 40, Rows: 5})
		<-time.After(500*time.Millisecond - 20*time.Millisecond)
		if rows := strings.Split(s.Visible(), "\n"); len(rows) != 2 || !strings.HasPrefix(rows[0], "fetch   ==") ||
			!strings.Contains(rows[1], "working 0 s · Ctrl+C stops") {
			t.Errorf("got\n%s", s.Visible())
		}
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.Want("fetch   ==================== 100%", "build   ==================== 100%")
	})
}

func TestInterruptedStepStaysAsItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, progress("fetch"), tuitest.Config{Cols: 40, Rows: 5})
		<-time.After(300 * time.Millisecond)
		s.Press("ctrl+c")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Error(err)
		}
		if got := s.Visible(); !strings.HasPrefix(got, "fetch   ==") || strings.Contains(got, "working") {
			t.Errorf("got\n%s", got)
		}
	})
}
