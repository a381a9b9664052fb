package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// newConfiner returns the function that runs commands in the sandbox, if the configuration or the
// user wants that. It returns nil if commands run without a sandbox, so that the user is asked
// about them. If there is no sandbox here, a notice says why.
func (r *project) newConfiner(ctx context.Context, p Host) tool.Confine {
	if r.work != nil { // the user's project has already looked for a sandbox
		if r.confinement.current() == nil {
			return nil
		}
		return r.confiner(p)
	}
	r.confinement = r.newConfinement(p)
	if wants, _ := p.wantsSandbox(r.cfg, r.ws.Dir()); !wants || r.policy.Mode() == approval.ModeUnconfined {
		return nil
	}
	if why := r.confinement.set(ctx, true); why != "" {
		r.notices = append(r.notices, "commands are not confined, so you are asked about them: "+why+
			". agentshell doctor says how to fix it")
		return nil
	}
	return r.confiner(p)
}

// commandConfinement returns how commands run in the sandbox: at the start, and after the user has
// switched it.
func (r *project) commandConfinement(ctx context.Context, p Host) tool.Confinement {
	return tool.Confinement{Cell: r.newConfiner(ctx, p), CellNow: r.commandConfiner(p), Hosts: r.commandHosts(),
		Hides: func() string { return r.whyNotHidden(p) }}
}

// confined reports whether the sandbox was on at the start.
func (r *project) confined() bool { return r.env.Confinement.Cell != nil }

// commandConfiner returns a function that returns how commands run at the moment: the function that
// runs them in the sandbox, or nil if the sandbox is off.
func (r *project) commandConfiner(p Host) func() tool.Confine {
	confine := r.confiner(p)
	return func() tool.Confine {
		if r.confinement.current() == nil {
			return nil
		}
		return confine
	}
}

// cell starts a sandbox for a program that has run in a sandbox from its beginning. It does so even
// if the user has turned the sandbox off since.
func (r *project) cell(policy sandbox.Policy, cmd *exec.Cmd, git []string) (*sandbox.Cell, error) {
	box, why := r.confinement.look(context.Background())
	if box == nil {
		return nil, errors.New(why)
	}
	return box.Cell(policy, cmd, git)
}

// confiner returns the function that runs a command in the sandbox.
func (r *project) confiner(p Host) tool.Confine {
	return func(cmd *exec.Cmd, reach tool.Reach) (*sandbox.Cell, error) {
		policy := r.sandboxPolicy(p) // computed for each command, because directories may have been added
		policy.Environ, policy.Proxy, policy.Shared = cmd.Env, reach.Out, reach.Shared
		policy.ReadsOnly = reach.ReadsOnly
		if reach.Program != "" && !r.inWorkspace(reach.Program) {
			policy.Readable = append(slices.Clip(policy.Readable), reach.Program)
		}
		var why string
		if policy.Unread, why = r.unread(p); why != "" && reach.Hides {
			return nil, fmt.Errorf("no sandbox hides what rules keep back: %s", why)
		}
		return r.cell(policy, cmd, r.ws.FilesGitRuns())
	}
}

// commandHosts returns the hosts that commands in the sandbox can reach. It returns nil if they
// reach none, as on every system but Linux.
func (r *project) commandHosts() *proxy.Hosts {
	if runtime.GOOS != "linux" {
		return nil
	}
	return r.allowedHosts()
}

// allowedHosts returns the hosts that the configuration allows. More hosts can be added to the
// result.
func (r *project) allowedHosts() *proxy.Hosts {
	list := new(proxy.Hosts)
	for _, text := range r.cfg.Network {
		if h, err := proxy.ParseHost(text); err == nil { // config.Load has checked the hosts
			list.Add(false, h)
		}
	}
	for _, text := range r.cfg.NetworkPrivate {
		if h, err := proxy.ParseHost(text); err == nil {
			list.Add(true, h)
		}
	}
	return list
}

// sandboxPolicy returns which files commands in the sandbox can read and write. The caller has to
// add the environment variables.
func (r *project) sandboxPolicy(p Host) sandbox.Policy {
	home := p.getenv("HOME")
	policy := sandbox.Policy{Workspace: r.ws.Dir(), Readable: expandHome(home, r.cfg.SandboxReadable),
		Writable: expandHome(home, r.cfg.SandboxWritable),
		Hidden:   withoutEmpty(config.Dir(p.getenv), config.StateDir(p.getenv))}
	for _, root := range r.roots.further() {
		if root.ReadOnly {
			policy.Readable = append(policy.Readable, root.Dir)
		} else {
			policy.Writable = append(policy.Writable, root.Dir)
		}
	}
	if r.work != nil {
		policy.Hidden = r.hiddenForCopy(config.Dir(p.getenv), config.StateDir(p.getenv))
		policy.Readable = append(policy.Readable, r.work.Objects()...)
	}
	if filepath.IsAbs(home) {
		policy.Home = filepath.Clean(home)
	}
	if r.demo {
		policy.Hidden = append(policy.Hidden, r.demoLog())
	}
	return policy
}

// withoutEmpty returns the strings of list that are not "".
func withoutEmpty(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// expandHome replaces "~/" at the beginning of paths by the home directory. If home is not
// absolute, such paths are left out.
func expandHome(home string, paths []string) (list []string) {
	for _, path := range paths {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			if !filepath.IsAbs(home) {
				continue
			}
			path = filepath.Join(home, rest)
		}
		list = append(list, filepath.Clean(path))
	}
	return list
}

// sandboxFindings reports, for the doctor, whether there is a sandbox here, whether commands run in
// it, and what could be improved.
func (p Host) sandboxFindings(ctx context.Context) []finding {
	report := sandbox.Survey(ctx, p.family, p.tempDir)
	on := finding{About: "sandbox", Name: "commands of the model", Value: "not confined"}
	cfg, err := config.Load(config.Dir(p.getenv))
	dir, _ := p.workspaceDir("", false)
	dir = resolveLinks(dir) // the path that answers are stored for
	switch wants, _ := p.wantsSandbox(cfg, dir); {
	case err == nil && wants && report.Box != nil:
		on.Value = "confined by " + report.Box.Way() + ", network: " + cmp.Or(
			strings.Join(slices.Concat(cfg.Network, cfg.NetworkPrivate), ", "), "none")
	case report.Box == nil: // also if it is not turned on: this is why it is not offered
		on.Value += ": " + report.Reason
	default:
		on.Advice = "/sandbox on in the shell confines them in this workspace, sandbox = \"auto\" in the config " +
			"file in all: they reach the workspace only, have no network, and most of them run without a question."
	}
	list := []finding{on}
	for _, f := range report.Facts {
		list = append(list, finding{About: "sandbox", Name: f.Name, Value: f.Value, Advice: f.Advice})
	}
	return list
}
