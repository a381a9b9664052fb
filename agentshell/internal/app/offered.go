package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// Kinds of questions about a workspace whose answers are stored. The values are names of
// directories in the state directory.
const (
	aboutSkills     = "workspaces"
	aboutServers    = "workspace-servers"
	aboutLanguages  = "workspace-languages"
	aboutExtensions = "workspace-extensions"
	aboutSandbox    = "workspace-sandbox"
)

// answers returns the store of the user's answers to one kind of question. It returns "" if nothing
// can be stored.
func (p Host) answers(about string) skill.Answers {
	if state := config.StateDir(p.getenv); state != "" {
		return skill.Answers(filepath.Join(state, about))
	}
	return ""
}

// decideBy returns a function that stores whether the user wants to use what the workspace offers,
// identified by its digest. After a yes the function also calls accept, which begins to use it.
func (r *project) decideBy(answers skill.Answers, digest string, accept func() error) func(use bool) error {
	return func(use bool) error {
		if err := answers.Store(r.ws.Dir(), digest, use); err != nil || !use {
			return err
		}
		return accept()
	}
}
