package approval_test

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// Deny beats ask beats allow, and a flag always asks.
func ExamplePolicy_Decide() {
	var rules []approval.Entry
	for _, r := range []struct {
		action approval.Action
		text   string
	}{{approval.Allow, "write_file(docs/**)"}, {approval.Deny, "write_file(docs/private/**)"},
		{approval.Allow, "bash(go test *)"}} {
		rule, err := approval.ParseRule(r.action, r.text)
		if err != nil {
			panic(err)
		}
		rules = append(rules, approval.Entry{Rule: rule, Origin: "config"})
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Rules: rules})
	if err != nil {
		panic(err)
	}
	for _, s := range []approval.Subject{
		{Tool: "write_file", Path: "docs/intro.md", Mutates: true, Asks: true},
		{Tool: "write_file", Path: "docs/private/keys.md", Mutates: true, Asks: true},
		{Tool: "write_file", Path: "docs/run.sh", Mutates: true, Asks: true,
			Flags: []approval.Flag{{Name: approval.FlagRunsCode}}},
		{Tool: "bash", Command: "go test ./... && go test -race ./...", Mutates: true, Asks: true},
		{Tool: "bash", Command: "go test ./... && rm -rf /", Mutates: true, Asks: true},
	} {
		v := policy.Decide(s)
		fmt.Printf("%v by=%q rule=%q\n", v.Action, v.By, v.Rule)
	}
	// Output:
	// allow by="rule" rule="write_file(docs/**)"
	// deny by="rule" rule="write_file(docs/private/**)"
	// ask by="flag" rule=""
	// allow by="rule" rule="bash(go test *)"
	// ask by="" rule=""
}
