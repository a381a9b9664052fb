package app

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// An agent may change what a rule allows to run, unseen, as long as it is in its copy.
func TestARuleForCommandsDoesNotHoldInACopyWithoutASandbox(t *testing.T) {
	t.Parallel()
	rule, err := approval.ParseRule(approval.Allow, "bash(make)")
	if err != nil {
		t.Fatal(err)
	}
	own, err := approval.NewPolicy(approval.PolicyConfig{Rules: []approval.Entry{{Rule: rule}}, Tools: tool.Traits()})
	if err != nil {
		t.Fatal(err)
	}
	inCopy := copyPolicy{own.Of("Lexer", "task")}
	s := approval.Subject{Tool: "bash", Command: "make", Mutates: true, Asks: true}
	if v := own.Decide(s); v.Action != approval.Allow {
		t.Fatalf("in the workspace: %+v", v)
	}
	if v := inCopy.Decide(s); v.Action != approval.Ask {
		t.Errorf("in a copy: %+v", v)
	}
	s.Confined = true
	if v := inCopy.Decide(s); v.Action != approval.Allow {
		t.Errorf("in a copy, confined: %+v", v)
	}
}
