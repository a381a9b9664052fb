package tool

import (
	"context"
	"encoding/json"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Caller makes tool calls while another call is running, for instance for code in a cell. Rules,
// modes, hooks and the user decide on them as on the model's own calls. It is safe for use by
// several goroutines.
type Caller interface {
	// CallTool makes a call of the tool name, and returns its result.
	CallTool(ctx context.Context, name string, input json.RawMessage) (Result, error)
	// MakeCall makes a call that the function prepare prepares, not the tool name itself. Hooks see
	// the name and input.
	MakeCall(ctx context.Context, name string, input json.RawMessage,
		prepare func(ctx context.Context, id string) (Call, error)) (Result, error)
	// Complete asks a model for one answer, which does not become part of the conversation. tier
	// selects the model: default, smol or slow.
	Complete(ctx context.Context, tier string, r provider.Request) (provider.Message, error)
}

// callerKey is the context key for the [Caller].
type callerKey struct{}

// WithCaller returns a context for a call that may make further calls by c.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns the Caller in ctx, or nil if the call may make no further calls.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// agentWish holds the options for subagents that code in a cell starts. If it is in the context, a
// call of task waits for its subagents.
type agentWish struct {
	model  string          // model is the model of the subagents; "": the default of their kind.
	output json.RawMessage // output is the JSON schema of the subagents' results; nil: the default of their kind.
}

// agentWishKey is the context key for the [agentWish].
type agentWishKey struct{}

// withAgentWish returns a context for a call of task that starts subagents with the options w.
func withAgentWish(ctx context.Context, w agentWish) context.Context {
	return context.WithValue(ctx, agentWishKey{}, w)
}

// agentWishOf returns the options for subagents in ctx. wished is false if there are none.
func agentWishOf(ctx context.Context) (w agentWish, wished bool) {
	w, wished = ctx.Value(agentWishKey{}).(agentWish)
	return w, wished
}
