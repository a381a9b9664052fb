package app

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// choosable is a project with scripted models, at a server that the test names.
type choosable struct {
	*project
	host   Host
	server string
	answer answering
}

func newChoosable(t *testing.T, flags Options) *choosable {
	t.Helper()
	host, r := opened(t, `{"say":"x"}`)
	c := &choosable{project: r, host: host, server: "here"}
	r.Options = flags
	r.mode = firstSet(flags.Mode, "")
	r.newModel = func(name string) (provider.Model, error) {
		if strings.HasPrefix(name, "broken") {
			return nil, errors.New("no key for it.")
		}
		return script.Parse(name, []byte(`{"say":"x"}`))
	}
	r.answering = func(change func(*answering)) { change(&c.answer) }
	r.serverOf = func(string) string { return c.server }
	c.server = "here"
	m, err := r.newModel("small")
	if err != nil {
		t.Fatal(err)
	}
	r.model = m
	return c
}

// begin returns a conversation that has a message, its agent and its access to stored sessions.
func (c *choosable) begin(t *testing.T, o conversationOptions) (*conversation, *agent.Agent, *sessions) {
	t.Helper()
	conv, err := c.openConversation(t.Context(), c.host, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conv.close() }) // the test may have closed it
	a := conv.newAgent(nil)
	return conv, a, &sessions{conv: conv, ag: a}
}

// say adds a message of the user to the log.
func say(t *testing.T, c *conversation, text string) {
	t.Helper()
	if err := c.log.Append(provider.Message{Role: provider.User,
		Parts: []provider.Part{provider.Text{Text: text, Origin: provider.Typed}}}); err != nil {
		t.Fatal(err)
	}
}

// /resume in the shell takes up the model, the effort, the thinking and a stricter mode of the
// session; a mode that allows more is told and not restored.
func TestAnotherSessionBringsItsModelAndMode(t *testing.T) {
	t.Parallel()
	p := newChoosable(t, Options{})
	first, _, _ := p.begin(t, conversationOptions{})
	say(t, first, "hello")
	id := first.id
	if err := first.changeModel(first.mainAgent, "large"); err != nil {
		t.Fatal(err)
	}
	p.answer = answering{effort: "high", thinking: true}
	if err := first.policy.SetMode(approval.ModePlan); err != nil {
		t.Fatal(err)
	}
	want := session.Choices{Model: "large", Server: "here", Effort: "high", Thinking: true, Mode: "plan"}
	if err := first.close(); err != nil {
		t.Fatal(err)
	}
	p.answer = answering{}
	if err := p.policy.SetMode(approval.ModeAsk); err != nil {
		t.Fatal(err)
	}
	second, _, logs := p.begin(t, conversationOptions{})
	say(t, second, "another")
	second.noteChoice()
	other := second.id
	if _, err := logs.Resume(id); err != nil {
		t.Fatal(err)
	}
	if got := second.choices(); got != want || second.log.Choices() != want {
		t.Errorf("resumed with %+v", got)
	}
	if got := logs.takeRestored(); !slices.Equal(got, []string{
		"As before: model large, effort high, thinking on, mode plan."}) {
		t.Errorf("it says %q", got)
	}
	// Back: plan stays, because the other session allows more.
	if _, err := logs.Resume(other); err != nil {
		t.Fatal(err)
	}
	if got := logs.takeRestored(); !slices.Equal(got, []string{
		"As before: model small, effort as configured, thinking off.",
		"Mode: plan. The session was in mode ask. /mode ask sets it."}) {
		t.Errorf("back it says %q", got)
	}
}

func TestNoSessionGivesMoreThanTheStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flag, now, stored, want, says string
	}{
		{"", "ask", "trusted", "ask",
			"Mode: ask. The session was in mode trusted. Only --mode trusted at the start sets it."},
		{"", "ask", "unconfined", "ask", "Only --mode unconfined at the start sets it."},
		{"", "ask", "edits", "ask", "/mode edits sets it."},
		{"", "edits", "ask", "ask", "As before: mode ask."},
		{"", "edits", "plan", "plan", "As before: mode plan."},
		{"", "ask", "root", "ask", ""},
		{"", "ask", "", "ask", ""},
		{"edits", "edits", "plan", "edits", ""}, // the command line wins
		{"plan", "plan", "trusted", "plan", ""},
	} {
		p := newChoosable(t, Options{SessionOptions: SessionOptions{Mode: c.flag}})
		conv, _, _ := p.begin(t, conversationOptions{})
		if err := p.policy.SetMode(c.now); err != nil {
			t.Fatal(err)
		}
		lines := conv.restore(session.Choices{Model: "small", Mode: c.stored}, true, nil)
		if got := p.policy.Mode(); got != c.want || strings.Join(lines, "|") != c.says &&
			(c.says == "" || !strings.HasSuffix(strings.Join(lines, "|"), c.says)) {
			t.Errorf("%+v: mode %s, %q", c, got, lines)
		}
	}
}

// A model that cannot be had is named, and the one of the start answers.
func TestAModelThatIsGoneIsTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored session.Choices
		model  string // flag
		listed []string
		now    string
		says   string
	}{
		{session.Choices{Model: "large", Server: "there"}, "", nil, "small", "Model: small. The session's model, " +
			"large, was at there, and here is asked now. /model chooses another."},
		{session.Choices{Model: "large", Server: "here"}, "", []string{"small"}, "small", "Model: small. The " +
			"session's model, large, is not in the list of here. /model chooses another."},
		{session.Choices{Model: "broken", Server: "here"}, "", nil, "small", "Model: small. The session's model, " +
			"broken, cannot be used: no key for it. /model chooses another."},
		{session.Choices{Model: "large"}, "", nil, "small", ""}, // an earlier version's
		{session.Choices{Model: "large", Server: "here"}, "small", nil, "small", ""},
		{session.Choices{Model: "large", Server: "here"}, "", []string{"small", "large"}, "large",
			"As before: model large."},
	} {
		p := newChoosable(t, Options{SessionOptions: SessionOptions{Model: c.model}})
		p.listed = c.listed
		conv, a, _ := p.begin(t, conversationOptions{})
		lines := conv.restore(c.stored, true, func(m provider.Model) error { return conv.useModel(a, m) })
		if got := a.Model().Name(); got != c.now || strings.Join(lines, "|") != c.says {
			t.Errorf("%+v: %s, %q", c, got, lines)
		}
	}
}

// An earlier place of the same conversation keeps what the person has chosen since. Another branch
// has its own.
func TestAnotherBranchBringsItsModel(t *testing.T) {
	t.Parallel()
	p := newChoosable(t, Options{})
	conv, a, logs := p.begin(t, conversationOptions{})
	say(t, conv, "one")
	say(t, conv, "two")
	_, two, err := conv.log.Tree()
	if err != nil {
		t.Fatal(err)
	}
	nodes, _, _ := conv.log.Tree()
	if err := conv.changeModel(a, "large"); err != nil {
		t.Fatal(err)
	}
	if _, err := logs.Move(nodes[1].ID, ""); err != nil {
		t.Fatal(err)
	}
	if got := logs.takeRestored(); a.Model().Name() != "large" || len(got) > 0 {
		t.Errorf("an earlier place: %s, %q", a.Model().Name(), got)
	}
	if err := conv.changeModel(a, "third"); err != nil {
		t.Fatal(err)
	}
	say(t, conv, "otherwise")
	if _, err := logs.Move(two, ""); err != nil {
		t.Fatal(err)
	}
	if got := logs.takeRestored(); a.Model().Name() != "large" || !slices.Equal(got, []string{
		"As before: model large."}) {
		t.Errorf("another branch: %s, %q", a.Model().Name(), got)
	}
	id := conv.id
	if err := conv.close(); err != nil {
		t.Fatal(err)
	}
	log, _, err := session.Resume(conv.logConfig, id)
	if err != nil {
		t.Fatal(err)
	}
	if got := log.Choices().Model; got != "large" {
		t.Errorf("resumed there: %s", got)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// The names of servers hold no path, no key and no name of a person.
func TestAServerIsNamedByItsHost(t *testing.T) {
	t.Parallel()
	p := Host{getenv: func(name string) string {
		return map[string]string{"OPENAI_BASE_URL": "http://me:pw@10.0.0.7:8080/v1?key=x"}[name]
	}}
	e := &endpoints{p: p, service: serviceNamed("openai")}
	if got := e.serverOf("m"); got != "10.0.0.7:8080" {
		t.Errorf("%q", got)
	}
	e.p = Host{getenv: func(string) string { return "" }}
	if got := e.serverOf("m"); got != "openai" {
		t.Errorf("%q", got)
	}
}

// Calls that a killed session has left open are named to the person, in a line.
func TestACallThatWasCutOffIsNamed(t *testing.T) {
	t.Parallel()
	p := newChoosable(t, Options{})
	conv, _, logs := p.begin(t, conversationOptions{})
	say(t, conv, "go")
	var calls []provider.Part
	for i, command := range []string{"make test", "cat <<EOF\nx\nEOF", strings.Repeat("long ", 20), "last", "more"} {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, provider.ToolCall{ID: strconv.Itoa(i), Name: "bash", Input: input})
	}
	if err := conv.log.Append(provider.Message{Role: provider.Assistant, Parts: calls}); err != nil {
		t.Fatal(err)
	}
	for i := range calls[:4] { // the last one waits for its answer
		if err := conv.log.BeginCall(strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	id := conv.id
	if err := logs.Fork(); err != nil {
		t.Fatal(err)
	}
	if _, err := logs.Resume(id); err != nil {
		t.Fatal(err)
	}
	want := "The session was cut off during bash make test, bash cat <<EOF x EOF, bash " +
		strings.Repeat("long ", 11) + " ..., and 1 more. It may have done a part of its work, and the model is told so."
	notRun := "The session was cut off before bash more: not run, and the model is told so."
	if got := logs.takeRestored(); !slices.Equal(got, []string{want, notRun}) {
		t.Errorf("%q", got)
	}
	if got := cutOffCommand(conv.mainAgent.Messages()); got != "bash last" {
		t.Errorf("/undo names %q", got)
	}
	end := agent.StoredCallEnd(calls[0].(provider.ToolCall), conv.mainAgent.Messages()[2:])
	if end.OK || !strings.HasPrefix(end.Text, "cut off when the session ended") {
		t.Errorf("%+v", end)
	}
}

// After /model an agent that names no model of its own gets the present one, not that of the start.
func TestAnAgentGetsTheModelThatWasChosen(t *testing.T) {
	t.Parallel()
	p := newChoosable(t, Options{})
	main, _, _ := p.begin(t, conversationOptions{})
	if err := main.changeModel(main.mainAgent, "large"); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{"": "large", "third": "third"} {
		mate := &conversation{project: main.project}
		mate.env.Addresses = tool.Addresses{}
		if err := mate.serve(&crew.Opening{ID: "A", Kind: crew.Kind{Name: "task", Model: model}}, main); err != nil {
			t.Fatal(err)
		}
		if got := mate.agentModel.Name(); got != want {
			t.Errorf("kind with model %q: the agent asks %s, want %s", model, got, want)
		}
	}
}
