package crew

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// actor is the model of one agent of a stage.
type actor struct {
	stage *stage
	id    string
}

func (actor) Name() string { return "actor" }

func (a actor) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		parts, err := a.stage.play(ctx, a.id, req)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		stop := "end"
		for _, p := range parts {
			switch p := p.(type) {
			case provider.Text:
				for _, piece := range strings.SplitAfter(p.Text, " ") {
					if !yield(provider.TextDelta{Text: piece}, nil) {
						return
					}
				}
			case provider.ToolCall:
				stop = "tool"
			}
		}
		if yield(provider.Usage{Input: 100, Output: 10}, nil) {
			yield(provider.End{Stop: stop, Message: provider.Message{Role: provider.Assistant, Parts: parts}}, nil)
		}
	}
}

// stage opens conversations in which play answers for the model.
type stage struct {
	play     func(ctx context.Context, id string, req provider.Request) ([]provider.Part, error)
	approver approval.Approver
	tools    []tool.Tool // besides yield
	refuse   error       // why no conversation can be opened
	steps    int         // requests in a turn; 0: as many as usual

	mu   sync.Mutex
	open int // conversations
}

type played struct {
	*agent.Agent
	stage *stage
}

func (p played) Close() error {
	p.stage.mu.Lock()
	defer p.stage.mu.Unlock()
	p.stage.open--
	return nil
}

func (s *stage) conversation(_ context.Context, o Opening) (Conversation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		return nil, s.refuse
	}
	s.open++
	tools, err := tool.NewRegistry(append(slices.Clone(s.tools), o.Yield)...)
	if err != nil {
		return nil, err
	}
	cfg := agent.Config{Model: actor{s, o.ID}, Tools: tools, System: o.System, Messages: o.Messages, Inbox: o.Inbox,
		Sub: true, Limits: agent.Limits{Steps: s.steps}}
	if s.approver != nil {
		cfg.Approver = o.Approve(s.approver)
	}
	return played{agent.New(cfg), s}, nil
}

// crew returns the crew of a stage with the bundled kinds.
func (s *stage) crew(t *testing.T, slots int) *Crew {
	t.Helper()
	c := New(Config{Kinds: Bundled(), Open: s.conversation, Slots: slots, Depth: 2, IdleTime: 7 * time.Minute})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if s.open != 0 {
			t.Errorf("%d conversations are open", s.open)
		}
	})
	return c
}

// start lets an agent of that name work as a child of parent, and returns where its result comes.
func (c *Crew) start(ctx context.Context, parent, name, text string) (id string, result chan tool.AgentResult) {
	depth := 0
	if m := c.mate(parent); m != nil {
		depth = m.depth
	}
	a := tool.Assignment{Kind: "task", Name: name, Description: "about " + name, Text: text}
	m := c.For(parent, depth)
	id, result = m.Join(a), make(chan tool.AgentResult, 1)
	go func() { result <- m.Work(ctx, id, a, func(string) {}) }()
	return id, result
}

// use returns a call of a tool.
func use(id, name, input string) provider.Part {
	return provider.ToolCall{ID: id, Name: name, Input: json.RawMessage(input)}
}

// yields returns the call with which an agent gives its result.
func yields(text string) []provider.Part {
	input, _ := json.Marshal(map[string]string{"result": text})
	return []provider.Part{use("y", tool.YieldName, string(input))}
}

// heard returns what an agent was told, in order.
func heard(req provider.Request) (texts []string) {
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			if text, is := p.(provider.Text); is && m.Role == provider.User {
				texts = append(texts, text.Text)
			}
		}
	}
	return texts
}

// of returns the agent of that id.
func (c *Crew) of(t *testing.T, id string) Agent {
	t.Helper()
	for _, a := range c.Agents() {
		if a.ID == id {
			return a
		}
	}
	t.Fatalf("there is no agent %s", id)
	return Agent{}
}

func TestTheListSaysWhatEachAgentDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan bool)
		s := &stage{play: func(ctx context.Context, id string, req provider.Request) ([]provider.Part, error) {
			if id == "First" && len(req.Messages) == 1 {
				text := provider.Text{Text: "I look at it.\nThen I write."}
				return []provider.Part{text, use("1", "nothing", `{}`)}, nil
			}
			select {
			case <-goOn:
			case <-ctx.Done():
			}
			return yields(id + " is done"), nil
		}}
		c := s.crew(t, 1)
		changed := c.Changed()
		_, first := c.start(t.Context(), team.Main, "First", "do")
		synctest.Wait()
		_, second := c.start(t.Context(), team.Main, "Second", "do")
		synctest.Wait()
		select {
		case <-changed:
		default:
			t.Error("nobody is told of a change")
		}
		a, b := c.of(t, "First"), c.of(t, "Second")
		if a.State != team.Running || a.Doing.What != Thinks || a.Steps != 1 || a.Tokens != 110 ||
			a.LastLine != "Then I write." || a.Parent != team.Main || a.Definition != "task" ||
			a.Description != "about First" || a.Result != nil || a.Began.IsZero() {
			t.Errorf("the first: %+v", a)
		}
		if b.State != team.Running || b.Doing.What != WaitsForSlot || b.Steps != 0 {
			t.Errorf("the second: %+v", b)
		}
		goOn <- true
		<-first
		goOn <- true
		if r := <-second; r.Text != "Second is done" || r.Err != nil {
			t.Errorf("the second gave %+v", r)
		}
		synctest.Wait()
		if a = c.of(t, "First"); a.State != team.Idle || a.Doing != (Doing{}) || a.Result == nil ||
			a.Result.Text != "First is done" || a.Result.Steps != 2 {
			t.Errorf("the first at the end: %+v %+v", a, a.Result)
		}
	})
}

// never answers no question.
type never struct{}

func (never) Ask(ctx context.Context, _ *approval.Proposal) (approval.Answer, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// asking is a tool whose calls ask the person.
type asking struct{}

func (asking) Spec() provider.Tool {
	return provider.Tool{Name: "ask", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (asking) Traits() approval.Traits { return approval.Traits{} }
func (asking) Prepare(_ context.Context, id string, _ json.RawMessage) (tool.Call, error) {
	return tool.Call{Title: "ask " + id, Proposal: &approval.Proposal{ID: id, Tool: "ask", Path: "a.txt"},
		Run: func(context.Context, func(string)) (tool.Result, error) { return tool.Result{Text: "asked"}, nil }}, nil
}

func TestAStopEndsAnAgentAndThoseThatItHasStartedForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &stage{approver: never{}, tools: []tool.Tool{asking{}},
			play: func(_ context.Context, id string, _ provider.Request) ([]provider.Part, error) {
				if id == "Idle" {
					return yields("idle"), nil
				}
				return []provider.Part{use("1", "ask", `{}`)}, nil
			}}
		c := s.crew(t, 4)
		_, idle := c.start(t.Context(), team.Main, "Idle", "x")
		<-idle
		_, top := c.start(t.Context(), team.Main, "Top", "x")
		_, below := c.start(t.Context(), "Top", "Below", "x")
		other, _ := c.start(t.Context(), team.Main, "Other", "x")
		synctest.Wait()
		if a := c.of(t, "Top.Below"); a.Doing != (Doing{What: Asks, Title: "ask a.txt"}) {
			t.Errorf("it does %+v", a.Doing)
		}
		if err := errors.Join(c.Stop("top"), c.Stop("Idle")); err != nil {
			t.Error(err)
		}
		for _, r := range []tool.AgentResult{<-top, <-below} {
			if !r.Aborted || r.Err == nil {
				t.Errorf("%+v", r)
			}
		}
		synctest.Wait()
		for _, id := range []string{"Top", "Top.Below", "Idle"} {
			if a := c.of(t, id); a.State != team.Aborted {
				t.Errorf("%s is %s", id, a.State)
			}
			if r := c.Tell(id, "go on"); r[0].Outcome != team.Failed {
				t.Errorf("%+v", r)
			}
		}
		if a := c.of(t, other); a.State != team.Running || a.Doing.What != Asks {
			t.Errorf("the other one: %+v", a)
		}
		if err := errors.Join(c.Stop(other)); err != nil {
			t.Error(err)
		}
		if text, err := c.History("Idle"); err != nil || !strings.Contains(text, "x") {
			t.Errorf("the transcript of a stopped one: %q %v", text, err)
		}
		if err := c.Stop("Nobody"); err == nil || c.Stop(team.Main) == nil {
			t.Errorf("who is not there: %v", err)
		}
		synctest.Wait()
		if c.slots.Free() != 4 {
			t.Errorf("%d of 4 slots are free", c.slots.Free())
		}
	})
}

func TestAMessageWakesAnIdleAgentAndRevivesAParkedOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said []string
		s := &stage{play: func(_ context.Context, _ string, req provider.Request) ([]provider.Part, error) {
			said = heard(req)
			if len(said) == 1 {
				return yields("done"), nil
			}
			return []provider.Part{provider.Text{Text: fmt.Sprintf("answer %d", len(said))}}, nil
		}}
		c := s.crew(t, 1)
		id, result := c.start(t.Context(), team.Main, "A", "first")
		<-result
		synctest.Wait()
		if r := c.Tell(id, "second"); r[0].Outcome != team.Woken {
			t.Errorf("%+v", r)
		}
		synctest.Wait()
		if a := c.of(t, id); a.State != team.Idle || a.LastLine != "answer 2" || a.Result.Text != "done" ||
			!strings.Contains(said[1], "Message from the user:\nsecond") {
			t.Errorf("woken: %+v, it was told %q", a, said)
		}
		<-time.After(8 * time.Minute)
		synctest.Wait()
		if a := c.of(t, id); a.State != team.Parked || s.open != 0 {
			t.Fatalf("after eight minutes it is %s, %d conversations are open", a.State, s.open)
		}
		s.refuse = errors.New("no disk")
		if r := c.Tell(id, "lost"); r[0].Outcome != team.Failed || !strings.Contains(r[0].Err.Error(), "no disk") {
			t.Errorf("%+v", r)
		}
		if a := c.of(t, id); a.State != team.Parked || a.Unread != 0 {
			t.Errorf("after that: %+v", a)
		}
		s.refuse = nil
		if r := c.Tell(id, "third"); r[0].Outcome != team.Revived {
			t.Errorf("%+v", r)
		}
		synctest.Wait()
		if a := c.of(t, id); a.State != team.Idle || len(said) != 3 || said[0] != "first" ||
			!strings.HasSuffix(said[2], "third") {
			t.Errorf("revived: %+v, it was told %q", a, said)
		}
		if err := c.Park(id); err != nil || c.of(t, id).State != team.Parked || s.open != 0 {
			t.Errorf("parked by hand: %v, %d open", err, s.open)
		}
		if err := c.Revive(id); err != nil || c.of(t, id).State != team.Idle || s.open != 1 {
			t.Errorf("revived by hand: %v, %d open", err, s.open)
		}
	})
}

func TestWhoWatchesAnAgentMissesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin, goOn := make(chan bool), make(chan bool)
		s := &stage{play: func(_ context.Context, _ string, req provider.Request) ([]provider.Part, error) {
			if len(req.Messages) == 1 {
				<-begin
				return []provider.Part{provider.Text{Text: "one two three"}, use("1", "nothing", `{}`)}, nil
			}
			<-goOn
			return yields("done"), nil
		}}
		c := s.crew(t, 1)
		id, result := c.start(t.Context(), team.Main, "A", "the work")
		early, kinds := watched(t, c, id)
		if len(early.Messages) != 0 {
			t.Errorf("before it answered: %+v", early)
		}
		begin <- true
		synctest.Wait()
		late, since := watched(t, c, id)
		if late.Turn != "the work" || len(late.Messages) != 0 {
			t.Errorf("in the middle: %+v", late)
		}
		var followed int
		stop := c.Follow(func(e Event) { followed++ })
		goOn <- true
		<-result
		stop()
		if got := strings.Join(*since, " "); got != "Text:one two three Usage MessageEnd ToolStart ToolEnd Usage "+
			"MessageEnd ToolStart ToolEnd TurnEnd" {
			t.Errorf("who came in the middle saw %s", got)
		}
		if got := strings.Join(*kinds, " "); !strings.HasPrefix(got, "Text:one  Text:two  Text:three Usage") {
			t.Errorf("who was there first saw %s", got)
		}
		if followed < 5 {
			t.Errorf("who followed saw %d events", followed)
		}
		if end, _ := watched(t, c, id); end.Turn != "" || len(end.Messages) != 5 {
			t.Errorf("at the end there are %d messages", len(end.Messages))
		}
		if _, _, err := c.Watch("Nobody", func(agent.Event) {}); err == nil {
			t.Error("nobody can be watched")
		}
	})
}

// watched watches an agent, and returns the names of its events as they come.
func watched(t *testing.T, c *Crew, id string) (Look, *[]string) {
	t.Helper()
	var names []string
	look, stop, err := c.Watch(id, func(e agent.Event) {
		name := strings.TrimPrefix(fmt.Sprintf("%T", e), "agent.")
		if text, is := e.(agent.Text); is {
			name += ":" + text.Delta
		}
		names = append(names, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return look, &names
}

func TestTheContextReachesEachAgentOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := map[string]string{}
		s := &stage{play: func(_ context.Context, id string, req provider.Request) ([]provider.Part, error) {
			told[id] = req.System
			return yields("done"), nil
		}}
		c := s.crew(t, 1)
		m := c.For(team.Main, 0)
		for _, name := range []string{"A", "B"} {
			a := tool.Assignment{Kind: "task", Name: name, Text: "work", Context: "The weir leaks."}
			m.Work(t.Context(), m.Join(a), a, func(string) {})
		}
		if len(told) != 2 || !strings.Contains(told["A"], "The weir leaks.") ||
			!strings.Contains(told["B"], "The weir leaks.") || !strings.Contains(told["B"], "- A: task") {
			t.Errorf("%q", told)
		}
	})
}
