// Package anthropic implements [provider.Model] with Anthropic's Messages API.
//
// Each call of Stream sends one request. Further attempts are made by the agent, where the user
// sees them. The package reads neither the environment nor files (FS-33): key, model and address
// come from the Config. The key is sent to that address only, and redirects are not followed.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// DefaultModel is the model that is used if the user names none. Anthropic calls it efficient for
// coding and agents.
const DefaultModel = "claude-sonnet-5-5"

const (
	address = "https://api.anthropic.com"
	version = "2023-06-01" // The value of the header Anthropic-Version.
	// maxTokens is the default limit of one answer in tokens, including reasoning. All current
	// models can give as many.
	maxTokens = 32_000
)

// Config holds the settings of a [Model]. It needs Key or Token, unless BaseURL is on this machine
// or in a private network.
type Config struct {
	Key   string
	Token string // A bearer token, which gateways accept in place of a key.
	Model string // The id of the model; "": DefaultModel.
	// BaseURL is the address of another server with the same API; "": Anthropic's. It must begin
	// with https, or with http if it is on this machine or in a private network. Insecure allows
	// http for any host.
	BaseURL  string
	Insecure bool
	Header   map[string]string // More HTTP headers, which are sent with each request.
	// KeyHeader is the name of the header that contains the key; "": X-Api-Key, or Authorization
	// for a token.
	KeyHeader string
	// Sees says whether the model accepts pictures; nil: it does, like all current models of
	// Anthropic.
	Sees *bool
	// Dialects is the shared knowledge about servers; nil: the model starts without any.
	Dialects *remote.Dialects
	// Thinking lets the model decide how long it reasons, and requests the reasoning as text.
	// Models before 4.6 refuse that. If it is false, the provider decides.
	Thinking bool
	// Effort is the effort of the model for an answer: low, medium, high, xhigh or max; "": the
	// provider decides.
	Effort string
	// Idle is the time without any bytes, even keep-alives, after which an answer counts as broken;
	// 0: 2 minutes.
	Idle time.Duration
	// Bounds limits how much of an answer is read.
	Bounds provider.Bounds
	// Answer is the maximum number of tokens of an answer, including reasoning; 0: 32,000.
	Answer int
}

// Model is a model behind the Messages API. It implements [provider.Model].
type Model struct {
	name     string
	from     string                 // The name of the server that tool calls of this model are marked with.
	habit    *provider.ThoughtHabit // How answers begin; nil: the server sends reasoning apart from the text.
	stops    provider.Stops
	thinking bool
	effort   string
	bounds   provider.Bounds
	answer   int
	blind    bool
	api      remote.API
	sent     sent
}

// New returns a Model. The error says what is wrong with the Config, and never contains the key.
func New(cfg Config) (*Model, error) {
	free := cfg.BaseURL != "" && (cfg.Insecure || remote.Near(cfg.BaseURL))
	err := remote.CheckKey(cfg.Key, "ANTHROPIC_API_KEY", free || cfg.Token != "")
	if cfg.Token != "" {
		err = errors.Join(err, remote.CheckKey(cfg.Token, "ANTHROPIC_AUTH_TOKEN", false))
	}
	if err = errors.Join(err, remote.CheckURL(cfg.BaseURL, cfg.Insecure)); err != nil {
		return nil, err
	}
	header := map[string]string{"Anthropic-Version": version}
	switch {
	case cfg.KeyHeader != "":
		header[cfg.KeyHeader] = cmp.Or(cfg.Token, cfg.Key)
	case cfg.Token != "":
		header["Authorization"] = "Bearer " + cfg.Token
	case cfg.Key != "":
		header["X-Api-Key"] = cfg.Key
	}
	maps.Copy(header, cfg.Header)
	from, _, _ := strings.Cut(cmp.Or(cfg.BaseURL, address), "?") // what is behind it may be a key
	m := &Model{name: cmp.Or(cfg.Model, DefaultModel), from: "messages " + from, thinking: cfg.Thinking,
		effort: cfg.Effort, blind: cfg.Sees != nil && !*cfg.Sees, bounds: cfg.Bounds,
		answer: cmp.Or(cfg.Answer, maxTokens),
		api:    remote.NewAPI(cmp.Or(cfg.BaseURL, address), header, cfg.Idle, cfg.Bounds).Sharing(cfg.Dialects)}
	if cfg.BaseURL != "" {
		m.habit = &provider.ThoughtHabit{}
	}
	return m, nil
}

// Name returns the model's id.
func (m *Model) Name() string { return m.name }

// Sees reports whether the model accepts pictures.
func (m *Model) Sees() bool { return !m.blind }

// Models returns the ids of the models in the service's list.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	return list(ctx, m.api)
}

// Stream sends one request and yields the events of its answer. It implements [provider.Model].
func (m *Model) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		stream, notes, err := m.api.Ask(ctx, m.ask(req))
		if err != nil {
			err = refusal(err)
			if e := (*provider.Error)(nil); errors.As(err, &e) {
				remote.PicturesRefused(e, req.Messages)
			}
			yield(nil, err)
			return
		}
		defer stream.Close()
		for _, n := range notes {
			if !yield(provider.Notice{Text: n}, nil) {
				return
			}
		}
		a := answer{yield: yield, tally: provider.NewTally(m.bounds), ids: provider.NewCallIDs(req, m.from),
			from: m.from, habit: m.habit, stops: &m.stops}
		for data, err := range stream.Events() {
			if err != nil && a.reason != "" { // what breaks behind the end breaks nothing
				break
			}
			if err != nil {
				yield(nil, refusal(err))
				return
			}
			if !a.data(data) {
				return
			}
			if a.ended {
				break
			}
		}
		if !a.ended && a.reason == "" {
			yield(nil, remote.Early())
			return
		}
		a.finish()
	}
}

// refusal converts a refused request to a [provider.Error] with the status that its error type
// stands for. It returns any other error unchanged.
func refusal(err error) error {
	var r *remote.Refused
	if !errors.As(err, &r) {
		return err
	}
	var body struct{ Error struct{ Type string } }
	answered := r.Status
	if _ = json.Unmarshal(r.Body, &body); answered == 0 && body.Error.Type != "" {
		answered = status(body.Error.Type)
	}
	e := &provider.Error{Status: answered, Message: remote.Sentence(string(r.Body))}
	r.Explain(e)
	e.TooLong = tooLong(e)
	return e
}

// tooLong reports whether the error says that the conversation does not fit into the model's
// context. Only the message tells, because there is no code for it.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status == 400 && (strings.Contains(text, "prompt is too long") ||
		strings.Contains(text, "exceed context limit") || strings.Contains(text, "context window"))
}

// status returns the HTTP status that belongs to an error type of the API. An error within a stream
// has no status of its own.
func status(kind string) int {
	switch kind {
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

// list requests the ids of all models. One page of 1000 is enough.
func list(ctx context.Context, api remote.API) (ids []string, err error) {
	var page struct {
		Data []struct{ ID string }
	}
	if err := api.Get(ctx, "/v1/models?limit=1000", &page); err != nil {
		return nil, refusal(err)
	}
	for _, m := range page.Data {
		ids = append(ids, m.ID)
	}
	return ids, nil
}
