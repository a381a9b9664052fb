package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// nestedCaller lets a running call, such as one of the eval tool, call further tools. These calls
// need decisions and emit events like the model's own calls.
type nestedCaller struct {
	batch *batch
	id    string // the id of the running call

	changes sync.Mutex // locked by each nested call that may change something: these run one at a time (SH-8)
	mu      sync.Mutex
	count   int
}

// notNested returns the names of the tools that a running call cannot call: those that act on the
// conversation itself, and the eval tool.
func notNested() []string {
	return []string{provider.CheckpointName, provider.RewindName, tool.YieldName, tool.EvalName}
}

// CallTool implements tool.Caller.
func (n *nestedCaller) CallTool(ctx context.Context, name string, input json.RawMessage) (tool.Result, error) {
	if slices.Contains(notNested(), name) {
		return tool.Result{}, fmt.Errorf("%s cannot be called within a call", name)
	}
	return n.make(ctx, name, input, nil)
}

// MakeCall implements tool.Caller. It returns an error if the agent does not have the tool with
// that name.
func (n *nestedCaller) MakeCall(ctx context.Context, name string, input json.RawMessage,
	prepare func(ctx context.Context, id string) (tool.Call, error)) (tool.Result, error) {
	if _, known := n.batch.turn.agent.spec(name); !known {
		return tool.Result{}, fmt.Errorf("it needs the tool %s, which you do not have", name)
	}
	return n.make(ctx, name, input, prepare)
}

// make runs a nested call. prepare prepares it; nil: the tool with that name does.
func (n *nestedCaller) make(ctx context.Context, name string, input json.RawMessage,
	prepare func(ctx context.Context, id string) (tool.Call, error)) (tool.Result, error) {
	n.mu.Lock()
	n.count++
	call := provider.ToolCall{ID: fmt.Sprintf("%s.%d", n.id, n.count), Name: name, Input: input}
	n.mu.Unlock()
	var end ToolEnd
	b := n.batch.nested(ctx, func(e Event) {
		if ended, ok := e.(ToolEnd); ok && ended.ID == call.ID {
			end = ended
		}
	})
	if prepare != nil {
		b.ruled = true
		b.preparePersonal = func(ctx context.Context, c provider.ToolCall) (tool.Call, error) {
			return prepare(ctx, c.ID)
		}
	}
	if !b.readOnly(call) {
		n.changes.Lock()
		defer n.changes.Unlock()
	}
	parts := make([]provider.Part, 1)
	b.run([]provider.ToolCall{call}, parts)
	result, _ := parts[0].(provider.ToolResult)
	end.Result.Text = n.batch.turn.agent.cfg.Secrets.Redact(result.Text)
	if result.IsError {
		return end.Result, errors.New(end.Result.Text)
	}
	return end.Result, nil
}

// nested returns a batch for one call that a running call of b makes. Its turn ends with ctx. seen
// is called with each event before the event is emitted.
func (b *batch) nested(ctx context.Context, seen func(Event)) *batch {
	t := b.turn
	inner := &turn{agent: t.agent, model: t.model, callerCtx: ctx, ctx: ctx, stop: t.stop, on: t.on, outer: t}
	return &batch{turn: inner, questionLock: b.questionLock, firstQuestion: make(chan struct{}),
		emit: func(e Event) {
			seen(e)
			b.emit(e)
		},
		refused: map[string]bool{}, answered: map[int]bool{}, hookAnswers: map[string]hook.Answer{},
		checkpointCalls: map[string]bool{}, shares: &shares{}}
}

// Complete implements tool.Caller. The cost of the request counts towards the limits.
func (n *nestedCaller) Complete(ctx context.Context, tier string, r provider.Request) (provider.Message, error) {
	a := n.batch.turn.agent
	if bound := a.cfg.Purse.reached(a.cfg.Limits); bound != "" {
		return provider.Message{}, fmt.Errorf("the limit of %s is reached", bound)
	}
	model, done, err := n.model(ctx, tier)
	if err != nil {
		return provider.Message{}, err
	}
	defer done()
	r.System, r.Messages = a.cfg.Secrets.Redact(r.System), a.redacted(r.Messages)
	wait := a.cfg.Retries.Wait
	for attempt := 1; ; attempt++ {
		m, err := n.request(ctx, model, r)
		var e *provider.Error
		if err == nil || !errors.As(err, &e) || !e.Retryable() || attempt == a.cfg.Retries.Attempts {
			return m, provider.Redact(err, a.cfg.Secrets)
		}
		if err := sleep(ctx, min(max(wait, e.RetryAfter), a.cfg.Retries.MaxWait)); err != nil {
			return provider.Message{}, err
		}
		wait *= 2
	}
}

// model returns the model of a tier. The caller calls done after the last use of the model.
func (n *nestedCaller) model(ctx context.Context, tier string) (m provider.Model, done func(), err error) {
	t := n.batch.turn
	if t.agent.cfg.Tier != nil {
		m, err = t.agent.cfg.Tier(tier)
		return m, func() {}, err
	}
	if tier != "default" {
		return nil, nil, fmt.Errorf("there is no model %q here", tier)
	}
	t.agent.aside.Lock() // a model answers once at a time
	if err := ctx.Err(); err != nil {
		t.agent.aside.Unlock()
		return nil, nil, err
	}
	return t.model, t.agent.aside.Unlock, nil
}

// request sends one request to a model and returns the complete answer.
func (n *nestedCaller) request(ctx context.Context, model provider.Model, r provider.Request) (provider.Message,
	error) {
	for event, err := range model.Stream(ctx, r) {
		if err != nil {
			return provider.Message{}, err
		}
		switch e := event.(type) {
		case provider.Usage:
			n.batch.emit(n.batch.turn.agent.countCost(model, e, true))
		case provider.End:
			switch e.Stop {
			case "length", "window", "refusal", "filter":
				return provider.Message{}, fmt.Errorf("the answer was cut off: %s", e.Stop)
			}
			return e.Message, nil
		}
	}
	return provider.Message{}, errors.New("the answer ended before it was complete")
}
