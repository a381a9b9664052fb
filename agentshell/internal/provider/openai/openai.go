// Package openai is the two APIs of OpenAI as a provider.Model: Responses, which its own models
// want, and Chat Completions, which many other servers speak, too.
//
// One Stream is one request: the agent makes each further attempt where the person sees it. Nothing
// is read from the environment or from files here (FS-33): key, model and address come in by
// Config.
package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// DefaultModel is asked when nobody names one.
const DefaultModel = "gpt-5.2"

const address = "https://api.openai.com/v1"

// The APIs.
const (
	Chat      = "chat"
	Responses = "responses"
)

// Config says whom to ask. Key is needed, but for an address near by.
type Config struct {
	Key   string
	Model string // "" is DefaultModel
	// BaseURL is another address of the same API, up to /v1; "" is the provider's own. It must be
	// https, or http to this machine or a private address. Insecure allows http anywhere.
	BaseURL  string
	Insecure bool
	Header   map[string]string // that goes with each request
	// KeyHeader is the header that the key goes in; "": Authorization, behind Bearer. Azure wants
	// api-key.
	KeyHeader string
	// Output is the most tokens of an answer; 0: as the server has it.
	Output int
	// Dialects are what servers were found to want otherwise; nil: nothing is known.
	Dialects *remote.Dialects
	// API is Chat or Responses; "" is Responses at the provider's own address, and Chat elsewhere.
	API string
	// Thinking asks for a summary of what the model thinks; Effort is how much of it: none,
	// minimal, low, medium, high, xhigh or max; "": the provider decides.
	Thinking bool
	Effort   string
	// Sees says whether the model at another address sees pictures; nil: its server is asked.
	Sees *bool
	// Idle is how long an answer may be silent before it counts as broken; 0: 2 minutes.
	Idle time.Duration
	// Bounds is how much of an answer is taken.
	Bounds provider.Bounds
}

// Model asks one model.
type Model struct {
	name      string
	from      string // of what it thinks
	keyHeader bool   // the key goes in a header of its own
	sees      *bool  // pictures; nil: its server may say
	responses bool
	thinking  bool
	effort    string
	output    int
	bounds    provider.Bounds
	api       remote.API
	stops     provider.Stops
	habit     *provider.ThoughtHabit // nil: the server tells thinking apart
}

// New makes a Model. The error says what is wrong with the Config; it never holds the key.
func New(cfg Config) (*Model, error) {
	if err := errors.Join(remote.CheckKey(cfg.Key, "OPENAI_API_KEY",
		cfg.BaseURL != "" && (cfg.Insecure || remote.Near(cfg.BaseURL))),
		remote.CheckURL(cfg.BaseURL, cfg.Insecure)); err != nil {
		return nil, err
	}
	header := map[string]string{}
	switch {
	case cfg.Key == "":
	case cfg.KeyHeader != "":
		header[cfg.KeyHeader] = cfg.Key
	default:
		header["Authorization"] = "Bearer " + cfg.Key
	}
	maps.Copy(header, cfg.Header)
	api := remote.NewAPI(cmp.Or(cfg.BaseURL, address), header, cfg.Idle, cfg.Bounds).Sharing(cfg.Dialects)
	m := &Model{name: cmp.Or(cfg.Model, DefaultModel), sees: cfg.Sees, keyHeader: cfg.KeyHeader != "",
		responses: cfg.responses(),
		thinking:  cfg.Thinking, effort: cfg.Effort, output: cfg.Output, bounds: cfg.Bounds, api: api}
	if cfg.BaseURL != "" {
		m.habit = &provider.ThoughtHabit{}
	}
	if m.sees == nil && cfg.BaseURL == "" { // the models of OpenAI do
		yes := true
		m.sees = &yes
	}
	from, _, _ := strings.Cut(cmp.Or(cfg.BaseURL, address), "?") // what is behind it may be a key
	m.from = Responses + " " + from
	if !m.responses {
		m.from = Chat + " " + from + " " + m.name
	}
	return m, nil
}

// responses reports whether Responses is asked: where the API says so, or the address does.
func (c Config) responses() bool {
	base, _, _ := strings.Cut(c.BaseURL, "?")
	return c.API == Responses || c.API == "" && (base == "" || strings.HasSuffix(base, "/responses"))
}

// Name returns the model's id.
func (m *Model) Name() string { return m.name }

// Sees reports whether the model may see pictures. Where nothing is known of it, its server is
// asked when there is a picture to send.
func (m *Model) Sees() bool { return m.sees == nil || *m.sees }

// look returns messages without pictures where the server does not say that the model sees, and
// what the person has to know of it.
func (m *Model) look(ctx context.Context, messages []provider.Message) (list []provider.Message, notes []string) {
	if m.sees != nil || !provider.HasPictures(messages) || m.api.Sees(ctx, m.name) {
		return messages, nil
	}
	if note, first := m.api.Blind(m.name); first {
		notes = []string{note}
	}
	return provider.WithImages(messages, false), notes
}

// Models returns the ids that the service names.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	ids, err := m.api.List(ctx)
	return ids, refusal(err)
}

// answering takes the events of one answer.
type answering interface {
	// event takes the data of one; false means that the consumer has left, an error was yielded, or
	// the answer has ended.
	event(data []byte) bool
	// over reports whether the answer has ended, and finish yields its end.
	over() bool
	finish()
	// broken reports whether the last event was an error, which was yielded, or the consumer's
	// leaving.
	broken() bool
}

// Stream makes one request.
func (m *Model) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		c := collector{yield: yield, tally: provider.NewTally(m.bounds), from: m.from, stops: &m.stops,
			ids: provider.NewCallIDs(req, m.from), habit: m.habit}
		var blind []string
		req.Messages, blind = m.look(ctx, req.Messages)
		ask := m.ask(req)
		var a answering = newCompletion(&c)
		if m.responses {
			a = &responseAnswer{collector: &c}
		}
		answer, notes, err := m.api.Ask(ctx, ask)
		if err != nil {
			yield(nil, m.explain(err, req.Messages))
			return
		}
		defer answer.Close()
		for _, n := range append(blind, notes...) {
			if !c.give(provider.Notice{Text: n}) {
				return
			}
		}
		for data, err := range answer.Events() {
			if err != nil {
				if !a.over() { // what breaks behind the end breaks nothing
					yield(nil, refusal(err))
					return
				}
				break
			}
			if !a.event(data) {
				break
			}
		}
		switch {
		case a.broken():
		case !a.over():
			yield(nil, remote.Early())
		default:
			a.finish()
		}
	}
}

// explain returns the error of a request with what a person can do about it.
func (m *Model) explain(err error, messages []provider.Message) error {
	err = refusal(err)
	var e *provider.Error
	if !errors.As(err, &e) {
		return err
	}
	remote.PicturesRefused(e, messages)
	azure := strings.Contains(m.api.Address(), "/openai/deployments/")
	if e.Status == http.StatusUnauthorized && azure && !m.keyHeader {
		e.Advice = `Azure wants the key in a header of its own: set key_header = "api-key" for this model.`
	}
	return err
}

// collector is what the answers of both APIs have in common.
type collector struct {
	yield func(provider.Event, error) bool
	tally *provider.Tally
	from  string
	stops *provider.Stops
	ids   *provider.CallIDs
	habit *provider.ThoughtHabit
	usage provider.Usage
	stop  string
	gone  bool // the consumer has left, or got an error
}

func (c *collector) broken() bool { return c.gone }

// give yields an event; false means that nobody wants more.
func (c *collector) give(e provider.Event) bool {
	c.gone = c.gone || !c.yield(e, nil)
	return !c.gone
}

// fail yields an error.
func (c *collector) fail(err error) bool {
	if !c.gone {
		c.gone = true
		c.yield(nil, err)
	}
	return false
}

// goesOn reports whether the answer goes on after a piece of text. It yields err, if there is one.
// more is false if the consumer has left.
func (c *collector) goesOn(more bool, err error) bool {
	if err != nil {
		return c.fail(err)
	}
	return more
}

// end yields usage and the end.
func (c *collector) end(m provider.Message) {
	if c.give(c.usage) {
		c.give(provider.End{Stop: c.stop, Message: m})
	}
}

// failure is an error of the API: within a stream, or as the body of a refusal.
type failure struct {
	Message string
	Type    string
	Code    any // a word, or with other servers the status
}

// error returns f as ours; http is the status that it came with, 0 for one within a stream, and
// body what it came in.
func (f failure) error(http int, body []byte) *provider.Error {
	code, _ := f.Code.(string)
	if number, ok := f.Code.(float64); ok && http == 0 {
		http = int(number)
	}
	e := &provider.Error{Status: status(http, f.Type, code), Message: remote.Cut(f.Message)}
	if e.Message == "" {
		e.Message = remote.Sentence(string(body))
	}
	e.TooLong = tooLong(e)
	return e
}

// refusal returns err with the meaning of the API's own.
func refusal(err error) error {
	var r *remote.Refused
	if !errors.As(err, &r) {
		return err
	}
	var body struct{ Error failure }
	_ = json.Unmarshal(r.Body, &body) // a page of a proxy is none
	body.Error.Message = remote.Sentence(string(r.Body))
	e := body.Error.error(r.Status, r.Body)
	r.Explain(e)
	return e
}

// tooLong reports whether an error says that the conversation does not fit: by the provider's code,
// which is 413 here, or in the words of servers that speak its language.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status >= 400 && e.Status != 429 && (strings.Contains(text, "maximum context length") ||
		strings.Contains(text, "context size") || strings.Contains(text, "context window") ||
		strings.Contains(text, "context length"))
}

// status returns the HTTP status that an error stands for. Two errors of OpenAI have one that says
// too little: an account without money gets 429 as if waiting helped, and a conversation that is
// too long gets 400.
func status(http int, kind, code string) int {
	switch {
	case code == "insufficient_quota":
		return 402
	case code == "context_length_exceeded":
		return 413
	case http >= 400 && http < 600:
		return http
	}
	for _, name := range []string{kind, code} {
		switch name {
		case "invalid_request_error", "invalid_prompt":
			return 400
		case "authentication_error":
			return 401
		case "rate_limit_error", "rate_limit_exceeded":
			return 429
		}
	}
	return 500
}

// schemaOf returns the schema of a tool's arguments.
func schemaOf(name string, schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) > 0 && !json.Valid(schema) {
		return nil, fmt.Errorf("the schema of tool %s is no JSON", name)
	}
	return schema, nil
}
