// Package anthropic is the Messages API of Anthropic as a provider.Model, on the official SDK.
//
// One Stream is one request: the SDK's own retries are off, so that the agent makes each further attempt where the person sees it. Nothing is
// read from the environment or from files here (FS-33): key, model and address come in by Config. The key goes to the one address only,
// redirects are not followed.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"github.com/scrollkeep/scrollkeep/agentshell/provider"
)

// DefaultModel is asked when nobody names one: the one that its maker calls efficient for coding and agents.
const DefaultModel = string(sdk.ModelClaudeSonnet5_5)

// maxTokens bounds one answer, thinking included. All models that the SDK names as current can give as much.
const maxTokens = 32_000

// Config says whom to ask. Key is needed.
type Config struct {
	Key   string
	Model string // "" is DefaultModel
	// BaseURL is another address of the same API; "" is the provider's own. It must be https, or http to this machine.
	BaseURL string
	// Thinking asks the model to think as much as it finds right, and to show it. Models before 4.6 refuse that; without it the provider decides.
	Thinking bool
	// Idle is how long an answer may be silent, keep-alives included, before it counts as broken; 0: 2 minutes.
	Idle time.Duration
}

// Model asks one model.
type Model struct {
	name     string
	thinking bool
	client   sdk.Client
}

// New makes a Model. The error says what is wrong with the Config; it never holds the key.
func New(cfg Config) (*Model, error) {
	if strings.TrimSpace(cfg.Key) == "" {
		return nil, errors.New("no key: set ANTHROPIC_API_KEY")
	}
	if strings.ContainsFunc(cfg.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return nil, errors.New("the key has a blank, a control or a non-ASCII character in it: look at ANTHROPIC_API_KEY")
	}
	if cfg.Model == "" {
		cfg.Model = DefaultModel
	}
	if cfg.Idle == 0 {
		cfg.Idle = 2 * time.Minute
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // no key, profile or address from anywhere else
		option.WithAPIKey(cfg.Key),
		option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{
			Transport:     patience{idle: cfg.Idle, next: http.DefaultTransport},
			CheckRedirect: refuseRedirect,
		}),
	}
	if cfg.BaseURL != "" {
		if err := checkURL(cfg.BaseURL); err != nil {
			return nil, err
		}
		opts = append(opts, option.WithBaseURL(cfg.BaseURL))
	}
	return &Model{name: cfg.Model, thinking: cfg.Thinking, client: sdk.NewClient(opts...)}, nil
}

// Name is the model's id.
func (m *Model) Name() string { return m.name }

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
		a := answer{yield: yield}
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
	var ours *provider.Error
	var api *sdk.Error
	switch {
	case err == nil:
		return &provider.Error{Message: "the answer ended before it was complete"}
	case errors.As(err, &ours):
		return ours
	case errors.As(err, &api):
		return &provider.Error{Status: status(api), Message: message(api), RetryAfter: retryAfter(api.Response), Cause: err}
	}
	return &provider.Error{Message: err.Error(), Cause: err}
}

// status is the HTTP status, or what it would have been for an error that arrived inside a stream with status 200.
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

// message is the provider's sentence, or the start of whatever came instead.
func message(e *sdk.Error) string {
	var body struct{ Error struct{ Message string } }
	if json.Unmarshal([]byte(e.RawJSON()), &body) == nil && body.Error.Message != "" {
		return body.Error.Message
	}
	text := strings.Join(strings.Fields(e.RawJSON()), " ")
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "..."
	}
	return text
}

// retryAfter reads what the provider asks for: milliseconds, seconds, or a date.
func retryAfter(r *http.Response) time.Duration {
	if r == nil {
		return 0
	}
	if ms, err := strconv.ParseFloat(r.Header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := r.Header.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return fmt.Errorf("the base URL %q is no URL", s)
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return fmt.Errorf("the base URL %q must begin with https://, or http:// for this machine: the key would travel in the clear", s)
	}
	return nil
}

func refuseRedirect(req *http.Request, via []*http.Request) error {
	status := http.StatusFound
	if req.Response != nil {
		status = req.Response.StatusCode
	}
	return &provider.Error{Status: status, Message: "it sends us to " + req.URL.Host + ", which is not the configured address; the key is not sent there"}
}
