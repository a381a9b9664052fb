package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestChatInAllSurroundings(t *testing.T) {
	trial.Run(t, chat, trial.Play{
		Do:    []string{"hello there", "<enter>", "+1s", "and you?", "<enter>", "+1s", "<ctrl+d>"},
		Rows:  []string{"> hello there", "You said: hello there", "> and you?", "You said: and you?"},
		Lines: "one\n", Text: "> one\nYou said: one\n",
	})
}

func TestChatInAPipeAnswersEachLineToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		app := chat()
		app.Input, app.Output = strings.NewReader("one\ntwo\n"), &out
		app.Terminal.Env = func(name string) string { return map[string]string{"TERM": "dumb"}[name] }
		if err := app.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := "> one\nYou said: one\n> two\nYou said: two\n"; out.String() != want {
			t.Errorf("got\n%s", out.String())
		}
	})
}

func TestChatAnswersBelowTheQuestionAndKeepsTheDraft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, chat(), tuitest.Config{Cols: 40, Rows: 6, Before: "$ go run ./chat\n"})
		s.Want("$ go run ./chat", "› Say something. Ctrl+D quits.")
		s.Type("hello there")
		s.Press("enter")
		s.Type("dra")
		<-time.After(time.Second)
		s.Settle()
		s.Want("$ go run ./chat", "> hello there", "You said: hello there", "› dra")
		s.Press("ctrl+c")
		s.Type("to be or not to be, that is the question")
		s.Press("enter")
		<-time.After(time.Second)
		s.Press("ctrl+d")
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
		want := "$ go run ./chat\n> hello there\nYou said: hello there\n> to be or not to be, that is the question\n" +
			"You said: to be or not to be, that is\nthe question"
		if got := strings.Join(s.Lines(), "\n"); got != want {
			t.Errorf("got\n%s", got)
		}
	})
}
