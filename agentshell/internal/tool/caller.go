package tool

import (
	"context"
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Caller makes calls of tools while another call runs. Rules, modes, hooks and the person decide on
// them as on calls of the model. It is safe for use by several goroutines.
type Caller interface {
	// CallTool makes a call and returns what it gave.
	CallTool(ctx context.Context, name string, input json.RawMessage) (Result, error)
	// MakeCall makes a call of the tool name that prepare prepares. Hooks see input.
	MakeCall(ctx context.Context, name string, input json.RawMessage,
		prepare func(ctx context.Context, id string) (Call, error)) (Result, error)
	// Complete asks a model for one answer, which does not become part of the conversation. tier
	// names the model: default, smol or slow.
	Complete(ctx context.Context, tier string, r provider.Request) (provider.Message, error)
}

type callerKey struct{}

// WithCaller returns a context for a call that may make calls itself.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns what makes further calls for a call that runs in ctx, nil if nothing does.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// agentWish is what a cell wants of the agents that a call of task starts: the call waits for them.
type agentWish struct {
	model  string          // "": that of their kind
	output json.RawMessage // the schema of their results; nil: that of their kind
}

type agentWishKey struct{}

func withAgentWish(ctx context.Context, w agentWish) context.Context {
	return context.WithValue(ctx, agentWishKey{}, w)
}

func agentWishOf(ctx context.Context) (w agentWish, wished bool) {
	w, wished = ctx.Value(agentWishKey{}).(agentWish)
	return w, wished
}
