package app

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
)

// adaptersFile is the name of the user's file with debug adapters, in the configuration directory.
const adaptersFile = "debug.toml"

// maxAdaptersFile is the size in bytes of the largest such file that is read.
const maxAdaptersFile = 256 << 10

// adapterTable returns the debug adapters: the built-in ones, changed by the user's file.
func adapterTable(configDir string) (dap.Table, error) {
	table, err := dap.Builtin()
	if err != nil || configDir == "" {
		return table, err
	}
	path := filepath.Join(configDir, adaptersFile)
	text, err := readPersonTable(path, maxAdaptersFile)
	if err != nil || text == nil {
		return table, err
	}
	table, err = table.With(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// newDebugger returns the service that runs programs in a debugger, without starting one. It
// returns nil if the user has not turned it on.
func (r *project) newDebugger(p Host, confine tool.Confine) *dap.Service {
	if !r.cfg.Debug.Enabled {
		return nil
	}
	table, err := adapterTable(config.Dir(p.getenv))
	if err != nil {
		r.notices = append(r.notices, "debuggers: "+err.Error())
		return nil
	}
	c := dap.Config{Table: table, Dir: r.ws.Dir(), Env: tool.HelperEnviron(p.environ),
		Family: p.family, Secrets: r.secrets,
		Log: r.helperLog(config.StateDir(p.getenv), "debug")}
	if confine != nil {
		c.Cell = func(cmd *exec.Cmd, trace bool, shared string) (*sandbox.Cell, error) {
			policy := r.sandboxPolicy(p) // computed each time, because directories may have been added
			policy.Environ, policy.Trace, policy.Shared = cmd.Env, trace, shared
			policy.Unread, _ = r.unread(p)
			return r.cell(policy, cmd, r.ws.FilesGitRuns())
		}
	}
	return dap.NewService(c)
}

// debuggerFindings reports, for the doctor, which debug adapters are installed, and how to install
// the others.
func (p Host) debuggerFindings(ctx context.Context) (list []finding) {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.Debug.Enabled {
		return []finding{{About: "code", Name: "debuggers", Value: "off",
			Advice: "enabled = true below [debug] in the config file lets the model run programs in a debugger."}}
	}
	table, err := adapterTable(config.Dir(p.getenv))
	if err != nil {
		return []finding{{About: "code", Name: "debuggers", Value: err.Error(), Bad: true}}
	}
	service := dap.NewService(dap.Config{Table: table, Family: p.family})
	for _, a := range table.Enabled() {
		f := finding{About: "code", Name: a.Name, Value: "installed"}
		resolved, err := service.Resolve(ctx, a)
		var outdated *dap.OutdatedError
		switch {
		case errors.As(err, &outdated):
			f.Value = fmt.Sprintf("too old: %s, and %d is needed", outdated.Version, outdated.Least)
			f.Advice = a.Install
		case err != nil:
			f.Value, f.Advice = "not installed", a.Install
		case resolved.Command[0] != a.Command[0]:
			f.Value += " as " + resolved.Command[0]
		}
		list = append(list, f)
	}
	return list
}
