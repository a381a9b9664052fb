package app

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// conversationLog is where a conversation is kept; *session.Log is one.
type conversationLog interface {
	Append(provider.Message) error
	Clear() error
	Compact(messages []provider.Message, line string) error
	RollBack(kept, report []provider.Message, said string) error
	News() []string
}

// nopLog keeps nothing: that is --no-log.
type nopLog struct{}

func (nopLog) Append(provider.Message) error                    { return nil }
func (nopLog) Clear() error                                     { return nil }
func (nopLog) Compact([]provider.Message, string) error         { return nil }
func (nopLog) RollBack(_, _ []provider.Message, _ string) error { return nil }
func (nopLog) News() []string                                   { return nil }

// keeper returns the log of the conversation, which another session may have taken the place of.
func (r *conversation) keeper() conversationLog {
	if r.log == nil {
		return nopLog{}
	}
	return r.log
}

// observer keeps what an agent tells of a conversation: its log, its todo list, and what was said
// of directories.
type observer struct {
	*conversation
	wait func(ctx context.Context) // for tools that come soon
}

func (o *observer) TurnStarted(ctx context.Context) { o.wait(ctx) }

func (o *observer) MessageAdded(m provider.Message) error { return o.keeper().Append(m) }

func (o *observer) Cleared() error {
	o.nested.Forget()
	o.todo.Set(nil)
	return o.keeper().Clear()
}

func (o *observer) Compacted(messages []provider.Message, line string) error {
	o.nested.Forget()
	return o.keeper().Compact(messages, line)
}

func (o *observer) RolledBack(kept, report []provider.Message, said string) error {
	o.nested.Forget()
	return o.keeper().RollBack(kept, report, said)
}

func (o *observer) News() []string { return append(o.keeper().News(), o.nested.News()...) }

// steerer is a front end in which a person can say something while a turn runs.
type steerer interface {
	Steer(ctx context.Context) []agent.Message
}

// steererOf returns the front end that asks if it is a steerer, and nil otherwise.
func steererOf(approver approval.Approver) steerer {
	s, _ := approver.(steerer)
	return s
}

// inbox is what comes into a conversation while a turn runs.
type inbox struct {
	*conversation
	person steerer // nil: nobody
}

func (i *inbox) Steering(ctx context.Context) []agent.Message {
	if i.person == nil {
		return nil
	}
	return i.person.Steer(ctx)
}

func (i *inbox) FinishedJobs() []job.Job { return i.jobs.TakeEnded() }

func (i *inbox) Warnings() []string { return i.ws.LateWrites() }

// changes takes back what a conversation changed.
type changes struct{ *conversation }

func (c changes) Undo(ctx context.Context, id string, n int) (tool.Call, error) {
	return tool.Undo(ctx, c.env, id, n)
}

func (c changes) Rewind(n int) []tool.Return { return tool.Rewind(c.env, n) }
