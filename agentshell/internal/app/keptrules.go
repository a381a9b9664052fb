package app

import (
	"fmt"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// rulesFile is the file of kept rules in the person's configuration folder.
const rulesFile = "rules.json"

// keptRuleProblems says of each rule that the person keeps beyond a session why it does not hold:
// it cannot be read, or must not be kept.
func keptRuleProblems(store grant.Store) (problems []string) {
	everywhere, here, err := store.Load()
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, text := range append(everywhere, here...) {
		if _, err := approval.Kept(text, false); err != nil {
			problems = append(problems, fmt.Sprintf("the kept rule %s does not hold: %v. It stands in %s", text, err,
				store.File))
		}
	}
	return problems
}

// keptRuleFindings returns what the doctor says of rules that stay in the workspace.
func (p Host) keptRuleFindings(workspace string) (list []finding) {
	dir := config.Dir(p.getenv)
	if dir == "" {
		return nil
	}
	store := grant.Store{File: filepath.Join(dir, rulesFile), Workspace: workspace}
	for _, problem := range keptRuleProblems(store) {
		list = append(list, finding{About: "files", Name: "kept rules", Value: visibleText(problem),
			Advice: "Repair the file, or remove it: then no rule is kept."})
	}
	return list
}
