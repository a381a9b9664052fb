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
	begins       bool                      // The next message starts a turn.
}

func (o *observer) TurnStarted(ctx context.Context) {
	o.waitForTools(ctx)
	o.begins = true
}

func (o *observer) TurnEnded() {}

func (o *observer) ChangeDenied(call string, p *approval.Proposal) {
	if o.agentOpening == nil {
		tool.KeepDenied(o.env, call, p)
	}
}

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

func (o *observer) CallBegins(id string) error { return o.currentLog().BeginCall(id) }

func (o *observer) Cleared() error {
	o.nested.Forget()
	o.todo.Set(nil)
	o.env.Team.ForgetReadings()
	o.env.Team.Local.Forget(tool.ApprovedPlan)
	return o.currentLog().Clear()
}

func (o *observer) Compacted(messages []provider.Message, line string) error {
	o.nested.Forget()
	return o.currentLog().Compact(messages, line)
}

func (o *observer) RolledBack(kept, report []provider.Message, modelText string) error {
	o.nested.Forget()
	return o.currentLog().RollBack(kept, report, modelText)
}

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

// inbox brings messages into a conversation while a turn runs.
type inbox struct {
	*conversation
	person steerer // Returns the user's messages; nil if the front end has none during a turn.
}

func (i *inbox) Steering(ctx context.Context) []agent.Message {
	if i.person == nil {
		return nil
	}
	return i.person.Steer(ctx)
}

func (i *inbox) Mail() []agent.Message {
	if i.crew == nil {
		return nil
	}
	return i.crew.Mail()
}

func (i *inbox) Outdated() []tool.Outdated { return i.env.Team.Outdated() }

func (i *inbox) FinishedJobs() []job.Job { return i.jobs.TakeEnded() }

func (i *inbox) Warnings() []string {
	return slices.Concat(i.ws.LateWrites(), i.conflictTexts(), i.newDiagnostics(diagnosticsWait))
}

func (i *inbox) Findings() []string { return i.newDiagnostics(0) }

// changes takes back the changes of a conversation.
type changes struct{ *conversation }

func (c changes) Undo(ctx context.Context, id string, n int) (tool.Call, error) {
	return tool.Undo(ctx, c.env, id, n)
}

func (c changes) Rewind(n int) []tool.Return { return tool.Rewind(c.env, n) }
