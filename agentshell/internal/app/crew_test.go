package app

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// cast is a model that answers each agent depending on what the agent has been told so far.
type cast struct {
	answer func(who string, req provider.Request) []provider.Part

	mu     sync.Mutex
	active int
	most   int // agents that were answered at the same time
}

func (*cast) Name() string { return "cast" }

var agentName = regexp.MustCompile(`You are (\S+), one of several`)

func (c *cast) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	who := "Main"
	if m := agentName.FindStringSubmatch(req.System); m != nil {
		who = m[1]
	}
	return func(yield func(provider.Event, error) bool) {
		c.mu.Lock()
		c.active++
		c.most = max(c.most, c.active)
		c.mu.Unlock()
		parts := c.answer(who, req)
		c.mu.Lock()
		c.active--
		c.mu.Unlock()
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		stop := "end"
		for _, p := range parts {
			switch p := p.(type) {
			case provider.Text:
				if !yield(provider.TextDelta{Text: p.Text}, nil) {
					return
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

// use returns a tool call.
func use(id, name, input string) provider.Part {
	return provider.ToolCall{ID: id, Name: name, Input: json.RawMessage(input)}
}

// heard returns the texts of the messages and tool results in an agent's request, in order.
func heard(req provider.Request) (texts []string) {
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				if m.Role == provider.User {
					texts = append(texts, p.Text)
				}
			case provider.ToolResult:
				texts = append(texts, p.Text)
			}
		}
	}
	return texts
}

// person is an approver that answers for the user and records which agent has asked.
type person struct {
	mu    sync.Mutex
	say   func(p *approval.Proposal) approval.Answer
	asked []string
}

func (a *person) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, fmt.Sprintf("%s: %s %s", p.By, p.Tool, p.Path))
	return a.say(p), nil
}

// crewed returns a conversation whose model may start that many agents. m answers for all of them.
func crewed(t *testing.T, most int, m *cast) *conversation {
	t.Helper()
	p, r := opened(t)
	r.model, r.cfg.Agents.Max = m, most
	return conversationIn(t, p, r, conversationOptions{NoLog: true})
}

// playMain sends "go" to the main agent. It returns the result of the agent's call of task, and the
// end of the turn.
func playMain(t *testing.T, c *conversation, who approval.Approver) (tool.Result, agent.TurnEnd) {
	t.Helper()
	var r tool.Result
	var end agent.TurnEnd
	if err := c.newAgent(who).RunTurn(t.Context(), agent.Message{Text: "go"}, func(e agent.Event) {
		switch e := e.(type) {
		case agent.ToolEnd:
			if e.Name == "task" {
				if r = e.Result; !e.OK {
					r.Text = e.Text
				}
			}
		case agent.TurnEnd:
			end = e
		}
	}); err != nil {
		t.Fatal(err)
	}
	return r, end
}

func TestAgentsWorkAndGiveTheirResults(t *testing.T) {
	t.Parallel()
	var said string // what Main has read
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		h := heard(req)
		switch {
		case who == "Main" && len(h) == 1:
			return []provider.Part{use("1", "task", `{"agent":"task","context":"The weir leaks.","tasks":[`+
				`{"id":"Writer","assignment":"write a.txt"},{"id":"Reader","assignment":"read b.txt"}]}`)}
		case who == "Main" && len(h) == 2:
			return []provider.Part{use("2", "read_file", `{"path":"agent://Writer"}`),
				use("3", "read_file", `{"path":"history://reader"}`),
				use("4", "read_file", `{"path":"agent://Nobody"}`)}
		case who == "Writer" && len(h) == 1:
			return []provider.Part{use("1", "write_file", `{"path":"a.txt","content":"from the writer\n"}`)}
		case who == "Reader" && len(h) == 1:
			return []provider.Part{use("1", "read_file", `{"path":"b.txt"}`)}
		case who != "Main":
			return []provider.Part{use("9", "yield", fmt.Sprintf(`{"result":"%s is done: %d"}`, who, len(h)))}
		}
		said = strings.Join(h[2:], "|")
		return []provider.Part{provider.Text{Text: "end"}}
	}}
	c := crewed(t, 4, m)
	if err := os.WriteFile(filepath.Join(c.dir, "b.txt"), []byte("beta\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	r, end := playMain(t, c, who)
	for _, want := range []string{"# Writer: done, 2 steps", "Writer is done: 2", "# Reader: done, 2 " +
		"steps", "Reader is done: 2"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q is not in the result:\n%s", want, r.Text)
		}
	}
	if end.Reason != agent.Done || !slices.Equal(who.asked, []string{"Writer: write_file <workspace>/a.txt"}) &&
		(len(who.asked) != 1 || !strings.HasPrefix(who.asked[0], "Writer: write_file ")) {
		t.Errorf("the turn ended %v, asked was %q", end, who.asked)
	}
	if text, err := os.ReadFile(filepath.Join(c.dir, "a.txt")); string(text) != "from the writer\n" {
		t.Errorf("a.txt is %q: %v", text, err)
	}
	if lines := c.history.Lines(time.Now()); len(lines) != 1 {
		t.Errorf("the changes that /undo knows: %v", lines)
	}
	for _, want := range []string{"1\tWriter is done: 2", "beta",
		`there is no agent "Nobody"; there are Writer, Reader`} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in what Main read:\n%s", want, said)
		}
	}
	last := c.crew.Agents()
	if len(last) != 2 || last[0].State != "idle" || last[1].State != "idle" {
		t.Errorf("the agents are %+v", last)
	}
}

// wantsTask answers the main agent's first request with a call of task, and the second one with the
// result of that call.
func wantsTask(req provider.Request, input string) []provider.Part {
	if h := heard(req); len(h) > 1 {
		return []provider.Part{provider.Text{Text: h[len(h)-1]}}
	}
	return []provider.Part{use("1", "task", input)}
}

// tasksFor returns the input of a call of task that starts n agents.
func tasksFor(kind string, n int) string {
	var items []string
	for i := range n {
		items = append(items, fmt.Sprintf(`{"id":"A%d","assignment":"work %d"}`, i, i))
	}
	return `{"agent":"` + kind + `","context":"c","tasks":[` + strings.Join(items, ",") + `]}`
}

// crowd is an approver that answers only when that many agents wait for it at the same time.
type crowd struct {
	wait sync.WaitGroup
}

func (a *crowd) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	a.wait.Done()
	a.wait.Wait()
	return approval.Yes{ID: p.ID}, nil
}

func TestAgentsThatWaitForThePersonHoldNoSlot(t *testing.T) {
	t.Parallel()
	const agents, slots = 8, 2
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		switch h := heard(req); {
		case who == "Main":
			return wantsTask(req, tasksFor("task", agents))
		case len(h) == 1:
			return []provider.Part{use("1", "write_file", `{"path":"`+who+`.txt","content":"x\n"}`)}
		}
		return []provider.Part{use("2", "yield", `{"result":"done"}`)}
	}}
	c := crewed(t, slots, m)
	who := &crowd{}
	who.wait.Add(agents)
	r, _ := playMain(t, c, who)
	if n := strings.Count(r.Text, ": done,"); n != agents || m.most > slots {
		t.Errorf("%d agents are done, %d worked at once:\n%s", n, m.most, r.Text)
	}
}

func TestAnAgentWithoutAResultIsReminded(t *testing.T) {
	t.Parallel()
	turns := map[string]int{}
	var mu sync.Mutex
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		h := heard(req)
		mu.Lock()
		turns[who] = len(h)
		mu.Unlock()
		switch {
		case who == "Main":
			return wantsTask(req, tasksFor("quick_task", 3))
		case who == "A1" && len(h) == 3:
			return []provider.Part{use("1", "yield", `{"result":{"n":[1,2]}}`)}
		case who == "A2":
			return []provider.Part{use("1", "yield", `{"error":"there is no such file"}`)}
		}
		return []provider.Part{provider.Text{Text: fmt.Sprintf("my words %d", len(h))}}
	}}
	r, _ := playMain(t, crewed(t, 3, m), nil)
	for _, want := range []string{"A0 ended without its tool yield after 3 reminders", "my words 4\n", "\"n\": [",
		"# A2: failed", "Error: there is no such file"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q is not in\n%s", want, r.Text)
		}
	}
	if turns["A0"] != 4 || turns["A1"] != 3 || r.Summary != "3 agents, 1 without a result" {
		t.Errorf("turns: %v, summary %q", turns, r.Summary)
	}
}

func TestAnAgentHasTheToolsOfItsKindAndNotThoseOfTheConversation(t *testing.T) {
	t.Parallel()
	tools := map[string][]string{}
	var mu sync.Mutex
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		var names []string
		for _, s := range req.Tools {
			names = append(names, s.Name)
		}
		mu.Lock()
		tools[who] = names
		mu.Unlock()
		switch {
		case who == "Main" && len(heard(req)) == 1:
			return []provider.Part{use("1", "task", `{"agent":"explore","assignment":"look","id":"Look"}`),
				use("2", "task", tasksFor("task", 1))}
		case who == "A0" && len(heard(req)) == 1:
			return []provider.Part{use("1", "task",
				`{"agent":"task","context":"c","tasks":[{"id":"In","assignment":"x"}]}`)}
		case who == "Main":
			return []provider.Part{provider.Text{Text: "end"}}
		}
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	playMain(t, crewed(t, 1, m), nil) // one slot: who waits for its agents lends it
	for who, want := range map[string]string{
		"Main":  "has task, irc, todo, write_file, job; no yield",
		"Look":  "has read_file, irc, yield; no write_file, bash, todo, task",
		"A0":    "has write_file, bash, task, irc, yield; no todo, job, propose_plan",
		"A0.In": "has write_file, irc, yield; no task",
	} {
		has, not, _ := strings.Cut(strings.TrimPrefix(want, "has "), "; no ")
		for _, name := range strings.Split(has, ", ") {
			if !slices.Contains(tools[who], name) {
				t.Errorf("%s has no %s: %v", who, name, tools[who])
			}
		}
		for _, name := range strings.Split(not, ", ") {
			if slices.Contains(tools[who], name) {
				t.Errorf("%s has %s", who, name)
			}
		}
	}
}

func TestATaskThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		`{"agent":"wizard","context":"c","tasks":[{"assignment":"x"}]}`: "the " +
			"kinds are task, quick_task",
		`{"agent":"task","context":"c","tasks":[]}`: "name " +
			"one assignment",
		`{"agent":"task","context":"","tasks":[{"assignment":"x"}]}`: "context is empty",
		`{"agent":"task","context":"c","tasks":[{"assignment":" ` +
			`"}]}`: "tasks[0] has no assignment",
		`{"agent":"task","context":"c","tasks":[{"id":"a","assignment":"x"},{"id":"A","assignment":"y"}]}`: "two " +
			"tasks have the id",
		`{"agent":"task","assignment":"x","tasks":[{"assignment":"y"}]}`:          "assignment goes without tasks",
		`{"agent":"","context":"c","tasks":[{"assignment":"x"}]}`:                 "agent is missing: name a kind",
		`{"agent":"task","context":"c","schema":{},"tasks":[{"assignment":"x"}]}`: `"schema" is not an argument`,
		tasksFor("task", 33): "33; one call takes 32 at most",
	} {
		m := &cast{answer: func(_ string, req provider.Request) []provider.Part { return wantsTask(req, input) }}
		if r, _ := playMain(t, crewed(t, 1, m), nil); !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q, want %q", input, r.Text, want)
		}
	}
}

func TestAStopEndsAllAgents(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var began sync.WaitGroup
	began.Add(2)
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, tasksFor("task", 5))
		}
		began.Done()
		began.Wait()
		cancel()
		return []provider.Part{use("1", "list_dir", `{"path":"."}`)}
	}}
	c := crewed(t, 2, m)
	var end agent.TurnEnd
	err := c.newAgent(nil).RunTurn(ctx, agent.Message{Text: "go"}, func(e agent.Event) {
		if e, is := e.(agent.TurnEnd); is {
			end = e
		}
	})
	if err != nil || end.Reason != agent.Interrupted {
		t.Errorf("%v %+v", err, end)
	}
	for _, a := range c.crew.Agents() {
		if a.State != "aborted" {
			t.Errorf("%+v", a)
		}
	}
}

func TestWithoutAPersonWhatAnAgentAsksIsDenied(t *testing.T) {
	t.Parallel()
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		switch h := heard(req); {
		case who == "Main":
			return wantsTask(req, tasksFor("task", 1))
		case len(h) == 1:
			return []provider.Part{use("1", "write_file", `{"path":"a.txt","content":"x"}`)}
		default:
			return []provider.Part{use("2", "yield", fmt.Sprintf(`{"result":%q}`, h[1]))}
		}
	}}
	c := crewed(t, 1, m)
	if r, _ := playMain(t, c, nil); !strings.Contains(r.Text, approval.Denied) {
		t.Errorf("the result is\n%s", r.Text)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "a.txt")); !os.IsNotExist(err) {
		t.Error("it was written nevertheless")
	}
}

func TestTheTokensOfAllAgentsCount(t *testing.T) {
	t.Parallel()
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, tasksFor("task", 2))
		}
		return []provider.Part{use("1", "list_dir", `{"path":"."}`)} // for ever
	}}
	c := crewed(t, 2, m)
	c.MaxTokens = 2000
	r, end := playMain(t, c, nil)
	if n := strings.Count(r.Text, "Error: it reached the limit of tokens"); n != 2 || end.Limit != agent.Tokens {
		t.Errorf("%d reached the limit, the turn ended %+v:\n%s", n, end, r.Text)
	}
}

func TestAgentsWriteToEachOtherAndToMain(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	told := map[string][]string{}
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		h := heard(req)
		mu.Lock()
		told[who] = h
		mu.Unlock()
		all := strings.Join(h, "|")
		asked, sent := strings.Contains(all, "where is it?"), strings.Contains(all, "- Docs: injected")
		switch {
		case who == "Main":
			return wantsTask(req, `{"agent":"task","context":"c","tasks":[{"id":"Lexer","assignment":"lex"},`+
				`{"id":"Docs","assignment":"write"}]}`)
		case who == "Docs" && !strings.Contains(all, "in token.go"):
			return []provider.Part{use("1", "irc", `{"op":"send","to":"Lexer","message":"where is it?","await":true}`)}
		case who == "Lexer" && !asked:
			return []provider.Part{use("1", "irc", `{"op":"send","to":"Main","message":"the table moved"}`),
				use("2", "irc", `{"op":"wait","from":"Docs"}`)}
		case who == "Lexer" && !sent:
			return []provider.Part{use("3", "irc", `{"op":"send","to":"Main","message":"the table moved"}`),
				use("4", "irc", `{"op":"send","to":"Docs","message":"in token.go","replyTo":"m-2"}`)}
		}
		last := h[len(h)-1]
		return []provider.Part{use("9", "yield", fmt.Sprintf(`{"result":%q}`, last))}
	}}
	c := crewed(t, 1, m) // one slot: each of them waits without it
	r, end := playMain(t, c, nil)
	if !strings.Contains(r.Text, "): in token.go") || end.Reason != agent.Done {
		t.Errorf("%+v\n%s", end, r.Text)
	}
	if got := strings.Join(told["Main"], "|"); !strings.Contains(got, "Message from Lexer:\nthe table moved") {
		t.Errorf("Main was told %s", got)
	}
}

func TestAloneThereIsNobodyToWriteTo(t *testing.T) {
	t.Parallel()
	c := crewed(t, 0, &cast{})
	for _, s := range c.tools.Specs() {
		if s.Name == "irc" || s.Name == "task" {
			t.Errorf("there is the tool %s", s.Name)
		}
	}
}

// toolsOf lets Main start the agents of one call, and returns the tools of each. who is answered by
// further, or gives its result.
func toolsOf(t *testing.T, open func(m *cast) *conversation, input string,
	further map[string]string) map[string]string {
	t.Helper()
	tools := map[string]string{}
	var mu sync.Mutex
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		var names []string
		for _, s := range req.Tools {
			names = append(names, s.Name)
		}
		mu.Lock()
		first := tools[who] == ""
		tools[who] = strings.Join(names, " ")
		mu.Unlock()
		switch {
		case who == "Main" && first:
			return []provider.Part{use("1", "task", input)}
		case who == "Main":
			return []provider.Part{provider.Text{Text: "end"}}
		case further[who] != "" && first:
			return []provider.Part{use("1", "task", further[who])}
		}
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	playMain(t, open(m), nil)
	return tools
}

func TestAnAgentHasNoToolThatThoseAboveItHaveNot(t *testing.T) {
	t.Parallel()
	tools := toolsOf(t, func(m *cast) *conversation {
		c := crewed(t, 2, m)
		c.crew.SetKinds(append([]crew.Kind{{Name: "narrow", Tools: []string{"read_file"}, Spawns: []string{"task"}}},
			crew.Bundled()...))
		return c
	}, `{"agent":"narrow","assignment":"x","id":"N"}`, map[string]string{"N": tasksFor("task", 1)})
	if tools["N"] != "read_file task irc yield" || tools["N.A0"] != "read_file irc yield" {
		t.Errorf("%q", tools)
	}
}

func TestPlanModeHoldsForAgents(t *testing.T) {
	t.Parallel()
	tools := toolsOf(t, func(m *cast) *conversation {
		c := crewed(t, 2, m)
		if err := c.policy.SetMode(approval.ModePlan); err != nil {
			t.Fatal(err)
		}
		return c
	}, tasksFor("task", 1), nil)
	if tools["A0"] != "read_file list_dir find search diff task irc yield" {
		t.Errorf("%q", tools["A0"])
	}
}

func TestTheDepthOfAgentsIsASetting(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]bool{0: false, 1: false, 2: true} {
		tools := toolsOf(t, func(m *cast) *conversation {
			p, r := opened(t)
			r.model, r.cfg.Agents.Max, r.cfg.Agents.Depth = m, 2, &depth
			return conversationIn(t, p, r, conversationOptions{NoLog: true})
		}, tasksFor("task", 1), nil)
		if got := strings.Contains(tools["A0"], "task"); got != want || tools["A0"] == "" && depth > 0 {
			t.Errorf("depth %d: %q", depth, tools)
		}
		if has := strings.Contains(tools["Main"], "task"); has != (depth > 0) {
			t.Errorf("depth %d: Main has %q", depth, tools["Main"])
		}
	}
}

func TestDefinitionsOfAgentsAreUsedAfterAYes(t *testing.T) {
	t.Parallel()
	p, r := opened(t)
	file := filepath.Join(r.dir, ".claude", "agents", "tester.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "---\ndescription: tests\ntools: Read\n---\nTest it with care.\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var told string
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, `{"agent":"tester","assignment":"x","id":"T"}`)
		}
		told = req.System
		return []provider.Part{use("9", "yield", `{"result":"done"}`)}
	}}
	r.model, r.cfg.Agents.Max = m, 1
	r.loadOfferedSkills(t.Context(), p, r.mayUse)
	c := conversationIn(t, p, r, conversationOptions{NoLog: true})
	if res, _ := playMain(t, c, nil); !strings.Contains(res.Text, `there is no kind of agent "tester"`) {
		t.Errorf("before the answer: %q", res.Text)
	}
	offer := r.skillOffer(func(string) {}, func([]streamrule.Rule) {}, c.refreshKinds)
	if offer == nil || !strings.Contains(offer.Text, "Test it with care.") ||
		!slices.Equal(offer.Agents, []string{"tester"}) {
		t.Fatalf("the question is %+v", offer)
	}
	if err := offer.Decide(true); err != nil {
		t.Fatal(err)
	}
	if res, _ := playMain(t, c, nil); !strings.Contains(res.Text, "# T: done") ||
		!strings.Contains(told, "Test it with care.") {
		t.Errorf("after a yes: %q, it was told %q", res.Text, told)
	}
}
