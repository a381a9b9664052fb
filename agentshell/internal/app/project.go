package app

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// project is what lives as long as the process works in a workspace, whatever its front end: put
// together here and nowhere else. It has any number of conversations.
type project struct {
	who
	settings
	version  string
	dir      string // the workspace
	roots    []workspace.Root
	ws       *workspace.Workspace
	env      tool.Env     // what the tools of every conversation share
	outputs  tool.Outputs // of commands and servers
	policy   *approval.Policy
	confined bool // commands are
	jobs     *job.Manager
	album    album
	skills   skill.Folder
	// offered and offeredMCP are what the workspace offers, and was not asked about yet.
	offered    skill.Folder
	offeredMCP offeredServers
	listed     map[string]config.MCP // all servers that there are or may be
	answers    skill.Answers
	notices    []string // for the person, at the start
	servers    *mcp.Fleet
	foreign    foreignTools // of the servers
	serverLogs string       // the directory with their logs in it
	pasted     string       // the directory of what was pasted into files; "": there is none
	logFiles   []io.Closer  // of the servers
	asker      asker        // what servers ask
}

// openProject opens the workspace and all that conversations share. It changes nothing in the
// workspace.
func (p Host) openProject(ctx context.Context, s settings, w who, e editor) (*project, error) {
	r := &project{who: w, settings: s, version: Version()}
	var err error
	if r.dir, err = p.directory(s.Workspace, w.demo); err != nil {
		return nil, err
	}
	home := p.getenv("HOME")
	configDir, stateDir := config.Dir(p.getenv), config.StateDir(p.getenv)
	roots, err := rootsOf(r.dir, slices.Concat(s.cfg.AddDirs, s.AddDir), e.more, home)
	if err != nil {
		return nil, err
	}
	r.ws, err = workspace.Open(workspace.Config{
		Roots: roots, Home: home, Protected: given(configDir, stateDir),
		GitConfigs: p.gitConfigs(home),
		Journal:    journal(stateDir), Editor: e.texts,
	})
	if err != nil {
		return nil, usage("%w", err)
	}
	r.roots = roots
	sandbox.Tidy(r.reach(p), r.ws.FilesGitRuns())
	r.notices = append(r.notices, r.ws.Recovered()...)
	if err := r.decide(configDir, p.getenv("PATH")); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	r.listed = s.cfg.MCP
	r.lookForServers(ctx, p) // before anything takes the secrets, of which it knows more
	r.jobs = job.New(time.Now, 0)
	r.album = album{ws: r.ws, home: home, mayRead: r.mayRead}
	r.env = r.sharedEnv(ctx, p)
	if e.is || s.screen {
		r.env.Patience = longCommand
	}
	r.loadSkills(ctx, p, configDir)
	if hooks, ok := r.hooks().(hook.Runner); ok {
		r.notices = append(r.notices, hooks.Broken()...)
	}
	r.servers, r.serverLogs = &mcp.Fleet{Version: r.version}, stateDir
	r.pasted = pastedDir(stateDir)
	return r, nil
}

// sharedEnv makes what the tools of every conversation work with.
func (r *project) sharedEnv(ctx context.Context, p Host) tool.Env {
	env := tool.Env{Workspace: r.ws, Family: p.family, Environ: p.environ, Secrets: r.secrets,
		MayRead: r.mayRead, AskUnchanged: r.cfg.AskUnchanged, Modes: r.policy,
		Checkpoints: r.cfg.Checkpoint.Enabled, Jobs: r.jobs, Blocks: blocks,
		Bodies: block.Bodies, Resources: new(tool.Resources), Outputs: &r.outputs}
	env.Confine, env.Hosts = r.confine(ctx, p), r.hosts()
	r.confined = env.Confine != nil
	env.Web = &web.Reader{Hosts: r.allowed()}
	env.Convert = func(ctx context.Context, r document.Request, data []byte) (string, error) {
		return r.Apart(ctx, p.family, data)
	}
	r.env = env
	if len(r.cfg.Format) > 0 {
		env.Format = r.formatters().Format
	}
	return env
}

// mayRead decides by the rules of read_file.
func (r *project) mayRead(path string) approval.Action {
	return r.policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
}

// endGrace is how long what commands left running has to end when the shell does.
const endGrace = 400 * time.Millisecond

// stop ends the background jobs and the servers. It returns the jobs that still ran.
func (r *project) stop() []job.Job {
	ctx, cancel := context.WithTimeout(context.Background(), endGrace)
	defer cancel()
	ran := r.jobs.Close(ctx)
	r.servers.Close()
	return ran
}

// close gives back what stop has left: the logs of the servers, and the workspace.
func (r *project) close() error {
	for _, f := range r.logFiles {
		_ = f.Close()
	}
	return r.ws.Close()
}

// journal returns where writes that are under way are noted, so that a killed session leaves
// nothing in the workspace.
func journal(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "writes")
}

// directory returns the workspace: for the demo one that is made now.
func (p Host) directory(dir string, demonstrate bool) (string, error) {
	if demonstrate {
		return demo.Make(p.tempDir, rand.Reader)
	}
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", usage("--workspace: %w", err)
	case !info.IsDir():
		return "", usage("--workspace: %s is not a directory", dir)
	}
	return filepath.Abs(dir)
}

// gitConfigs returns the files that may name a hooks directory outside the workspace.
func (p Host) gitConfigs(home string) []string {
	files := []string{"/etc/gitconfig"}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if xdg := p.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(xdg) {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	return append(files, given(p.getenv("GIT_CONFIG_GLOBAL"), p.getenv("GIT_CONFIG_SYSTEM"))...)
}
