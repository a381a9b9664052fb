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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
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

// conversation holds the state of one conversation with a model: of the user's, or of an agent that
// the model has started.
type conversation struct {
	*project
	tools   *tool.Registry
	env     tool.Env     // The environment of this conversation's tools.
	history undo.History // The file changes that the tools have made, for /undo.
	// The todo list of the model and the user.
	todo      todo.Board
	questions tool.Questions // Passes the model's questions to the user.
	// The ids of background jobs that the messages mention and that ended together with an earlier
	// process.
	lostJobs []string
	// The system prompt.
	system   string
	briefing briefing.Briefing
	// The instructions of subdirectories, for when the model reads a file there.
	nested *briefing.Nested
	log    *session.Log // The session log; nil if none is written.
	// Where session logs are stored.
	logConfig session.Config
	id        string // The id of the session.
	// The messages of the resumed session; nil for a new one.
	messages []provider.Message
	remarks  []string // Lines that the user is shown at the start, after the notices of the project.
	restored []string // Lines about what was restored of a resumed session.

	cells *tool.Cells // Runs code cells (tool eval); nil if the user has not turned them on.
	crew  *crew.Crew  // Manages the agents that the model starts; nil if it cannot start any.
	// The agent of this conversation; nil before newAgent, and for a started agent's conversation.
	mainAgent *agent.Agent
	// Describes the started agent whose conversation this is; nil for the user's own conversation.
	agentOpening *crew.Opening
	// The conversation that has started this agent; nil for the user's own conversation.
	parent *conversation
	// Reports whether the conversation may have a tool of a server or helper; nil if it has none.
	mayCall     func(tool string) bool
	agentModel  provider.Model    // The model of this agent; nil if it is the project's.
	purse       *agent.Purse      // Counts the cost of this conversation and of its agents.
	spentBefore session.Spent     // What the session had cost before it was resumed.
	approver    approval.Approver // Asks the user; nil if nobody can be asked.
	agents      openAgents        // The open logs of the agents that the model has started, by their ids.
	// What agents were doing when an earlier process ended, in lines for the model.
	interrupted []string
}

// conversationOptions describes the conversation to open. The zero value means a new one with all
// tools and a log.
type conversationOptions struct {
	Tools    []string // The names of the tools that the conversation has; nil means all.
	NoLog    bool
	Resume   string // The id of a session to resume; "" for none.
	Continue bool   // Resume the last session of the workspace.
	Fork     bool   // Continue in a copy of the resumed session.

	Agent  *crew.Opening // The agent, started by Parent, whose conversation it is; nil for the user's own.
	Parent *conversation
}

// conversationOptions returns the options for the conversation that the command line asks for.
func (s settings) conversationOptions() conversationOptions {
	return conversationOptions{NoLog: s.NoLog, Resume: s.Resume, Continue: s.Continue, Fork: s.Fork}
}

// openConversation opens a conversation in the project: a new one, a resumed one, or that of an
// agent.
func (r *project) openConversation(ctx context.Context, p Host, o conversationOptions) (*conversation, error) {
	c := &conversation{project: r, purse: new(agent.Purse)}
	c.env = r.env
	c.env.History, c.env.Todo, c.env.Tags = &c.history, &c.todo, r.newSnapshots(r.cfg.EditFormat)
	c.env.Addresses, c.env.Team.ID = c.addresses(), team.Main
	if o.Agent == nil {
		c.env.Questions = &c.questions
		c.employ(p)
	} else if err := c.serve(o.Agent, o.Parent); err != nil {
		return nil, err
	}
	c.makeBriefing(ctx, p)
	c.env.Instructions = c.nested.ForFile
	c.tools = tool.Builtin(c.env)
	if o.Tools != nil {
		c.tools = c.tools.Only(o.Tools...)
	}
	if o.Agent != nil {
		c.system += o.Agent.System + c.planNote()
		if err := c.only(o.Agent, o.Parent); err != nil {
			return nil, err
		}
	}
	if o.Agent != nil {
		if err := c.openAgentLog(o.Agent, o.Parent); err != nil {
			return nil, err
		}
	} else if err := c.openLog(ctx, o, config.StateDir(p.getenv)); err != nil {
		return nil, err
	}
	if err := c.takeUpChoices(o); err != nil {
		return nil, errors.Join(err, c.close())
	}
	if notice := c.costLimitNotice(); notice != "" {
		c.remarks = append(c.remarks, notice)
	}
	c.restoreAgents()
	if c.findLostJobs(c.messages); len(c.lostJobs) > 0 && o.Agent == nil {
		c.restored = append(c.restored, c.lostJobsText())
	}
	c.limitForeignTools(r.model.Name())
	if c.mayCall = c.foreignTools(o); c.mayCall != nil {
		r.foreign.addRegistry(c.tools, c.mayCall)
		if err := c.addHelperTools(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// toolNames returns the sorted names of the tools that the model has at the moment.
func (c *conversation) toolNames() (names []string) {
	for _, s := range c.tools.Specs() {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// startNotices returns all lines that the user is shown at the start.
func (c *conversation) startNotices() []string {
	return slices.Concat(c.notices, c.remarks, c.restored)
}

// close closes the conversation, its agents and its log. What it shares with other conversations
// stays open.
func (c *conversation) close() error {
	if c.crew != nil {
		if err := c.crew.Close(); err != nil {
			return err
		}
	}
	if c.cells != nil {
		c.cells.Close()
	}
	c.foreign.removeRegistry(c.tools)
	switch {
	case c.log == nil:
		return nil
	case c.agentOpening != nil:
		return c.closeAgentLog()
	}
	return c.log.Close()
}

// openLog creates or resumes the session log. Even the demo has a log, because /tree, /rewind and
// compactions need one. It is beside the demo's workspace, and is removed when agentshell ends.
func (r *conversation) openLog(ctx context.Context, o conversationOptions, stateDir string) error {
	if r.demo {
		stateDir = r.demoLog()
	}
	cfg := session.Config{
		Dir: filepath.Join(stateDir, "sessions"), Workspace: r.ws.Dir(), Model: r.model.Name(), Secrets: r.secrets,
		Now: time.Now, Random: rand.Reader,
	}
	r.logConfig = cfg
	id := o.Resume
	var err error
	if o.Continue {
		if id, err = lastSession(cfg); err != nil {
			return err
		}
	}
	switch {
	case id != "" && o.Fork:
		r.log, r.messages, err = session.Fork(cfg, id)
	case id != "":
		r.log, r.messages, err = session.Resume(cfg, id)
	case o.NoLog || stateDir == "":
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	default:
		r.log, err = session.Create(cfg)
	}
	switch {
	case errors.Is(err, session.ErrUnknown) || errors.Is(err, session.ErrID):
		return asUsageError(cfg, err)
	case errors.Is(err, session.ErrLocked):
		return fmt.Errorf("%w; agentshell --resume %s --fork continues in a copy", err, id)
	case errors.Is(err, session.ErrInside) && id == "":
		r.remarks = append(r.remarks, "no session log: its directory lies inside the workspace")
		r.id, err = session.NewID(time.Now(), rand.Reader)
		return err
	case err != nil:
		return fmt.Errorf("%w; --no-log runs without a session log", err)
	}
	r.id, r.spentBefore = r.log.ID(), r.log.Spent()
	r.outputs.SetStore(r.log)
	r.restored = append(r.restored, repairs(r.log)...)
	err = errors.Join(r.loadChanges(ctx), r.loadTodo())
	r.remarks = append(r.remarks, r.log.News()...)
	return err
}

// spent returns what the session has cost in all, before it was resumed and since then.
func (r *conversation) spent() session.Spent {
	dollars, priced, unpriced := r.purse.Cost()
	before := r.spentBefore
	return session.Spent{Dollars: before.Dollars + dollars, Priced: before.Priced || priced,
		Unpriced: before.Unpriced || unpriced}
}

// demoLog returns the directory of the demo's session log.
func (r *project) demoLog() string { return r.dir + "-session" }

// loadChanges loads the file changes of the session, so that they can be undone. A change that was
// made just before the process was killed may not be recorded yet; it is loaded, too.
func (r *conversation) loadChanges(ctx context.Context) error {
	changes, err := r.log.Changes()
	r.history.Load(r.log, changes)
	denied, deniedErr := r.log.DeniedChanges()
	r.history.LoadDenied(denied)
	unfinished, unfinishedErr := r.log.UnfinishedChange()
	if unfinished != nil && tool.Settle(ctx, r.env, *unfinished) {
		r.remarks = append(r.remarks, diff.Escape(unfinished.Rel)+" was changed when this session was killed; /undo "+
			"undoes it")
	}
	return errors.Join(err, deniedErr, unfinishedErr)
}

// loadTodo loads the last todo list of the conversation, even if it is in messages that were
// compacted.
func (r *conversation) loadTodo() error {
	messages, err := r.log.FullConversation()
	r.todo.Set(todo.Parse(window.FactsOf(messages).Todo))
	return err
}

// lastSession returns the id of the session in the workspace that was written to last.
func lastSession(cfg session.Config) (string, error) {
	ids, err := session.RecentIDs(cfg)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", UsageErrorf("this workspace has no session yet")
	}
	return ids[0], nil
}

// asUsageError converts err to a usage error if it is about a session id that does not exist, and
// lists existing ids.
func asUsageError(cfg session.Config, err error) error {
	switch {
	case errors.Is(err, session.ErrID):
		return usageError{err}
	case errors.Is(err, session.ErrUnknown):
		if ids, _ := session.RecentIDs(cfg); len(ids) > 0 {
			return UsageErrorf("%w; the last ones are %s", err, strings.Join(ids[:min(3, len(ids))], ", "))
		}
		return UsageErrorf("%w; there is none yet", err)
	}
	return err
}

// newAgent creates the agent that runs the conversation. approver asks the user; it is nil if
// nobody can be asked.
func (r *conversation) newAgent(approver approval.Approver) *agent.Agent {
	asks := asSteerer(approver)
	if person, ok := approver.(tool.Person); ok {
		r.questions.SetPerson(person)
	}
	if r.agentOpening == nil {
		approver = r.watchQuestions(approver)
	}
	observe := &observer{conversation: r, waitForTools: r.waitForServers(time.Now())}
	watch := &runningObserver{observer: observe}
	cfg := agent.Config{Model: r.model, Tools: r.tools, Approver: approver, Policy: r.policy, Modes: r.policy,
		System: r.system, Messages: r.messages, Secrets: r.secrets, HoldSecrets: r.textIsStored(),
		Rules: r.rules(), Structures: r.astGrep,
		Hooks:    r.hooksAndExtensions(),
		Observer: watch,
		Inbox:    &inbox{r, asks},
		Changes:  changes{r}, Purse: r.purse,
		Limits: agent.Limits{Steps: r.cfg.MaxSteps, Cost: r.cfg.MaxCost, Tokens: r.MaxTokens},
		Budget: agent.Budget{Window: r.modelInfo, CompactAt: r.cfg.CompactAt, Sources: r.sources(),
			Overflow: func(text string) string { return artifactScheme + r.outputs.Keep(text) }}}
	if r.newModel != nil {
		cfg.Tier = r.tier
	}
	if r.cfg.Fallback != "" && r.newModel != nil {
		cfg.Retries.Fallback = func() (provider.Model, error) { return r.newModel(r.cfg.Fallback) }
	}
	if r.agentOpening != nil {
		cfg.Observer = observe
		r.configureSubAgent(&cfg, approver)
		return agent.New(cfg)
	}
	r.approver = approver
	a := agent.New(cfg)
	r.mainAgent, watch.note = a, a.Note
	r.serverAsker.connect(approver, a, r.project)
	if len(r.lostJobs) > 0 {
		a.Note(r.lostJobsText())
	}
	if len(r.interrupted) > 0 {
		a.Note(r.interruptedText())
	}
	return a
}

// textIsStored reports whether the answers are printed as plain text to the standard output (-p),
// so that they may be stored in a file.
func (c *conversation) textIsStored() bool { return c.Prompt != nil && c.Output.IsText() }

// attachReader returns the reader for files that messages name with an @.
func (r *project) attachReader() attach.Reader {
	return attach.Reader{Workspace: r.ws, MayRead: r.pictures.mayRead, Resource: r.env.Resources.Named}
}

// newFinder returns the finder that completes the names of files in the workspace.
func (r *project) newFinder() *finder.Finder {
	return &finder.Finder{Walk: func(ctx context.Context, yield func(string, time.Time) bool) error {
		return tool.Files(ctx, r.ws, yield)
	}}
}

// costLimitNotice returns a notice if the limit for the cost cannot be applied, because the price
// of the model is not known. Otherwise it returns "".
func (r *project) costLimitNotice() string {
	name := r.model.Name()
	if r.cfg.MaxCost == 0 || r.script || r.modelInfo(name).Price.Known() {
		return ""
	}
	return fmt.Sprintf("max_cost does not hold: the price of %s is not known. [models.%q] with price_input and "+
		"price_output in the config file sets it", name, name)
}

// displayName returns the name of the workspace for the screen.
func (r *project) displayName() string {
	return strings.TrimPrefix(filepath.Base(r.dir), "agentshell-")
}

// plainIntroduction returns the lines that are printed first in a plain text conversation. person
// says that a user types the input.
func (r *conversation) plainIntroduction(person bool) string {
	lines := []string{fmt.Sprintf("agentshell %s, model: %s, workspace: %s, mode: %s", r.version, r.model.Name(),
		r.displayName(), r.policy.Mode())}
	if files := r.instructionFiles(); files != "" {
		lines = append(lines, "instructions: "+files)
	}
	lines = append(lines, r.startNotices()...)
	if person {
		return strings.Join(append(lines,
			"Plain mode: each line is a message. "+approval.ModeAbout(r.policy.Mode())+". /undo undoes a change, "+
				"/help lists the commands, /quit exits. At a question, ? shows all answers."), "\n")
	}
	return strings.Join(append(lines,
		"Plain mode: each line is a message. "+approval.ModeAbout(r.policy.Mode())+
			". Nobody can be asked here: calls that neither the mode nor a rule allows are denied. The end of the "+
			"input exits."), "\n")
}
