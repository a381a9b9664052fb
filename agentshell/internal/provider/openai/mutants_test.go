package openai_test

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/mutant"
)

// mutants are rules of what goes to whom, each taken away.
var mutants = []mutant.Mutant{
	{"completion.go", "i > last", "i > last-9"},
	{"completion.go", "part.From == m.from && part.Signature", "part.Signature"},
	{"completion.go", "len(out.Calls) == 0 || out.thinking", "out.thinking"},
	{"completion.go", "string(part.Object())", "string(part.Input)"},
	{"response.go", "part.From == m.from && part.Redacted", "part.Redacted"},
	{"response.go", `out[len(out)-1].Type == "reasoning" {`, "false {"},
	{"response.go", "case o.kind == \"function_call\" && o.done:", "case o.kind == \"function_call\" && o.name != " +
		"\"list_dir\":"},
	{"response.go", "if reasons(m.name) ||", "if true ||"},
	{"openai.go", "cfg.BaseURL != \"\" && (cfg.Insecure || remote.Near(cfg.BaseURL))", "true"},
}

func TestAGuardOfWhatGoesToWhomIsMissed(t *testing.T) { mutant.Missed(t, mutants, "") }
