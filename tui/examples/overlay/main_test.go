package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestWithoutATerminalAQuestionOfKeysIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := overlay()
		app.Input, app.Output = strings.NewReader("y\n"), io.Discard
		app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
		if err := app.Run(context.Background()); !errors.Is(err, terminal.ErrNotTerminal) ||
			err.Error() != "needs a terminal" {
			t.Error(err)
		}
	})
}

func TestQuestionStandsOverTheLogAndLeavesNoTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, overlay(), tuitest.Config{Cols: 40, Rows: 6})
		s.Press("y") // typed ahead: it answers nothing
		if got := s.Visible(); !strings.HasSuffix(got, "Stop the log?\n[y]es  [n]o") {
			t.Errorf("got\n%s", got)
		}
		<-time.After(2 * time.Second)
		s.Press("y")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		lines := s.Lines()
		if n := len(lines); n < 6 || lines[n-1] != "the answer was true" {
			t.Errorf("got %q", lines)
		}
		for i, l := range lines[:len(lines)-1] {
			if !strings.HasPrefix(l, "log line ") {
				t.Errorf("line %d is %q", i, l)
			}
		}
	})
}
