package headless_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// In plain mode the first Ctrl+C stops the turn, and a second one soon after it quits. /stop stops
// the turn, too, also behind a message that waits.
func TestCtrlCInPlainModeStopsTheTurnFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var out, errs bytes.Buffer
		p := &headless.Plain{Stdin: r, Stdout: &out, Stderr: &errs, Person: true}
		if p.Interrupt() {
			t.Error("it is handled before the conversation")
		}
		const hangs = `{"say":"half","hang":true,"delay_ms":0}`
		pass := func(d time.Duration) { <-time.After(d); synctest.Wait() }
		says := func(text string) {
			t.Helper()
			if got := out.String() + errs.String(); !strings.Contains(got, text) {
				t.Errorf("it lacks %q: %q", text, got)
			}
		}
		code := make(chan int)
		go func() {
			code <- p.Run(t.Context(), agent.New(agent.Config{Model: model(t, hangs, hangs, saysHi), Tools: tools{}}))
		}()
		_, _ = io.WriteString(w, "one\n")
		pass(time.Minute)
		if !p.Interrupt() {
			t.Error("the first one quits")
		}
		pass(time.Second)
		says("half\nCtrl+C again quits\n")
		says("agentshell: interrupted\n")
		if p.Interrupt() {
			t.Error("the second one does not quit")
		}
		pass(3 * time.Second)
		if !p.Interrupt() {
			t.Error("one in the empty prompt quits")
		}
		pass(time.Second)
		says("> \nCtrl+C again quits\n> ")
		_, _ = io.WriteString(w, "two\n")
		pass(time.Second)
		_, _ = io.WriteString(w, "three\n/stop\n")
		pass(time.Minute)
		says("hi\n")
		if n := strings.Count(errs.String(), "interrupted"); n != 2 {
			t.Errorf("%d turns are stopped: %s", n, errs.String())
		}
		_, _ = io.WriteString(w, "/stop\n")
		pass(time.Second)
		says("No turn is running.\n")
		w.Close()
		if got := <-code; got != 0 {
			t.Errorf("code %d", got)
		}
	})
}

// Without a person a question of the model is told, since it decides by itself.
func TestAQuestionThatNobodyAnswersIsTold(t *testing.T) {
	lines := []string{`{"say":"I ask.","delay_ms":0,"tool_calls":[{"id":"1","name":"ask","input":` +
		`{"questions":[{"question":"Which\u001b\ncolour?"},{"question":"Why?"}]}}]}`,
		`{"expect":"nobody can be asked","say":"Red.","delay_ms":0}`}
	for _, form := range []headless.Output{headless.Text, headless.JSON} {
		var out, errs bytes.Buffer
		code := headless.Print{Output: form, Stdout: &out, Stderr: &errs, Agent: agent.New(agent.Config{
			Model: model(t, lines...),
			Tools: tool.Builtin(tool.Env{Questions: new(tool.Questions)}).Only(tool.AskName)})}.Run(t.Context(), "x")
		want := "? Which<ESC> colour?  (nobody to ask: the model decides by itself)\n" +
			"? Why?  (nobody to ask: the model decides by itself)\n"
		if form != headless.Text {
			want = ""
		}
		if code != 0 || errs.String() != want {
			t.Errorf("%s: code %d, %q", form, code, errs.String())
		}
	}
}
