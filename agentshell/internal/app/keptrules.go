package app

import (
	"fmt"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// rulesFile is the name of the file with the approval rules that outlive a session, in the
// configuration directory.
const rulesFile = "rules.json"

// keptRuleProblems returns a line for each stored approval rule that is not used, because it cannot
// be parsed or because such a rule must not be stored.
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

// keptRuleFindings reports, for the doctor, problems with stored approval rules.
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
