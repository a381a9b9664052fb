// Package anthropic is the Messages API of Anthropic as a provider.Model.
//
// One Stream is one request: the agent makes each further attempt where the person sees it. Nothing
// is read from the environment or from files here (FS-33): key, model and address come in by
// Config. The key goes to the one address only, redirects are not followed.
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

// DefaultModel is asked when nobody names one: the one that its maker calls efficient for coding
// and agents.
const DefaultModel = "claude-sonnet-5-5"

const (
	address = "https://api.anthropic.com"
	version = "2023-06-01" // of the API
	// maxTokens bounds one answer, thinking included. All models that are current can give as much.
	maxTokens = 32_000
)

// Config says whom to ask. Key or Token is needed, but for an address near by.
type Config struct {
	Key   string
	Token string // in place of a key, as a bearer token: for gateways
	Model string // "" is DefaultModel
	// BaseURL is another address of the same API; "" is the provider's own. It must be https, or
	// http to this machine or a private address. Insecure allows http anywhere.
	BaseURL  string
	Insecure bool
	Header   map[string]string // that goes with each request
	// KeyHeader is the header that the key goes in; "": X-Api-Key, or Authorization for a token.
	KeyHeader string
	// Sees says whether the model sees pictures; nil: it does, as all current models of Anthropic.
	Sees *bool
	// Dialects are what servers were found to want otherwise; nil: nothing is known.
	Dialects *remote.Dialects
	// Thinking asks the model to think as much as it finds right, and to show it. Models before 4.6
	// refuse that; without it the provider decides.
	Thinking bool
	// Effort is how much of it a model spends on an answer: low, medium, high, xhigh or max; "":
	// the provider decides.
	Effort string
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
	from     string                 // of calls
	habit    *provider.ThoughtHabit // nil: the server tells thinking apart
	stops    provider.Stops
	thinking bool
	effort   string
	bounds   provider.Bounds
	answer   int
	blind    bool
	api      remote.API
	sent     sent
}

// New makes a Model. The error says what is wrong with the Config; it never holds the key.
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

// Sees reports whether the model sees pictures.
func (m *Model) Sees() bool { return !m.blind }

// Models returns the ids that the service names.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	return list(ctx, m.api)
}

// Stream makes one request.
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

// refusal returns err with the meaning of the API's own.
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

// tooLong reports whether an error says that the conversation does not fit. There is no code for
// it, only the words.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status == 400 && (strings.Contains(text, "prompt is too long") ||
		strings.Contains(text, "exceed context limit") || strings.Contains(text, "context window"))
}

// status returns the HTTP status that stands for the kind of an error. Such an error arrived inside
// a stream with status 200.
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

// list asks for the ids of all models; the service gives them by pages.
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
