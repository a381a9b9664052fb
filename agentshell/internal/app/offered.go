package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// What the person answers about a workspace. The values are names of folders in the state
// directory.
const (
	aboutSkills     = "workspaces"
	aboutServers    = "workspace-servers"
	aboutLanguages  = "workspace-languages"
	aboutExtensions = "workspace-extensions"
	aboutSandbox    = "workspace-sandbox"
)

// answers returns the store of the person's answers about something; "": nothing can be stored.
func (p Host) answers(about string) skill.Answers {
	if state := config.StateDir(p.getenv); state != "" {
		return skill.Answers(filepath.Join(state, about))
	}
	return ""
}

// decideBy returns a function that stores the person's answer to what has that digest, and calls
// accept after a yes.
func (r *project) decideBy(answers skill.Answers, digest string, accept func() error) func(use bool) error {
	return func(use bool) error {
		if err := answers.Store(r.ws.Dir(), digest, use); err != nil || !use {
			return err
		}
		return accept()
	}
}
