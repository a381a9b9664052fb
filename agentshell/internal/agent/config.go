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
	Tools    Tools             // the tools that the model may call; nil: none
	Approver approval.Approver // nil: there is no person, and what would have to be asked is denied (HARN-10)
	Policy   Policy            // nil: every proposal is asked
	Modes    Modes             // nil: there are no modes
	System   string
	Messages []provider.Message // the conversation to continue; copied

	// Secrets are removed from all events and from the conversation, and so from what is sent to
	// the model. Calls run with the arguments that the model wrote.
	Secrets secret.Set
	// HoldSecrets says that streamed text is stored, not watched: it comes later where that keeps
	// back the first letters of a secret.
	HoldSecrets bool
	// Rules interrupt the model when it writes what they forbid.
	Rules []streamrule.Rule
	// Structures finds what rules with patterns of ast-grep forbid; nil: nothing does.
	Structures streamrule.Structures
	// Hooks can forbid calls and add text for the model; nil: there are none.
	Hooks Hooks

	Observer Observer // nil: a [NopObserver]
	Inbox    Inbox    // nil: a [NopInbox]
	Changes  Changes  // nil: changes are not recorded, so none can be taken back
	// Tier returns the model of a tier (default, smol, slow) for an answer beside the conversation;
	// nil: only the model of the conversation answers.
	Tier func(tier string) (provider.Model, error)

	Retries Retries
	Limits  Limits
	Purse   *Purse // nil: one of its own; the limits of cost and tokens hold for all that share one
	Budget  Budget
	// Sub tells that this is the conversation of a sub-agent. It has no checkpoints.
	Sub bool
}

// Tools lists the tools that the model may call, and prepares their calls. *tool.Registry
// implements it. The agent calls Prepare only with names that Specs returns.
type Tools interface {
	Specs() []provider.Tool
	Prepare(ctx context.Context, name, id string, input json.RawMessage) (tool.Call, error)
}

// Policy decides a call by rules and modes before a person is asked. It must be safe for concurrent
// use.
type Policy interface {
	Decide(approval.Subject) approval.Verdict
}

// Modes returns the mode of the session. The model gets it with the person's messages.
type Modes interface{ Mode() string }

// Observer follows the conversation. Its methods are called on the goroutine of the turn. Embed a
// [NopObserver] to have only some of the methods.
type Observer interface {
	// TurnStarted is called at the beginning of each turn. It may wait for tools that become
	// available soon.
	TurnStarted(ctx context.Context)
	// TurnEnded is called at the end of each turn.
	TurnEnded()
	// MessageAdded is called with each message that joins the conversation, in order.
	MessageAdded(provider.Message) error
	// CallBegins is called before a call of the model that may change something is run. An error
	// ends the call instead. It may be called on any goroutine of the turn.
	CallBegins(id string) error
	// Cleared is called when the conversation starts over.
	Cleared() error
	// Compacted is called with the messages that replace the conversation, and the line that says
	// so. An error leaves the conversation as it is.
	Compacted(messages []provider.Message, line string) error
	// RolledBack is called when the conversation becomes kept followed by report. said is the part
	// of report that the model wrote (SH-42). An error leaves the conversation as it is.
	RolledBack(kept, report []provider.Message, modelText string) error
	// ChangeDenied is called with a change of a file that was denied. It may be called on any
	// goroutine of the turn.
	ChangeDenied(call string, p *approval.Proposal)
	// News is called after each added message, and at the end of a turn. It returns sentences that
	// the person should read; each becomes a [Notice].
	News() []string
}

// NopObserver is an Observer that does nothing.
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

// Inbox brings messages into a conversation while a turn runs. Embed a [NopInbox] to have only some
// of the methods.
type Inbox interface {
	// Steering returns what the person has sent since the turn began. It is added before the next
	// request. It is called on the goroutine of the turn.
	Steering(ctx context.Context) []Message
	// Mail returns the messages that other agents have sent since the last call. They are added
	// before the next request, also before the first one of a turn.
	Mail() []Message
	// Outdated returns the files that the model has read and that other agents have changed since,
	// each change once. The model is told of them before its next request.
	Outdated() []tool.Outdated
	// Findings returns what language servers have found of changes since the last call, in texts
	// for the model, which gets them before its next request.
	Findings() []string
	// FinishedJobs returns the background jobs that have ended since the last call. The model is
	// told of them before the next request.
	FinishedJobs() []job.Job
	// Warnings is called after each tool call. It returns sentences that are added to the result
	// for the model and the person. It may be called on any goroutine of the turn.
	Warnings() []string
}

// NopInbox is an Inbox that stays empty.
type NopInbox struct{}

func (NopInbox) Steering(context.Context) []Message { return nil }
func (NopInbox) Mail() []Message                    { return nil }
func (NopInbox) Outdated() []tool.Outdated          { return nil }
func (NopInbox) Findings() []string                 { return nil }
func (NopInbox) FinishedJobs() []job.Job            { return nil }
func (NopInbox) Warnings() []string                 { return nil }

// Changes takes back the changes of a session.
type Changes interface {
	// Undo prepares a call that takes back change n of a file, numbered as in [tool.Undo].
	Undo(ctx context.Context, id string, n int) (tool.Call, error)
	// Rewind returns the files that were changed after change n, each with a call that restores its
	// content at that time.
	Rewind(n int) []tool.Return
}

// Retries tells how often a request to the model is tried.
type Retries struct {
	Attempts int           // for one request; 0: 5
	Wait     time.Duration // before the second attempt, doubled for each further one; 0: 1 s
	MaxWait  time.Duration // 0: 60 s; if a provider asks for a longer wait, the request fails
	// Fallback returns the model that answers until the turn ends if the other one cannot be
	// reached; nil: there is none.
	Fallback func() (provider.Model, error)
}

// Limits tells when a turn ends.
type Limits struct {
	Steps int // requests to the model in one turn; 0: 200
	// Cost is the number of dollars that the session may cost; 0: no limit. It counts models with a
	// known price.
	Cost float64
	// Tokens is the number of tokens that all requests that the Purse counts may take, input and
	// output; 0: no limit.
	Tokens int
}

// Budget tells how long the conversation may become.
type Budget struct {
	Bounds provider.Bounds // of the conversation; the bounds of an answer are the Model's
	// Window returns what is known about a model; nil: nothing, and then no conversation is too
	// long.
	Window func(model string) window.Model
	// CompactAt is the percentage of the window at which the conversation is compacted; 0: 80;
	// below 0: only if the person wants it or the model refuses the conversation.
	CompactAt int
	// Sources tells where the model can read what a compaction leaves out.
	Sources window.Sources
	// Overflow keeps the text of a result for which the window has no room, and gives the address
	// by which the model reads the rest of it; nil: that is lost.
	Overflow func(text string) (address string)
}

// withDefaults returns the configuration with defaults for its zero values.
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
