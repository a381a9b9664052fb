package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// copies returns the store of copies of workspaces, in which agents work.
func (p Host) copies() isolation.Store {
	return isolation.Store{Dir: filepath.Join(config.StateDir(p.getenv), "copies"), Family: p.family,
		Environ: p.environ}
}

// isolatedMate is the conversation of an agent that works in a copy of the workspace.
type isolatedMate struct {
	crewmate
	parent *conversation
	copied *project // The project whose workspace is the copy.
	// Describes the agent.
	opened crew.Opening
	gone   bool // The copy of the workspace has been removed.
}

// openIsolated creates a copy of the workspace, and opens the conversation of an agent that works
// in it.
func (c *conversation) openIsolated(ctx context.Context, p Host, o crew.Opening) (crew.Conversation, error) {
	if config.StateDir(p.getenv) == "" {
		return nil, errors.New("there is no place for a copy of the workspace: neither HOME nor XDG_STATE_HOME is set")
	}
	work, err := p.copies().Prepare(ctx, c.ws, isolation.Note{Session: c.id, Agent: o.ID,
		Description: c.secrets.Redact(o.Description), Began: time.Now()})
	if err != nil {
		return nil, err
	}
	r, err := c.inCopy(ctx, p, work)
	if err != nil {
		return nil, errors.Join(err, work.Remove())
	}
	o.System += fmt.Sprintf("\nYou work in a copy of the workspace, at %s. The user's files stay as they are "+
		"while you work. When you end, the user is shown what you changed, and decides what of it comes into the "+
		"workspace. "+
		"Change only what belongs to the work, and leave no scratch files.\n", r.dir)
	mate, err := r.openConversation(ctx, p, conversationOptions{Agent: &o, Parent: c})
	if err != nil {
		return nil, errors.Join(err, c.roots.unfollow(r), r.close(), work.Remove())
	}
	return &isolatedMate{crewmate: crewmate{mate.newAgent(c.approver), mate}, parent: c, copied: r, opened: o}, nil
}

// inCopy returns a project for an agent that works in a copy of the workspace. Added directories
// are read-only there, and there are no tools of MCP servers, because neither is part of the copy.
func (r *project) inCopy(ctx context.Context, p Host, work *isolation.Copy) (*project, error) {
	home, configDir := p.getenv("HOME"), config.Dir(p.getenv)
	roots := []workspace.Root{{Dir: work.Dir()}}
	added := r.roots.further()
	for _, root := range added {
		root.ReadOnly = true
		roots = append(roots, root)
	}
	ws, err := workspace.Open(workspace.Config{Roots: roots, Home: home, Protected: withoutEmpty(configDir),
		GitConfigs: p.gitConfigs(home), GitIgnore: p.gitIgnore(home),
		Journal: journalDir(config.StateDir(p.getenv))})
	if err != nil {
		return nil, err
	}
	n := &project{modelSource: r.modelSource, settings: r.settings, version: r.version, dir: ws.Dir(),
		roots: newRootSet(roots), ws: ws, policy: r.policy, jobs: r.jobs, skills: r.skills, answers: r.answers,
		servers: r.servers, pastedDir: r.pastedDir, confinement: r.confinement, work: work, outputs: r.outputs,
		astGrep: r.astGrep}
	n.pictures = pictureFinder{ws: ws, home: home, mayRead: n.mayRead}
	n.env = n.sharedEnv(ctx, p)
	if err := r.roots.follow(n, len(added)); err != nil {
		return nil, errors.Join(err, r.roots.unfollow(n), n.close())
	}
	return n, nil
}

// hiddenForCopy returns the directories of agentshell itself that commands in the copy must not
// see.
func (r *project) hiddenForCopy(configDir, stateDir string) []string {
	hidden := withoutEmpty(configDir)
	for _, dir := range []string{stateDir, filepath.Join(stateDir, "copies")} {
		entries, _ := os.ReadDir(dir) // a directory that cannot be read need not be hidden
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if !strings.HasPrefix(r.work.Dir()+"/", name+"/") {
				hidden = append(hidden, name)
			}
		}
	}
	return hidden
}

// copyApprover approves all file changes of an agent in a copy of the workspace, because the user's
// files stay as they are. It asks the user about files of git in the copy, and about everything
// that is not a file change.
type copyApprover struct{ person approval.Approver }

// Ask implements [approval.Approver]: it approves changes of files in the copy, and asks the user
// about everything else.
func (a copyApprover) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	inGit := strings.Contains(strings.ToLower(p.Path)+"/", "/.git/")
	switch {
	case p.File() && !inGit:
		return approval.Yes{ID: p.ID}, nil
	case a.person == nil:
		return approval.No{ID: p.ID, Reason: "nobody to ask"}, nil
	}
	return a.person.Ask(ctx, p)
}

// copyPolicy is the approval policy for an agent in a copy of the workspace. A rule that allows a
// command applies there only if the command runs in a sandbox, because the rule was given for
// programs that nobody could change unseen.
type copyPolicy struct{ approval.AgentPolicy }

// Decide implements [agent.Policy].
func (p copyPolicy) Decide(s approval.Subject) approval.Verdict {
	v := p.AgentPolicy.Decide(s)
	if s.Command != "" && !s.Confined && v.Action == approval.Allow && v.By == "rule" {
		return approval.Verdict{
			Reason: "a rule for commands does not hold in a copy of the workspace without a sandbox"}
	}
	return v
}

// BringBack implements [crew.Isolated]. It proposes the changes of the copy for the workspace, and
// removes the copy if all are decided.
func (m *isolatedMate) BringBack(ctx context.Context, r *tool.AgentResult) {
	work := m.copied.work
	r.Changed = nil
	// A stop must not keep the changes from being found.
	changes, err := work.Changes(context.WithoutCancel(ctx))
	if err != nil {
		r.Brought = fmt.Sprintf("What it changed cannot be compared: %v. It is in %s until you decide with agentshell "+
			"leftovers.", err, work.Dir())
		return
	}
	if len(changes) == 0 {
		r.Brought = "It changed no file."
		m.remove(r)
		return
	}
	m.keepPatch(context.WithoutCancel(ctx), r, changes)
	if ctx.Err() != nil {
		r.Brought = fmt.Sprintf("It was stopped, and its %s not brought into the workspace. %s", countOf(len(changes),
			"changed file is", "changed files are"), whereLeft)
		return
	}
	asks := m.parent.approver
	if asks != nil {
		asks = m.opened.Approve(asks)
	}
	outcome, stopped := m.parent.bringCopy(ctx, asks, work, changes)
	r.Changed, r.Brought = outcome.changed, outcome.text()
	if stopped {
		r.Brought += " Not all was decided. " + whereLeft
		return
	}
	m.remove(r)
}

// whereLeft tells what happens to a copy whose changes the user has not decided about.
const whereLeft = "The next start asks about it, and so does agentshell leftovers."

// remove deletes the copy of the workspace. If that fails, r gets a warning.
func (m *isolatedMate) remove(r *tool.AgentResult) {
	if err := m.copied.work.Remove(); err != nil {
		r.Warning = strings.TrimSpace(r.Warning + " " + err.Error())
	}
	m.gone = true
}

// keepPatch stores the changes as a patch beside the agent's log.
func (m *isolatedMate) keepPatch(ctx context.Context, r *tool.AgentResult, changes []isolation.Change) {
	if m.parent.log == nil {
		return
	}
	patch, err := m.copied.work.Patch(ctx, changes)
	if err == nil {
		err = m.parent.log.KeepArtifact(m.opened.ID, session.PatchFile, patch)
	}
	if err != nil {
		r.Warning = strings.TrimSpace(r.Warning + " its patch is not kept: " + err.Error())
	}
}

// agentText returns the text for the addresses agent://ID and agent://ID.patch: the result of an
// agent, or the patch of what it has changed in its copy of the workspace.
func (c *conversation) agentText(id string) (string, error) {
	if agent, is := strings.CutSuffix(id, session.PatchFile); is && c.log != nil {
		patch, err := c.log.Artifact(agent, session.PatchFile)
		return string(patch), err
	}
	return c.crew.Text(id)
}

// Close ends the conversation. If the copy was not removed, the next start of agentshell finds it.
func (m *isolatedMate) Close() error {
	err := m.crewmate.Close()
	m.copied.helpers.close()
	err = errors.Join(err, m.parent.roots.unfollow(m.copied), m.copied.close())
	if !m.gone {
		m.copied.work.Release()
	}
	return err
}

// broughtBack holds what has happened to the changes that an agent made in a copy of the workspace.
type broughtBack struct {
	// The id of the agent.
	agent   string
	results []agent.BringResult
	kept    bool     // The changes are also stored as a patch.
	aside   []string // Sentences about changes that could not be proposed.
	changed []string // The paths of files that were written, as they are shown.
	merged  string   // A sentence about the merge that contains the changes; "" if there is none.
}

// bring proposes the changes that an agent has made in a copy for the workspace, file by file. who
// asks the user; it is nil if nobody can be asked. stopped says that not all changes were decided.
func (c *conversation) bring(ctx context.Context, who approval.Approver, id string,
	changes []isolation.Change) (out broughtBack, stopped bool) {
	out.agent, out.kept = id, c.log != nil
	env := c.env
	env.Team.ID = id
	files, aside := tool.Bring(ctx, env, id, changes)
	out.aside = aside
	clerk := agent.New(agent.Config{Model: c.model, Approver: who, Policy: c.policy, Modes: c.policy,
		Secrets: c.secrets, Hooks: c.hooks()})
	results, stopped, err := clerk.Bring(ctx, files, func(agent.Event) {})
	if err != nil {
		out.aside = append(out.aside, err.Error())
	}
	out.results = results
	for i, r := range results {
		if r.OK {
			out.changed = append(out.changed, files[i].Path)
		}
	}
	return out, stopped
}

// text returns a text for the model about what has happened to the changes of the agent.
func (b broughtBack) text() string {
	var written, denied, failed []string
	for _, r := range b.results {
		switch {
		case r.OK:
			written = append(written, r.Path)
		case r.Denied:
			denied = append(denied, r.Path)
		default:
			failed = append(failed, strings.TrimSpace(diff.Escape(strings.Join(strings.Fields(r.Text), " "))))
		}
	}
	var parts []string
	if b.merged != "" {
		parts = append(parts, b.merged)
	}
	if len(written) > 0 {
		parts = append(parts, "Brought into the workspace: "+strings.Join(written, ", ")+".")
	}
	if len(denied) > 0 {
		parts = append(parts, "The user did not want: "+strings.Join(denied, ", ")+".")
	}
	if len(failed) > 0 {
		parts = append(parts, "Not brought: "+strings.Join(failed, " "))
	}
	parts = append(parts, b.aside...)
	if b.kept && len(denied)+len(failed)+len(b.aside) > 0 {
		parts = append(parts, "All that "+b.agent+" changed is in agent://"+b.agent+session.PatchFile+".")
	}
	return strings.Join(parts, " ")
}

// countOf returns the number n with a noun: one for n == 1, else several.
func countOf(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
