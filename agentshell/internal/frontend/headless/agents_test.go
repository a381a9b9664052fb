package headless_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
)

// both is an approver that asks the user about each proposal for two agents, Lexer and Docs, at the
// same time.
type both struct {
	plain   *headless.Plain
	answers map[string]approval.Answer
}

func (b *both) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	type given struct {
		who string
		a   approval.Answer
	}
	all := make(chan given, 2)
	for _, who := range []string{"Lexer", "Docs"} {
		go func() {
			if who == "Docs" {
				<-time.After(time.Millisecond) // it comes second
			}
			named := *p
			named.ID, named.By, named.Notes = who, who, []string{approval.AskedBy(who)}
			a, _ := b.plain.Ask(ctx, &named)
			all <- given{who, a}
		}()
	}
	for range 2 {
		g := <-all
		b.answers[g.who] = g.a
	}
	return approval.Stop{ID: p.ID}, nil
}

// Questions of several agents do not take each other's lines.
func TestPlainQuestionsOfTwoAgentsComeOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		var out bytes.Buffer
		plain := &headless.Plain{Stdin: r, Stdout: &out, Stderr: io.Discard, Person: true}
		b := &both{plain, map[string]approval.Answer{}}
		go func() {
			_, _ = io.WriteString(w, "go\n")
			for _, line := range []string{"?\n", "D\n", "y\n"} {
				<-time.After(3 * time.Second)
				_, _ = io.WriteString(w, line)
			}
			<-time.After(time.Hour)
			w.Close()
		}()
		plain.Run(t.Context(),
			agent.New(agent.Config{Model: model(t, `{"tool_calls":[{"id":"1","name":"change"}],"delay_ms":0}`),
				Tools:    one{&approval.Proposal{ID: "p", Call: "1", Payload: approval.Command{Command: "make"}}},
				Approver: b}))
		if b.answers["Lexer"] != (approval.StopAgent{ID: "Lexer"}) || b.answers["Docs"] != (approval.Yes{ID: "Docs"}) {
			t.Errorf("%v\n%s", b.answers, out.String())
		}
		first, second := strings.Index(out.String(), "asked by the agent Lexer"),
			strings.Index(out.String(), "asked by the agent Docs")
		if first < 0 || second < first || !strings.Contains(out.String(), "D denies and stops Lexer alone.") {
			t.Errorf("%s", out.String())
		}
	})
}
