package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/grant"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/finder"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// run is everything that one run of the program needs, whatever its front end: put together here
// and nowhere else.
type run struct {
	who
	version  string
	dir      string // the workspace
	roots    []workspace.Root
	ws       *workspace.Workspace
	tools    *tool.Registry
	env      tool.Env
	history  undo.History // what the tools changed
	todo     todo.Board
	outputs  tool.Outputs // of this run
	policy   *approval.Policy
	confined bool // commands are
	jobs     *job.Manager
	gone     []string // jobs that the conversation tells of and that an earlier run has taken with it
	album    album
	system   string
	briefing briefing.Briefing
	nested   *briefing.Nested
	skills   skill.Folder
	// offered and offeredMCP are what the workspace offers, and was not asked about yet.
	offered    skill.Folder
	offeredMCP offeredServers
	listed     map[string]config.MCP // all servers that there are or may be
	answers    skill.Answers
	log        *session.Log // nil: none is kept
	logs       session.Config
	id         string // of the session
	messages   []provider.Message
	notices    []string // for the person, at the start
	cfg        config.Config
	// mostTokens is what the requests of this run may take; 0: no limit.
	mostTokens int
	servers    *mcp.Fleet
	serverLogs string      // the directory with their logs in it
	logFiles   []io.Closer // of the servers
	asker      asker       // what servers ask
	shared     bool        // the process has other sessions, too
}

// assemble puts the parts together. It changes nothing in the workspace.
func (p process) assemble(ctx context.Context, f flags, cfg config.Config, w who, e editor) (*run, error) {
	r := &run{who: w, version: version(), cfg: cfg, mostTokens: f.MaxTokens, shared: e.is}
	entries, err := rules(f, cfg)
	if err != nil {
		return nil, err
	}
	if r.dir, err = p.directory(f, w); err != nil {
		return nil, err
	}
	home := p.getenv("HOME")
	configDir, stateDir := config.Dir(p.getenv), config.StateDir(p.getenv)
	roots, err := rootsOf(r.dir, slices.Concat(cfg.AddDirs, f.AddDir), e.more, home)
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
	r.notices = append(r.notices, r.ws.Recovered()...)
	if err := r.decide(f.Mode, cfg.Mode, entries, configDir); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	mayRead := func(path string) approval.Action {
		return r.policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
	}
	r.jobs = job.New(time.Now, 0)
	env := tool.Env{Workspace: r.ws, Family: p.family, History: &r.history, Environ: p.environ, Secrets: r.secrets,
		MayRead: mayRead, AskUnchanged: cfg.AskUnchanged, Addresses: r.addresses(), Todo: &r.todo, Modes: r.policy,
		Checkpoints: cfg.Checkpoint.Enabled, Jobs: r.jobs, Tags: w.tags(cfg.EditFormat), Blocks: blocks,
		Bodies: block.Bodies, Resources: new(tool.Resources), Outputs: &r.outputs}
	if e.is || p.screen(f) {
		env.Patience = longCommand
	}
	env.Confine, env.Hosts = r.confine(ctx, p), r.hosts()
	r.confined = env.Confine != nil
	r.look(ctx, p, configDir, env.Tags != nil)
	if free := r.unpriced(); free != "" {
		r.notices = append(r.notices, free)
	}
	env.Instructions = r.nested.Read
	env.Web = &web.Reader{Hosts: r.allowed()}
	env.Convert = func(ctx context.Context, r document.Request, data []byte) (string, error) {
		return r.Apart(ctx, p.family, data)
	}
	r.env = env
	if len(cfg.Format) > 0 {
		r.env.Format = r.formatters().Text
	}
	r.tools = tool.Builtin(r.env)
	if hooks, ok := r.hooks().(hook.Runner); ok {
		r.notices = append(r.notices, hooks.Broken()...)
	}
	r.album = album{ws: r.ws, home: home, mayRead: mayRead}
	if err := r.open(ctx, f, stateDir); err != nil {
		return nil, errors.Join(err, r.ws.Close())
	}
	r.reopened(r.messages)
	r.room(r.model.Name())
	r.listed = cfg.MCP
	r.lookForServers(ctx, p)
	r.servers, r.serverLogs = &mcp.Fleet{Version: r.version}, stateDir
	r.serve(r.cfg.MCP, r.env, p.getenv)
	if !e.is && !p.screen(f) {
		r.served(ctx)
	}
	return r, nil
}

// journal is where writes that are under way are noted, so that a killed session leaves nothing in
// the workspace.
func journal(stateDir string) string {
	if stateDir == "" {
		return ""
	}
	return filepath.Join(stateDir, "writes")
}

// directory is the workspace: for the demo one that is made now.
func (p process) directory(f flags, w who) (string, error) {
	if w.demo {
		return demo.Make(p.tempDir, rand.Reader)
	}
	dir := f.Workspace
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

// check finds what is wrong with the rules, the workspace and the session, whoever answers.
func check(f flags, cfg config.Config) error {
	if _, err := rules(f, cfg); err != nil {
		return err
	}
	if f.Workspace != "" {
		if _, err := (process{}).directory(f, who{}); err != nil {
			return err
		}
	}
	if f.Resume != "" && !session.ValidID(f.Resume) {
		return usageError{session.ErrID}
	}
	switch {
	case f.MaxTurns < 0 || f.MaxTokens < 0 || f.MaxCost < 0 || f.Timeout < 0:
		return usage("a limit may not be less than 0")
	case f.Timeout > 0 && f.Prompt == nil && f.Input == "":
		return usage("--timeout goes with -p")
	}
	return nil
}

// bounded is cfg under the limits of the command line.
func (f flags) bounded(cfg config.Config) config.Config {
	if f.MaxTurns > 0 {
		cfg.MaxSteps = f.MaxTurns
	}
	if f.MaxCost > 0 {
		cfg.MaxCost = f.MaxCost
	}
	return cfg
}

// rules are those of the config and the flags.
func rules(f flags, cfg config.Config) ([]approval.Entry, error) {
	var entries []approval.Entry
	for _, source := range []struct {
		origin, where    string
		allow, ask, deny []string
	}{{"config", "the config file: ", cfg.Allow, cfg.Ask, cfg.Deny}, {"flag", "", f.Allow, f.Ask, f.Deny}} {
		for _, verb := range []struct {
			action approval.Action
			name   string
			rules  []string
		}{{approval.Deny, "deny", source.deny}, {approval.Ask, "ask", source.ask},
			{approval.Allow, "allow", source.allow}} {
			for _, text := range verb.rules {
				rule, err := approval.ParseRule(verb.action, text)
				if err != nil {
					return nil, usage("%s%s rule %q: %w", source.where, verb.name, text, err)
				}
				entries = append(entries, approval.Entry{Rule: rule, Origin: source.origin})
			}
		}
	}
	return entries, nil
}

// decide makes the policy. What the command line wants and the workspace forbids is an error; what
// the config wants then is left away.
func (r *run) decide(mode, configured string, entries []approval.Entry, configDir string) error {
	broad := r.ws.Broad()
	if mode == "" && broad == "" {
		mode = configured
	}
	if broad != "" {
		r.notices = append(r.notices, broad+", so only mode ask is allowed")
	}
	var err error
	rules := approval.PolicyConfig{Mode: mode, Rules: entries, Broad: broad, Folds: r.ws.Folds}
	if configDir != "" && !r.demo {
		store := grant.Store{File: filepath.Join(configDir, "rules.json"), Workspace: r.ws.Dir()}
		rules.Rules, rules.Keeper = append(entries, r.kept(store)...), store
	}
	if r.policy, err = approval.NewPolicy(rules); err != nil {
		return usageError{err}
	}
	return nil
}

// open opens the session log. That of the demo stands beside its workspace and goes when the shell
// ends: /tree, /rewind and what was compacted are read from it.
func (r *run) open(ctx context.Context, f flags, stateDir string) error {
	if r.demo {
		stateDir = r.demoLog()
	}
	cfg := session.Config{
		Dir: filepath.Join(stateDir, "sessions"), Workspace: r.ws.Dir(), Model: r.model.Name(), Secrets: r.secrets,
		Now: time.Now, Random: rand.Reader,
	}
	r.logs = cfg
	id := f.Resume
	var err error
	if f.Continue {
		if id, err = last(cfg); err != nil {
			return err
		}
	}
	switch {
	case id != "" && f.Fork:
		r.log, r.messages, err = session.Fork(cfg, id)
	case id != "":
		r.log, r.messages, err = session.Resume(cfg, id)
	case f.NoLog || stateDir == "":
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	default:
		r.log, err = session.Create(cfg)
	}
	switch {
	case errors.Is(err, session.ErrUnknown) || errors.Is(err, session.ErrID):
		return unknown(cfg, err)
	case errors.Is(err, session.ErrLocked):
		return fmt.Errorf("%w; agentshell --resume %s --fork continues in a copy", err, id)
	case errors.Is(err, session.ErrInside) && id == "":
		r.notices = append(r.notices, "no session log: its directory lies inside the workspace")
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	case err != nil:
		return fmt.Errorf("%w; --no-log runs without a session log", err)
	}
	r.id = r.log.ID()
	r.notices = append(r.notices, r.log.Repaired...)
	err = errors.Join(r.remember(ctx), r.recollect())
	r.notices = append(r.notices, r.log.News()...)
	return err
}

func (r *run) demoLog() string { return r.dir + "-session" }

// remember makes the changes of the session that is open those that can be taken back. A kill may
// have come between one and its record.
func (r *run) remember(ctx context.Context) error {
	changes, err := r.log.Changes()
	r.history.Load(r.log, changes)
	begun, err2 := r.log.Begun()
	if begun != nil && tool.Settle(ctx, r.env, *begun) {
		r.notices = append(r.notices, diff.Escape(begun.Rel)+" was changed when this session was killed; /undo "+
			"undoes it")
	}
	return errors.Join(err, err2)
}

// recollect makes the todo list that of the conversation: what was said last of it on this branch,
// whatever was compacted since.
func (r *run) recollect() error {
	said, err := r.log.Said()
	r.todo.Set(todo.Parse(window.FactsOf(said).Todo))
	return err
}

// last is the session of the workspace that was written last.
func last(cfg session.Config) (string, error) {
	ids, err := session.Recent(cfg)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", usage("this workspace has no session yet")
	}
	return ids[0], nil
}

// unknown makes a usage error of an id that names no session.
func unknown(cfg session.Config, err error) error {
	switch {
	case errors.Is(err, session.ErrID):
		return usageError{err}
	case errors.Is(err, session.ErrUnknown):
		if ids, _ := session.Recent(cfg); len(ids) > 0 {
			return usage("%w; the last ones are %s", err, strings.Join(ids[:min(3, len(ids))], ", "))
		}
		return usage("%w; there is none yet", err)
	}
	return err
}

// agent makes the agent; approver is nil where nobody can be asked.
func (r *run) agent(approver approval.Approver) *agent.Agent {
	cfg := agent.Config{Model: r.model, Tools: r.tools, Ready: r.ready(time.Now()), System: r.system, Policy: r.policy,
		Approver: approver,
		Messages: r.messages, Secrets: r.secrets, Aside: r.ws.Late, Window: known(r.cfg, r.script),
		CompactAt: r.cfg.CompactAt, MostCost: r.cfg.MaxCost, MostTokens: r.mostTokens, Steps: r.cfg.MaxSteps,
		Mode:  r.policy.Mode,
		Hooks: r.hooks(), Rules: r.skills.Rules, Sources: r.sources()}
	if s, ok := approver.(interface {
		Steer(ctx context.Context) []agent.Message
	}); ok {
		cfg.Steer = s.Steer
	}
	cfg.Cleared = func() error {
		r.nested.Forget()
		r.todo.Set(nil)
		return nil
	}
	cfg.Compacted = func([]provider.Message, string) error {
		r.nested.Forget()
		return nil
	}
	cfg.Reported = func(_, _ []provider.Message, _ string) error {
		r.nested.Forget()
		return nil
	}
	cfg.Undo = func(ctx context.Context, id string, n int) (tool.Call, error) { return tool.Undo(ctx, r.env, id, n) }
	cfg.Rewind = func(n int) []tool.Return { return tool.Rewind(r.env, n) }
	cfg.News = r.nested.News
	if r.log != nil {
		cfg.Added = func(m provider.Message) error { return r.log.Append(m) } // the log may be another one by then
		cfg.News = func() []string { return append(r.log.News(), r.nested.News()...) }
		cfg.Cleared = func() error {
			r.nested.Forget()
			r.todo.Set(nil)
			return r.log.Clear()
		}
		cfg.Compacted = func(messages []provider.Message, line string) error {
			r.nested.Forget()
			return r.log.Compact(messages, line)
		}
		cfg.Reported = func(kept, report []provider.Message, said string) error {
			r.nested.Forget()
			return r.log.Report(kept, report, said)
		}
	}
	cfg.Ended = r.jobs.Ended
	if r.cfg.Fallback != "" && r.another != nil {
		cfg.Fallback = func() (provider.Model, error) { return r.another(r.cfg.Fallback) }
	}
	a := agent.New(cfg)
	r.asker.set(approver, a, r)
	if len(r.gone) > 0 {
		a.Note(r.lost())
	}
	return a
}

// endGrace is how long what commands left running has to end when the shell does.
const endGrace = 400 * time.Millisecond

// close ends everything. It gives the background jobs that still ran.
func (r *run) close() ([]job.Job, error) {
	ctx, cancel := context.WithTimeout(context.Background(), endGrace)
	defer cancel()
	ran := r.jobs.Close(ctx)
	r.servers.Close()
	if !r.shared {
		r.env.Family.Close(endGrace) // what commands left running
	}
	for _, f := range r.logFiles {
		_ = f.Close()
	}
	if r.log != nil {
		return ran, errors.Join(r.log.Close(), r.ws.Close())
	}
	return ran, r.ws.Close()
}

// attach reads what messages name, finder finds it while a person types.
func (r *run) attach() attach.Reader {
	return attach.Reader{Workspace: r.ws, MayRead: r.album.mayRead, Resource: r.env.Resources.Named}
}

func (r *run) finder() *finder.Finder {
	return &finder.Finder{Walk: func(ctx context.Context, yield func(string, time.Time) bool) error {
		return tool.Files(ctx, r.ws, yield)
	}}
}

// unpriced says that a limit of cost does not hold, "" if it does or there is none.
func (r *run) unpriced() string {
	name := r.model.Name()
	if r.cfg.MaxCost == 0 || r.script || known(r.cfg, false)(name).Price.Known() {
		return ""
	}
	return fmt.Sprintf("max_cost does not hold: the price of %s is not known. [models.%q] with price_input and "+
		"price_output in the config file sets it", name, name)
}

// name is the workspace's name for the screen.
func (r *run) name() string { return strings.TrimPrefix(filepath.Base(r.dir), "scrollkeep-") }

// hello is the first lines of plain mode.
func (r *run) hello(person bool) string {
	lines := []string{fmt.Sprintf("scrollkeep %s, model: %s, workspace: %s, mode: %s", r.version, r.model.Name(),
		r.name(), r.policy.Mode())}
	if read := r.read(); read != "" {
		lines = append(lines, "instructions: "+read)
	}
	lines = append(lines, r.notices...)
	if person {
		return strings.Join(append(lines,
			"Plain mode: each line is a message, and every change needs your approval. /undo undoes one, /help lists "+
				"the commands, /quit exits. At a question, ? shows all answers."), "\n")
	}
	return strings.Join(append(lines,
		"Plain mode: each line is a message. Nobody can be asked here, so whatever no rule allows is denied. "+
			"The end of the input exits."), "\n")
}

// gitConfigs are the files that may name a hooks directory outside the workspace.
func (p process) gitConfigs(home string) []string {
	files := []string{"/etc/gitconfig"}
	if home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	if xdg := p.getenv("XDG_CONFIG_HOME"); filepath.IsAbs(xdg) {
		files = append(files, filepath.Join(xdg, "git", "config"))
	}
	return append(files, given(p.getenv("GIT_CONFIG_GLOBAL"), p.getenv("GIT_CONFIG_SYSTEM"))...)
}
