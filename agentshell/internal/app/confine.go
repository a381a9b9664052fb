package app

import (
	"cmp"
	"context"
	"net"
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

// confine makes what confines commands, if the person's config turned it on; where that is not to
// be had nothing is confined, so that everything is asked as without it, and a notice says why.
func (r *project) confine(ctx context.Context, p Host) tool.Confine {
	if r.cfg.Sandbox != "auto" || r.policy.Mode() == approval.ModeUnconfined {
		return nil
	}
	why := r.ws.WhyBroad()
	var report sandbox.Report
	if why == "" {
		report = sandbox.Find(ctx, p.family, p.tempDir, "")
		why = report.Why
	}
	if report.Box == nil {
		r.notices = append(r.notices, "commands are not confined, so you are asked about them: "+why+
			". agentshell doctor says what would mend it")
		return nil
	}
	report.Box.KeepSpare()
	base := r.reach(p)
	return func(cmd *exec.Cmd, out func(net.Listener)) (*sandbox.Cell, error) {
		policy := base
		policy.Environ, policy.Proxy = cmd.Env, out
		return report.Box.Cell(policy, cmd, r.ws.FilesGitRuns())
	}
}

// hosts returns what confined commands reach of the network; nil: nothing, since only Linux has the
// way for it.
func (r *project) hosts() *proxy.Hosts {
	if runtime.GOOS != "linux" {
		return nil
	}
	return r.allowed()
}

// allowed returns the hosts that the config allows, as a list that may grow.
func (r *project) allowed() *proxy.Hosts {
	list := new(proxy.Hosts)
	for _, text := range r.cfg.Network {
		if h, err := proxy.ParseHost(text); err == nil { // the config was checked
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

// reach returns what confined commands reach, whatever their environment.
func (r *project) reach(p Host) sandbox.Policy {
	home := p.getenv("HOME")
	policy := sandbox.Policy{Workspace: r.ws.Dir(), Readable: expand(home, r.cfg.SandboxReadable),
		Writable: expand(home, r.cfg.SandboxWritable),
		Hidden:   given(config.Dir(p.getenv), config.StateDir(p.getenv))}
	for _, root := range r.roots[1:] {
		if root.ReadOnly {
			policy.Readable = append(policy.Readable, root.Dir)
		} else {
			policy.Writable = append(policy.Writable, root.Dir)
		}
	}
	if filepath.IsAbs(home) {
		policy.Home = filepath.Clean(home)
	}
	if r.demo {
		policy.Hidden = append(policy.Hidden, r.demoLog())
	}
	return policy
}

// given leaves out what is empty.
func given(list ...string) []string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// expand puts the home directory where ~/ stands. Without one such a path is left out.
func expand(home string, paths []string) (list []string) {
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

// sandboxFindings say by what commands can be confined here, whether they are, and what would mend
// it.
func (p Host) sandboxFindings(ctx context.Context) []finding {
	report := sandbox.Survey(ctx, p.family, p.tempDir)
	on := finding{About: "sandbox", Name: "commands of the model", Value: "not confined"}
	cfg, err := config.Load(config.Dir(p.getenv))
	switch auto := err == nil && cfg.Sandbox == "auto"; {
	case auto && report.Box != nil:
		on.Value = "confined by " + report.Box.Way() + ", network: " + cmp.Or(
			strings.Join(slices.Concat(cfg.Network, cfg.NetworkPrivate), ", "), "none")
	case auto:
		on.Value += ": " + report.Why
	case report.Box != nil:
		on.Advice = "sandbox = \"auto\" in the config file confines them: they reach the workspace only, have no " +
			"network, and most of them run without a question."
	}
	list := []finding{on}
	for _, f := range report.Facts {
		list = append(list, finding{About: "sandbox", Name: f.Name, Value: f.Value, Advice: f.Advice})
	}
	return list
}
