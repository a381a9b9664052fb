package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Times for agents that apply unless the configuration file sets others.
const (
	agentIdleTime    = 7 * time.Minute // How long the conversation of an idle agent stays in memory.
	agentMessageTime = 2 * time.Minute // How long an agent waits for a message of another one.
)

// crewmate is the conversation of an agent that the model has started.
type crewmate struct {
	*agent.Agent
	// The conversation of the agent.
	talk *conversation
}

// Close ends the agent's conversation.
func (m crewmate) Close() error { return m.talk.close() }

// employ lets the model of this conversation start agents, if the user has turned that on.
func (c *conversation) employ(p Host) {
	if c.cfg.Agents.Max <= 0 || c.agentDepth() == 0 {
		return
	}
	c.crew = crew.New(crew.Config{Kinds: c.agentKinds(), Disabled: c.cfg.Agents.Disabled, Depth: c.agentDepth(),
		Slots: c.cfg.Agents.Max,
		Budget: crew.Budget{Requests: c.cfg.Agents.MaxRequests, Tokens: c.cfg.Agents.MaxTokens,
			Cost: c.cfg.Agents.MaxCost, Time: time.Duration(c.cfg.Agents.MaxMinutes) * time.Minute},
		IdleTime: agentTime(c.cfg.Agents.IdleMinutes, time.Minute, agentIdleTime), Secrets: c.secrets,
		Archive:   agentLogs{c},
		WakesMain: c.screen && c.cfg.Wake != wakeOff,
		StopMain:  func() { c.mainAgent.StopTurn() },
		Isolation: c.cfg.Agents.Isolation == "worktree",
		Open: func(ctx context.Context, o crew.Opening) (crew.Conversation, error) {
			if o.Isolated {
				return c.openIsolated(ctx, p, o)
			}
			mate, err := c.openConversation(ctx, p, conversationOptions{Agent: &o, Parent: c})
			if err != nil {
				return nil, err
			}
			return crewmate{mate.newAgent(c.approver), mate}, nil
		}})
	c.env.Team = tool.Team{ID: team.Main, Crew: c.crew.For(team.Main, 0), Peers: c.crew.Peers(team.Main),
		InBackground: c.cfg.Agents.Background && c.env.Commands.Patience > 0, // only if their work is shown
		MessageTime:  agentTime(c.cfg.Agents.MessageSeconds, time.Second, agentMessageTime),
		Readings:     c.env.Team.Readings, Local: new(tool.LocalTexts)}
	c.env.Addresses[tool.LocalScheme] = c.env.Team.Local.Read
	c.env.Addresses["agent"] = func(_ context.Context, id string) (string, error) { return c.agentText(id) }
	c.env.Addresses["history"] = func(_ context.Context, id string) (string, error) { return c.crew.History(id) }
}

// agentKinds returns the kinds of agents that the model can start: those of the workspace, if the
// user has allowed them, those of the user, and the bundled ones. If several have the same name,
// the first one is used.
func (r *project) agentKinds() (kinds []crew.Kind) {
	for _, d := range r.skills.Agents {
		kinds = append(kinds, crew.Kind{Name: d.Name, About: d.About, Prompt: d.Prompt, Tools: d.Tools, Model: d.Model,
			Output: d.Output, Spawns: d.Spawns, Blocking: d.Blocking, Isolated: d.Isolated})
	}
	return append(kinds, crew.Bundled()...)
}

// planNote returns a sentence for an agent's system prompt about the plan that the user has
// approved, or "" if there is none.
func (c *conversation) planNote() string {
	if !c.env.Team.Local.Has(tool.ApprovedPlan) || c.policy.Mode() == approval.ModePlan {
		return ""
	}
	return "\nThe user has approved a plan for the session, of which your work may be a part. read_file " +
		tool.LocalScheme + "://" + tool.ApprovedPlan + " shows it.\n"
}

// refreshKinds makes the present kinds of agents available to the model.
func (c *conversation) refreshKinds() {
	if c.crew != nil {
		c.crew.SetKinds(c.agentKinds())
	}
}

// agentDepth returns how deeply agents may start other agents; 1 means that only the main agent can
// start some.
func (r *project) agentDepth() int {
	if r.cfg.Agents.Depth == nil {
		return 2
	}
	return *r.cfg.Agents.Depth
}

// agentTime returns a setting as a duration: n times unit, or unset if n is nil.
func agentTime(n *int, unit, unset time.Duration) time.Duration {
	if n == nil {
		return unset
	}
	return time.Duration(*n) * unit
}

// serve sets c up as the conversation of an agent that works for parent. The agent has no
// background jobs, because nobody would learn of their end. Its file changes can be undone in
// parent's conversation.
func (c *conversation) serve(o *crew.Opening, parent *conversation) error {
	c.agentOpening, c.parent, c.purse = o, parent, parent.purse
	c.env.History, c.env.Modes, c.env.Checkpoints = &parent.history, nil, false
	c.env.Commands.Jobs, c.env.Commands.Patience = nil, 0
	if c.work != nil { // changes in its copy need no /undo
		c.env.History = &c.history
	}
	c.env.Team = tool.Team{ID: o.ID, Crew: o.Crew, Peers: parent.crew.Peers(o.ID),
		MessageTime: parent.env.Team.MessageTime, Readings: c.env.Team.Readings, Local: parent.env.Team.Local}
	for _, scheme := range []string{"agent", "history", tool.LocalScheme} {
		c.env.Addresses[scheme] = parent.env.Addresses[scheme]
	}
	if m, is := c.model.(interface {
		For(agent string) provider.Model
	}); is { // a scripted model
		c.agentModel = m.For(o.ID)
	}
	if o.Kind.Model == "" && c.newModel == nil {
		return nil
	}
	if c.newModel == nil {
		return fmt.Errorf("agents of the kind %s want the model %s, and there is no other one here", o.Kind.Name,
			o.Kind.Model)
	}
	model, err := c.newModel(cmp.Or(o.Kind.Model, parent.presentModel().Name()))
	c.agentModel = model
	return err
}

// configureSubAgent changes cfg for an agent that another one has started. The agent does not get
// the user's messages or the ends of jobs. person asks the user, who is told which agent asks.
func (c *conversation) configureSubAgent(cfg *agent.Config, person approval.Approver) {
	cfg.Sub, cfg.Inbox, cfg.Hooks = true, agentInbox{c.agentOpening.Inbox, c}, c.hooks()
	if c.agentModel != nil {
		cfg.Model = c.agentModel
	}
	if person != nil {
		cfg.Approver = c.agentOpening.Approve(person)
	}
	own := c.policy.Of(c.agentOpening.ID, c.agentOpening.Kind.Name)
	cfg.Policy = own
	if c.work != nil {
		cfg.Approver, cfg.Policy = copyApprover{cfg.Approver}, copyPolicy{own}
	}
}

// agentInbox is the inbox of a started agent: messages of other agents, and warnings about files.
type agentInbox struct {
	agent.Inbox
	c *conversation
}

// Outdated implements [agent.Inbox].
func (w agentInbox) Outdated() []tool.Outdated { return w.c.env.Team.Outdated() }

// Warnings implements [agent.Inbox].
func (w agentInbox) Warnings() []string {
	return slices.Concat(w.c.ws.LateWrites(), w.c.newDiagnostics(diagnosticsWait))
}

// Findings implements [agent.Inbox].
func (w agentInbox) Findings() []string { return w.c.newDiagnostics(0) }

// only removes all tools but those that the kind of the agent, and the kinds of all agents above
// it, may use. It adds the tools with which the agent ends, writes messages and starts agents.
func (c *conversation) only(o *crew.Opening, parent *conversation) error {
	var names []string
	for _, s := range parent.tools.Specs() {
		names = append(names, s.Name)
	}
	for _, kind := range append(o.Above, o.Kind) {
		names = kind.Allowed(names)
	}
	if c.policy.Mode() == approval.ModePlan {
		names = crew.Reading(names)
	}
	names = append(names, "irc")
	if o.Crew != nil {
		names = append(names, "task")
	}
	tools := slices.DeleteFunc(c.tools.Tools(), func(t tool.Tool) bool {
		return !slices.Contains(names, t.Spec().Name)
	})
	var err error
	c.tools, err = tool.NewRegistry(append(tools, o.Yield)...)
	return err
}

// foreignTools returns a function that reports which tools of servers and helpers the conversation
// may have, or nil if it has none. An agent may have those that its kind, and the kinds of all
// agents above it, may use. In plan mode agents have none.
func (c *conversation) foreignTools(o conversationOptions) func(name string) bool {
	switch {
	case o.Tools != nil:
		return nil
	case o.Agent == nil:
		return func(string) bool { return true }
	case o.Parent.mayCall == nil || c.policy.Mode() == approval.ModePlan:
		return nil
	}
	kinds := append(slices.Clone(o.Agent.Above), o.Agent.Kind)
	return func(name string) bool {
		return o.Parent.mayCall(name) && !slices.ContainsFunc(kinds, func(k crew.Kind) bool { return !k.MayUse(name) })
	}
}
