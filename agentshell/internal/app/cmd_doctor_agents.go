package app

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// agentFindings reports, for the doctor, the kinds of agents that the user and the workspace
// define, and which of their settings are not known.
func (p Host) agentFindings(ctx context.Context) (list []finding) {
	configDir := config.Dir(p.getenv)
	free := func(string) bool { return false }
	add := func(f skill.Folder, from string) {
		for _, d := range f.Agents {
			one := finding{About: "agents", Name: d.Name, Value: filepath.ToSlash(d.From), From: from}
			if len(d.Unknown) > 0 {
				one.Advice = "Not used of its head: " + strings.Join(d.Unknown, ", ") + "."
			}
			list = append(list, one)
		}
	}
	dir, err := filepath.Abs(".")
	if err == nil {
		ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}, Home: p.getenv("HOME")})
		if err == nil {
			defer func() { _ = ws.Close() }()
			all := func(string, string) bool { return true }
			add(skill.LoadWorkspace(ctx, ws, true, all, free), "used after a yes")
		}
	}
	add(skill.Load(configDir, p.getenv("HOME"), free), "")
	return list
}
