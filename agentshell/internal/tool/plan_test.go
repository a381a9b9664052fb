package tool

import (
	"context"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func TestAPlanEndsPlanModeOnlyByAYes(t *testing.T) {
	b := newBench(t, nil)
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModePlan})
	if err != nil {
		t.Fatal(err)
	}
	b.env.Modes, b.env.Team.Local = policy, new(LocalTexts)
	b.reg = Builtin(b.env)
	call := b.must("propose_plan", args{"plan": "# One\n"})
	p, ok := call.Proposal.Payload.(approval.Plan)
	if !ok || p.Plan != "# One\n" || policy.Mode() != approval.ModePlan {
		t.Fatalf("%+v", call.Proposal)
	}
	if v := policy.Decide(call.Subject("propose_plan")); v.Action != approval.Ask {
		t.Errorf("it is not asked: %+v", v)
	}
	again, err := call.Revise(t.Context(), []byte("# Two\n"))
	if err != nil || again.Proposal.ID == call.Proposal.ID || again.Proposal.Revision == "" {
		t.Fatalf("%v %+v", err, again.Proposal)
	}
	r, err := again.In(approval.ModeEdits).Run(t.Context(), nil)
	if err != nil || policy.Mode() != approval.ModeEdits || !strings.Contains(r.Text, "# Two") {
		t.Errorf("%v %s %q", err, policy.Mode(), r.Text)
	}
	b.fails("propose_plan", args{"plan": "# One\n"}, "tool_failed") // plan mode is over
	b.fails("write_file", args{"path": "local://" + ApprovedPlan, "content": "# Mine\n"}, "invalid_args")
	if text, err := b.env.Team.Local.Read(t.Context(), ApprovedPlan); text != "# Two\n" || err != nil {
		t.Errorf("kept is %q, %v", text, err)
	}
	if err := policy.SetMode(approval.ModePlan); err != nil {
		t.Fatal(err)
	}
	b.fails("propose_plan", args{"plan": " \n"}, "invalid_args")
	b.fails("propose_plan", args{"plan": strings.Repeat("x", maxPlan+1)}, "too_large")
	if _, err := call.Revise(t.Context(), []byte{0xff, 0xfe}); err == nil {
		t.Error("bytes that are no text are a plan")
	}

	// A workspace that is too broad has no mode edits; the plan is approved, and it says so.
	broad, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModePlan, Broad: "it is your home"})
	if err != nil {
		t.Fatal(err)
	}
	b.env.Modes = broad
	b.reg = Builtin(b.env)
	if broad.Edits() || !policy.Edits() {
		t.Error("where mode edits can be chosen is wrong")
	}
	call = b.must("propose_plan", args{"plan": "x"})
	if _, err := call.In(approval.ModeEdits).Run(context.Background(), nil); err == nil ||
		broad.Mode() != approval.ModePlan {
		t.Error("mode edits holds in a workspace that is too broad")
	}
	if _, err := call.Run(context.Background(), nil); err != nil || broad.Mode() != approval.ModeAsk {
		t.Errorf("%v, mode %s", err, broad.Mode())
	}
}
