package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/acp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// editor is what a session has of the editor that is its screen.
type editor struct {
	is    bool             // there is one
	texts workspace.Editor // holds the texts of files; nil: the disk does
	more  []string         // directories that it adds
}

// ServeEditor handles `agentshell acp`: an editor is the screen, by the Agent Client Protocol on
// the standard input and output.
func (p Host) ServeEditor(ctx context.Context, f SessionOptions) (int, error) {
	if p.typing {
		return 0, usage("an editor has to start agentshell acp, and a person types here; the README tells how to " +
			"set it " +
			"up. agentshell alone is the shell for a terminal")
	}
	asked, err := p.resolve(Options{SessionOptions: f})
	if err != nil {
		return 0, err
	}
	server := &acp.Server{Version: Version(), Log: slog.New(slog.NewTextHandler(p.Stderr,
		&slog.HandlerOptions{Level: slog.LevelWarn})),
		Open: func(ctx context.Context, o acp.Opening) (*acp.Parts, error) { return p.opened(ctx, asked, o) },
		List: p.listed, Ended: func() { p.end.begin(headless.ExitDone, 0) }}
	if err := server.Serve(ctx, p.stdin, p.Stdout); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return headless.ExitInterrupted, nil
	}
	return headless.ExitDone, nil
}

// opened returns a session of an editor.
func (p Host) opened(ctx context.Context, s settings, o acp.Opening) (*acp.Parts, error) {
	s.Workspace, s.Resume = o.Dir, o.ID
	p.exclude(s, o.More)
	s.cfg.MCP = maps.Clone(s.cfg.MCP)
	if s.cfg.MCP == nil {
		s.cfg.MCP = map[string]config.MCP{}
	}
	for _, m := range o.Servers {
		server := config.MCP{Command: m.Command, Env: m.Env, URL: m.URL, Headers: m.Headers}
		name := config.MCPName(m.Name)
		if _, err := server.Check(name); err != nil {
			return nil, usage("the MCP server %q: %w", m.Name, err)
		}
		if _, own := s.cfg.MCP[name]; !own { // the person's own file is the later word
			s.cfg.MCP[name] = server
		}
	}
	if err := s.checkPlaces(); err != nil {
		return nil, err
	}
	w, err := p.choose(ctx, s)
	if err != nil {
		return nil, err
	}
	if w.demo {
		return nil, usage("the demo plays in the shell: agentshell --demo")
	}
	w.secrets = w.secrets.With(listedSecrets(s.cfg.MCP, p.getenv)...)
	p.guard(w.secrets)
	r, err := p.assemble(ctx, s, w, editor{is: true, texts: o.Editor, more: o.More})
	if err != nil {
		return nil, err
	}
	parts := &acp.Parts{ID: r.id, Agent: r.agent, Workspace: r.ws, Policy: r.policy, Todo: &r.todo,
		Models: r.names(), Notices: append(r.startNotices(), given(r.unasked())...), Modes: r.modes(),
		With: r.with, Close: func() error {
			r.stop()
			return errors.Join(r.close(), r.project.close())
		}}
	if r.another != nil {
		parts.SetModel = func(a *agent.Agent, name string) error {
			m, err := r.another(name)
			if err == nil {
				a.SetModel(m)
				r.room(name)
			}
			return err
		}
	}
	for _, c := range r.skills.Commands {
		parts.Commands = append(parts.Commands, acp.Command{Name: c.Name, About: c.About, Text: c.Text})
	}
	if o.ID != "" && r.log != nil {
		if parts.Said, err = r.log.FullConversation(); err != nil {
			return nil, errors.Join(err, parts.Close())
		}
	}
	return parts, nil
}

// modes returns the modes that can be chosen: the present one, and what a person can choose in the
// shell.
func (r *project) modes() []string {
	if r.ws.WhyBroad() != "" {
		return []string{approval.ModeAsk}
	}
	list := []string{approval.ModeAsk, approval.ModeEdits, approval.ModePlan}
	if now := r.policy.Mode(); !slices.Contains(list, now) {
		list = append(list, now)
	}
	return list
}

// with returns what a message is sent with because it names files; problems are lines.
func (r *project) with(ctx context.Context, text string) (string, []picture.Picture, []string) {
	found, problems := r.album.find(ctx, text)
	more := r.attach().Read(ctx, text)
	return more.Text, found, append(problems, more.Problems...)
}

// listed returns the sessions of a directory, "" for the present one.
func (p Host) listed(dir string) (list []acp.Summary, err error) {
	if dir == "" {
		dir = "."
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	state := config.StateDir(p.getenv)
	if state == "" {
		return nil, nil
	}
	const most = 100
	summaries, err := session.Summaries(session.Config{Dir: filepath.Join(state, "sessions"), Workspace: real}, most)
	for _, s := range summaries {
		list = append(list, acp.Summary{ID: s.ID, Dir: dir, Title: agent.AsTyped(s.First, s.From), At: s.At})
	}
	return list, err
}
