package crew

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// quiet is a tool that takes as long as the test wants.
type quiet struct{ until chan bool }

func (quiet) Spec() provider.Tool {
	return provider.Tool{Name: "quiet", ReadOnly: true, Schema: []byte(`{"type":"object"}`)}
}
func (quiet) Traits() (t approval.Traits) { return t }
func (q quiet) Prepare(context.Context, string, json.RawMessage) (c tool.Call, err error) {
	c.Run = func(ctx context.Context, _ func(string)) (tool.Result, error) {
		select {
		case <-q.until:
		case <-ctx.Done():
		}
		return tool.Result{Text: "quiet"}, nil
	}
	return c, nil
}

func TestAMessageReachesAnAgentThatWorksBeforeItsNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		until := make(chan bool)
		var said []string
		s := &stage{tools: []tool.Tool{quiet{until}},
			play: func(_ context.Context, id string, req provider.Request) ([]provider.Part, error) {
				if said = heard(req); len(req.Messages) == 1 {
					return []provider.Part{use("1", "quiet", `{}`)}, nil
				}
				return yields("done"), nil
			}}
		c := s.crew(t, 2)
		c.cfg.Secrets = secret.Set{}.With("k3y-of-mine")
		id, result := c.start(t.Context(), team.Main, "A", "work")
		synctest.Wait()
		var mail []Mail
		stop := c.Follow(func(e Event) {
			if e.Mail != nil {
				mail = append(mail, *e.Mail)
			}
		})
		defer stop()
		from := c.Peers("B")
		if r := from.Send(tool.Letter{To: "a", Text: "the key is k3y-of-mine", ReplyTo: "m-7"}); len(r) != 1 ||
			r[0] != (tool.Receipt{To: "A", Outcome: "injected"}) {
			t.Errorf("%+v", r)
		}
		until <- true
		<-result
		if want := "[m-1] Message from B, which answers m-7:\nthe key is [secret]"; len(said) != 2 || said[1] != want {
			t.Errorf("it was told %q, want %q", said, want)
		}
		if text, err := c.History(id); err != nil || !strings.Contains(text, "Message from B") {
			t.Errorf("its transcript: %q %v", text, err)
		}
		if len(mail) != 1 || mail[0].From != "B" || mail[0].Receipts[0].Outcome != team.Injected {
			t.Errorf("who follows saw %+v", mail)
		}
	})
}

func TestAMessageThatComesBehindTheLastStepBeginsATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		until := make(chan bool)
		s := &stage{play: func(_ context.Context, _ string, req provider.Request) ([]provider.Part, error) {
			if said = heard(req); len(said) == 1 {
				<-until
				return yields("done"), nil
			}
			return []provider.Part{provider.Text{Text: "I have heard it"}}, nil
		}}
		c := s.crew(t, 1)
		id, result := c.start(t.Context(), team.Main, "A", "work")
		synctest.Wait()
		if r := c.Tell(id, "one more thing"); r[0].Outcome != team.Injected {
			t.Errorf("%+v", r)
		}
		until <- true
		<-result
		synctest.Wait()
		if a := c.of(t, id); a.State != team.Idle || a.Unread != 0 || len(said) != 2 {
			t.Errorf("%+v, it was told %q", a, said)
		}
	})
}

func TestAsManyAgentsAsThereAreSlotsWaitForAMessage(t *testing.T) {
	const agents, slots = 9, 2
	synctest.Test(t, func(t *testing.T) {
		var c *Crew
		s := &stage{}
		s.play = func(ctx context.Context, id string, req provider.Request) ([]provider.Part, error) {
			p := c.Peers(id)
			if id == "A8" { // it comes last: there must be a slot for it
				for i := range agents - 1 {
					p.Send(tool.Letter{To: fmt.Sprintf("A%d", i), Text: "go on"})
				}
				return yields("sent"), nil
			}
			m, _, _ := p.Wait(ctx, "", 0)
			return yields(m.Text), nil
		}
		c = s.crew(t, slots)
		var results []chan tool.AgentResult
		for i := range agents {
			_, r := c.start(t.Context(), team.Main, fmt.Sprintf("A%d", i), "work")
			results = append(results, r)
			synctest.Wait()
		}
		for i, r := range results[:agents-1] {
			if got := <-r; got.Text != "go on" {
				t.Errorf("A%d: %+v", i, got)
			}
		}
		<-results[agents-1]
		synctest.Wait()
		if c.slots.Free() != slots {
			t.Errorf("%d of %d slots are free", c.slots.Free(), slots)
		}
	})
}

func TestAWaitForSomebodyWhoCannotWriteEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan bool)
		s := &stage{play: func(ctx context.Context, _ string, _ provider.Request) ([]provider.Part, error) {
			select {
			case <-hold:
			case <-ctx.Done():
			}
			return yields("done"), nil
		}}
		c := s.crew(t, 9)
		for _, name := range []string{"A", "B", "C", "D"} {
			c.start(t.Context(), team.Main, name, "work")
		}
		synctest.Wait()
		var mu sync.Mutex
		whys := map[string]string{}
		waits := func(id, from string) {
			go func() {
				_, _, why := c.Peers(id).Wait(t.Context(), from, 0)
				mu.Lock()
				defer mu.Unlock()
				whys[id] = why
			}()
			synctest.Wait()
		}
		waits("A", "B")
		waits("B", "C")
		go c.For("C", 1).Wait(t.Context(), []string{"D"}, func() { <-hold })
		synctest.Wait()
		waits("D", "a") // round by A, B and C
		waits("C", "Nobody")
		if want := map[string]string{"D": "A waits for you: write to it, or give your result",
			"C": `there is no agent "Nobody"`}; len(whys) != 2 || whys["D"] != want["D"] || whys["C"] != want["C"] {
			t.Errorf("%q", whys)
		}
		waits("D", team.Main)
		if len(whys) != 2 {
			t.Errorf("nobody waits for Main: %q", whys)
		}
		if err := c.Stop("B"); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if whys["A"] != "B was ended" {
			t.Errorf("%q", whys)
		}
		for _, id := range []string{"A", "B", "C", "D"} {
			c.Tell(id, "end")
		}
		synctest.Wait()
		close(hold)
		synctest.Wait()
	})
}

func TestAMessageToAllReachesThoseThatAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{play: func(context.Context, string, provider.Request) ([]provider.Part, error) {
			return yields("done"), nil
		}}
		c := s.crew(t, 1)
		for _, name := range []string{"A", "B", "C"} {
			_, r := c.start(t.Context(), team.Main, name, "work")
			<-r
		}
		synctest.Wait()
		if err := c.Park("B"); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range c.Peers("A").Send(tool.Letter{To: "all", Text: "hi"}) {
			got = append(got, r.To+" "+r.Outcome)
		}
		if want := []string{"Main injected", "C woken"}; !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		synctest.Wait()
		if m := c.Mail(); len(m) != 1 || m[0].Text != "[m-1] Message from A:\nhi" || m[0].Origin != provider.Peer {
			t.Errorf("Main gets %+v", m)
		}
		if c.Mail() != nil {
			t.Error("Main gets it twice")
		}
	})
}

func TestAnEndedAgentIsNotInTheList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{play: func(context.Context, string, provider.Request) ([]provider.Part, error) {
			return yields("done"), nil
		}}
		c := s.crew(t, 1)
		for _, name := range []string{"A", "B", "C"} {
			_, r := c.start(t.Context(), team.Main, name, "work")
			<-r
		}
		synctest.Wait()
		if err := errors.Join(c.Park("B"), c.Stop("C")); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range c.Peers("A").Others() {
			got = append(got, p.ID+" "+p.State)
		}
		if want := []string{"Main idle", "B parked"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// A message that an agent has not read when it is stopped has failed: who wrote it is told with its
// next request, and who follows sees it.
func TestWhoWroteToAStoppedAgentIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		until := make(chan bool)
		s := &stage{tools: []tool.Tool{quiet{until}},
			play: func(context.Context, string, provider.Request) ([]provider.Part, error) {
				return []provider.Part{use("1", "quiet", `{}`)}, nil
			}}
		c := s.crew(t, 2)
		id, result := c.start(t.Context(), team.Main, "A", "work")
		synctest.Wait()
		c.Peers(team.Main).Send(tool.Letter{To: id, Text: "which file?"})
		c.Tell(id, "hurry")
		var failed []string
		defer c.Follow(func(e Event) {
			if e.Mail != nil {
				failed = append(failed, e.Mail.Line("->"))
			}
		})()
		if err := c.Stop(id); err != nil {
			t.Fatal(err)
		}
		<-result
		if want := []string{"Main -> A (failed: A was ended before it read it): which file?",
			"you -> A (failed: A was ended before it read it): hurry"}; !slices.Equal(failed, want) {
			t.Errorf("who follows saw %q", failed)
		}
		if from := c.MailFrom(); len(from) > 0 {
			t.Errorf("it is mail of %q", from)
		}
		const want = "[m-1] A was ended before it read this message of yours:\nwhich file?"
		if inbox := c.Peers(team.Main).Pending(true); len(inbox) != 1 || "["+inbox[0].ID+"] "+inbox[0].Text != want {
			t.Errorf("its inbox: %+v", inbox)
		}
		if mail := c.Mail(); len(mail) != 1 || mail[0].Text != want {
			t.Errorf("Main is told %+v", mail)
		}
	})
}
