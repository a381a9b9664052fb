package app

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/export"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// ExportOptions holds the options of `agentshell export`.
type ExportOptions struct {
	ID        string `arg:"" optional:"" help:"The session. Default: the last one of the workspace."`
	Workspace string `placeholder:"DIR" default:"." help:"The workspace of the session. Default: the current directory."`
	File      string `placeholder:"FILE" help:"Write to FILE. Its name says the format: .html, .md or .json. Default: the standard output."`
	Format    string `placeholder:"FORMAT" help:"html (one page that needs no network), markdown or json. Default: as the name of the file says, else markdown."`
	Force     bool   `help:"Replace FILE if it exists."`
}

// target returns the file that the options name. Its field File is "" for the standard output.
func (o ExportOptions) target(dir, home string) (t export.Target, err error) {
	t = export.Target{File: o.File, Format: export.Format(o.Format), Force: o.Force}
	switch {
	case o.File != "":
		t, err = t.Resolve(dir, home, "")
	case o.Force:
		err = fmt.Errorf("--force replaces a file: add --file FILE, or leave out --force")
	case o.Format == "":
		t.Format = export.Markdown
	default:
		_, err = t.Resolve(dir, home, "") // fails if there is no such format
	}
	if err != nil {
		return t, UsageErrorf("%w", err)
	}
	return t, nil
}

// Export handles `agentshell export [ID]`: it writes a stored session to a file or to the standard
// output.
func (p Host) Export(ctx context.Context, o ExportOptions) (int, error) {
	dir, err := realPath(o.Workspace)
	if err != nil {
		return 0, UsageErrorf("--workspace: %w", err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return 0, err
	}
	target, err := o.target(here, p.getenv("HOME"))
	if err != nil {
		return 0, err
	}
	set, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, usageError{err}
	}
	secrets := p.environSecrets().With(listedSecrets(set.MCP, p.getenv)...)
	p.setSecrets(secrets)
	cfg := session.Config{Dir: filepath.Join(config.StateDir(p.getenv), "sessions"), Workspace: dir, Secrets: secrets}
	if o.ID == "" {
		if o.ID, err = lastSession(cfg); err != nil {
			return 0, err
		}
	}
	env, closeEnv := p.readingEnv(dir, set)
	defer closeEnv()
	s, damaged, err := exportedSession(cfg, o.ID, env)
	if err != nil {
		return 0, asUsageError(cfg, err)
	}
	if damaged > 0 {
		PrintLine(p.Stderr, "agentshell: %d damaged entries of the session log were passed over", damaged)
	}
	if target.File == "" {
		return headless.ExitDone, s.Write(ctx, p.Stdout, target.Format, nil)
	}
	if err := target.Write(func(w io.Writer) error { return s.Write(ctx, w, target.Format, nil) }); err != nil {
		return 0, err
	}
	PrintLine(p.Stdout, "Wrote session %s to %s", o.ID, target.File)
	return headless.ExitDone, nil
}

// readingEnv returns an environment in which the files of the workspace dir can be read, as far as
// the approval rules allow that. If the workspace does not exist any more, the environment has
// none. The caller must call closeEnv.
func (p Host) readingEnv(dir string, cfg config.Config) (env tool.Env, closeEnv func()) {
	env, closeEnv = tool.Env{}, func() {}
	rules, err := parseRules(Options{}, cfg)
	if err != nil {
		return env, closeEnv
	}
	home := p.getenv("HOME")
	roots, _, err := rootsOf(dir, cfg.AddDirs, nil, home)
	if err != nil {
		return env, closeEnv
	}
	ws, err := workspace.Open(workspace.Config{Roots: roots, Home: home})
	if err != nil {
		return env, closeEnv
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Rules: rules, Broad: ws.WhyBroad(), Folds: ws.FoldsCase,
		InHome: inHome(ws, home), Tools: tool.Traits()})
	if err != nil {
		return env, func() { _ = ws.Close() }
	}
	env.Workspace = ws
	env.MayRead = func(path string) approval.Action {
		return policy.Decide(approval.Subject{Tool: "read_file", Path: path}).Action
	}
	return env, func() { _ = ws.Close() }
}

// exportedSession reads a stored session and its agents. damaged is the number of entries that
// cannot be read. If env has no workspace, the contents of file changes are left out.
func exportedSession(cfg session.Config, id string, env tool.Env) (s export.Session, damaged int, err error) {
	r, err := session.Read(cfg, id)
	if err != nil {
		return s, 0, err
	}
	s = export.Session{ID: r.ID, Name: r.Name, Model: r.Model, Began: r.Began, Secrets: cfg.Secrets,
		Workspace: filepath.Base(cfg.Workspace)}
	if r.Spent.Priced {
		s.Cost = fmt.Sprintf("$%.2f", r.Spent.Dollars)
		if r.Spent.Unpriced {
			s.Cost += "+"
		}
	}
	own := export.Conversation{Messages: r.Messages}
	if env.Workspace != nil {
		if env.History == nil {
			env.History = new(undo.History)
			r.LoadChanges(env.History)
		}
		own.Edits = func(ctx context.Context, call string) []tool.Edited { return tool.StoredEdits(ctx, env, call) }
	}
	s.Conversations = []export.Conversation{own}
	agents, err := session.Agents(cfg, id)
	if err != nil {
		return s, 0, err
	}
	for _, a := range agents {
		messages, err := session.ReadAgent(cfg, id, a.ID)
		if err != nil {
			return s, 0, err
		}
		s.Conversations = append(s.Conversations, export.Conversation{Messages: messages,
			Agent: fmt.Sprintf("%s (%s, %s)", a.ID, a.Kind, agentState(a))})
	}
	return s, r.Damaged, nil
}
