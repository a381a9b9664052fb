package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// What the person takes back is decided by their answer alone: no rule and no mode allows it, and
// none forbids it. Only what was done joins the conversation, and what was denied counts for
// nothing.
func TestTakingBackIsThePersonsToDecide(t *testing.T) {
	for name, test := range map[string]struct {
		verdict approval.Action
		answer  approval.Approver
		fails   error
		ran     bool
		told    string
		end     agent.Reason
	}{
		"yes": {approval.Ask, approver(yes), nil, true,
			"I done", agent.Done},
		"yes, a rule denies": {approval.Deny, approver(yes), nil, true,
			"I done", agent.Done},
		"no":                    {approval.Ask, approver(no), nil, false, "", agent.Done},
		"no, a rule allows":     {approval.Allow, approver(no), nil, false, "", agent.Done},
		"nobody, a rule allows": {approval.Allow, nil, nil, false, "", agent.Done},
		"it cannot be": {approval.Allow, approver(yes), errors.New("the file is another one"), false, "",
			agent.Done},
		"stopped": {approval.Ask, approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
			return approval.Stop{ID: p.ID}, nil
		}), nil, false, "", agent.Interrupted},
	} {
		t.Run(name, func(t *testing.T) {
			ran, asked := false, 0
			a := agent.New(agent.Config{
				Model: model(t), Approver: test.answer,
				Policy: policy(func(approval.Subject) approval.Verdict {
					return approval.Verdict{Action: test.verdict, By: "rule"}
				}),
				Changes: undoes(func(_ context.Context, id string, n int) (tool.Call, error) {
					if asked++; n != 3 || test.fails != nil {
						return tool.Call{}, test.fails
					}
					return tool.Call{Title: "undo f", Path: "f", Mutates: true,
						Proposal: &approval.Proposal{ID: "p", Call: id},
						Run: func(context.Context, func(string)) (tool.Result, error) {
							ran = true
							return tool.Result{Text: "done"}, nil
						}}, nil
				}),
			})
			var last agent.TurnEnd
			ends := 0
			err := a.Undo(t.Context(), 3, func(e agent.Event) {
				switch e := e.(type) {
				case agent.ToolEnd:
					ends++
				case agent.TurnEnd:
					last = e
				}
			})
			if err != nil || ran != test.ran || last.Reason != test.end || last.Denied != 0 || ends != 1 || asked != 1 {
				t.Errorf("%v, ran %v, %+v, %d ends, asked %d times", err, ran, last, ends, asked)
			}
			var told []string
			for _, m := range a.Messages() {
				for _, p := range m.Parts {
					if text, ok := p.(provider.Text); ok && m.Role == provider.User {
						told = append(told, text.Text)
					}
				}
			}
			if got := strings.Join(told, "|"); got != test.told {
				t.Errorf("the conversation has %q", got)
			}
		})
	}
	if err := agent.New(agent.Config{Model: model(t)}).Undo(t.Context(), 0, func(agent.Event) {}); err == nil {
		t.Error("without anything kept it says nothing")
	}
}

func no(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return approval.No{ID: p.ID}, nil
}
