package agent_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestATurnRunsToolsUntilTheModelHasFinished(t *testing.T) {
	b := &bench{}
	a := agent.New(agent.Config{Tools: b, Approver: approver(yes), System: "be kind", Model: model(t,
		`{"say":"I look.","thinking":"hm","usage":{"input":3,"output":4},"chunk_runes":99,"delay_ms":0,`+
			`"tool_chunk_bytes":99,"tool_calls":[`+call("t1", "look", "a")+`,`+call("t2", "change", "b")+`]}`,
		`{"expect":["saw a","changed b"],"say":"Done.","delay_ms":0,"chunk_runes":99}`)})
	events := turn(t, a, t.Context(), "please")
	var got []string
	for _, e := range events {
		switch e := e.(type) {
		case agent.ToolStart:
			e.Proposal = nil
			got = append(got, fmt.Sprintf("%T%v", e, e))
		case agent.Approval:
			got = append(got, fmt.Sprintf("%T{%s %v %s}", e, e.Call, e.Decision.Allow, e.Decision.By))
		case agent.ToolEnd:
			got = append(got, fmt.Sprintf("%T{%s %v %q}", e, e.ID, e.OK, e.Text))
		case agent.ToolCall:
			got = append(got, fmt.Sprintf("%T{%s %s}", e, e.ID, e.Input))
		default:
			got = append(got, fmt.Sprintf("%T%v", e, e))
		}
	}
	want := []string{
		"agent.Thinking{hm}", "agent.Text{I look.}",
		"agent.ToolStream{t1 look }", `agent.ToolStream{t1  {"path":"a"}}`, `agent.ToolCall{t1 {"path":"a"}}`,
		"agent.ToolStream{t2 change }", `agent.ToolStream{t2  {"path":"b"}}`, `agent.ToolCall{t2 {"path":"b"}}`,
		"agent.Usage{3 4 0 0 0 false 7 0}", "agent.MessageEnd{tool I look.}",
		"agent.ToolStart{t1 look look a <nil>}", `agent.ToolEnd{t1 true "saw a"}`,
		"agent.ToolStart{t2 change change b <nil>}", "agent.Approval{t2 true person}",
		`agent.ToolEnd{t2 true "changed b"}`,
		"agent.Text{Done.}", "agent.MessageEnd{end Done.}", "agent.TurnEnd{done  <nil> 0}",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(a.Messages()); n != 4 {
		t.Errorf("%d messages, want user, assistant, results, assistant", n)
	}
}

func TestACallThatCannotBePreparedIsNamedByItsPathOrItsInput(t *testing.T) {
	raw := func(id, input string) string {
		return `{"id":"` + id + `","name":"none","raw":` + fmt.Sprintf("%q", input) + `}`
	}
	a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes), Model: model(t,
		calls(call("t1", "none", "a\nb"), raw("t2", `{"path":5}`), raw("t3", `{"command":"ls"}`),
			raw("t4", `{"path":"x"`)), `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	for id, want := range map[string]string{"t1": "none a b", "t2": `none {"path":5}`, "t3": `none {"command":"ls"}`,
		"t4": `none {"path":"x"`} {
		if got[id].Title != want {
			t.Errorf("%s is called %q, want %q", id, got[id].Title, want)
		}
	}
}

func TestADenialReachesTheModelWithItsReasonOnTheSecondLine(t *testing.T) {
	for _, test := range []struct{ reason, want string }{
		{"", "user denied this tool call"},
		{"it is a\nquote", "user denied this tool call\nit is a quote"},
	} {
		b := &bench{}
		a := agent.New(
			agent.Config{
				Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{"expect":"user denied this tool call"}`),
				Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
					return approval.No{ID: p.ID, Reason: test.reason}, nil
				})})
		events := turn(t, a, t.Context(), "x")
		if got := ends(events)["t1"]; got.Text != test.want || got.OK || got.Kind != "denied" {
			t.Errorf("result %#v, want %q", got, test.want)
		}
		if e := end(events); e.Reason != agent.Done || e.Denied != 1 {
			t.Errorf("the turn ended with %+v", e)
		}
		if len(b.diary) > 0 {
			t.Errorf("the tool ran: %q", b.diary)
		}
	}
}

func TestWhatIsNotAClearYesIsANo(t *testing.T) {
	tests := map[string]struct {
		approver approval.Approver
		policy   agent.Policy
		by       string
	}{
		"nobody is there": {nil, nil, "no_terminal"},
		"nobody, and a flag": {nil, policy(func(approval.Subject) approval.Verdict {
			return approval.Verdict{By: "flag"}
		}), "flag"},
		"a rule denies": {approver(yes),
			policy(func(approval.Subject) approval.Verdict {
				return approval.Verdict{Action: approval.Deny, By: "rule"}
			}), "rule"},
		"the zero answer": {approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			return nil, nil
		}), nil, "person"},
		"yes to another one": {approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			return approval.Yes{ID: "p0"}, nil
		}), nil, "person"},
		"yes without an id": {approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			return approval.Yes{}, nil
		}), nil, "person"},
		"yes with an error": {approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			return approval.Yes{ID: p.ID}, errors.New("x")
		}), nil, "person"},
		"a stop": {approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			return approval.Stop{ID: p.ID}, nil
		}), nil, "person"},
		"a pointer to a yes": {approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			return &approval.Yes{ID: p.ID}, nil
		}), nil, "person"},
		"a pointer to nothing": {approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			return (*approval.Revise)(nil), nil
		}), nil, "person"},
		"other bytes for another one": {approver(func(context.Context, *approval.Proposal) (approval.Answer, error) {
			return approval.Revise{ID: "p0"}, nil
		}), nil, "person"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			b := &bench{}
			a := agent.New(agent.Config{Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{}`),
				Approver: test.approver, Policy: test.policy})
			got := ends(turn(t, a, t.Context(), "x"))["t1"]
			if got.OK || got.Kind != "denied" || !strings.HasPrefix(got.Text, "user denied this tool call") ||
				got.Decision.By != test.by {
				t.Errorf("%+v, want a denial by %s", got, test.by)
			}
			if len(b.diary) > 0 {
				t.Errorf("the tool ran: %q", b.diary)
			}
		})
	}
}

func TestARuleThatAllowsAsksNobody(t *testing.T) {
	b := &bench{}
	var subject approval.Subject
	a := agent.New(
		agent.Config{Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{}`),
			Policy: policy(func(s approval.Subject) approval.Verdict {
				subject = s
				return approval.Verdict{Action: approval.Allow, By: "rule"}
			})})
	got := ends(turn(t, a, t.Context(), "x"))["t1"]
	if !got.OK || got.Decision.By != "rule" || len(b.diary) != 1 {
		t.Errorf("%+v, diary %q", got, b.diary)
	}
	if subject.Tool != "change" || subject.Path != "a" || !subject.Mutates || !subject.Asks {
		t.Errorf("the policy saw %+v", subject)
	}
}

func TestAQuestionSaysWhyItIsAsked(t *testing.T) {
	b := &bench{}
	var why []string
	a := agent.New(
		agent.Config{Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{}`),
			Approver: approver(func(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
				why = append(why, p.Why)
				return yes(ctx, p)
			}),
			Policy: policy(func(approval.Subject) approval.Verdict { return approval.Verdict{Reason: "it is loud"} })})
	if got := ends(turn(t, a, t.Context(), "x"))["t1"]; !got.OK || !slices.Equal(why, []string{"it is loud"}) {
		t.Errorf("%+v, asked because %q", got, why)
	}
}

func TestACallThatMustBeAskedForButCannotBeShownIsDenied(t *testing.T) {
	b := &bench{}
	a := agent.New(
		agent.Config{Tools: b, Approver: approver(yes), Model: model(t, calls(call("t1", "look", "secret")), `{}`),
			Policy: policy(func(approval.Subject) approval.Verdict {
				return approval.Verdict{Action: approval.Ask, By: "rule"}
			})})
	if got := ends(turn(t, a, t.Context(), "x"))["t1"]; got.Kind != "denied" || len(b.diary) > 0 {
		t.Errorf("%+v, diary %q", got, b.diary)
	}
}

func TestReadOnlyCallsDoNotWaitForAnOpenApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{}
		answer := make(chan bool)
		asked := []string{}
		a := agent.New(
			agent.Config{
				Tools: b,
				Model: model(t, calls(call("r1", "look", "1"), call("w1", "change", "a"), call("r2", "look", "2"),
					call("w2", "change", "b"), call("r3", "look", "3")), `{}`),
				Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
					asked = append(asked, p.Path)
					return yesOrNo(p, <-answer), nil
				})})
		done := make(chan struct{})
		go func() { defer close(done); turn(t, a, t.Context(), "x") }()
		synctest.Wait()
		if want := []string{"look 1", "look 2", "look 3"}; !slices.Equal(b.diary, want) ||
			!slices.Equal(asked, []string{"a"}) {
			t.Errorf("with the pane open: diary %q, asked %q; want %q and a", b.diary, asked, want)
		}
		answer <- true
		synctest.Wait()
		<-time.After(time.Second)
		synctest.Wait()
		if !slices.Equal(asked, []string{"a", "b"}) {
			t.Errorf("after the first answer, asked %q", asked)
		}
		answer <- true
		<-done
		// The second change was prepared after the first was made: it builds on it.
		if want := []string{"look 1", "look 2", "look 3", "change a on v0 to ",
			"change b on v1 to "}; !slices.Equal(b.diary, want) {
			t.Errorf("diary %q, want %q", b.diary, want)
		}
	})
}

func TestDenyingAChangeAnswersLaterOnesOnItsPathWithConflict(t *testing.T) {
	b := &bench{}
	n := 0
	a := agent.New(
		agent.Config{
			Tools: b,
			Model: model(t, calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "change", "a")),
				calls(`{"id":"4","name":"change","input":{"path":"a","other":1}}`), `{}`),
			Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
				n++
				return yesOrNo(p, n > 1), nil
			})})
	got := ends(turn(t, a, t.Context(), "x"))
	if got["1"].Kind != "denied" || !got["2"].OK || got["3"].Kind != "conflict" ||
		got["3"].Text != "file changed since last read: a" {
		t.Errorf("%+v", got)
	}
	if !got["4"].OK {
		t.Errorf("a later message is a new start, but %+v", got["4"])
	}
}

func TestAStaleProposalIsPreparedAndAskedAgain(t *testing.T) {
	b := &bench{}
	var asked []string
	a := agent.New(agent.Config{Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{}`),
		Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			asked = append(asked, p.ID+string(p.Before))
			if len(asked) == 1 {
				b.mu.Lock()
				b.version = 7 // another process
				b.mu.Unlock()
				return approval.Stale{ID: p.ID}, nil
			}
			return approval.Yes{ID: p.ID}, nil
		})})
	turn(t, a, t.Context(), "x")
	if len(asked) != 2 || asked[0] == asked[1] || !slices.Equal(b.diary, []string{"change a on v7 to "}) {
		t.Errorf("asked %q, diary %q", asked, b.diary)
	}
}

func TestARevisedProposalIsAskedAgainBeforeAnythingIsWritten(t *testing.T) {
	b := &bench{}
	var asked []string
	a := agent.New(agent.Config{Tools: b, Model: model(t, calls(call("t1", "change", "a")), `{}`),
		Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			asked = append(asked, string(p.After))
			if len(asked) == 1 {
				return approval.Revise{ID: p.ID, After: []byte("mine")}, nil
			}
			if len(b.diary) > 0 {
				t.Error("written before the second answer")
			}
			return approval.Yes{ID: p.ID}, nil
		})})
	turn(t, a, t.Context(), "x")
	if !slices.Equal(asked, []string{"", "mine"}) || !slices.Equal(b.diary, []string{"change a on v0 to mine"}) {
		t.Errorf("asked %q, diary %q", asked, b.diary)
	}
}

func TestAStopAnswersEveryOpenCall(t *testing.T) {
	b := &bench{}
	a := agent.New(
		agent.Config{
			Tools: b, Model: model(t, calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "boom", "")),
				`{"say":"never"}`),
			Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
				return approval.Stop{ID: p.ID}, nil
			})})
	events := turn(t, a, t.Context(), "x")
	for id, e := range ends(events) {
		if e.Text != "user denied this tool call" {
			t.Errorf("call %s: %+v", id, e)
		}
	}
	if e := end(events); e.Reason != agent.Interrupted || e.Denied != 3 {
		t.Errorf("%+v", e)
	}
}

func TestCancellingStopsWhatRuns(t *testing.T) {
	t.Run("an approval", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			b := &bench{}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			a := agent.New(
				agent.Config{Tools: b, Model: model(t, calls(call("1", "change", "a"), call("2", "look", "b")), `{}`),
					Approver: approver(func(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
						<-ctx.Done()
						return approval.Yes{ID: p.ID}, nil // a late yes
					})})
			events := turn(t, a, ctx, "x")
			if got := ends(events); got["1"].Text != "user denied this tool call" || !got["2"].OK ||
				end(events).Reason != agent.Interrupted {
				t.Errorf("%+v, %+v", got, end(events))
			}
			if !slices.Equal(b.diary, []string{"look b"}) {
				t.Errorf("diary %q", b.diary)
			}
		})
	})
	t.Run("a tool", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			a := agent.New(agent.Config{Tools: &bench{},
				Model: model(t, calls(call("1", "slow", "a"), call("2", "slow", "b")), `{}`)})
			events := turn(t, a, ctx, "x")
			got := ends(events)
			if e := got["1"]; !slices.Equal(e.Result.Changed, []string{"made"}) ||
				!strings.HasSuffix(e.Text, "\nhalf of the output") {
				t.Errorf("what the call did until then is lost: %+v", e)
			}
			if got["1"].Kind != "interrupted" || got["2"].Kind != "denied" || end(events).Reason != agent.Interrupted {
				t.Errorf("%+v", got)
			}
			if !slices.Contains(events, agent.Event(agent.ToolProgress{ID: "1", Text: "started"})) {
				t.Error("no progress")
			}
		})
	})
	t.Run("the model, and keeps what it said", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			a := agent.New(
				agent.Config{Model: model(t, `{"say":"half a sent","hang":true}`, `{"say":"ok","expect":"go on"}`)})
			if e := end(turn(t, a, ctx, "x")); e.Reason != agent.Interrupted || e.Err != nil {
				t.Errorf("%+v", e)
			}
			if m := a.Messages(); len(m) != 2 || m[1].Parts[0] != provider.Part(provider.Text{Text: "half a sent"}) {
				t.Errorf("conversation %+v", m)
			}
			if e := end(turn(t, a, t.Context(), "go on")); e.Reason != agent.Done {
				t.Errorf("the next turn: %+v", e)
			}
		})
	})
}

// ending is a context that has ended a moment before those derived from it.
type ending struct {
	context.Context
	over bool
}

func (e *ending) Err() error {
	if e.over {
		return context.Canceled
	}
	return nil
}

func TestAStopWithTheLastWordOfAnAnswerIsAStop(t *testing.T) {
	ctx := &ending{Context: t.Context()}
	a := agent.New(agent.Config{Tools: &bench{}, Model: model(t, `{"say":"the last word"}`)})
	var last agent.TurnEnd
	err := a.RunText(ctx, "x", func(ev agent.Event) {
		switch ev := ev.(type) {
		case agent.Text:
			ctx.over = true
		case agent.TurnEnd:
			last = ev
		}
	})
	if err != nil || last.Reason != agent.Interrupted {
		t.Errorf("%+v, %v", last, err)
	}
}

func TestFailedAttemptsAreShownAndTriedAgain(t *testing.T) {
	tests := map[string]struct {
		lines  []string
		waits  []time.Duration
		reason agent.Reason
	}{
		"twice overloaded": {[]string{`{"error":{"status":529}}`, `{"say":"half","error":{"status":529}}`,
			`{"say":"ok"}`}, []time.Duration{time.Second, 2 * time.Second}, agent.Done},
		"as long as asked": {[]string{`{"error":{"status":429,"retry_after_ms":7000}}`, `{}`},
			[]time.Duration{7 * time.Second}, agent.Done},
		"longer than we wait": {[]string{`{"error":{"status":429,"retry_after_ms":3600000}}`, `{}`}, nil, agent.Failed},
		"a broken stream":     {[]string{`{"error":{"status":0}}`, `{}`}, []time.Duration{time.Second}, agent.Done},
		"a refused key":       {[]string{`{"error":{"status":401}}`, `{}`}, nil, agent.Failed},
		"five times": {slices.Repeat([]string{`{"error":{"status":500}}`}, 6),
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}, agent.Failed},
		"a mismatch": {[]string{`{"expect":"nothing like it"}`, `{}`}, nil, agent.Mismatch},
		"a length":   {[]string{`{"say":"x","stop":"length"}`}, nil, agent.Limit},
		"a refusal":  {[]string{`{"say":"x","stop":"refusal"}`}, nil, agent.Limit},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := agent.New(agent.Config{Model: model(t, test.lines...)})
				events := turn(t, a, t.Context(), "x")
				var waits []time.Duration
				for _, e := range events {
					if e, ok := e.(agent.Retry); ok {
						waits = append(waits, e.Wait)
						if e.Err == nil || e.Attempt != len(waits)+1 || e.Of != 5 {
							t.Errorf("%+v", e)
						}
					}
				}
				e := end(events)
				if !slices.Equal(waits, test.waits) || e.Reason != test.reason {
					t.Errorf("waits %v, want %v; ended %+v, want %s", waits, test.waits, e, test.reason)
				}
				if failed := e.Reason == agent.Failed || e.Reason == agent.Mismatch; failed != (e.Err != nil) {
					t.Errorf("reason %s with error %v", e.Reason, e.Err)
				}
				for _, m := range a.Messages() {
					for _, p := range m.Parts {
						if p == provider.Part(provider.Text{Text: "half"}) {
							t.Error("a void attempt is in the conversation")
						}
					}
				}
			})
		})
	}
}

func TestBadCallsBecomeErrorResults(t *testing.T) {
	a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes), Model: model(t, calls(
		call("1", "nothing", "a"), `{"id":"2","name":"look","raw":"{\"path\": \u001b[2J"}`,
		`{"id":"3","name":"look","input":{"fail":"prepare"}}`, call("4", "boom", "")), `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	for id, want := range map[string][2]string{
		"1": {"invalid_args", `there is no tool "nothing"; the tools are boom, change, look, slow`},
		"2": {"not_found", "bad input"}, "3": {"not_found", "no such thing"}, "4": {"tool_failed", "the tool panicked"},
	} {
		if e := got[id]; e.OK || e.Kind != want[0] || !strings.HasPrefix(e.Text, want[1]) {
			t.Errorf("call %s: %s %q, want %q", id, e.Kind, e.Text, want)
		}
	}
}

func TestACutMessageRunsNothing(t *testing.T) {
	b := &bench{}
	a := agent.New(agent.Config{Tools: b, Approver: approver(yes),
		Model: model(t, strings.Replace(calls(call("1", "look", "a"), call("2", "change", "a")), "{",
			`{"stop":"length",`, 1), `{}`)})
	events := turn(t, a, t.Context(), "x")
	if len(b.diary) > 0 || end(events).Reason != agent.Limit || len(ends(events)) != 2 {
		t.Errorf("diary %q, %+v", b.diary, end(events))
	}
}

func TestTooManyStepsEndTheTurn(t *testing.T) {
	a := agent.New(agent.Config{Tools: &bench{}, Limits: agent.Limits{Steps: 2},
		Model: model(t, calls(call("1", "look", "a")), calls(call("2", "look", "a")), `{}`)})
	if e := end(turn(t, a, t.Context(), "x")); e.Reason != agent.Limit {
		t.Errorf("%+v", e)
	}
}

func TestASecondTurnIsRefusedWhileOneRuns(t *testing.T) {
	a := agent.New(agent.Config{Model: model(t, `{"say":"x"}`)})
	var inner error
	_ = a.RunText(t.Context(), "x", func(e agent.Event) {
		if _, ok := e.(agent.Text); ok {
			inner = errors.Join(a.RunText(t.Context(), "y", nil), a.Clear())
		}
	})
	if !errors.Is(inner, agent.ErrBusy) {
		t.Errorf("%v", inner)
	}
}

func TestAddedIsToldEachMessage(t *testing.T) {
	var roles []provider.Role
	a := agent.New(agent.Config{Tools: &bench{}, Model: model(t, calls(call("1", "look", "a")), `{"say":"x"}`, `{}`),
		Observer: observer{added: func(m provider.Message) error { roles = append(roles, m.Role); return nil }}})
	turn(t, a, t.Context(), "x")
	turn(t, a, t.Context(), "y") // the empty answer is left out
	if want := []provider.Role{"user", "assistant", "user", "assistant", "user"}; !slices.Equal(roles, want) {
		t.Errorf("%q, want %q", roles, want)
	}
	full := errors.New("disk full")
	a = agent.New(agent.Config{Model: model(t, `{}`), Observer: observer{added: func(provider.Message) error {
		return full
	}}})
	if e := end(turn(t, a, t.Context(), "x")); e.Reason != agent.Failed || !errors.Is(e.Err, full) {
		t.Errorf("%+v", e)
	}
}

func TestTheSameQuestionIsAskedOnceInATurn(t *testing.T) {
	b := &bench{}
	asked := 0
	a := agent.New(
		agent.Config{
			Tools: b, Model: model(t, calls(call("1", "change", "a")),
				calls(call("2", "change", "a"), call("3", "change", "b")), `{}`, calls(call("4", "change", "a")), `{}`),
			Approver: approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
				asked++
				return approval.No{ID: p.ID, Reason: "not so"}, nil
			})})
	got := ends(turn(t, a, t.Context(), "x"))
	if asked != 2 || got["2"].Text != "user denied this tool call\nnot so" || got["2"].Decision.By != "person" {
		t.Errorf("asked %d times, then %+v", asked, got["2"])
	}
	if turn(t, a, t.Context(), "y"); asked != 3 {
		t.Errorf("in the next turn it was asked %d times in all, want 3", asked)
	}
}

func TestClearForgetsTheConversationAndSaysSo(t *testing.T) {
	told := 0
	a := agent.New(agent.Config{Model: model(t, `{"say":"x"}`), Observer: observer{cleared: func() error {
		told++
		return nil
	}}})
	turn(t, a, t.Context(), "x")
	if err := a.Clear(); err != nil || told != 1 || len(a.Messages()) != 0 {
		t.Errorf("%v, told %d times, %d messages", err, told, len(a.Messages()))
	}
}
