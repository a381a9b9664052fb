// Package openai implements [provider.Model] with the two APIs of OpenAI: Responses, for OpenAI's
// own models, and Chat Completions, which many other servers have, too.
//
// Each call of Stream sends one request. Further attempts are made by the agent, where the user
// sees them. The package reads neither the environment nor files (FS-33): key, model and address
// come from the Config.
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

// DefaultModel is the model that is used if the user names none.
const DefaultModel = "gpt-5.2"

const address = "https://api.openai.com/v1"

// The names of the two APIs: Chat Completions, and Responses.
const (
	Chat      = "chat"
	Responses = "responses"
)

// Config holds the settings of a [Model]. It needs Key, unless BaseURL is on this machine or in a
// private network.
type Config struct {
	Key   string
	Model string // The id of the model; "": DefaultModel.
	// BaseURL is the address of another server with the same API, up to /v1; "": OpenAI's. It must
	// begin with https, or with http if it is on this machine or in a private network. Insecure
	// allows http for any host.
	BaseURL  string
	Insecure bool
	Header   map[string]string // More HTTP headers, which are sent with each request.
	// KeyHeader is the name of the header that contains the key; "": Authorization, with the prefix
	// "Bearer ". Azure requires api-key.
	KeyHeader string
	// Output is the maximum number of tokens of an answer; 0: the server's limit.
	Output int
	// Dialects is the shared knowledge about servers; nil: the model starts without any.
	Dialects *remote.Dialects
	// API is Chat or Responses; "": Responses at OpenAI's own address, and Chat at any other.
	API string
	// Thinking requests a summary of the model's reasoning. Effort is the amount of reasoning:
	// none, minimal, low, medium, high, xhigh or max; "": the provider decides.
	Thinking bool
	Effort   string
	// Sees says whether the model accepts pictures; nil: a server other than OpenAI's is asked.
	Sees *bool
	// Idle is the time without any bytes after which an answer counts as broken; 0: 2 minutes.
	Idle time.Duration
	// Bounds limits how much of an answer is read.
	Bounds provider.Bounds
}

// Model is a model behind one of the two APIs of OpenAI. It implements [provider.Model].
type Model struct {
	name      string
	from      string // The name of the server that reasoning and tool calls of this model are marked with.
	keyHeader bool   // The key is sent in a header that the user has named.
	sees      *bool  // The model accepts pictures; nil: its server is asked.
	responses bool
	thinking  bool
	effort    string
	output    int
	bounds    provider.Bounds
	api       remote.API
	stops     provider.Stops
	habit     *provider.ThoughtHabit // How answers begin; nil: the server sends reasoning apart from the text.
}

// New returns a Model. The error says what is wrong with the Config, and never contains the key.
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

// responses reports whether the model uses the Responses API, by the API setting or by the address.
func (c Config) responses() bool {
	base, _, _ := strings.Cut(c.BaseURL, "?")
	return c.API == Responses || c.API == "" && (base == "" || strings.HasSuffix(base, "/responses"))
}

// Name returns the model's id.
func (m *Model) Name() string { return m.name }

// Sees reports whether the model may accept pictures. If that is not known it returns true: the
// server is asked before the first picture is sent.
func (m *Model) Sees() bool { return m.sees == nil || *m.sees }

// look returns messages unchanged if the model accepts pictures, and otherwise without pictures.
// notes tells the user of the latter, once. It asks the server if the setting does not say.
func (m *Model) look(ctx context.Context, messages []provider.Message) (list []provider.Message, notes []string) {
	if m.sees != nil || !provider.HasPictures(messages) || m.api.Sees(ctx, m.name) {
		return messages, nil
	}
	if note, first := m.api.Blind(m.name); first {
		notes = []string{note}
	}
	return provider.WithImages(messages, false), notes
}

// Models returns the ids of the models in the service's list.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	ids, err := m.api.List(ctx)
	return ids, refusal(err)
}

// answering is implemented by the states of an answer of both APIs.
type answering interface {
	// event handles the data of one event. It returns false if the consumer wants no more events,
	// an error was yielded, or the answer has ended.
	event(data []byte) bool
	// over reports whether the answer has ended. finish then yields its last events.
	over() bool
	finish()
	// broken reports whether nothing more may be yielded: an error was yielded, or the consumer
	// wants no more events.
	broken() bool
}

// Stream sends one request and yields the events of its answer. It implements [provider.Model].
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

// explain returns err, the error of a request with the given messages, as a [provider.Error] with
// advice for the user.
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

// collector holds the part of an answer's state that both APIs have in common.
type collector struct {
	yield func(provider.Event, error) bool
	tally *provider.Tally
	from  string
	stops *provider.Stops
	ids   *provider.CallIDs
	habit *provider.ThoughtHabit
	usage provider.Usage
	stop  string
	gone  bool // Nothing more may be yielded: an error was yielded, or the consumer wants no more events.
}

// broken reports whether nothing more may be yielded.
func (c *collector) broken() bool { return c.gone }

// give yields an event. It returns false if the consumer wants no more.
func (c *collector) give(e provider.Event) bool {
	c.gone = c.gone || !c.yield(e, nil)
	return !c.gone
}

// fail yields an error and returns false.
func (c *collector) fail(err error) bool {
	if !c.gone {
		c.gone = true
		c.yield(nil, err)
	}
	return false
}

// goesOn reports whether the answer goes on. Its parameters are the results of a method of
// [provider.Speech]. It yields err, if there is one.
func (c *collector) goesOn(more bool, err error) bool {
	if err != nil {
		return c.fail(err)
	}
	return more
}

// end yields the usage and the End with message m.
func (c *collector) end(m provider.Message) {
	if c.give(c.usage) {
		c.give(provider.End{Stop: c.stop, Message: m})
	}
}

// failure is an error object of the API. It comes within a stream, or as the body of an error
// response.
type failure struct {
	Message string
	Type    string
	Code    any // A word, or with some servers the number of an HTTP status.
}

// error returns f as a [provider.Error]. http is the status of the response, or 0 for an error
// within a stream. body is the JSON that contained f.
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

// refusal converts a refused request to a [provider.Error] with the error of the API that its body
// contains. It returns any other error unchanged.
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

// tooLong reports whether the error says that the conversation does not fit into the model's
// context: by the status 413, which stands for OpenAI's code, or by the messages of other servers.
func tooLong(e *provider.Error) bool {
	text := strings.ToLower(e.Message)
	return e.Status == 413 || e.Status >= 400 && e.Status != 429 && (strings.Contains(text, "maximum context length") ||
		strings.Contains(text, "context size") || strings.Contains(text, "context window") ||
		strings.Contains(text, "context length"))
}

// status returns the HTTP status that an error stands for. It corrects two statuses of OpenAI: an
// account without credit gets 429, as if waiting helped, and a conversation that is too long gets
// 400.
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

// schemaOf returns the JSON schema of a tool's input, or an error if it is no valid JSON.
func schemaOf(name string, schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) > 0 && !json.Valid(schema) {
		return nil, fmt.Errorf("the schema of tool %s is no JSON", name)
	}
	return schema, nil
}
