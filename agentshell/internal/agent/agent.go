// Package agent runs turns of a conversation: it asks the model, runs the tools that the model
// calls, after the approval that they need, and reports each step as an event.
//
// The agent does not know the screen. [Agent.RunTurn] delivers its events in order, on the
// goroutine that called it. Tools and the Approver run on other goroutines, and the Approver runs
// at most once at a time. When RunTurn returns, none of these goroutines is left.
//
// Whatever happens, the conversation stays one that a provider accepts: each call has exactly one
// result (HARN-13).
package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// ErrTime is the cause with which the caller cancels the context of a turn when the time allowed
// for the turn is over. The turn then ends with the reason Limit and the bound Time.
var ErrTime = errors.New("the time is up")

// ErrBusy is returned when a turn is started while another turn of the same agent runs.
var ErrBusy = errors.New("a turn is running")

// Agent holds one conversation with a model, and runs its turns, one at a time.
type Agent struct {
	cfg   Config
	specs []provider.Tool

	aside sync.Mutex // locked while the model answers a request of a running call, see nestedCaller.model

	mu           sync.Mutex
	busy         bool
	stopTurn     context.CancelFunc // cancels the running turn; nil: no turn runs
	model        provider.Model
	modelChanges int // the number of calls of SetModel
	conversation window.Conversation
	meter        window.Meter // counts the tokens of the conversation
	pendingNotes []string     // texts that are sent with the user's next message
	// the ids of all tool calls of this session, also of those that a compaction has removed
	calls        map[string]bool
	ruleProblems map[string]bool // messages that the user has already got about rules that could not be applied

	// nine tenths of the number of tokens that the model has refused as too many; 0: it has refused
	// none
	refusedLimit int
	// the number of tokens at which a compaction is tried again, after one that did not save enough
	retryCompactAt int
}

// New returns an agent that continues the conversation in cfg.Messages.
func New(cfg Config) *Agent {
	cfg = cfg.withDefaults()
	a := &Agent{cfg: cfg, model: cfg.Model}
	a.calls = map[string]bool{}
	a.conversation = a.restored(cfg.Messages)
	a.specs = a.toolSpecs()
	a.meter = window.NewMeter(window.FixedTokens(cfg.System, a.specs))
	return a
}

// toolSpecs returns the tools that the model may call now. A sub-agent has no checkpoint tools.
func (a *Agent) toolSpecs() (specs []provider.Tool) {
	if a.cfg.Tools != nil {
		specs = a.cfg.Tools.Specs()
	}
	if a.cfg.Sub {
		specs = withoutCheckpointTools(specs)
	}
	return specs
}

// redacted returns a copy of messages in which all secrets are replaced.
func (a *Agent) redacted(messages []provider.Message) []provider.Message {
	list := slices.Clone(messages)
	for i := range list {
		list[i] = list[i].Redact(a.cfg.Secrets)
	}
	return list
}

// restored returns a stored conversation that can be continued: without secrets, and with a
// distinct id for each call. It adds the ids to a.calls.
func (a *Agent) restored(messages []provider.Message) window.Conversation {
	list, ids := provider.DistinctCalls(a.redacted(messages))
	maps.Copy(a.calls, ids)
	return window.NewConversation(list)
}

// takenID reports whether a call of this session already has that id.
func (a *Agent) takenID(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.calls[id]
}

// refreshTools updates the list of tools for the next request. MCP servers may have started or
// ended since the last one, or a tool search may have activated further tools.
func (a *Agent) refreshTools() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if specs := a.toolSpecs(); !slices.EqualFunc(specs, a.specs, sameSpec) {
		a.specs, a.meter = specs, window.NewMeter(window.FixedTokens(a.cfg.System, specs))
	}
}

func sameSpec(a, b provider.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && a.ReadOnly == b.ReadOnly &&
		string(a.Schema) == string(b.Schema)
}

// spec returns the description of the tool with that name, and whether there is such a tool.
func (a *Agent) spec(name string) (provider.Tool, bool) {
	for _, s := range a.specs {
		if s.Name == name {
			return s, true
		}
	}
	return provider.Tool{}, false
}

// Messages returns a copy of the list of messages in the conversation.
func (a *Agent) Messages() []provider.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.conversation.Messages())
}

// snapshot returns the current conversation.
func (a *Agent) snapshot() window.Conversation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conversation
}

// Model returns the model that answers the next request.
func (a *Agent) Model() provider.Model {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.model
}

// SetModel replaces the model. A turn that runs uses the new model from its next request on.
func (a *Agent) SetModel(m provider.Model) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.modelChanges++
	a.model, a.meter, a.refusedLimit, a.retryCompactAt = m, window.NewMeter(window.FixedTokens(a.cfg.System,
		a.specs)), 0, 0
}

// followModel switches the turn to the model that the user has chosen since the last request. The
// new model also replaces a fallback model.
func (t *turn) followModel() {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if t.modelChanges != t.agent.modelChanges {
		t.model, t.modelChanges, t.usesFallback = t.agent.model, t.agent.modelChanges, false
	}
}

// Clear deletes the conversation. It returns ErrBusy while a turn runs, or the error of
// [Observer.Cleared].
func (a *Agent) Clear() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return ErrBusy
	}
	a.conversation, a.meter, a.retryCompactAt = window.Conversation{}, a.meter.Reset(), 0
	return a.cfg.Observer.Cleared()
}

// Restore replaces the conversation with the messages of another branch or another session. It does
// not call the observer, because the session log has the messages already. It returns ErrBusy while
// a turn runs.
func (a *Agent) Restore(messages []provider.Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return ErrBusy
	}
	a.conversation, a.meter, a.retryCompactAt = a.restored(messages), a.meter.Reset(), 0
	return nil
}

// RunText calls [Agent.RunTurn] with a message that consists of text only.
func (a *Agent) RunText(ctx context.Context, text string, on func(Event)) error {
	return a.RunTurn(ctx, Message{Text: text}, on)
}

// RunTurn adds a message of the user to the conversation and runs a turn: it asks the model and
// runs its tool calls until the model has finished. It calls on with each event; the last one is a
// TurnEnd.
//
// Cancelling ctx stops the turn: open questions are denied, running calls are cancelled, and
// RunTurn returns when all of them have ended. It returns the error of the TurnEnd, ErrBusy
// (without any event), or the first error of [Observer.MessageAdded].
func (a *Agent) RunTurn(ctx context.Context, message Message, on func(Event)) error {
	turn, end, err := a.startTurn(ctx, on)
	if err != nil {
		return err
	}
	defer end()
	a.cfg.Observer.TurnStarted(turn.ctx)
	defer a.cfg.Observer.TurnEnded()
	reason, limit, err := turn.run(message)
	if reason == Interrupted && errors.Is(context.Cause(ctx), ErrTime) {
		reason, limit = Limit, Time
	}
	turn.runEndHooks(reason)
	turn.sendNews()
	turn.on(TurnEnd{Reason: reason, Limit: limit, Err: err, Denied: turn.denied})
	return provider.Redact(err, a.cfg.Secrets)
}

// startTurn returns a new turn, or ErrBusy if one runs. The caller must call end when the turn is
// over.
func (a *Agent) startTurn(ctx context.Context, on func(Event)) (t *turn, end func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return nil, nil, ErrBusy
	}
	a.busy = true
	callerCtx := ctx
	ctx, cancel := context.WithCancel(ctx)
	a.stopTurn = cancel
	end = func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
		a.busy, a.stopTurn = false, nil
	}
	t = &turn{agent: a, model: a.model, modelChanges: a.modelChanges, callerCtx: callerCtx, ctx: ctx, stop: cancel,
		on: newRedactor(a.cfg.Secrets, a.cfg.HoldSecrets, on).handle}
	return t, end, nil
}

// StopTurn cancels the turn that runs, if there is one, as cancelling its context would.
func (a *Agent) StopTurn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopTurn != nil {
		a.stopTurn()
	}
}

// turn is one run of the loop that asks the model and runs the calls of its answer.
type turn struct {
	agent *Agent
	model provider.Model
	// the context that the caller passed; ctx is derived from it, and may end a moment later
	callerCtx    context.Context
	ctx          context.Context
	stop         context.CancelFunc
	on           func(Event)
	denied       int
	force        string         // the name of the tool that the next answer must call; "": any or none
	usage        provider.Usage // the token counts of the last request
	ruleState    ruleTracker
	usesFallback bool // the fallback model answers instead of the chosen one
	modelChanges int  // the value of agent.modelChanges when the turn took its model
	// progress tells whether the model does something new between two compactions.
	progress progress
	// checkpointWarnings is the number of times that the model was reminded of its active
	// checkpoint.
	checkpointWarnings int

	outer    *turn // for the calls that a running call makes: the turn of that call; nil otherwise
	mu       sync.Mutex
	refusals map[string]approval.Decision // the user's denials in this turn, by questionKey
}

// begin adds to the conversation what the turn begins with: ended jobs and messages of other
// agents, then the user's message. begins is false if the turn waits only for such news
// (Message.OnArrival) and there is none.
func (t *turn) begin(message Message) (begins bool, err error) {
	arrived, err := t.addArrived()
	if err == nil && (arrived || !message.OnArrival) {
		err = errors.Join(t.addOutdated(), t.addFindings())
	}
	if err != nil || message.OnArrival {
		return arrived, err
	}
	return true, t.addMessage(t.withMode(message).asProviderMessage())
}

// run runs the turn to its end. It returns why the turn ended, and the limit that was reached for
// the reason Limit.
func (t *turn) run(message Message) (Reason, Bound, error) {
	if err := t.rollBack(); err != nil {
		return Failed, "", err
	}
	if reason, err := t.fill(&message); reason != "" || err != nil {
		return reason, "", err
	}
	switch begins, err := t.begin(message); {
	case err != nil:
		return Failed, "", err
	case !begins:
		return Done, "", nil
	}
	t.force = message.Force
	for step := range t.agent.cfg.Limits.Steps {
		if bound := t.agent.cfg.Purse.reached(t.agent.cfg.Limits); bound != "" {
			return Limit, bound, nil
		}
		if step > 0 {
			t.followModel()
			if _, err := t.addArrived(); err != nil {
				return Failed, "", err
			}
			if err := errors.Join(t.addOutdated(), t.addFindings(), t.addSteering()); err != nil {
				return Failed, "", err
			}
		}
		if t.ctx.Err() != nil { // what has come may have ended the turn
			return Interrupted, "", nil
		}
		if err := t.compactIfFull(); err != nil {
			reason, err := t.failureReason(err)
			return reason, "", err
		}
		if err := t.checkSize(); err != nil {
			return Failed, "", err
		}
		end, err := t.requestAnswer()
		if err != nil {
			reason, err := t.failureReason(err)
			return reason, "", err
		}
		t.force = ""
		t.on(MessageEnd{Stop: end.Stop})
		if err := t.addAnswer(end.Message); err != nil {
			return Failed, "", err
		}
		calls := callsOf(end.Message)
		incomplete := slices.Contains([]string{"length", "window", "refusal", "filter"}, end.Stop)
		if len(calls) > 0 {
			results := t.runCalls(calls, incomplete)
			t.progress.recordResults(calls, results)
			t.addReminders(results)
			if err := t.addMessage(provider.Message{Role: provider.User, Parts: results}); err != nil {
				return Failed, "", err
			}
			if err := t.rollBack(); err != nil {
				return Failed, "", err
			}
		}
		switch {
		case t.callerCtx.Err() != nil || t.ctx.Err() != nil:
			return Interrupted, "", nil
		case incomplete:
			return Limit, Bound(end.Stop), nil
		}
		continues, err := t.sendReminders()
		if err == nil && !continues && len(calls) == 0 {
			continues, err = t.warnOfCheckpoint()
		}
		if err == nil && !continues && len(calls) == 0 {
			continues, err = t.addArrived()
		}
		switch {
		case err != nil:
			return Failed, "", err
		case !continues && len(calls) == 0:
			if end.Message.Silent() {
				t.on(Notice{"The model ended its turn without a word."})
			}
			return Done, "", nil
		}
	}
	return Limit, Steps, nil
}

// addAnswer adds the model's answer to the conversation, and gives the provider's token counts for
// the request to the meter.
func (t *turn) addAnswer(m provider.Message) error {
	if err := t.addMessage(m); err != nil {
		return err
	}
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if len(m.Parts) > 0 {
		t.agent.meter = t.agent.meter.WithReport(t.agent.conversation, window.Usage(t.usage))
	}
	return nil
}

// checkSize returns an error if the conversation has more bytes than the budget allows. Single
// messages are limited elsewhere, but their number is not.
func (t *turn) checkSize() error {
	if maxSize := t.agent.cfg.Budget.Bounds.Conversation; t.agent.snapshot().Size() > maxSize {
		return fmt.Errorf("the conversation is longer than %s; /clear starts over", provider.FormatSize(maxSize))
	}
	return nil
}

// failureReason returns the reason with which the turn ends after a request has failed and is not
// tried again. An error because of a stop is dropped.
func (t *turn) failureReason(err error) (Reason, error) {
	t.on(MessageEnd{})
	switch {
	case t.ctx.Err() != nil:
		return Interrupted, nil
	case errors.Is(err, provider.ErrOtherConversation):
		return Mismatch, err
	}
	return Failed, err
}

// addMessage adds a message without its secrets to the conversation, and passes it to the observer.
// It ignores a message without parts, because providers refuse such messages.
func (t *turn) addMessage(m provider.Message) error {
	if len(m.Parts) == 0 {
		return nil
	}
	m = m.Redact(t.agent.cfg.Secrets)
	t.agent.mu.Lock()
	t.agent.conversation.Add(m)
	for _, c := range callsOf(m) {
		t.agent.calls[c.ID] = true
	}
	t.agent.mu.Unlock()
	err := t.agent.cfg.Observer.MessageAdded(m)
	t.sendNews()
	return err
}

// sendNews shows the user the sentences of [Observer.News], each as a [Notice].
func (t *turn) sendNews() {
	for _, text := range t.agent.cfg.Observer.News() {
		t.on(Notice{text})
	}
}

func callsOf(m provider.Message) []provider.ToolCall {
	var calls []provider.ToolCall
	for _, p := range m.Parts {
		if c, ok := p.(provider.ToolCall); ok {
			calls = append(calls, c)
		}
	}
	return calls
}
