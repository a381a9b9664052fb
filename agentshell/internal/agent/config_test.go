package agent_test

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// observer is an Observer of functions, each of which may be missing.
type observer struct {
	agent.NopObserver
	added      func(provider.Message) error
	cleared    func() error
	compacted  func([]provider.Message, string) error
	rolledBack func(kept, report []provider.Message, said string) error
}

func (o observer) MessageAdded(m provider.Message) error {
	if o.added == nil {
		return nil
	}
	return o.added(m)
}

func (o observer) Cleared() error {
	if o.cleared == nil {
		return nil
	}
	return o.cleared()
}

func (o observer) Compacted(messages []provider.Message, line string) error {
	if o.compacted == nil {
		return nil
	}
	return o.compacted(messages, line)
}

func (o observer) RolledBack(kept, report []provider.Message, said string) error {
	if o.rolledBack == nil {
		return nil
	}
	return o.rolledBack(kept, report, said)
}

// inbox is an Inbox of functions, each of which may be missing.
type inbox struct {
	agent.NopInbox
	steering func(context.Context) []agent.Message
	finished func() []job.Job
	warnings func() []string
	findings func() []string
}

func (i inbox) Steering(ctx context.Context) []agent.Message {
	if i.steering == nil {
		return nil
	}
	return i.steering(ctx)
}

func (i inbox) FinishedJobs() []job.Job {
	if i.finished == nil {
		return nil
	}
	return i.finished()
}

func (i inbox) Findings() []string {
	if i.findings == nil {
		return nil
	}
	return i.findings()
}

func (i inbox) Warnings() []string {
	if i.warnings == nil {
		return nil
	}
	return i.warnings()
}

// undoes is Changes of which any can be undone by a function.
type undoes func(ctx context.Context, id string, n int) (tool.Call, error)

func (u undoes) Undo(ctx context.Context, id string, n int) (tool.Call, error) { return u(ctx, id, n) }
func (u undoes) Rewind(int) []tool.Return                                      { return nil }

// mode is Modes of a function.
type mode func() string

func (m mode) Mode() string { return m() }
