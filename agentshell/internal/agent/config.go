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

// Config configures an Agent. Model is required; every other field may be zero. A sub-agent needs
// only Model, Tools and Approver.
type Config struct {
	Model provider.Model
	Tools Tools // the tools that the model may call; nil: none
	// asks the user; nil: there is nobody to ask, and calls that need an answer are denied
	// (HARN-10)
	Approver approval.Approver
	// decides by rules and the mode before the user is asked; nil: the user is asked about every
	// proposal
	Policy   Policy
	Modes    Modes // tells the mode of the session, such as plan; nil: the session has no modes
	System   string
	Messages []provider.Message // the conversation to continue; New copies it

	// Secrets are replaced in all events and in the conversation, so that the model does not get
	// them either. Calls run with the arguments that the model wrote, unchanged.
	Secrets secret.Set
	// HoldSecrets delays streamed text a little, so that not even the first letters of a secret get
	// through. It is meant for output that is stored: a user who watches the stream would notice
	// the delay.
	HoldSecrets bool
	// Rules are stream rules: each interrupts or reminds the model when its output matches the
	// rule.
	Rules []streamrule.Rule
	// Structures searches code for the ast-grep patterns of Rules; nil: rules with such patterns
	// are not applied.
	Structures streamrule.Structures
	// Hooks runs the user's hook programs, which can forbid calls and add text for the model; nil:
	// none.
	Hooks Hooks

	Observer Observer // is told of changes of the conversation; nil: a [NopObserver]
	Inbox    Inbox    // delivers messages during a turn; nil: a [NopInbox]
	Changes  Changes  // nil: file changes are not recorded, and cannot be undone
	// Tier returns the model of a tier (default, smol, slow). Running calls, such as code of the
	// eval tool, can send requests of their own to it. nil: only the tier default exists, with the
	// model of the conversation.
	Tier func(tier string) (provider.Model, error)

	Retries Retries
	Limits  Limits
	Purse   *Purse // counts cost and tokens; agents with the same Purse share the limits; nil: a new one
	Budget  Budget
	// Sub says that this is the conversation of a sub-agent, which has no checkpoints.
	Sub bool
}

// Tools lists the tools that the model may call, and prepares calls of them. *tool.Registry
// implements it. The agent calls Prepare only with names that Specs returns.
type Tools interface {
	Specs() []provider.Tool
	Prepare(ctx context.Context, name, id string, input json.RawMessage) (tool.Call, error)
}

// Policy decides calls by the user's rules and the mode, before the user is asked. It must be safe
// for concurrent use.
type Policy interface {
	Decide(approval.Subject) approval.Verdict
}

// Modes returns the current mode of the session, such as plan mode. The model is told the mode with
// the user's messages.
type Modes interface{ Mode() string }

// Observer is told of every change of the conversation, for instance to write a session log. Its
// methods are called on the goroutine of the turn, unless stated otherwise. Embed a [NopObserver]
// to implement only some of the methods.
type Observer interface {
	// TurnStarted is called at the beginning of each turn. It may block for a short time, until
	// tools that are about to become available are ready.
	TurnStarted(ctx context.Context)
	// TurnEnded is called at the end of each turn.
	TurnEnded()
	// MessageAdded is called with each message that is added to the conversation, in order.
	MessageAdded(provider.Message) error
	// CallBegins is called before a call of the model that may change something runs. If it returns
	// an error, the call ends with that error and does not run. It may be called on any goroutine
	// of the turn.
	CallBegins(id string) error
	// Cleared is called when the user deletes the conversation.
	Cleared() error
	// Compacted is called with the messages that are about to replace the conversation, and with a
	// line that describes the compaction. If it returns an error, the conversation stays as it is.
	Compacted(messages []provider.Message, line string) error
	// RolledBack is called before the conversation goes back to a checkpoint: it will consist of
	// the kept messages, followed by the messages of report. modelText is the text in report that
	// the model wrote (SH-42). If RolledBack returns an error, the conversation stays as it is.
	RolledBack(kept, report []provider.Message, modelText string) error
	// ChangeDenied is called when the change of a file was denied. call is the id of the call. It
	// may be called on any goroutine of the turn.
	ChangeDenied(call string, p *approval.Proposal)
	// News is called after each added message, and at the end of a turn. It returns new sentences
	// for the user, such as write errors of the log. Each becomes a [Notice].
	News() []string
}

// NopObserver is an Observer that ignores everything.
type NopObserver struct{}

func (NopObserver) TurnStarted(context.Context)                        {}
func (NopObserver) TurnEnded()                                         {}
func (NopObserver) MessageAdded(provider.Message) error                { return nil }
func (NopObserver) CallBegins(string) error                            { return nil }
func (NopObserver) Cleared() error                                     { return nil }
func (NopObserver) Compacted([]provider.Message, string) error         { return nil }
func (NopObserver) RolledBack(_, _ []provider.Message, _ string) error { return nil }
func (NopObserver) ChangeDenied(string, *approval.Proposal)            {}
func (NopObserver) News() []string                                     { return nil }

// Inbox delivers messages to the model while a turn runs. Embed a [NopInbox] to implement only some
// of the methods.
type Inbox interface {
	// Steering returns the messages that the user has sent since the turn began. They are added to
	// the conversation before the next request. It is called on the goroutine of the turn.
	Steering(ctx context.Context) []Message
	// Mail returns the messages of other agents that have come since the last call. They are added
	// to the conversation before the next request, even before the first one of a turn.
	Mail() []Message
	// Outdated returns files that the model has read and that another agent has changed since. It
	// returns each change only once. The model is told of them before the next request.
	Outdated() []tool.Outdated
	// Findings returns texts for the model about errors that language servers have found in changed
	// files since the last call. The model gets them before the next request.
	Findings() []string
	// FinishedJobs returns the background jobs that have ended since the last call. The model is
	// told of them before the next request.
	FinishedJobs() []job.Job
	// Warnings is called after each tool call. It returns sentences that are appended to the result
	// of the call, for both the model and the user. It may be called on any goroutine of the turn.
	Warnings() []string
}

// NopInbox is an Inbox that is always empty.
type NopInbox struct{}

func (NopInbox) Steering(context.Context) []Message { return nil }
func (NopInbox) Mail() []Message                    { return nil }
func (NopInbox) Outdated() []tool.Outdated          { return nil }
func (NopInbox) Findings() []string                 { return nil }
func (NopInbox) FinishedJobs() []job.Job            { return nil }
func (NopInbox) Warnings() []string                 { return nil }

// Changes undoes the file changes that a session has made.
type Changes interface {
	// Undo prepares a call that undoes the file change with number n, see [tool.Undo]. The call has
	// the given id.
	Undo(ctx context.Context, id string, n int) (tool.Call, error)
	// Rewind returns all files that were changed after change number n, each with a call that
	// restores the content that the file had then.
	Rewind(n int) []tool.Return
}

// Retries says how often, and after which waits, a failed request to the model is repeated.
type Retries struct {
	Attempts int           // the number of attempts for one request; 0: 5
	Wait     time.Duration // the wait before the second attempt, doubled for each further one; 0: 1 s
	// the longest wait; 0: 60 s. If the provider asks for a longer one, the request fails at once
	MaxWait time.Duration
	// Fallback returns the model that answers for the rest of the turn if the chosen model cannot
	// be reached; nil: there is none.
	Fallback func() (provider.Model, error)
}

// Limits says after how many requests, dollars or tokens a turn ends.
type Limits struct {
	Steps int // the number of requests to the model in one turn; 0: 200
	// Cost is the amount in dollars that all requests counted by the Purse may cost; 0: no limit.
	// Requests to models without a known price count as free.
	Cost float64
	// Tokens is the number of input and output tokens that all requests counted by the Purse may
	// take; 0: no limit.
	Tokens int
}

// Budget says how long the conversation may become before it is compacted.
type Budget struct {
	// limits in bytes on the texts of the conversation; the limits on an answer belong to the Model
	Bounds provider.Bounds
	// Window returns facts about a model, such as the size of its context window; nil: nothing is
	// known, and then a conversation is compacted only on the user's demand or if the model refuses
	// it.
	Window func(model string) window.Model
	// CompactAt is the percentage of the context window at which the conversation is compacted; 0:
	// 80. If it is negative, the conversation is compacted only on the user's demand or if the
	// model refuses it.
	CompactAt int
	// Sources knows where the model can still read texts that a compaction removes.
	Sources window.Sources
	// Overflow stores the full text of a result that has to be cut because the context window is
	// nearly full. It returns the address at which the model can read the rest. nil: the rest is
	// lost.
	Overflow func(text string) (address string)
}

// withDefaults returns the configuration with default values in place of the zero values.
func (c Config) withDefaults() Config {
	if c.Observer == nil {
		c.Observer = NopObserver{}
	}
	if c.Inbox == nil {
		c.Inbox = NopInbox{}
	}
	if c.Purse == nil {
		c.Purse = new(Purse)
	}
	c.Limits.Steps = cmp.Or(c.Limits.Steps, 200)
	c.Retries.Attempts = cmp.Or(c.Retries.Attempts, 5)
	c.Retries.Wait = cmp.Or(c.Retries.Wait, time.Second)
	c.Retries.MaxWait = cmp.Or(c.Retries.MaxWait, time.Minute)
	c.Budget.Bounds = c.Budget.Bounds.OrDefault()
	c.Budget.CompactAt = cmp.Or(c.Budget.CompactAt, 80)
	return c
}
