package app

import (
	"cmp"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/format"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// hooks returns the programs of the person's config that have a say; nil: there are none.
func (r *project) hooks() agent.Hooks {
	if len(r.cfg.Hooks) == 0 {
		return nil
	}
	programs := r.env.Family.Programs
	asked := hook.Runner{Dir: r.ws.Dir(), Env: programs.Environ(secret.ForCommands(r.env.Environ)),
		Run: r.env.Family.Run, Programs: programs, Inside: r.inside}
	for _, h := range r.cfg.Hooks {
		asked.Hooks = append(asked.Hooks, hook.Hook{On: hook.When(h.On), Tools: h.Tools, Command: h.Command,
			Timeout: time.Duration(cmp.Or(h.TimeoutS, 10)) * time.Second})
	}
	return asked
}

// formatters returns the programs of the person's config that put new texts in order.
func (r *project) formatters() format.Runner {
	programs := r.env.Family.Programs
	f := format.Runner{Dir: r.ws.Dir(), Env: programs.Environ(secret.ForCommands(r.env.Environ)),
		Run: r.env.Family.Run, Programs: programs, Inside: r.inside}
	for _, c := range r.cfg.Format {
		f.Formatters = append(f.Formatters, format.Formatter{Files: c.Files, Command: c.Command,
			Timeout: time.Duration(cmp.Or(c.TimeoutS, 5)) * time.Second})
	}
	return f
}

// inside reports whether a file lies in the workspace.
func (r *project) inside(path string) bool {
	_, err := r.ws.Resolve(path)
	return err == nil
}

// exclude keeps programs of the directories of a session from being started without a question.
// Directories that do not exist hold none.
func (p Host) exclude(s settings, more []string) {
	p.family.Programs.Exclude(cmp.Or(s.Workspace, "."))
	for _, text := range slices.Concat(s.cfg.AddDirs, s.AddDir) {
		dir, _ := addedDir(text, p.getenv("HOME"))
		p.family.Programs.Exclude(dir)
	}
	p.family.Programs.Exclude(more...)
}
