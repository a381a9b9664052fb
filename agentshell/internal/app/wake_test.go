package app

import (
	"context"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// What begins a turn of the model by itself: the end of an agent and its messages, the end of a
// command where the person wants that, and nothing that they have cancelled.
func TestWhatBeginsATurnByItself(t *testing.T) {
	t.Parallel()
	c := crewed(t, 1, &cast{answer: func(string, provider.Request) []provider.Part {
		return []provider.Part{use("1", "yield", `{"result":"done"}`)}
	}})
	arrived := func(wake, want string) {
		t.Helper()
		if c.cfg.Wake = wake; c.arrived() != want {
			t.Errorf("with wake = %q: %q, want %q", wake, c.arrived(), want)
		}
	}
	arrived("", "")
	ended := func(id string) {
		for changed := c.jobs.Changed(); ; changed = c.jobs.Changed() {
			for _, j := range c.jobs.List() {
				if j.ID == id && j.Ended {
					return
				}
			}
			<-changed
		}
	}
	work := func(ctx context.Context, _ func(string)) (string, error) { return "", nil }
	id, err := c.jobs.Run(t.Context(), "make", 0, nil, work)
	if err != nil {
		t.Fatal(err)
	}
	ended(id)
	arrived("", "")
	arrived("off", "")
	arrived("all", id+" has ended")
	c.jobs.TakeEnded()
	wait := func(ctx context.Context, _ func(string)) (string, error) { <-ctx.Done(); return "", ctx.Err() }
	if id, err = c.jobs.RunAgent(t.Context(), "Lexer", "Lexer", wait); err != nil {
		t.Fatal(err)
	}
	c.jobs.Cancel(id, false)
	ended(id)
	arrived("all", "")
	c.jobs.TakeEnded()
	if id, err = c.jobs.RunAgent(t.Context(), "Parser", "Parser", work); err != nil {
		t.Fatal(err)
	}
	ended(id)
	arrived("", "Parser has ended")
	arrived("off", "")
	c.jobs.TakeEnded()
	lexer := c.crew.For(team.Main, 0).Join(tool.Assignment{Name: "Lexer", Kind: "task"})
	c.crew.Peers(lexer).Send(tool.Letter{To: team.Main, Text: "hi"})
	arrived("", "Lexer wrote to it")
	arrived("off", "")
	if mail := c.crew.Mail(); len(mail) != 1 {
		t.Errorf("Main reads %v", mail)
	}
	arrived("", "")
}
