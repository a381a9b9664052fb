package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

const text = "10:00 INFO started\n10:01 WARN slow \x1b[2J\n\n10:02 ERROR broken\n"

func log(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("x.log", []byte(text+"not yet a line"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rows are those of text as they are shown.
var rows = strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\x1b", "␛"), "\n"), "\n")

// program is tail for a minute.
func program() *tui.App {
	app := tail("x.log")
	main := app.Main
	app.Main = func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		return main(ctx)
	}
	return app
}

func TestLinesAreHistoryAndAPaneSearchesThem(t *testing.T) {
	log(t)
	trial.Run(t, program, trial.Play{Do: []string{"/", "slow", "<enter>", "q", "<ctrl+c>"}, Rows: rows,
		Err: tui.ErrInterrupted, Text: strings.Join(rows, "\n") + "\n", PlainErr: context.DeadlineExceeded})
}

func TestAFileThatGrowsIsFollowed(t *testing.T) {
	log(t)
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, program(), tuitest.Config{Cols: 40, Rows: 16})
		file, err := os.OpenFile("x.log", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = file.WriteString(", but now\n"); errors.Join(err, file.Close()) != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		s.Press("/")
		s.Type("now")
		s.Want("10:00 INFO started", "10:01 WARN slow ␛[2J", "", "10:02 ERROR broken", "not yet a line, but now",
			"x.log", "10:00 INFO started", "10:01 WARN slow ␛[2J", "", "10:02 ERROR broken", "not yet a line, but now",
			"/now")
		s.Press("ctrl+c")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Error(err)
		}
		s.Want(append(rows, "not yet a line, but now")...)
	})
}

func TestAFileThatIsNotThereIsAnError(t *testing.T) {
	if err := tail("none.log").Run(context.Background()); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
