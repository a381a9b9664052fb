package app

import (
	"context"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// conversationLog stores the messages of a conversation. *session.Log implements it.
type conversationLog interface {
	Append(provider.Message) error
	BeginCall(id string) error
	Clear() error
	Compact(messages []provider.Message, line string) error
	RollBack(kept, report []provider.Message, modelText string) error
	News() []string
}

// nopLog is a conversationLog that stores nothing, for --no-log.
type nopLog struct{}

func (nopLog) Append(provider.Message) error                    { return nil }
func (nopLog) BeginCall(string) error                           { return nil }
func (nopLog) Clear() error                                     { return nil }
func (nopLog) Compact([]provider.Message, string) error         { return nil }
func (nopLog) RollBack(_, _ []provider.Message, _ string) error { return nil }
func (nopLog) News() []string                                   { return nil }

// currentLog returns the log that the conversation writes to at the moment. It changes when another
// session is resumed.
func (r *conversation) currentLog() conversationLog {
	if r.log == nil {
		return nopLog{}
	}
	return r.log
}

// observer records what the agent reports: messages in the log, and what has to be forgotten when
// messages are dropped. It implements [agent.Observer].
type observer struct {
	*conversation
	waitForTools func(ctx context.Context) // Waits for tools of MCP servers that are starting.
	begins       bool                      // The next message that is added starts a turn.
}

// TurnStarted implements [agent.Observer]. It waits for tools of MCP servers.
func (o *observer) TurnStarted(ctx context.Context) {
	o.waitForTools(ctx)
	o.begins = true
}

// TurnEnded implements [agent.Observer].
func (o *observer) TurnEnded() {}

// ChangeDenied implements [agent.Observer]. It stores the denied change, so that its diff can be
// shown later.
func (o *observer) ChangeDenied(call string, p *approval.Proposal) {
	if o.agentOpening == nil {
		tool.KeepDenied(o.env, call, p)
	}
}

// MessageAdded implements [agent.Observer]. It stores the message in the log.
func (o *observer) MessageAdded(m provider.Message) error {
	if o.log != nil && o.agentOpening == nil {
		o.log.SetSpent(o.spent())
	}
	if o.begins && o.agentOpening == nil {
		o.begins = false
		o.tellTurn(m)
	}
	return o.currentLog().Append(m)
}

// CallBegins implements [agent.Observer]. It records in the log that a tool call has begun.
func (o *observer) CallBegins(id string) error { return o.currentLog().BeginCall(id) }

// Cleared implements [agent.Observer]. It forgets what belonged to the dropped messages, such as
// the todo list.
func (o *observer) Cleared() error {
	o.nested.Forget()
	o.todo.Set(nil)
	o.env.Team.ForgetReadings()
	o.env.Team.Local.Forget(tool.ApprovedPlan)
	return o.currentLog().Clear()
}

// Compacted implements [agent.Observer]. It records in the log that the messages were shortened to
// these.
func (o *observer) Compacted(messages []provider.Message, line string) error {
	o.nested.Forget()
	return o.currentLog().Compact(messages, line)
}

// RolledBack implements [agent.Observer]. It records in the log that the model went back to its
// checkpoint.
func (o *observer) RolledBack(kept, report []provider.Message, modelText string) error {
	o.nested.Forget()
	return o.currentLog().RollBack(kept, report, modelText)
}

// News implements [agent.Observer]. It returns lines for the user about the log, instructions and
// code.
func (o *observer) News() []string {
	return slices.Concat(o.currentLog().News(), o.nested.News(), o.codeNews.take())
}

// steerer is a front end in which the user can send messages while a turn runs.
type steerer interface {
	Steer(ctx context.Context) []agent.Message
}

// asSteerer returns approver as a steerer, or nil if it does not implement that.
func asSteerer(approver approval.Approver) steerer {
	s, _ := approver.(steerer)
	return s
}

// inbox gives the main agent what arrives while a turn runs: messages of the user and of agents,
// ends of jobs, and warnings about files. It implements [agent.Inbox].
type inbox struct {
	*conversation
	person steerer // Returns the user's messages; nil if the front end has none during a turn.
}

// Steering returns the messages that the user has sent during the turn.
func (i *inbox) Steering(ctx context.Context) []agent.Message {
	if i.person == nil {
		return nil
	}
	return i.person.Steer(ctx)
}

// Mail returns the messages that agents have sent to the main agent.
func (i *inbox) Mail() []agent.Message {
	if i.crew == nil {
		return nil
	}
	return i.crew.Mail()
}

// Outdated returns the files that the model has read and that have changed since.
func (i *inbox) Outdated() []tool.Outdated { return i.env.Team.Outdated() }

// FinishedJobs returns the background jobs that have ended, each once.
func (i *inbox) FinishedJobs() []job.Job { return i.jobs.TakeEnded() }

// Warnings returns texts for the model about changed files. It waits a moment for language servers.
func (i *inbox) Warnings() []string {
	return slices.Concat(i.ws.LateWrites(), i.conflictTexts(), i.newDiagnostics(diagnosticsWait))
}

// Findings returns what language servers have found, without waiting for them.
func (i *inbox) Findings() []string { return i.newDiagnostics(0) }

// changes undoes the file changes that the tools of a conversation have made. It implements
// [agent.Changes].
type changes struct{ *conversation }

// Undo implements [agent.Changes].
func (c changes) Undo(ctx context.Context, id string, n int) (tool.Call, error) {
	return tool.Undo(ctx, c.env, id, n)
}

// Rewind implements [agent.Changes].
func (c changes) Rewind(n int) []tool.Return { return tool.Rewind(c.env, n) }
