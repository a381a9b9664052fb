package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/acp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// editorClient describes the editor that shows the session (ACP). The zero value means none.
type editorClient struct {
	// There is an editor.
	present bool
	// Reads and writes the texts of files that are open in the editor; nil if only the disk is
	// used.
	texts     workspace.Editor
	addedDirs []string // Further directories that the editor wants in the session.
}

// ServeEditor handles `agentshell acp`: it speaks the Agent Client Protocol on the standard input
// and output, so that an editor can show sessions.
func (p Host) ServeEditor(ctx context.Context, f SessionOptions) (int, error) {
	if p.stdinIsTerminal {
		return 0,
			UsageErrorf("an editor has to start agentshell acp, and a person types here; the README tells how to " +
				"set it " +
				"up. agentshell alone is the shell for a terminal")
	}
	s, err := p.resolveSettings(Options{SessionOptions: f})
	if err != nil {
		return 0, err
	}
	server := &acp.Server{Version: Version(), Log: slog.New(slog.NewTextHandler(p.Stderr,
		&slog.HandlerOptions{Level: slog.LevelWarn})),
		Open: func(ctx context.Context, o acp.Opening) (*acp.Parts, error) { return p.openEditorSession(ctx, s, o) },
		List: p.listSessions, Ended: func() { p.end.begin(headless.ExitDone, 0) }}
	if err := server.Serve(ctx, p.stdin, p.Stdout); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return headless.ExitInterrupted, nil
	}
	return headless.ExitDone, nil
}

// openEditorSession opens a session that an editor has asked for.
func (p Host) openEditorSession(ctx context.Context, s settings, o acp.Opening) (*acp.Parts, error) {
	s.Workspace, s.Resume = o.Dir, o.ID
	p.excludePrograms(s, o.More)
	s.cfg.MCP = maps.Clone(s.cfg.MCP)
	if s.cfg.MCP == nil {
		s.cfg.MCP = map[string]config.MCP{}
	}
	for _, m := range o.Servers {
		server := config.MCP{Command: m.Command, Env: m.Env, URL: m.URL, Headers: m.Headers}
		name := config.MCPName(m.Name)
		if _, err := server.Check(name); err != nil {
			return nil, UsageErrorf("the MCP server %q: %w", m.Name, err)
		}
		if _, exists := s.cfg.MCP[name]; !exists { // the user's own file overrides the editor
			s.cfg.MCP[name] = server
		}
	}
	if err := s.checkPlaces(); err != nil {
		return nil, err
	}
	w, err := p.chooseModel(ctx, s)
	if err != nil {
		return nil, err
	}
	if w.demo {
		return nil, UsageErrorf("the demo plays in the shell: agentshell --demo")
	}
	w.secrets = w.secrets.With(listedSecrets(s.cfg.MCP, p.getenv)...)
	p.setSecrets(w.secrets)
	r, err := p.openFirstConversation(ctx, s, w, editorClient{present: true, texts: o.Editor, addedDirs: o.More})
	if err != nil {
		return nil, err
	}
	var ag *agent.Agent
	tell := func(text string) { ag.Note(text) }
	r.remarks = append(r.remarks, withoutEmpty(r.lostDirectoriesNotice())...)
	newAgent := func(approver approval.Approver) *agent.Agent {
		ag = r.newAgent(approver)
		return ag
	}
	var offers []acp.Offer
	if o := r.extensionOffer(p); o != nil {
		r.offeredExtensions.asked = true
		offers = append(offers, acp.Offer{What: o.What, Question: o.Question, Text: o.Text,
			Files: o.Files, Unit: o.Unit,
			Decide: func(use bool) (string, error) { return strings.Join(o.Servers, " and "), o.Decide(use) }})
	}
	parts := &acp.Parts{ID: r.id, Offers: offers, NewAgent: newAgent, AddDir: directoryAdder{r, p, tell}.Add,
		Sandbox: sandboxSwitch{r.project, p, tell}, Workspace: r.ws, Policy: r.policy, Todo: &r.todo, Crew: r.crew,
		Models: r.modelNames(), Notices: append(r.startNotices(), withoutEmpty(r.unaskedNotice())...),
		Modes:       r.modeNames(),
		Extensions:  r.extensions,
		Running:     r.runningLines,
		Attachments: r.attachments, Close: func() error {
			r.stop()
			return errors.Join(r.close(), r.project.close())
		}}
	if r.newModel != nil {
		parts.SetModel = r.changeModel
	}
	if r.env.Memory != nil {
		parts.Memory = r.memoryCommand
	}
	commands := skill.Folder{Commands: r.skills.Commands}.Merge(skill.Shipped()).Commands
	for _, c := range commands {
		parts.Commands = append(parts.Commands, acp.Command{Name: c.Name, Args: c.Args, About: c.About, Text: c.Text,
			Lines: c.Lines, Filled: c.Filled})
	}
	if o.ID != "" && r.log != nil {
		if parts.Messages, err = r.log.FullConversation(); err != nil {
			return nil, errors.Join(err, parts.Close())
		}
	}
	return parts, nil
}

// modeNames returns the approval modes that the user can choose in an editor: those that the shell
// offers, and the current one.
func (r *project) modeNames() []string {
	if r.ws.WhyBroad() != "" {
		return []string{approval.ModeAsk}
	}
	list := []string{approval.ModeAsk, approval.ModeEdits, approval.ModePlan}
	if now := r.policy.Mode(); !slices.Contains(list, now) {
		list = append(list, now)
	}
	return list
}

// attachments returns the text and the pictures of the files that a message names with an @, and
// lines about files that cannot be sent.
func (r *project) attachments(ctx context.Context, text string) (string, []picture.Picture, []string) {
	found, problems := r.pictures.find(ctx, text)
	attached := r.attachReader().Read(ctx, text)
	return attached.Text, found, append(problems, attached.Problems...)
}

// listSessions returns the stored sessions of a directory; "" is the current directory.
func (p Host) listSessions(dir string) (list []acp.Summary, err error) {
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
	const maxSessions = 100
	summaries, err := session.Summaries(session.Config{Dir: filepath.Join(state, "sessions"), Workspace: real},
		maxSessions)
	for _, s := range summaries {
		list = append(list, acp.Summary{ID: s.ID, Dir: dir, Title: s.Title(agent.AsTyped), At: s.At})
	}
	return list, err
}
