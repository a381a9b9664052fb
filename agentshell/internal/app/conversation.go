package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/finder"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// conversation is what lives as long as one conversation with a model.
type conversation struct {
	*project
	tools    *tool.Registry
	env      tool.Env     // what the tools work with
	history  undo.History // what the tools changed
	todo     todo.Board
	gone     []string // jobs that the conversation tells of and that an earlier run has taken with it
	system   string
	briefing briefing.Briefing
	nested   *briefing.Nested
	log      *session.Log // nil: none is kept
	logs     session.Config
	id       string // of the session
	messages []provider.Message
	remarks  []string // for the person, at the start, behind the notices of the project
}

// conversationOptions says which conversation to open. The zero value is a new one that has every
// tool and is kept in a log.
type conversationOptions struct {
	Tools    []string // the only ones that it has, by name; nil: all
	NoLog    bool
	Resume   string // the id of a session that goes on; "": none
	Continue bool   // the last session of the workspace goes on
	Fork     bool   // in a copy
}

// conversation returns which conversation the command line asks for.
func (s settings) conversation() conversationOptions {
	return conversationOptions{NoLog: s.NoLog, Resume: s.Resume, Continue: s.Continue, Fork: s.Fork}
}

// converse opens a conversation of the project.
func (r *project) converse(ctx context.Context, p Host, o conversationOptions) (*conversation, error) {
	c := &conversation{project: r}
	c.env = r.env
	c.env.History, c.env.Todo, c.env.Tags = &c.history, &c.todo, r.tags(r.cfg.EditFormat)
	c.env.Addresses = c.addresses()
	c.brief(ctx, p)
	if free := c.unpriced(); free != "" {
		c.remarks = append(c.remarks, free)
	}
	c.env.Instructions = c.nested.ForFile
	c.tools = tool.Builtin(c.env)
	if o.Tools != nil {
		c.tools = c.tools.Only(o.Tools...)
	}
	if err := c.open(ctx, o, config.StateDir(p.getenv)); err != nil {
		return nil, err
	}
	c.reopened(c.messages)
	c.room(r.model.Name())
	if o.Tools == nil {
		r.foreign.offerTo(c.tools)
	}
	return c, nil
}

// startNotices returns what the person is to be told at the start.
func (c *conversation) startNotices() []string { return slices.Concat(c.notices, c.remarks) }

// close ends the conversation; what it shares with others stays.
func (c *conversation) close() error {
	c.foreign.forget(c.tools)
	if c.log == nil {
		return nil
	}
	return c.log.Close()
}

// open opens the session log. That of the demo stands beside its workspace and goes when the shell
// ends: /tree, /rewind and what was compacted are read from it.
func (r *conversation) open(ctx context.Context, f conversationOptions, stateDir string) error {
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
		r.remarks = append(r.remarks, "no session log: its directory lies inside the workspace")
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	case err != nil:
		return fmt.Errorf("%w; --no-log runs without a session log", err)
	}
	r.id = r.log.ID()
	r.remarks = append(r.remarks, r.log.Repaired...)
	err = errors.Join(r.remember(ctx), r.recollect())
	r.remarks = append(r.remarks, r.log.News()...)
	return err
}

func (r *project) demoLog() string { return r.dir + "-session" }

// remember loads the changes of the session that is open, so that they can be taken back. A kill
// may have come between one and its record.
func (r *conversation) remember(ctx context.Context) error {
	changes, err := r.log.Changes()
	r.history.Load(r.log, changes)
	begun, err2 := r.log.UnfinishedChange()
	if begun != nil && tool.Settle(ctx, r.env, *begun) {
		r.remarks = append(r.remarks, diff.Escape(begun.Rel)+" was changed when this session was killed; /undo "+
			"undoes it")
	}
	return errors.Join(err, err2)
}

// recollect loads the todo list of the conversation: what was said last of it on this branch,
// whatever was compacted since.
func (r *conversation) recollect() error {
	said, err := r.log.FullConversation()
	r.todo.Set(todo.Parse(window.FactsOf(said).Todo))
	return err
}

// last returns the session of the workspace that was written last.
func last(cfg session.Config) (string, error) {
	ids, err := session.RecentIDs(cfg)
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
		if ids, _ := session.RecentIDs(cfg); len(ids) > 0 {
			return usage("%w; the last ones are %s", err, strings.Join(ids[:min(3, len(ids))], ", "))
		}
		return usage("%w; there is none yet", err)
	}
	return err
}

// agent makes the agent; approver is nil where nobody can be asked.
func (r *conversation) agent(approver approval.Approver) *agent.Agent {
	cfg := agent.Config{Model: r.model, Tools: r.tools, Approver: approver, Policy: r.policy, Modes: r.policy,
		System: r.system, Messages: r.messages, Secrets: r.secrets, Rules: r.skills.Rules, Hooks: r.hooks(),
		Observer: &observer{conversation: r, wait: r.ready(time.Now())}, Inbox: &inbox{r, steererOf(approver)},
		Changes: changes{r}, Limits: agent.Limits{Steps: r.cfg.MaxSteps, Cost: r.cfg.MaxCost, Tokens: r.MaxTokens},
		Budget: agent.Budget{Window: known(r.cfg, r.script), CompactAt: r.cfg.CompactAt, Sources: r.sources(),
			Overflow: func(text string) string { return scheme + r.outputs.Keep(text) }}}
	if r.cfg.Fallback != "" && r.another != nil {
		cfg.Retries.Fallback = func() (provider.Model, error) { return r.another(r.cfg.Fallback) }
	}
	a := agent.New(cfg)
	r.asker.set(approver, a, r.project)
	if len(r.gone) > 0 {
		a.Note(r.lost())
	}
	return a
}

// attach reads what messages name, finder finds it while a person types.
func (r *project) attach() attach.Reader {
	return attach.Reader{Workspace: r.ws, MayRead: r.album.mayRead, Resource: r.env.Resources.Named}
}

func (r *project) finder() *finder.Finder {
	return &finder.Finder{Walk: func(ctx context.Context, yield func(string, time.Time) bool) error {
		return tool.Files(ctx, r.ws, yield)
	}}
}

// unpriced says that a limit of cost does not hold, "" if it does or there is none.
func (r *project) unpriced() string {
	name := r.model.Name()
	if r.cfg.MaxCost == 0 || r.script || known(r.cfg, false)(name).Price.Known() {
		return ""
	}
	return fmt.Sprintf("max_cost does not hold: the price of %s is not known. [models.%q] with price_input and "+
		"price_output in the config file sets it", name, name)
}

// name returns the workspace's name for the screen.
func (r *project) name() string { return strings.TrimPrefix(filepath.Base(r.dir), "scrollkeep-") }

// hello returns the first lines of plain mode.
func (r *conversation) hello(person bool) string {
	lines := []string{fmt.Sprintf("scrollkeep %s, model: %s, workspace: %s, mode: %s", r.version, r.model.Name(),
		r.name(), r.policy.Mode())}
	if read := r.read(); read != "" {
		lines = append(lines, "instructions: "+read)
	}
	lines = append(lines, r.startNotices()...)
	if person {
		return strings.Join(append(lines,
			"Plain mode: each line is a message, and every change needs your approval. /undo undoes one, /help lists "+
				"the commands, /quit exits. At a question, ? shows all answers."), "\n")
	}
	return strings.Join(append(lines,
		"Plain mode: each line is a message. Nobody can be asked here, so whatever no rule allows is denied. "+
			"The end of the input exits."), "\n")
}
