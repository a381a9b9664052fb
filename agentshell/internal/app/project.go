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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/running"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// project is everything that the process has open for a workspace, with any front end. All of it is
// put together here. A project has any number of conversations.
type project struct {
	modelSource
	settings
	version string
	dir     string // the workspace
	roots   *rootSet
	ws      *workspace.Workspace
	env     tool.Env      // shared by the tools of every conversation
	outputs *tool.Outputs // long outputs of commands and servers
	policy  *approval.Policy
	// confinement is the sandbox, which the person can switch.
	confinement *confinement
	left        []leftover      // what agents of earlier runs have left in copies of the workspace
	work        *isolation.Copy // the copy that an agent works in; nil: it is the person's workspace
	jobs        *job.Manager
	pictures    pictureFinder
	skills      skill.Folder
	astGrep     *streamrule.Program
	// offeredSkills, offeredMCP and offeredLanguages are offered by the workspace; the person was
	// not asked about them yet.
	offeredSkills    skill.Folder
	offeredMCP       offeredServers
	offeredLanguages offeredLanguages
	// offeredExtensions are likewise; extensions are those that are used, nil: there are none.
	offeredExtensions offeredExtensions
	extensions        *extension.Service
	allServers        map[string]config.MCP // the configured and the offered servers
	offeredNames      map[string]config.MCP // the offered servers
	answers           skill.Answers
	notices           []string // for the person at the start
	servers           *mcp.Fleet
	helpers           helpers
	codeNews          codeNews
	foreign           foreignTools    // tools of the servers
	serverLogs        string          // directory of the servers' logs
	pastedDir         string          // directory of pasted texts and pictures; "": there is none
	logFiles          []io.Closer     // of the servers
	serverAsker       serverAsker     // answers questions of servers
	member            *running.Member // tells other sessions of the workspace of this one; nil: nobody is told
}

// openProject opens the workspace and everything that conversations share. It changes nothing in
// the workspace.
func (p Host) openProject(ctx context.Context, s settings, source modelSource, editor editorClient) (*project, error) {
	r := &project{modelSource: source, settings: s, version: Version(), outputs: new(tool.Outputs)}
	var err error
	if r.dir, err = p.workspaceDir(s.Workspace, source.demo); err != nil {
		return nil, err
	}
	home := p.getenv("HOME")
	configDir, stateDir := config.Dir(p.getenv), config.StateDir(p.getenv)
	roots, notes, err := rootsOf(r.dir, slices.Concat(s.cfg.AddDirs, s.AddDir), editor.addedDirs, home)
	if err != nil {
		return nil, err
	}
	r.ws, err = workspace.Open(workspace.Config{
		Roots: roots, Home: home, Protected: withoutEmpty(configDir, stateDir),
		GitConfigs: p.gitConfigs(home), GitIgnore: p.gitIgnore(home),
		Journal: journalDir(stateDir), Editor: editor.texts,
	})
	if err != nil {
		return nil, UsageErrorf("%w", err)
	}
	r.roots = newRootSet(roots)
	sandbox.Tidy(r.sandboxPolicy(p), r.ws.FilesGitRuns())
	r.notices = append(append(r.notices, notes...), r.ws.Recovered()...)
	if err := r.newPolicy(configDir, p.getenv("PATH"), home); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	if stateDir != "" && !source.demo {
		r.left = findLeftovers(ctx, p.copies(), r.ws.Dir())
	}
	if len(r.left) > 0 && !s.screen {
		r.notices = append(r.notices, leftLine(r.left)+". agentshell leftovers shows and discards it; the shell asks "+
			"about it")
	}
	r.allServers = s.cfg.MCP
	r.loadOfferedServers(ctx, p) // before anything takes the secrets, of which it knows more
	extensions := r.loadExtensions(p)
	r.jobs = job.New(time.Now, 0)
	r.pictures = pictureFinder{ws: r.ws, home: home, mayRead: r.mayRead}
	r.env = r.sharedEnv(ctx, p)
	r.env.Team.Readings = new(tool.Readings)
	r.newExtensions(p, extensions)
	if editor.present || s.screen {
		r.env.Commands.Patience = backgroundAfter
	}
	r.loadSkills(ctx, p, configDir)
	if hooks, ok := r.hooks().(hook.Runner); ok {
		r.notices = append(r.notices, hooks.Broken()...)
	}
	r.servers, r.serverLogs = &mcp.Fleet{Version: r.version}, stateDir
	r.pastedDir = pastedDir(stateDir)
	return r, nil
}

// sharedEnv returns the environment of tools that all conversations share.
func (r *project) sharedEnv(ctx context.Context, p Host) tool.Env {
	env := tool.Env{Workspace: r.ws, Secrets: r.secrets,
		Commands: tool.Commands{Family: p.family, Environ: p.environ, Jobs: r.jobs},
		MayRead:  r.mayRead, AskUnchanged: r.cfg.AskUnchanged, Modes: r.policy,
		Checkpoints: r.cfg.Checkpoint.Enabled, Blocks: blocksOf,
		Bodies: block.Bodies, Resources: new(tool.Resources), Outputs: r.outputs}
	env.Confinement = r.commandConfinement(ctx, p)
	env.Web = &web.Reader{Hosts: r.allowedHosts()}
	env.Convert = func(ctx context.Context, r document.Request, data []byte) (string, error) {
		return r.Apart(ctx, p.family, data)
	}
	env.Memory, env.Sessions = r.openMemory(p), r
	env.WebSearch = r.newWebSearch(p)
	r.helpers = r.newHelpers(ctx, p, env.Confinement.Cell)
	env.Languages, env.GitHub = r.helpers.languages, r.helpers.github
	if r.work != nil {
		env.Commands.Borrowed = r.work.Objects()
	}
	r.env = env
	if len(r.cfg.Format) > 0 {
		env.Format = r.formatters().Format
	}
	return env
}

// mayRead decides by the rules of read_file whether path may be read.
func (r *project) mayRead(path string) approval.Action {
	return r.policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
}

// endGrace is the time that programs left running by commands have to end when the shell ends.
const endGrace = 400 * time.Millisecond

// stop ends the background jobs and the servers. It returns the jobs that were still running.
func (r *project) stop() []job.Job {
	ctx, cancel := context.WithTimeout(context.Background(), endGrace)
	defer cancel()
	ran := r.jobs.Close(ctx)
	r.servers.Close()
	if r.extensions != nil {
		r.extensions.Close()
	}
	r.helpers.close()
	return ran
}

// close closes the logs of the servers, and the workspace.
func (r *project) close() error {
	_ = r.member.Leave() // else the next reader sees that it ended
	r.releaseLeftovers()
	for _, f := range r.logFiles {
		_ = f.Close()
	}
	if r.env.Memory != nil {
		return errors.Join(r.env.Memory.Close(), r.ws.Close())
	}
	return r.ws.Close()
}

// journalDir returns the directory in which writes are recorded while they happen, so that a killed
// session leaves no temporary files in the workspace.
func journalDir(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "writes")
}

// workspaceDir returns the path of the workspace. For the demo it creates one.
func (p Host) workspaceDir(dir string, isDemo bool) (string, error) {
	if isDemo {
		return demo.NewWorkspace(p.tempDir, rand.Reader)
	}
	if dir == "" {
		dir = "."
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return "", UsageErrorf("--workspace: %w", withoutCall(err))
	case !info.IsDir():
		return "", UsageErrorf("--workspace: %s is not a directory", dir)
	}
	return filepath.Abs(dir)
}

// gitConfigs returns the git configuration files that may name a directory of hooks outside the
// workspace.
func (p Host) gitConfigs(home string) []string {
	files := []string{"/etc/gitconfig"}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if xdg := p.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(xdg) {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	return append(files, withoutEmpty(p.getenv("GIT_CONFIG_GLOBAL"), p.getenv("GIT_CONFIG_SYSTEM"))...)
}
