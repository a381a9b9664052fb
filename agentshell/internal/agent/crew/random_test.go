package crew

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// randomSteps limits the requests of all agents in the random play.
var randomSteps = flag.Int("steps", 300, "requests of all agents in the random play")

// theater plays random agents, and notes what has to hold of them.
type theater struct {
	crew  *Crew
	limit int
	seed  uint64

	mu      sync.Mutex
	rngs    map[string]*rand.Rand
	steps   int
	count   int             // of calls and messages
	allowed map[string]bool // proposals that the person has approved
	ran     map[string]int  // calls that ran after a question
	sent    map[string]string
	ended   int // assignments with a result
	began   int
}

// random returns a number below n of the sequence of an agent.
func (p *theater) random(id string, n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rngs[id] == nil {
		h := fnv.New64a()
		h.Write([]byte(id))
		p.rngs[id] = rand.New(rand.NewPCG(p.seed, h.Sum64()))
	}
	return p.rngs[id].IntN(n)
}

// next returns a number that nobody else has.
func (p *theater) next() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	return p.count
}

// play answers for the model of an agent.
func (p *theater) play(ctx context.Context, id string, req provider.Request) ([]provider.Part, error) {
	select {
	case <-time.After(time.Duration(p.random(id, 300)) * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	p.steps++
	over := p.steps > p.limit
	p.mu.Unlock()
	call := func(name, format string, a ...any) []provider.Part {
		return []provider.Part{use(fmt.Sprintf("c%d", p.next()), name, fmt.Sprintf(format, a...))}
	}
	n := p.random(id, 100)
	if over || req.Force != "" {
		n = 99
	}
	switch {
	case n < 8:
		return []provider.Part{provider.Text{Text: "words"}}, nil
	case n < 25:
		return call("nothing", `{}`), nil
	case n < 40:
		return call("ask", `{}`), nil
	case n < 60:
		return p.write(id, call), nil
	case n < 70:
		return call("irc", `{"op":"wait","from":%q,"timeoutMs":%d}`, []string{"", p.somebody(id)}[n%2],
			1+p.random(id, 5000)), nil
	case n < 74:
		return call("irc", `{"op":"inbox","peek":%v}`, n%2 == 0), nil
	case n < 76:
		return nil, errors.New("the server is on fire")
	case n < 82 && hasTool(req, "task"):
		p.mu.Lock()
		p.began += 2
		p.mu.Unlock()
		return call("task", `{"agent":"task","context":"c","tasks":[{"assignment":"x"},{"assignment":"y"}]}`), nil
	case n < 86:
		return append(call("irc", `{"op":"list"}`), call("ask", `{}`)...), nil
	}
	return call(tool.YieldName, `{"result":"done"}`), nil
}

// write sends a message with a text that no other one has.
func (p *theater) write(id string, call func(name, format string, a ...any) []provider.Part) []provider.Part {
	to, text := p.somebody(id), fmt.Sprintf("<msg %d>", p.next())
	p.mu.Lock()
	p.sent[text] = to
	p.mu.Unlock()
	return call("irc", `{"op":"send","to":%q,"message":%q,"await":%v,"timeoutMs":%d}`, to, text,
		to != team.Everybody && p.random(id, 4) == 0, 1+p.random(id, 3000))
}

// somebody returns the id of an agent, seldom one that is not there, or all.
func (p *theater) somebody(id string) string {
	list := p.crew.team.List()
	switch n := p.random(id, 40); {
	case n == 0:
		return "Nobody"
	case n == 1:
		return team.Everybody
	}
	return list[max(len(list)-1-p.random(id, 24), 0)].ID
}

func hasTool(req provider.Request, name string) bool {
	for _, t := range req.Tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// Ask answers for the person, after a while.
func (p *theater) Ask(ctx context.Context, q *approval.Proposal) (approval.Answer, error) {
	select {
	case <-time.After(time.Duration(p.random("person", 3000)) * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch p.random("person", 8) {
	case 0:
		return approval.Stop{}, nil
	case 1, 2:
		return approval.No{ID: q.ID}, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed[q.ID] = true
	return approval.Yes{ID: q.ID}, nil
}

// guarded is the tool ask, which notes what ran.
type guarded struct {
	asking
	p *theater
}

func (g guarded) Prepare(ctx context.Context, id string, input json.RawMessage) (tool.Call, error) {
	c, err := g.asking.Prepare(ctx, id, input)
	c.Run = func(context.Context, func(string)) (tool.Result, error) {
		g.p.mu.Lock()
		defer g.p.mu.Unlock()
		g.p.ran[id]++
		return tool.Result{Text: "ran"}, nil
	}
	return c, err
}

// meddle does what the person does with agents, until the play is over.
func (p *theater) meddle(ctx context.Context, done chan<- bool) {
	defer close(done)
	var works sync.WaitGroup
	defer works.Wait()
	for {
		p.mu.Lock()
		over := p.steps > p.limit
		p.mu.Unlock()
		if over {
			return
		}
		<-time.After(time.Duration(1+p.random("meddler", 400)) * time.Millisecond)
		running := 0
		for _, a := range p.crew.Agents() {
			if a.State == team.Running {
				running++
			}
		}
		who := p.somebody("meddler")
		switch n := p.random("meddler", 100); {
		case running < 16 && n < 70:
			p.mu.Lock()
			p.began++
			p.mu.Unlock()
			works.Go(func() { p.assign(ctx) })
		case n < 76:
			_ = p.crew.Stop(who)
		case n < 82:
			_ = p.crew.Park(who)
		case n < 88:
			_ = p.crew.Revive(who)
		default:
			text := fmt.Sprintf("<msg %d>", p.next())
			p.mu.Lock()
			p.sent[text] = who
			p.mu.Unlock()
			p.crew.Tell(who, text)
		}
	}
}

// assign lets a new agent work, and takes its work from it at times.
func (p *theater) assign(ctx context.Context) {
	if p.random("meddler", 8) == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(p.random("meddler", 4000))*time.Millisecond)
		defer cancel()
	}
	_, result := p.crew.start(ctx, team.Main, "", "work")
	<-result
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended++
}

// open opens the conversation of an agent with the tools that agents have.
func (p *theater) open(s *stage) func(context.Context, Opening) (Conversation, error) {
	return func(ctx context.Context, o Opening) (Conversation, error) {
		if p.random("disk", 60) == 0 {
			return nil, errors.New("no disk")
		}
		env := tool.Env{Team: tool.Team{Crew: o.Crew, Peers: p.crew.Peers(o.ID), MessageTime: time.Minute}}
		own := &stage{play: s.play, approver: s.approver, steps: 60,
			tools: append(tool.Builtin(env).Only("task", "irc").Tools(), guarded{p: p})}
		talk, err := own.conversation(ctx, o)
		if err == nil {
			s.mu.Lock()
			s.open++
			s.mu.Unlock()
			talk = registered{talk, s}
		}
		return talk, err
	}
}

// registered counts open conversations at the stage of the play.
type registered struct {
	Conversation
	stage *stage
}

func (c registered) Close() error {
	c.stage.mu.Lock()
	defer c.stage.mu.Unlock()
	c.stage.open--
	return c.Conversation.Close()
}

func TestRandomAgentsEndAndEachMessageArrivesOnce(t *testing.T) {
	seeds := uint64(2)
	if *randomSteps > 2000 {
		seeds = 1
	}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { playRandomly(t, seed, *randomSteps) })
	}
}

func playRandomly(t *testing.T, seed uint64, steps int) {
	p := &theater{limit: steps, seed: seed, rngs: map[string]*rand.Rand{}, allowed: map[string]bool{},
		ran: map[string]int{}, sent: map[string]string{}}
	s := &stage{play: p.play, approver: p}
	const slots = 5
	p.crew = New(Config{Kinds: Bundled(), Open: p.open(s), Slots: slots, Depth: 3, IdleTime: 3 * time.Second,
		Budget: Budget{Requests: 60, Time: time.Minute}})
	done := make(chan bool)
	go p.meddle(t.Context(), done)
	<-done
	for i := 0; running(p.crew) != ""; i++ {
		if i == 1000 {
			t.Fatalf("seed %d: these do not end: %s", seed, running(p.crew))
		}
		<-time.After(time.Second)
	}
	synctest.Wait()
	if free := p.crew.slots.Free(); free != slots {
		t.Errorf("seed %d: %d of %d slots are free", seed, free, slots)
	}
	p.judge(t)
	if err := p.crew.Close(); err != nil || s.open != 0 {
		t.Errorf("seed %d: %v, %d conversations are open", seed, err, s.open)
	}
	states := map[team.State]int{}
	for _, a := range p.crew.Agents() {
		states[a.State]++
	}
	t.Logf("seed %d: %d requests, %d agents (%v), %d messages, %d calls asked for and run", seed, p.steps,
		len(p.crew.Agents()), states, len(p.sent), len(p.ran))
}

// running returns the agents that run.
func running(c *Crew) string {
	var list []string
	for _, a := range c.Agents() {
		if a.State == team.Running {
			list = append(list, fmt.Sprintf("%s (%s %s, %d unread)", a.ID, a.Doing.What, a.Doing.Title, a.Unread))
		}
	}
	return strings.Join(list, ", ")
}

// judge compares what is in the conversations with what was done.
func (p *theater) judge(t *testing.T) {
	for id, n := range p.ran {
		if n != 1 || !p.allowed[id] {
			t.Errorf("the call %s ran %d times, approved: %v", id, n, p.allowed[id])
		}
	}
	arrived := map[string][]string{} // by text: who has it
	back := map[string]bool{}        // texts that nobody has read
	for _, a := range p.crew.Agents() {
		m := p.crew.mate(a.ID)
		messages := m.messages()
		if problem := unanswered(messages); problem != "" {
			t.Errorf("%s: %s", a.ID, problem)
		}
		found, returned := texts(messages)
		for text, n := range returned {
			to, _ := p.crew.team.Find(p.sent[text])
			if p.sent[text] != team.Everybody && (n != 1 || to.State != team.Aborted) {
				t.Errorf("%s has %s back %d times from %s, which is %s", a.ID, text, n, to.ID, to.State)
			}
			back[text] = true
		}
		for text, n := range found {
			if n != 1 {
				t.Errorf("%s has %s %d times", a.ID, text, n)
			}
			arrived[text] = append(arrived[text], a.ID)
		}
		if a.State != team.Aborted && a.Unread > 0 && m.talk != nil {
			t.Errorf("%s is %s with %d unread", a.ID, a.State, a.Unread)
		}
		if a.State == team.Idle && m.lastResultMissing() || a.State == team.Parked && m.talk != nil {
			t.Errorf("%s is %s: %+v", a.ID, a.State, a.Result)
		}
	}
	for text, who := range arrived {
		to, known := p.sent[text]
		if !known || to != team.Everybody && (back[text] || len(who) > 1 || !strings.EqualFold(who[0], to)) {
			t.Errorf("%s for %q has come to %q", text, to, who)
		}
	}
	if len(arrived)*4 < len(p.sent) {
		t.Errorf("%d of %d messages have arrived", len(arrived), len(p.sent))
	}
}

// lastResultMissing reports whether the agent has no result.
func (m *mate) lastResultMissing() bool {
	_, ended := m.wholeResult()
	return !ended
}

var messageText = regexp.MustCompile(`<msg \d+>`)

var returnedText = regexp.MustCompile(`was ended before it read this message of yours:\n<msg \d+>`)

// texts counts the messages that a conversation has got: those that were added, and those that irc
// gave. returned are those of its own that nobody has read.
func texts(messages []provider.Message) (found, returned map[string]int) {
	found, returned = map[string]int{}, map[string]int{}
	count := func(text string) {
		for _, one := range returnedText.FindAllString(text, -1) {
			returned[messageText.FindString(one)]++
		}
		for _, one := range messageText.FindAllString(returnedText.ReplaceAllString(text, ""), -1) {
			found[one]++
		}
	}
	peeks := map[string]bool{}
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.ToolCall:
				peeks[part.ID] = strings.Contains(string(part.Input), `"peek":true`)
			case provider.ToolResult:
				if !peeks[part.ID] {
					count(part.Text)
				}
			case provider.Text:
				if m.Role == provider.User {
					count(part.Text)
				}
			}
		}
	}
	return found, returned
}

// unanswered says which call has not exactly one result behind it, "" for none.
func unanswered(messages []provider.Message) string {
	open := map[string]bool{}
	for _, m := range messages {
		for _, part := range m.Parts {
			switch part := part.(type) {
			case provider.ToolCall:
				open[part.ID] = true
			case provider.ToolResult:
				if !open[part.ID] {
					return "a result without a call: " + part.ID
				}
				delete(open, part.ID)
			case provider.Text:
				if len(open) > 0 && m.Role == provider.User {
					return fmt.Sprintf("a message before the results of %v", open)
				}
			}
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("calls without results: %v", open)
	}
	return ""
}
