// Package agent runs turns: it asks the model, runs the tools it calls after the answers they need,
// and reports each step as an event.
//
// The agent knows no screen. [Agent.Turn] delivers its events in order on the goroutine that called
// it. Tools and the Approver run on other goroutines of the turn, the Approver at most once at a
// time. When Turn returns none of them is left.
//
// Whatever happens, the conversation stays one that a provider takes: each call has exactly one
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

// ErrTime is the cause of a context that ends because the time of a turn is up. The turn then ends
// with the reason Limit and the bound Time.
var ErrTime = errors.New("the time is up")

// ErrBusy is the error of a turn that is started while another one runs.
var ErrBusy = errors.New("a turn is running")

// Agent holds one conversation.
type Agent struct {
	cfg   Config
	specs []provider.Tool

	aside sync.Mutex // held while the model answers a call

	mu           sync.Mutex
	busy         bool
	stopTurn     context.CancelFunc // nil: no turn runs
	model        provider.Model
	modelChanges int // how often the model was changed
	conversation window.Conversation
	meter        window.Meter    // counts the tokens of talk
	pendingNotes []string        // sent with the next message of the person
	calls        map[string]bool // ids of the calls that are or were in talk
	ruleProblems map[string]bool // what the person was told of rules that cannot be looked for

	// nine tenths of the number of tokens that the model refused as too many; 0: it refused none
	refusedLimit   int // tokens of which the model says that they are too many, less a tenth; 0: it took all
	retryCompactAt int // tokens from which on a compaction is tried again, after one that did not help
}

// New makes an agent.
func New(cfg Config) *Agent {
	cfg = cfg.withDefaults()
	a := &Agent{cfg: cfg, model: cfg.Model}
	a.calls = map[string]bool{}
	a.conversation = a.restored(cfg.Messages)
	a.specs = a.toolSpecs()
	a.meter = window.NewMeter(window.FixedTokens(cfg.System, a.specs))
	return a
}

// toolSpecs returns the tools that are available now.
func (a *Agent) toolSpecs() (specs []provider.Tool) {
	if a.cfg.Tools != nil {
		specs = a.cfg.Tools.Specs()
	}
	if a.cfg.Sub {
		specs = withoutCheckpointTools(specs)
	}
	return specs
}

// redacted returns messages without secrets.
func (a *Agent) redacted(messages []provider.Message) []provider.Message {
	list := slices.Clone(messages)
	for i := range list {
		list[i] = list[i].Redact(a.cfg.Secrets)
	}
	return list
}

// restored returns a conversation that was kept: without secrets, and each call has its own id.
func (a *Agent) restored(messages []provider.Message) window.Conversation {
	list, ids := provider.DistinctCalls(a.redacted(messages))
	maps.Copy(a.calls, ids)
	return window.NewConversation(list)
}

// takenID reports whether a call has that id, or had it in this session.
func (a *Agent) takenID(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.calls[id]
}

// refreshTools updates the tools for the next request: an MCP server may have come or gone, or a
// search may have found some.
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

// spec returns the tool of that name.
func (a *Agent) spec(name string) (provider.Tool, bool) {
	for _, s := range a.specs {
		if s.Name == name {
			return s, true
		}
	}
	return provider.Tool{}, false
}

// Messages returns a copy of the conversation.
func (a *Agent) Messages() []provider.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.conversation.Messages())
}

// snapshot returns the conversation as it is now.
func (a *Agent) snapshot() window.Conversation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.conversation
}

// Model returns the model of the next request.
func (a *Agent) Model() provider.Model {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.model
}

// SetModel changes the model. A running turn asks it from its next step on.
func (a *Agent) SetModel(m provider.Model) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.modelChanges++
	a.model, a.meter, a.refusedLimit, a.retryCompactAt = m, window.NewMeter(window.FixedTokens(a.cfg.System,
		a.specs)), 0, 0
}

// followModel switches the turn to the model that was chosen since its last step. A fallback gives
// way, too.
func (t *turn) followModel() {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if t.modelChanges != t.agent.modelChanges {
		t.model, t.modelChanges, t.usesFallback = t.agent.model, t.agent.modelChanges, false
	}
}

// Clear forgets the conversation. It returns ErrBusy while a turn runs, or the error of
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

// Restore replaces the conversation, for another branch or another session. The observer is not
// called: the messages are in the log already. It returns ErrBusy while a turn runs.
func (a *Agent) Restore(messages []provider.Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return ErrBusy
	}
	a.conversation, a.meter, a.retryCompactAt = a.restored(messages), a.meter.Reset(), 0
	return nil
}

// RunText calls [Agent.RunTurn] with a message that is only text.
func (a *Agent) RunText(ctx context.Context, text string, on func(Event)) error {
	return a.RunTurn(ctx, Message{Text: text}, on)
}

// RunTurn adds a message of the person to the conversation and runs until the model has finished.
// It calls on for each event; the last one is a TurnEnd. Cancelling ctx stops the turn: open
// questions are denied, running calls are cancelled, and RunTurn returns when all of them have
// ended. RunTurn returns the error of the TurnEnd, ErrBusy (without any event), or the first error
// of [Observer.MessageAdded].
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

// startTurn begins a turn. end ends it.
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

// StopTurn stops the turn that runs, if there is one, as the end of its context does.
func (a *Agent) StopTurn() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopTurn != nil {
		a.stopTurn()
	}
}

// turn is one run of the loop that asks the model and runs its calls.
type turn struct {
	agent        *Agent
	model        provider.Model
	callerCtx    context.Context // the caller's context: it ends a moment before ctx does
	ctx          context.Context
	stop         context.CancelFunc
	on           func(Event)
	denied       int
	force        string         // the tool that the next answer has to call
	usage        provider.Usage // of the last request
	ruleState    ruleTracker
	usesFallback bool // the fallback model answers
	modelChanges int  // of the agent, when the turn took its model
	// progress tells whether compactions lead anywhere.
	progress progress
	// checkpointWarnings counts how often the model was reminded of its checkpoint.
	checkpointWarnings int

	outer    *turn // in which a call makes calls; nil: there is none
	mu       sync.Mutex
	refusals map[string]approval.Decision // what the person denied in this turn, by questionKey
}

// begin adds what a turn begins with, and reports whether it does.
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

// run plays the turn to its end.
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

// addAnswer adds an answer to the conversation, and the provider's token counts to the meter.
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

// checkSize returns an error if the conversation is too long for any model. Each message has a
// limit, but their number has none.
func (t *turn) checkSize() error {
	if maxSize := t.agent.cfg.Budget.Bounds.Conversation; t.agent.snapshot().Size() > maxSize {
		return fmt.Errorf("the conversation is longer than %s; /clear starts over", provider.FormatSize(maxSize))
	}
	return nil
}

// failureReason returns the reason for the end of a turn whose request failed for good.
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

// addMessage adds a message to the conversation. A message without parts is left out, since
// providers refuse it.
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

// sendNews reports the observer's news to the person.
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
