package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestAnswersStayAndQuestionsDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, wizard("MIT", "BSD"), tuitest.Config{Cols: 40, Rows: 10})
		s.Type("tide")
		s.Press("enter")
		s.Press("down")
		s.Press("enter")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		s.Want("name: tide", "licence: BSD")
	})
}

func TestEscLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, wizard("MIT", "BSD"), tuitest.Config{Cols: 40, Rows: 10})
		s.Type("tide")
		s.Press("enter")
		s.Press("esc")
		if err := s.Wait(); !errors.Is(err, tui.ErrInterrupted) {
			t.Error(err)
		}
	})
}

func TestInAPipeEachLineIsAnAnswer(t *testing.T) {
	for _, c := range []struct {
		in, want string
		err      error
	}{
		{"tide\n2\n", "name: tide\n\nWhich licence?\n1 MIT\n2 BSD\nA number or the words of one:\nlicence: BSD\n", nil},
		{"tide\nnone\nmit", "name: tide\n\nWhich licence?\n1 MIT\n2 BSD\nA number or the words of one:\nlicence: MIT\n",
			nil},
		{"tide\nnone\n", "name: tide\n\nWhich licence?\n1 MIT\n2 BSD\nA number or the words of one:\n", io.EOF},
		{"", "", io.EOF},
	} {
		synctest.Test(t, func(t *testing.T) {
			var out strings.Builder
			app := wizard("MIT", "BSD")
			app.Input, app.Output = strings.NewReader(c.in), &out
			app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
			if err := app.Run(context.Background()); !errors.Is(err, c.err) {
				t.Errorf("%q: %v", c.in, err)
			}
			if got, want := out.String(), "What is the project called?\n"+c.want; got != want {
				t.Errorf("%q: got\n%s\nwant\n%s", c.in, got, want)
			}
		})
	}
}
