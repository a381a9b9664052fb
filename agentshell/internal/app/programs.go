package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/format"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// hooks returns the hooks of the user's configuration, or nil if there are none.
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

// formatters returns the formatters of the user's configuration. In an agent's copy of the
// workspace nobody has approved the files, and a formatter's settings there could make it run code.
// So a formatter runs there in the sandbox or not at all.
func (r *project) formatters() format.Runner {
	commands := r.env.Commands
	programs := commands.Family.Programs
	f := format.Runner{Dir: r.ws.Dir(), Env: programs.Environ(secret.ForCommands(commands.Environ)),
		Run: commands.Family.Run, Programs: programs, Inside: r.inWorkspace}
	if r.work != nil {
		f.Run = r.runConfined
	}
	for _, c := range r.cfg.Format {
		if r.work != nil && r.env.Confinement.Cell == nil {
			break
		}
		f.Formatters = append(f.Formatters, format.Formatter{Files: c.Files, Command: c.Command,
			Timeout: time.Duration(cmp.Or(c.TimeoutS, 5)) * time.Second})
	}
	return f
}

// runConfined runs a program in a sandbox that cannot write to the workspace, and waits for its
// end.
func (r *project) runConfined(ctx context.Context, cmd *exec.Cmd) error {
	cell, err := r.env.Confinement.Cell(cmd, tool.Reach{ReadsOnly: true})
	if err != nil {
		return err
	}
	process, err := cell.Begin()
	if err == nil {
		err = process.Within(ctx, 0)
	}
	ending, ok := cell.End()
	switch {
	case err != nil:
		return err
	case !ok || ending.Error != "":
		return errors.New(cmp.Or(ending.Error, "the sandbox ended early"))
	case ending.Exit != 0 || ending.Signal != 0:
		return fmt.Errorf("exit status %d", cmp.Or(ending.Exit, 128+ending.Signal))
	}
	return nil
}

// inWorkspace reports whether path is in the workspace or in another directory of the session.
func (r *project) inWorkspace(path string) bool {
	_, err := r.ws.Resolve(path)
	return err == nil
}

// excludePrograms makes sure that no program in a directory of the session is started without a
// question. more holds directories that an editor adds.
func (p Host) excludePrograms(s settings, more []string) {
	p.family.Programs.Exclude(cmp.Or(s.Workspace, "."))
	for _, text := range slices.Concat(s.cfg.AddDirs, s.AddDir) {
		dir, _ := addedDir(text, p.getenv("HOME"))
		p.family.Programs.Exclude(dir)
	}
	p.family.Programs.Exclude(more...)
}
