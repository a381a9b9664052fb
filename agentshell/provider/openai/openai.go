// Package openai is the Chat Completions API of OpenAI, which many other servers speak too, as a
// provider.Model, on the official SDK.
//
// One Stream is one request: the SDK's own retries are off, so that the agent makes each further
// attempt where the person sees it. Nothing is read from the environment or from files here
// (FS-33): key, model and address come in by Config.
package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/remote"
)

// DefaultModel is asked when nobody names one: the general model that the SDK's own examples ask.
const DefaultModel = string(sdk.ChatModelGPT5_2)

// Config says whom to ask. Key is needed; a server on this machine takes any.
type Config struct {
	Key   string
	Model string // "" is DefaultModel
	// BaseURL is another address of the same API, up to /v1; "" is the provider's own. It must be
	// https, or http to this machine.
	BaseURL string
	// Idle is how long an answer may be silent before it counts as broken; 0: 2 minutes.
	Idle time.Duration
	// Bounds is how much of an answer is taken.
	Bounds provider.Bounds
}

// Model asks one model.
type Model struct {
	name   string
	sees   bool
	bounds provider.Bounds
	chat   sdk.ChatCompletionService
}

// New makes a Model. The error says what is wrong with the Config; it never holds the key.
func New(cfg Config) (*Model, error) {
	if err := remote.CheckKey(cfg.Key, "OPENAI_API_KEY"); err != nil {
		return nil, err
	}
	if cfg.Model == "" {
		cfg.Model = DefaultModel
	}
	opts := []option.RequestOption{ // a service of its own, and no client: that would read the environment
		option.WithEnvironmentProduction(),
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
	return &Model{name: cfg.Model, sees: cfg.BaseURL == "", bounds: cfg.Bounds,
		chat: sdk.NewChatCompletionService(opts...)}, nil
}

// Name is the model's id.
func (m *Model) Name() string { return m.name }

// Sees is true at the provider's own address: its models see pictures; of the models at other
// addresses nothing is known.
func (m *Model) Sees() bool { return m.sees }

// Stream makes one request.
func (m *Model) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		params, err := m.params(req)
		if err != nil {
			yield(nil, err)
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream := m.chat.NewStreaming(ctx, params)
		defer stream.Close()
		a := answer{yield: yield, tally: provider.NewTally(m.bounds)}
		for stream.Next() {
			if !a.chunk(stream.Current()) {
				return
			}
		}
		if err := failure(ctx, stream); err != nil || a.stop == "" {
			if err == nil {
				err = &provider.Error{Message: "the answer ended before it was complete"}
			}
			yield(nil, err)
			return
		}
		a.finish()
	}
}

// failure is why a stream broke; nil: it came to its end.
func failure(ctx context.Context, stream *ssestream.Stream[sdk.ChatCompletionChunk]) error {
	err := stream.Err()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var (
		api    *sdk.Error
		within *ssestream.StreamError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &api):
		text := remote.Cut(api.Message)
		if text == "" && api.Response != nil { // no error of the API's own
			body, _ := io.ReadAll(io.LimitReader(api.Response.Body, 1<<10)) // the SDK has read it and left a copy
			text = remote.Sentence(string(body))
		}
		e := &provider.Error{Status: status(api.StatusCode, api.Type, api.Code), Message: text,
			RetryAfter: remote.RetryAfter(api.Response), Cause: err}
		e.TooLong = tooLong(e)
		return e
	case errors.As(err, &within): // an error that arrived inside a stream with status 200
		var body struct {
			Error struct{ Type, Code any }
		}
		_ = json.Unmarshal(within.Event.Data, &body)
		kind, _ := body.Error.Type.(string)
		code, _ := body.Error.Code.(string)
		number, _ := body.Error.Code.(float64) // other servers give the status
		e := &provider.Error{Status: status(int(number), kind, code),
			Message: remote.Sentence(string(within.Event.Data)), Cause: err}
		e.TooLong = tooLong(e)
		return e
	}
	return remote.Broken(err)
}

// tooLong reports whether an error says that the conversation does not fit: by the provider's code,
// which is 413 here, or in the words of servers that speak its language.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status >= 400 && e.Status != 429 && (strings.Contains(text, "maximum context length") ||
		strings.Contains(text, "context size") || strings.Contains(text, "context window") ||
		strings.Contains(text, "context length"))
}

// status is the HTTP status that an error stands for. Two errors of OpenAI have one that says too
// little: an account without money gets 429 as if waiting helped, and a conversation that is too
// long gets 400.
func status(http int, kind, code string) int {
	switch {
	case code == "insufficient_quota":
		return 402
	case code == "context_length_exceeded":
		return 413
	case http >= 400 && http < 600:
		return http
	}
	switch kind {
	case "invalid_request_error":
		return 400
	case "authentication_error":
		return 401
	case "rate_limit_error", "rate_limit_exceeded":
		return 429
	}
	return 500
}
