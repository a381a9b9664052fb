// Package providertest tests implementations of [provider.Model] with a server that sends answers,
// errors, broken answers, and answers without an end.
package providertest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Key is the API key of the models under test. No error may contain it.
const Key = "sk-test-0123456789"

// Service is a provider under test.
type Service struct {
	// New returns a model that uses Key and the server at url, with the given limit of silence.
	New func(url string, idle time.Duration) (provider.Model, error)
	// Wire is a complete answer in the server's format. Start is its first part, up to the text "I
	// look".
	Wire, Start string
}

// Case is a request that fails: what the server does, the expected error, and whether that is
// retryable.
type Case struct {
	Handler http.HandlerFunc
	Want    provider.Error
	Retry   bool
}

// Fails returns a Case of a request that fails: h answers it, want is the expected error, and retry
// tells whether another attempt is expected.
func Fails(h http.HandlerFunc, want provider.Error, retry bool) Case { return Case{h, want, retry} }

// Serve starts a server that answers every request with h, until the test ends. It returns the
// server's address, without a path.
func Serve(t *testing.T, h http.HandlerFunc) (url string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// Sends returns a handler that answers with body as a stream of events.
func Sends(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

// Refuses returns a handler that answers with an error. body is JSON. headers holds names and
// values in turn.
func Refuses(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for pair := range slices.Chunk(headers, 2) {
			w.Header().Set(pair[0], pair[1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Asked holds the last request that a server got.
type Asked struct {
	Path   string
	Header http.Header
	body   any
}

// Takes returns a handler that stores the request in a and answers with a stream of events.
func (a *Asked) Takes(t *testing.T, events string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		a.Path, a.Header, a.body = r.URL.Path, r.Header, nil
		if err := json.NewDecoder(r.Body).Decode(&a.body); err != nil {
			t.Error(err)
		}
		Sends(events)(w, r)
	}
}

// Says tests that the body of the request is the given JSON.
func (a *Asked) Says(t *testing.T, body string) {
	t.Helper()
	var want any
	if err := json.Unmarshal([]byte(body), &want); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a.body, want) {
		got, _ := json.MarshalIndent(a.body, "", " ")
		t.Errorf("the body is %s", got)
	}
}

// Has reports whether the body of the request, as JSON, contains text.
func (a *Asked) Has(text string) bool {
	body, _ := json.Marshal(a.body)
	return strings.Contains(string(body), text)
}

// Configures tests that model refuses keys and addresses that cannot be right, without the key in
// the error, and that it accepts valid ones. The models must have the given name.
func Configures(t *testing.T, model func(key, url string) (provider.Model, error), name string) {
	for _, c := range []struct{ key, url string }{
		{"", ""}, {"  ", ""}, {"q q", ""}, {"q\n", ""}, {"ключ", ""},
		{"k", "http://example.com"}, {"k", "ftp://localhost"}, {"k", "example.com"},
		{"k", "http://localhost.example.com"},
	} {
		if _, err := model(c.key, c.url); err == nil ||
			c.key != "k" && strings.TrimSpace(c.key) != "" && strings.Contains(err.Error(), c.key) {
			t.Errorf("%q: error %v", c, err)
		}
	}
	for _, url := range []string{"", "https://example.com/proxy/v1", "http://localhost:8080/v1", "http://[::1]:9"} {
		if m, err := model("k", url); err != nil || m.Name() != name {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// Hello returns a request with one message of the user: "hello".
func Hello() provider.Request {
	return provider.Request{
		Messages: []provider.Message{{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "hello"}}}}}
}

// Collect sends req to the model and returns all events, and the error if one was yielded. It
// removes the address of the server from tool calls.
func Collect(ctx context.Context, m provider.Model, req provider.Request) (events []provider.Event, err error) {
	events, err = Events(ctx, m, req)
	for i := range events {
		events[i] = withoutServer(events[i])
	}
	return events, err
}

// Events sends req to the model and returns all events, and the error if one was yielded. Tool
// calls contain the address of their server, see [provider.ToolCall].
func Events(ctx context.Context, m provider.Model, req provider.Request) (events []provider.Event, err error) {
	for e, failure := range m.Stream(ctx, req) {
		if failure != nil {
			err = failure
			continue
		}
		events = append(events, e)
	}
	return events, err
}

// withoutServer returns an event without the address of the server in its tool calls.
func withoutServer(e provider.Event) provider.Event {
	switch e := e.(type) {
	case provider.ToolCall:
		e.From = ""
		return e
	case provider.End:
		for i, p := range e.Message.Parts {
			if c, ok := p.(provider.ToolCall); ok {
				c.From = ""
				e.Message.Parts[i] = c
			}
		}
	}
	return e
}

// serve returns a model of the service whose requests are answered by h.
func (s Service) serve(t *testing.T, idle time.Duration, h http.HandlerFunc) provider.Model {
	t.Helper()
	m, err := s.New(Serve(t, h), idle)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Elsewhere returns the case of a server that redirects to another address. The key must not be
// sent there.
func Elsewhere() Case {
	return Case{func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.2:1/x", http.StatusTemporaryRedirect)
	}, provider.Error{Status: 307,
		Message: "it sends us to 127.0.0.2:1, which is not the configured address; the key is not sent there"}, false}
}

// Page returns the case of a proxy that answers with an error page of its own.
func Page() Case {
	return Case{func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "<html> bad\n gateway", http.StatusBadGateway)
	}, provider.Error{Status: 502, Message: "<html> bad gateway"}, true}
}

// Login returns the case of a proxy that answers with a login page, as if the page were a stream of
// events.
func Login() Case {
	return Case{Sends("<!doctype html><title>Sign in</title>"), provider.Error{Message: `"Sign in"`}, false}
}

// EndsEarly returns the case of a stream that ends before the answer is complete. body is the
// stream.
func EndsEarly(body string) Case {
	return Case{Sends(body), provider.Error{Message: "the answer ended before it was complete"}, true}
}

// Fails tests each case: the error is the expected one and does not contain the key, only one
// request was sent, and no End was yielded.
func (s Service) Fails(t *testing.T, cases map[string]Case) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			calls := 0
			m := s.serve(t, 0, func(w http.ResponseWriter, r *http.Request) { calls++; c.Handler(w, r) })
			events, err := Collect(t.Context(), m, Hello())
			var e *provider.Error
			if !errors.As(err, &e) || e.Status != c.Want.Status || e.Message != c.Want.Message ||
				e.RetryAfter != c.Want.RetryAfter || e.TooLong != c.Want.TooLong || e.Retryable() != c.Retry {
				t.Errorf("error %#v (%v), want %+v", e, err, c.Want)
			}
			if err != nil && strings.Contains(err.Error(), Key) {
				t.Error("the key is in the error")
			}
			if calls != 1 {
				t.Errorf("%d requests: further attempts are the agent's", calls)
			}
			if slices.ContainsFunc(events, func(e provider.Event) bool { _, end := e.(provider.End); return end }) {
				t.Error("an end and an error")
			}
		})
	}
}

// Breaks tests that a connection that is cut in the middle of an answer ends with a retryable
// error.
func (s Service) Breaks(t *testing.T) {
	m := s.serve(t, 0, func(w http.ResponseWriter, r *http.Request) {
		Sends(s.Wire[:len(s.Start)+50])(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	_, err := Collect(t.Context(), m, Hello())
	var e *provider.Error
	if !errors.As(err, &e) || e.Status != 0 || !e.Retryable() {
		t.Errorf("error %v", err)
	}
}

// stalls returns a handler that sends the start of an answer, and then nothing until the client
// disconnects. Then it closes gone.
func (s Service) stalls(gone chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		Sends(s.Start)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	}
}

// Cancels tests that cancelling the context ends an answer: the text so far has arrived, and the
// connection is closed.
func (s Service) Cancels(t *testing.T) {
	gone := make(chan struct{})
	m := s.serve(t, 0, s.stalls(gone))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err error
	said := ""
	for e, failure := range m.Stream(ctx, Hello()) {
		if text, ok := e.(provider.TextDelta); ok {
			said += text.Text
			cancel()
		}
		err = failure
	}
	if !errors.Is(err, context.Canceled) || said != "I look" {
		t.Errorf("said %q, error %v", said, err)
	}
	<-gone
}

// Leaves tests that the request ends when the consumer stops after the first event.
func (s Service) Leaves(t *testing.T) {
	gone := make(chan struct{})
	m := s.serve(t, 0, s.stalls(gone))
	for range m.Stream(t.Context(), Hello()) {
		break
	}
	<-gone
}

// Silent tests that an answer that stops in the middle, or does not begin, ends with a retryable
// error.
func (s Service) Silent(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"in the middle": s.stalls(make(chan struct{})),
		"from the start": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server notices that the client left only once the body is read
			<-r.Context().Done()
		},
	} {
		_, err := Collect(t.Context(), s.serve(t, 50*time.Millisecond, handler), Hello())
		var e *provider.Error
		if !errors.As(err, &e) || e.Message != "the answer was silent for 50ms" || !e.Retryable() {
			t.Errorf("%s: %v", name, err)
		}
	}
}
