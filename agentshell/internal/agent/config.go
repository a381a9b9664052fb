package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// Config configures an Agent. Model is required; every other field may be zero. Model, Tools and
// Approver are enough for a sub-agent.
type Config struct {
	Model    provider.Model
	Tools    Tools             // those that there are when the model is asked are offered; nil: none
	Approver approval.Approver // nil: nobody is there, what would have to be asked is denied (HARN-10)
	Policy   Policy            // nil: asks for every proposal
	Modes    Modes             // nil: there is none
	System   string
	Messages []provider.Message // a conversation to go on with; copied

	// Secrets are left out of all events, of the conversation, and so of what the model is sent.
	// Calls run with what the model wrote.
	Secrets secret.Set
	// Rules interrupt the model while it writes what they do not want.
	Rules []streamrule.Rule
	// Hooks have a say in calls and at the end of a turn; nil: there are none.
	Hooks Hooks

	Observer Observer // nil: a [NopObserver]
	Inbox    Inbox    // nil: a [NopInbox]
	Changes  Changes  // nil: none are kept, so nothing can be taken back

	Retries Retries
	Limits  Limits
	Budget  Budget
	// Sub says that the conversation is a sub-agent's: it has no checkpoints.
	Sub bool
}

// Tools lists the tools that the model may call, and prepares their calls. A *tool.Registry is one.
// The agent calls Prepare only with names that Specs returns.
type Tools interface {
	Specs() []provider.Tool
	Prepare(ctx context.Context, name, id string, input json.RawMessage) (tool.Call, error)
}

// Policy says what rules and modes make of a call before a person is asked. It must be safe for
// concurrent use.
type Policy interface {
	Decide(approval.Subject) approval.Verdict
}

// Modes returns the mode of the session. The model reads it beside the person's messages.
type Modes interface{ Mode() string }

// Observer follows the conversation. Its methods are called on the goroutine of the turn. Embed a
// [NopObserver] to have only some of the methods.
type Observer interface {
	// TurnStarted is called at the beginning of each turn. It may wait, for tools that come soon.
	TurnStarted(ctx context.Context)
	// MessageAdded is called with each message that joins the conversation, in order.
	MessageAdded(provider.Message) error
	// Cleared is called when the conversation starts over.
	Cleared() error
	// Compacted is called with the messages that replace the conversation, and the line that says
	// so. An error leaves the conversation as it is.
	Compacted(messages []provider.Message, line string) error
	// RolledBack is called when the conversation becomes kept and then report; said are the model's
	// own words in report (SH-42). An error leaves the conversation as it is.
	RolledBack(kept, report []provider.Message, said string) error
	// News is asked after each message that joins, and at the end of a turn, for what the person
	// must hear; each sentence is a [Notice].
	News() []string
}

// NopObserver is an Observer that does nothing.
type NopObserver struct{}

func (NopObserver) TurnStarted(context.Context)                        {}
func (NopObserver) MessageAdded(provider.Message) error                { return nil }
func (NopObserver) Cleared() error                                     { return nil }
func (NopObserver) Compacted([]provider.Message, string) error         { return nil }
func (NopObserver) RolledBack(_, _ []provider.Message, _ string) error { return nil }
func (NopObserver) News() []string                                     { return nil }

// Inbox brings messages into a conversation while a turn runs. Embed a [NopInbox] to have only some
// of the methods.
type Inbox interface {
	// Steering gives what the person has said since the turn began, to go in before the next
	// request. It is called on the goroutine of Turn.
	Steering(ctx context.Context) []Message
	// FinishedJobs gives the background jobs that have ended since it was asked last, each of them
	// once: the model is told of them before the next request.
	FinishedJobs() []job.Job
	// Warnings is asked after each call for what else must be said, one sentence each; the model
	// and the person get it. It is called on any goroutine of the turn.
	Warnings() []string
}

// NopInbox is an Inbox that stays empty.
type NopInbox struct{}

func (NopInbox) Steering(context.Context) []Message { return nil }
func (NopInbox) FinishedJobs() []job.Job            { return nil }
func (NopInbox) Warnings() []string                 { return nil }

// Changes undoes what a session changed.
type Changes interface {
	// Undo prepares to take a change of a file back: n as [tool.Undo] has it.
	Undo(ctx context.Context, id string, n int) (tool.Call, error)
	// Rewind gives the files that were changed after change n, to become what they were then.
	Rewind(n int) []tool.Return
}

// Retries says how often a model call is tried.
type Retries struct {
	Attempts int           // of one model call; 0: 5
	Wait     time.Duration // before the second attempt, doubled for each further one; 0: 1 s
	MaxWait  time.Duration // 0: 60 s; a provider that asks for more is not tried again
	// Fallback gives the model that answers for the rest of a turn where the other one cannot be
	// reached after all attempts; nil: none does.
	Fallback func() (provider.Model, error)
}

// Limits say where a turn ends.
type Limits struct {
	Steps int // model calls in one turn; 0: 200
	// Cost is what the session may cost in dollars; 0: as much as it does. It holds for models
	// whose price is known.
	Cost float64
	// Tokens is how many tokens all requests of this agent may take, sent and answered; 0: as many
	// as they do.
	Tokens int
}

// Budget says how long the conversation may become.
type Budget struct {
	Bounds provider.Bounds // of the conversation; the bounds of an answer are the Model's
	// Window is what is known of a model; nil: nothing, then no conversation is too long by itself.
	Window func(model string) window.Model
	// CompactAt is the percentage of the window from which on the conversation is compacted; 0: 80;
	// below 0: only when the person wants it, or the model refuses it.
	CompactAt int
	// Sources is where the model can read again what a compaction leaves out.
	Sources window.Sources
	// Overflow keeps the text of a result for which the window has no room, and gives the address
	// by which the model reads the rest of it; nil: that is lost.
	Overflow func(text string) (address string)
}

// withDefaults returns the configuration with what stands for its zero values.
func (c Config) withDefaults() Config {
	if c.Observer == nil {
		c.Observer = NopObserver{}
	}
	if c.Inbox == nil {
		c.Inbox = NopInbox{}
	}
	c.Limits.Steps = cmp.Or(c.Limits.Steps, 200)
	c.Retries.Attempts = cmp.Or(c.Retries.Attempts, 5)
	c.Retries.Wait = cmp.Or(c.Retries.Wait, time.Second)
	c.Retries.MaxWait = cmp.Or(c.Retries.MaxWait, time.Minute)
	c.Budget.Bounds = c.Budget.Bounds.OrDefault()
	c.Budget.CompactAt = cmp.Or(c.Budget.CompactAt, 80)
	return c
}
