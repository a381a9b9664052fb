package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// maxPlan is the number of bytes in the longest plan that is accepted.
const maxPlan = 64 << 10

// planName is the name of the tool with which the model asks the user to approve a plan.
const planName = "propose_plan"

// Modes holds the permission mode of a session. It is implemented by *approval.Policy.
type Modes interface {
	Mode() string
	// SetMode changes the mode; it returns an error if the mode must not be changed to that.
	SetMode(mode string) error
}

// plan is the tool propose_plan. It ends plan mode if the user approves the model's plan. The model
// has the tool in every mode: if its list of tools changed between requests, the provider's cache
// of the conversation would be lost.
type plan struct{ env Env }

type planArgs struct {
	Plan string `json:"plan" doc:"The whole plan as Markdown: what you found, what you will change and where, in which order, and how it is verified."`
}

func (t *plan) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindPlans}
}

func (t *plan) Spec() provider.Tool {
	return provider.Tool{
		Name: planName, Schema: schemaOf[planArgs](),
		Description: "Only in plan mode, which a message tells you of: put your plan to the user when you know " +
			"enough. They approve it, change it, or reject it with a reason. An approval ends plan mode.",
	}
}

func (t *plan) Prepare(_ context.Context, id string, input json.RawMessage) (Call, error) {
	args, err := decode[planArgs](input)
	if err != nil {
		return Call{}, err
	}
	if t.env.Modes.Mode() != approval.ModePlan {
		return Call{}, failed("plan mode is off: there is no plan to approve, go on with what the user wants")
	}
	return t.call(id, args.Plan, "")
}

// call returns the call that asks the user to approve the plan text. revision is "", or says that
// the user has edited the model's plan.
func (t *plan) call(id, text, revision string) (Call, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return Call{}, invalidArgs("the plan is empty")
	case len(text) > maxPlan:
		return Call{}, &Error{Code: "too_large",
			Text: fmt.Sprintf("the plan is too long: %d bytes > %d", len(text), maxPlan)}
	case !utf8.ValidString(text):
		return Call{}, invalidArgs("the plan is no valid UTF-8")
	}
	root := t.env.Workspace.RootPath()
	c := Call{Title: planName, Proposal: &approval.Proposal{ID: t.env.newID(), Call: id, Tool: planName,
		Payload: approval.Plan{Base: approval.Base{Kind: "plan", Description: "Go on by this plan",
			Path: root.String(), Sandbox: root.Root()}, Plan: text},
		After: []byte(text), Revision: revision}}
	c.Proposal.Subject = c.Subject(planName)
	c.Revise = func(_ context.Context, after []byte) (Call, error) {
		return t.call(id, string(after), "edited by the user")
	}
	c.In = func(mode string) Call {
		c.Run = func(context.Context, func(string)) (Result, error) { return t.goOn(mode, text, revision) }
		return c
	}
	return c.In(approval.ModeAsk), nil
}

// goOn ends plan mode: it switches the session to the chosen mode, and shares the approved plan
// with all agents of the session.
func (t *plan) goOn(mode, text, revision string) (Result, error) {
	if err := t.env.Modes.SetMode(mode); err != nil {
		return Result{}, failed("the plan was approved, but the mode stays %s: %v", t.env.Modes.Mode(), err)
	}
	if t.env.Team.Local != nil {
		_ = t.env.Team.Local.write(ApprovedPlan, text) // where there is no room, the conversation alone has it
	}
	said := "The user approved the plan. Plan mode is over, and the mode is " + mode + " now: "
	switch mode {
	case approval.ModeEdits:
		said += "changes of files run without a question unless they are flagged, commands are asked for."
	default:
		said += "each change is shown to the user first."
	}
	said += " Do what the plan says."
	if revision != "" {
		said += "\nThe user changed the plan before. This is the one that they approved:\n\n" + text
	}
	return Result{Text: said, Summary: "mode " + mode}, nil
}
