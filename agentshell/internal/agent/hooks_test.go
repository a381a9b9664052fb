package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// asked is hooks that answer by f, and what they were asked.
type asked struct {
	f  func(q hook.Question) hook.Answer
	mu sync.Mutex
	of []string
}

func (a *asked) Ask(_ context.Context, q hook.Question) hook.Answer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.of = append(a.of, strings.TrimSpace(string(q.On)+" "+q.Call+" "+q.Reason))
	return a.f(q)
}

// A hook denies before a person is asked, adds text, and allows nothing: without the person's yes
// nothing runs, whatever it says.
func TestHooksDenyAndAddTextAndAllowNothing(t *testing.T) {
	h := &asked{f: func(q hook.Question) hook.Answer {
		switch {
		case q.On == hook.Before && q.Call == "t1":
			return hook.Answer{Denied: true, Reason: "lint: not\nthis"}
		case q.On == hook.Before:
			return hook.Answer{Texts: []string{"[hook lint] before " + q.Call}}
		case q.On == hook.After:
			return hook.Answer{Texts: []string{"[hook fmt] after " + q.Result},
				Problems: []string{"The hook x failed."}}
		}
		return hook.Answer{Texts: []string{"[hook end] bye"}}
	}}
	var questions []string
	b := &bench{}
	person := func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
		questions = append(questions, p.Call)
		return yesOrNo(p, p.Call != "t2"), nil
	}
	a := agent.New(agent.Config{Tools: b, Hooks: h, Approver: approver(person), Model: model(t,
		calls(call("t1", "change", "a"), call("t2", "change", "b"), call("t3", "change", "c"), call("t4", "look", "d")),
		`{"expect":["user denied this tool call\nlint: not this",`+
			`"changed c\n[hook lint] before t3\n[hook fmt] after changed c",`+
			`"saw d\n[hook lint] before t4\n[hook fmt] after saw d"],"say":"Done.","delay_ms":0}`,
		`{"expect":["again","Beside this message, from the shell and the user's hooks:\n[hook end] bye"],`+
			`"say":"Bye.","delay_ms":0}`)})
	events := turn(t, a, t.Context(), "go")
	if !slices.Equal(questions, []string{"t2", "t3"}) {
		t.Errorf("asked of %q", questions)
	}
	end := ends(events)
	if end["t1"].Decision.By != "hook" || end["t1"].Kind != agent.KindDenied || end["t2"].Kind != agent.KindDenied ||
		!end["t3"].OK || !strings.Contains(end["t3"].Result.Detail, "[hook fmt]") {
		t.Errorf("%+v", end)
	}
	var notices []string
	for _, e := range events {
		if n, ok := e.(agent.Notice); ok {
			notices = append(notices, n.Text)
		}
	}
	if want := []string{"The hook x failed.", "The hook x failed.", "[hook end] bye"}; !slices.Equal(notices, want) {
		t.Errorf("notices %q", notices)
	}
	slices.Sort(h.of)
	if want := []string{"after_tool t3", "after_tool t4", "before_tool t1", "before_tool t2", "before_tool t3",
		"before_tool t4", "turn_end  done"}; !slices.Equal(h.of, want) {
		t.Errorf("asked %q", h.of)
	}
	turn(t, a, t.Context(), "again")
	said := a.Messages()
	if text, from := said[len(said)-2].MainText(); text != "again" || from != provider.Typed {
		t.Errorf("typed was %q, %q", text, from)
	}
}

// Changes that are asked together are each shown to the hooks, once; a denied one is never on the
// table.
func TestHooksAreAskedOfChangesThatAreAskedTogether(t *testing.T) {
	h := &asked{f: func(q hook.Question) hook.Answer {
		return hook.Answer{Denied: q.On == hook.Before && q.Call == "t2", Reason: "lint"}
	}}
	var laid []string
	a := agent.New(agent.Config{Tools: &bench{}, Hooks: h, Approver: laidOut(func(ps []*approval.Proposal) {
		for _, p := range ps {
			laid = append(laid, p.Call)
		}
	}), Model: model(t, calls(call("t1", "change", "a"), call("t2", "change", "b"), call("t3", "change", "c")),
		`{"say":"Done.","delay_ms":0}`)})
	end := ends(turn(t, a, t.Context(), "go"))
	if !slices.Equal(laid, []string{"t1", "t3"}) || !end["t1"].OK || end["t2"].OK || !end["t3"].OK {
		t.Errorf("on the table %q, %+v", laid, end)
	}
	before := 0
	for _, of := range h.of {
		if strings.HasPrefix(of, "before") {
			before++
		}
	}
	if before != 3 {
		t.Errorf("asked %q", h.of)
	}
}

// laidOut says yes to everything that was on the table.
type laidOut func([]*approval.Proposal)

func (d laidOut) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	d([]*approval.Proposal{p})
	return approval.Yes{ID: p.ID}, nil
}

func (d laidOut) AskAll(_ context.Context, ps []*approval.Proposal,
	answered func(int, approval.Answer) *approval.Proposal) error {
	d(ps)
	for i, p := range ps {
		if answered(i, approval.Yes{ID: p.ID}) != nil {
			return errors.New("asked again")
		}
	}
	return nil
}

// A stop while a hook is asked denies the call, and no other hook is asked.
func TestAStopWhileAHookIsAskedEndsTheTurn(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := &asked{f: func(q hook.Question) hook.Answer {
		cancel() // while it is asked
		return hook.Answer{}
	}}
	b := &bench{}
	a := agent.New(agent.Config{Tools: b, Hooks: h, Approver: approver(yes),
		Model: model(t, calls(call("t1", "change", "a")), `{"say":"Done.","delay_ms":0}`)})
	end := ends(turn(t, a, ctx, "go"))
	if end["t1"].OK || !slices.Equal(h.of, []string{"before_tool t1"}) {
		t.Errorf("%+v, asked %q", end, h.of)
	}
}
