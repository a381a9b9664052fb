package anthropic_test

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/mutant"
)

// mutants are rules of what goes to whom, each taken away.
var mutants = []mutant.Mutant{
	{"request.go", `case part.From != "":`, "case false:"},
	{"request.go", `if strings.TrimSpace(part.Text) != "" {`, "if true {"},
	{"request.go", "part.Object()", "part.Input"},
	{"anthropic.go", "cfg.BaseURL != \"\" && (cfg.Insecure || remote.Near(cfg.BaseURL))", "true"},
	{"anthropic.go", "remote.CheckURL(cfg.BaseURL, cfg.Insecure)", "nil"},
}

func TestAGuardOfWhatGoesToWhomIsMissed(t *testing.T) { mutant.Missed(t, mutants, "") }
