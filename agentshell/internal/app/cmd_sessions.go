package app

import (
	"encoding/json"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/running"
)

// SessionsOptions holds the options of `agentshell sessions`.
type SessionsOptions struct {
	Workspace string `placeholder:"DIR" default:"." help:"The workspace. Default: the current directory."`
	JSON      bool   `help:"Print one JSON object a session."`
}

// ListRunning handles `agentshell sessions`: it prints the sessions that run in a workspace now.
func (p Host) ListRunning(o SessionsOptions) (int, error) {
	dir, err := realPath(o.Workspace)
	if err != nil {
		return 0, UsageErrorf("--workspace: %w", err)
	}
	runs, killed := runningDir(session.Config{Dir: filepath.Join(config.StateDir(p.getenv), "sessions"),
		Workspace: dir}).List()
	if !o.JSON {
		for _, line := range running.Lines(runs, killed, "", dir) {
			PrintLine(p.Stdout, "%s", line)
		}
		return headless.ExitDone, nil
	}
	for _, r := range runs {
		line, err := json.Marshal(r)
		if err != nil {
			return 0, err
		}
		PrintLine(p.Stdout, "%s", line)
	}
	return headless.ExitDone, nil
}
