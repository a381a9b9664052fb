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

// project holds everything that the process has open for one workspace, with any front end:
// settings, tools, rules, servers. It can have several conversations.
type project struct {
	modelSource
	settings
	version string
	dir     string // The path of the workspace.
	roots   *rootSet
	ws      *workspace.Workspace
	// The environment that the tools of all conversations share: workspace, commands, secrets.
	env     tool.Env
	outputs *tool.Outputs // Long outputs of commands and MCP servers.
	policy  *approval.Policy
	// confinement is the sandbox for commands, which the user can switch on and off.
	confinement *confinement
	left        []leftover // Changes in copies of the workspace that agents of earlier runs have left.
	// The copy of the workspace that an agent works in; nil for the user's own workspace.
	work     *isolation.Copy
	jobs     *job.Manager
	pictures pictureFinder
	// The slash commands, skills, rules and agents in use.
	skills skill.Folder
	// Finds the code patterns of rules.
	astGrep *streamrule.Program
	// offeredSkills, offeredMCP and offeredLanguages hold what the workspace offers and what the
	// user has not been asked about yet.
	offeredSkills    skill.Folder
	offeredMCP       offeredServers
	offeredLanguages offeredLanguages
	// offeredExtensions holds the extensions that the workspace offers and that the user has not
	// been asked about. extensions runs those in use; nil if there are none.
	offeredExtensions offeredExtensions
	extensions        *extension.Service
	allServers        map[string]config.MCP // The MCP servers of the configuration and of the workspace.
	offeredNames      map[string]config.MCP // The MCP servers of the workspace.
	// Stores the user's answers about what the workspace offers; "" if nothing can be stored.
	answers skill.Answers
	notices []string // Lines that the user is shown at the start.
	// The MCP servers.
	servers     *mcp.Fleet
	helpers     helpers
	codeNews    codeNews
	foreign     foreignTools // The tools of MCP servers and extensions.
	serverLogs  string       // The directory of the MCP servers' logs.
	pastedDir   string       // The directory of pasted texts and pictures; "" if there is none.
	logFiles    []io.Closer  // The open logs of MCP servers.
	serverAsker serverAsker  // Asks the user the questions of MCP servers.
	// Tells other sessions in the workspace what this one does; nil if they are not told.
	member *running.Member
}

// openProject opens the workspace and everything that its conversations share. It changes nothing
// in the workspace.
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
	r.loadOfferedServers(ctx, p) // it adds secrets, so it runs before other parts copy them
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

// sharedEnv returns the environment that the tools of all conversations share.
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

// mayRead returns what the approval rules for read_file decide about path.
func (r *project) mayRead(path string) approval.Action {
	return r.policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
}

// endGrace is the time that running programs have to end when agentshell ends.
const endGrace = 400 * time.Millisecond

// stop ends the background jobs, the servers and the helpers. It returns the jobs that were still
// running.
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

// close closes the logs of the MCP servers, the notes and the workspace.
func (r *project) close() error {
	_ = r.member.Leave() // on failure, the next session notices that this one has ended
	r.releaseLeftovers()
	for _, f := range r.logFiles {
		_ = f.Close()
	}
	if r.env.Memory != nil {
		return errors.Join(r.env.Memory.Close(), r.ws.Close())
	}
	return r.ws.Close()
}

// journalDir returns the directory in which file writes are recorded while they happen. If a
// session is killed, the next one finds there which temporary files it has to remove from the
// workspace.
func journalDir(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "writes")
}

// workspaceDir returns the absolute path of the workspace dir; "" is the current directory. For the
// demo it creates a workspace.
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

// gitConfigs returns the git configuration files of the system and of the user. They may name a
// directory of hooks outside of the workspace.
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
