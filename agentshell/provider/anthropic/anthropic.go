// Package anthropic is the Messages API of Anthropic as a provider.Model, on the official SDK.
//
// One Stream is one request: the SDK's own retries are off, so that the agent makes each further
// attempt where the person sees it. Nothing is read from the environment or from files here
// (FS-33): key, model and address come in by Config. The key goes to the one address only,
// redirects are not followed.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/remote"
)

// DefaultModel is asked when nobody names one: the one that its maker calls efficient for coding
// and agents.
const DefaultModel = string(sdk.ModelClaudeSonnet5_5)

// maxTokens bounds one answer, thinking included. All models that the SDK names as current can give
// as much.
const maxTokens = 32_000

// Config says whom to ask. Key is needed.
type Config struct {
	Key   string
	Model string // "" is DefaultModel
	// BaseURL is another address of the same API; "" is the provider's own. It must be https, or
	// http to this machine.
	BaseURL string
	// Thinking asks the model to think as much as it finds right, and to show it. Models before 4.6
	// refuse that; without it the provider decides.
	Thinking bool
	// Idle is how long an answer may be silent, keep-alives included, before it counts as broken;
	// 0: 2 minutes.
	Idle time.Duration
	// Bounds is how much of an answer is taken.
	Bounds provider.Bounds
	// Answer is the most tokens of an answer, thinking included; 0: 32,000.
	Answer int
}

// Model asks one model.
type Model struct {
	name     string
	thinking bool
	bounds   provider.Bounds
	answer   int64
	client   sdk.Client
}

// New makes a Model. The error says what is wrong with the Config; it never holds the key.
func New(cfg Config) (*Model, error) {
	if err := remote.CheckKey(cfg.Key, "ANTHROPIC_API_KEY"); err != nil {
		return nil, err
	}
	if cfg.Model == "" {
		cfg.Model = DefaultModel
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // no key, profile or address from anywhere else
		option.WithAPIKey(cfg.Key),
		option.WithMaxRetries(0),
		option.WithHTTPClient(remote.Client(cfg.Idle, cfg.Bounds)),
	}
	if cfg.BaseURL != "" {
		if err := remote.CheckURL(cfg.BaseURL); err != nil {
			return nil, err
		}
		opts = append(opts, option.WithBaseURL(cfg.BaseURL))
	}
	return &Model{name: cfg.Model, thinking: cfg.Thinking, bounds: cfg.Bounds,
		answer: int64(cmp.Or(cfg.Answer, maxTokens)), client: sdk.NewClient(opts...)}, nil
}

// Name is the model's id.
func (m *Model) Name() string { return m.name }

// Sees is true: all models of the API that the SDK names see pictures.
func (m *Model) Sees() bool { return true }

// Stream makes one request.
func (m *Model) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		params, err := m.params(req)
		if err != nil {
			yield(nil, err)
			return
		}
		stream := m.client.Messages.NewStreaming(ctx, params)
		defer stream.Close()
		a := answer{yield: yield, tally: provider.NewTally(m.bounds)}
		for stream.Next() {
			if !a.event(stream.Current()) {
				return
			}
			if a.ended {
				a.finish()
				return
			}
		}
		yield(nil, failure(ctx, stream))
	}
}

// failure is the error of a stream that ended before the message did.
func failure(ctx context.Context, stream *ssestream.Stream[sdk.MessageStreamEventUnion]) error {
	err := stream.Err()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var api *sdk.Error
	switch {
	case err == nil:
		return &provider.Error{Message: "the answer ended before it was complete"}
	case errors.As(err, &api):
		e := &provider.Error{Status: status(api), Message: remote.Sentence(api.RawJSON()),
			RetryAfter: remote.RetryAfter(api.Response), Cause: err}
		e.TooLong = tooLong(e)
		return e
	}
	return remote.Broken(err)
}

// tooLong reports whether an error says that the conversation does not fit. There is no code for
// it, only the words.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status == 400 && (strings.Contains(text, "prompt is too long") ||
		strings.Contains(text, "exceed context limit") || strings.Contains(text, "context window"))
}

// status is the HTTP status, or what it would have been for an error that arrived inside a stream
// with status 200.
func status(e *sdk.Error) int {
	if e.StatusCode >= 400 {
		return e.StatusCode
	}
	switch string(e.Type()) {
	case "invalid_request_error":
		return 400
	case "authentication_error":
		return 401
	case "billing_error":
		return 402
	case "permission_error":
		return 403
	case "not_found_error":
		return 404
	case "request_too_large":
		return 413
	case "rate_limit_error":
		return 429
	case "timeout_error":
		return 504
	case "overloaded_error":
		return 529
	}
	return 500
}
