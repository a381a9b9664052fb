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

// ErrTime is the cause of a context that ends because a turn's time is up: the turn has the reason
// Limit then, and the bound Time.
var ErrTime = errors.New("the time is up")

// ErrBusy is returned by a Turn that was started while another one ran.
var ErrBusy = errors.New("a turn is running")

// Agent holds one conversation.
type Agent struct {
	cfg   Config
	specs []provider.Tool

	mu     sync.Mutex
	busy   bool
	model  provider.Model
	talk   window.Conversation
	meter  window.Meter    // of talk
	spent  float64         // dollars
	tokens int             // of all requests
	aside  []string        // what is told with the next message of the person
	calls  map[string]bool // ids of the calls that are or were in talk

	// What follows is touched by the turn that runs.
	refused int // tokens of which the model says that they are too many, less a tenth; 0: it took all
	stuck   int // tokens that a compaction could not get below the limit, and a quarter more
}

// New makes an agent.
func New(cfg Config) *Agent {
	cfg = cfg.withDefaults()
	a := &Agent{cfg: cfg, model: cfg.Model}
	a.calls = map[string]bool{}
	a.talk = a.restored(cfg.Messages)
	a.specs = a.offered()
	a.meter = window.NewMeter(window.Fixed(cfg.System, a.specs))
	return a
}

// offered returns the tools that there are now.
func (a *Agent) offered() (specs []provider.Tool) {
	if a.cfg.Tools != nil {
		specs = a.cfg.Tools.Specs()
	}
	if a.cfg.Sub {
		specs = withoutMoves(specs)
	}
	return specs
}

// clean returns messages without secrets.
func (a *Agent) clean(messages []provider.Message) []provider.Message {
	list := slices.Clone(messages)
	for i := range list {
		list[i] = list[i].Redact(a.cfg.Secrets)
	}
	return list
}

// restored returns a conversation that was kept: without secrets, and each call has its own id.
func (a *Agent) restored(messages []provider.Message) window.Conversation {
	list, ids := provider.DistinctCalls(a.clean(messages))
	maps.Copy(a.calls, ids)
	return window.NewConversation(list)
}

// takenID reports whether a call has that id, or had it in this session.
func (a *Agent) takenID(id string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.calls[id]
}

// refresh gives a request the tools that there are: a server may have come or gone, or a search may
// have found some.
func (a *Agent) refresh() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if specs := a.offered(); !slices.EqualFunc(specs, a.specs, sameSpec) {
		a.specs, a.meter = specs, window.NewMeter(window.Fixed(a.cfg.System, specs))
	}
}

func sameSpec(a, b provider.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && a.ReadOnly == b.ReadOnly &&
		string(a.Schema) == string(b.Schema)
}

// spec finds a tool.
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
	return slices.Clone(a.talk.Messages())
}

// conversation returns the conversation as it is now.
func (a *Agent) conversation() window.Conversation {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.talk
}

// Model returns the model that the next turn asks.
func (a *Agent) Model() provider.Model {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.model
}

// SetModel changes the model; a turn that runs keeps its own.
func (a *Agent) SetModel(m provider.Model) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.model, a.meter, a.refused, a.stuck = m, window.NewMeter(window.Fixed(a.cfg.System, a.specs)), 0, 0
}

// Clear forgets the conversation. It returns ErrBusy while a turn runs, or the error of
// [Observer.Cleared].
func (a *Agent) Clear() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return ErrBusy
	}
	a.talk, a.meter, a.stuck = window.Conversation{}, a.meter.Anew(), 0
	return a.cfg.Observer.Cleared()
}

// Restore makes messages the conversation, another branch or another session. Nobody is told: they
// are in the log. It fails while a turn runs.
func (a *Agent) Restore(messages []provider.Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return ErrBusy
	}
	a.talk, a.meter, a.stuck = a.restored(messages), a.meter.Anew(), 0
	return nil
}

// Turn is [Agent.Say] of text alone.
func (a *Agent) Turn(ctx context.Context, text string, on func(Event)) error {
	return a.Say(ctx, Message{Text: text}, on)
}

// Say adds what the person says to the conversation and runs until the model has finished, on is
// told each step; the last event is a TurnEnd. Cancelling ctx stops the turn: what was asked is
// denied, what runs is cancelled, and Say returns when all of it has ended. The error is that of
// the TurnEnd, ErrBusy (no event then), or the first error of [Observer.MessageAdded].
func (a *Agent) Say(ctx context.Context, said Message, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	a.cfg.Observer.TurnStarted(t.ctx)
	reason, limit, err := t.run(said)
	if reason == Interrupted && errors.Is(context.Cause(ctx), ErrTime) {
		reason, limit = Limit, Time
	}
	t.closing(reason)
	t.news()
	t.on(TurnEnd{Reason: reason, Limit: limit, Err: err, Denied: t.denied})
	return provider.Redact(err, a.cfg.Secrets)
}

// start begins a turn; over ends it.
func (a *Agent) start(ctx context.Context, on func(Event)) (t *turn, over func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return nil, nil, ErrBusy
	}
	a.busy = true
	asked := ctx
	ctx, cancel := context.WithCancel(ctx)
	over = func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
		a.busy = false
	}
	t = &turn{agent: a, model: a.model, asked: asked, ctx: ctx, stop: cancel, on: newRedactor(a.cfg.Secrets, on).event}
	return t, over, nil
}

// turn is one run of the loop.
type turn struct {
	agent  *Agent
	model  provider.Model
	asked  context.Context // the caller's: it ends a moment before ctx does
	ctx    context.Context
	stop   context.CancelFunc
	on     func(Event)
	denied int
	usage  provider.Usage // of the last attempt
	ruled  rules
	fell   bool // the fallback answers
	// progress tells whether compactions lead anywhere.
	progress progress
	// warnings is how often the model was reminded of its checkpoint.
	warnings int

	mu       sync.Mutex
	refusals map[string]approval.Decision // what the person denied in this turn, by sameAs
}

func (t *turn) run(said Message) (Reason, Bound, error) {
	if err := t.goBack(); err != nil {
		return Failed, "", err
	}
	if _, err := t.jobs(); err != nil {
		return Failed, "", err
	}
	if err := t.add(t.inMode(said).message()); err != nil {
		return Failed, "", err
	}
	for step := range t.agent.cfg.Limits.Steps {
		if b := t.spentAll(); b != "" {
			return Limit, b, nil
		}
		if step > 0 {
			if _, err := t.jobs(); err != nil {
				return Failed, "", err
			}
			if err := t.steer(); err != nil {
				return Failed, "", err
			}
		}
		if err := t.makeRoom(); err != nil {
			reason, err := t.broken(err)
			return reason, "", err
		}
		if err := t.fits(); err != nil {
			return Failed, "", err
		}
		end, err := t.answer()
		if err != nil {
			reason, err := t.broken(err)
			return reason, "", err
		}
		t.on(MessageEnd{Stop: end.Stop})
		if err := t.answered(end.Message); err != nil {
			return Failed, "", err
		}
		calls := callsOf(end.Message)
		cut := slices.Contains([]string{"length", "window", "refusal", "filter"}, end.Stop)
		if len(calls) > 0 {
			results := t.results(calls, cut)
			t.progress.heard(calls, results)
			t.remind(results)
			if err := t.add(provider.Message{Role: provider.User, Parts: results}); err != nil {
				return Failed, "", err
			}
			if err := t.goBack(); err != nil {
				return Failed, "", err
			}
		}
		switch {
		case t.asked.Err() != nil || t.ctx.Err() != nil:
			return Interrupted, "", nil
		case cut:
			return Limit, Bound(end.Stop), nil
		}
		told, err := t.remindBehind()
		if err == nil && !told && len(calls) == 0 {
			told, err = t.warn()
		}
		if err == nil && !told && len(calls) == 0 {
			told, err = t.jobs()
		}
		switch {
		case err != nil:
			return Failed, "", err
		case !told && len(calls) == 0:
			if end.Message.Silent() {
				t.on(Notice{"The model ended its turn without a word."})
			}
			return Done, "", nil
		}
	}
	return Limit, Steps, nil
}

// answered puts an answer into the conversation, and what the provider has counted into the meter.
func (t *turn) answered(m provider.Message) error {
	if err := t.add(m); err != nil {
		return err
	}
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	if len(m.Parts) > 0 {
		t.agent.meter = t.agent.meter.Sent(t.agent.talk, window.Usage(t.usage))
	}
	return nil
}

// fits refuses a conversation that has become so long that no model would take it: each message is
// bounded, their number is not.
func (t *turn) fits() error {
	if most := t.agent.cfg.Budget.Bounds.Conversation; t.agent.conversation().Size() > most {
		return fmt.Errorf("the conversation is longer than %s; /clear starts over", provider.Size(most))
	}
	return nil
}

// broken returns the end of a turn whose model call failed for good.
func (t *turn) broken(err error) (Reason, error) {
	t.on(MessageEnd{})
	switch {
	case t.ctx.Err() != nil:
		return Interrupted, nil
	case errors.Is(err, provider.ErrOtherConversation):
		return Mismatch, err
	}
	return Failed, err
}

// add puts a message into the conversation. One without parts would be refused by providers and is
// left out.
func (t *turn) add(m provider.Message) error {
	if len(m.Parts) == 0 {
		return nil
	}
	m = m.Redact(t.agent.cfg.Secrets)
	t.agent.mu.Lock()
	t.agent.talk.Add(m)
	for _, c := range callsOf(m) {
		t.agent.calls[c.ID] = true
	}
	t.agent.mu.Unlock()
	err := t.agent.cfg.Observer.MessageAdded(m)
	t.news()
	return err
}

// news tells the person what there is to tell.
func (t *turn) news() {
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
