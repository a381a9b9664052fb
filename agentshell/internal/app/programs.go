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

// hooks returns the hooks of the person's configuration; nil: there are none.
func (r *project) hooks() agent.Hooks {
	if len(r.cfg.Hooks) == 0 {
		return nil
	}
	commands := r.env.Commands
	programs := commands.Family.Programs
	runner := hook.Runner{Dir: r.ws.Dir(), Env: programs.Environ(secret.ForCommands(commands.Environ)),
		Run: commands.Family.Run, Programs: programs, Inside: r.inWorkspace}
	for _, h := range r.cfg.Hooks {
		runner.Hooks = append(runner.Hooks, hook.Hook{On: hook.When(h.On), Tools: h.Tools, Command: h.Command,
			Timeout: time.Duration(cmp.Or(h.TimeoutS, 10)) * time.Second})
	}
	return runner
}

// formatters returns the formatters of the person's configuration.
func (r *project) formatters() format.Runner {
	commands := r.env.Commands
	programs := commands.Family.Programs
	f := format.Runner{Dir: r.ws.Dir(), Env: programs.Environ(secret.ForCommands(commands.Environ)),
		Run: commands.Family.Run, Programs: programs, Inside: r.inWorkspace}
	for _, c := range r.cfg.Format {
		f.Formatters = append(f.Formatters, format.Formatter{Files: c.Files, Command: c.Command,
			Timeout: time.Duration(cmp.Or(c.TimeoutS, 5)) * time.Second})
	}
	return f
}

// inWorkspace reports whether a file lies in the workspace.
func (r *project) inWorkspace(path string) bool {
	_, err := r.ws.Resolve(path)
	return err == nil
}

// excludePrograms keeps programs in the directories of a session from being started without a
// question. A directory that does not exist has none.
func (p Host) excludePrograms(s settings, more []string) {
	p.family.Programs.Exclude(cmp.Or(s.Workspace, "."))
	for _, text := range slices.Concat(s.cfg.AddDirs, s.AddDir) {
		dir, _ := addedDir(text, p.getenv("HOME"))
		p.family.Programs.Exclude(dir)
	}
	p.family.Programs.Exclude(more...)
}
