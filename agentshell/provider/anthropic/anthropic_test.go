package anthropic_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
)

const key = "sk-ant-test-0123456789"

// event writes one server-sent event as the API does.
func event(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// wire is a whole answer: thinking, text, one call in pieces and one without arguments, with keep-alives and an event from the future.
var wire = strings.Join([]string{
	event("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":1}}}`),
	event("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`),
	event("ping", `{"type":"ping"}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me "}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"see."}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":0}`),
	event("content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"cmVk"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":1}`),
	event("content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"I look"}}`),
	": a comment\n\n",
	event("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":" at \u00e9."}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":2}`),
	event("content_block_start", `{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1","name":"read_file","input":{}}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"path\": \"no"}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"tes.md\"}"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":3}`),
	event("content_block_start", `{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"toolu_2","name":"list_dir","input":{}}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":4}`),
	event("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}`),
	event("message_stop", `{"type":"message_stop"}`),
}, "")

// serve answers every request with h and returns a model that asks it.
func serve(t *testing.T, cfg anthropic.Config, h http.HandlerFunc) *anthropic.Model {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	cfg.Key, cfg.BaseURL = key, server.URL
	m, err := anthropic.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func sends(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

func collect(ctx context.Context, m *anthropic.Model, req provider.Request) (events []provider.Event, err error) {
	for e, err := range m.Stream(ctx, req) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func hello() provider.Request {
	return provider.Request{Messages: []provider.Message{{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "hello"}}}}}
}

func TestAnAnswerStreamsAsEventsAndEndsWithTheWholeMessage(t *testing.T) {
	m := serve(t, anthropic.Config{}, sends(wire))
	got, err := collect(t.Context(), m, hello())
	if err != nil {
		t.Fatal(err)
	}
	read := provider.ToolCall{ID: "toolu_1", Name: "read_file", Input: json.RawMessage(`{"path": "notes.md"}`)}
	list := provider.ToolCall{ID: "toolu_2", Name: "list_dir", Input: json.RawMessage(`{}`)}
	want := []provider.Event{
		provider.ThinkingDelta{Text: "Let me "}, provider.ThinkingDelta{Text: "see."},
		provider.TextDelta{Text: "I look"}, provider.TextDelta{Text: " at é."},
		provider.ToolCallStart{ID: "toolu_1", Name: "read_file"},
		provider.ToolCallDelta{ID: "toolu_1", JSON: `{"path": "no`}, provider.ToolCallDelta{ID: "toolu_1", JSON: `tes.md"}`}, read,
		provider.ToolCallStart{ID: "toolu_2", Name: "list_dir"}, list,
		provider.Usage{Input: 132, Output: 89},
		provider.End{Stop: "tool", Message: provider.Message{Role: provider.Assistant, Parts: []provider.Part{
			provider.Thinking{Text: "Let me see.", Signature: "c2ln"}, provider.Thinking{Redacted: "cmVk"}, provider.Text{Text: "I look at é."}, read, list,
		}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%#v\nwant\n%#v", got, want)
	}
}

var dot = picture.Picture{Name: "dot.gif", Media: "image/gif", Data: []byte{0, 255, 7}, W: 1, H: 1}

func TestTheRequestCarriesTheConversationAndTheKeyGoesInItsHeader(t *testing.T) {
	var header http.Header
	var path string
	var body map[string]any
	m := serve(t, anthropic.Config{Model: "claude-x"}, func(w http.ResponseWriter, r *http.Request) {
		header, path = r.Header, r.URL.Path
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		sends(wire)(w, r)
	})
	user := func(p ...provider.Part) provider.Message { return provider.Message{Role: provider.User, Parts: p} }
	_, err := collect(t.Context(), m, provider.Request{
		System: "be kind",
		Tools:  []tool.Spec{{Name: "read_file", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}`)}},
		Messages: []provider.Message{
			user(provider.Image{Picture: dot}, provider.Text{Text: "hi"}),
			{Role: provider.Assistant, Parts: []provider.Part{
				provider.Thinking{Text: "t", Signature: "s"}, provider.Thinking{Text: "unsigned"}, provider.Thinking{Redacted: "r"}, provider.Text{Text: " \n"}, provider.Text{Text: "ok"},
				provider.ToolCall{ID: "1", Name: "a", Input: json.RawMessage(`{"x":1}`)}, provider.ToolCall{ID: "2", Name: "b", Input: json.RawMessage(`{"x":`)}, provider.ToolCall{ID: "3", Name: "c", Input: json.RawMessage(`[1]`)}}},
			user(provider.ToolResult{ID: "1", Text: "r1"}, provider.ToolResult{ID: "2", Text: "bad", IsError: true}, provider.ToolResult{ID: "3", Images: []picture.Picture{dot}}),
			{Role: provider.Assistant, Parts: []provider.Part{provider.Thinking{Text: "nothing that goes back"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if path != "/v1/messages" || header.Get("X-Api-Key") != key || header.Get("Anthropic-Version") == "" || header.Get("Authorization") != "" {
		t.Errorf("path %s, header %v", path, header)
	}
	var want map[string]any
	err = json.Unmarshal([]byte(`{"model":"claude-x","max_tokens":32000,"stream":true,"cache_control":{"type":"ephemeral"},
		"system":[{"type":"text","text":"be kind"}],
		"tools":[{"name":"read_file","description":"reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}],
		"messages":[
			{"role":"user","content":[{"type":"text","text":"picture dot.gif: gif, 1 by 1 pixels, 3 bytes"},
				{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"AP8H"}},{"type":"text","text":"hi"}]},
			{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"r"},{"type":"text","text":"ok"},
				{"type":"tool_use","id":"1","name":"a","input":{"x":1}},{"type":"tool_use","id":"2","name":"b","input":{}},{"type":"tool_use","id":"3","name":"c","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","is_error":false,"content":[{"type":"text","text":"r1"}]},
				{"type":"tool_result","tool_use_id":"2","is_error":true,"content":[{"type":"text","text":"bad"}]},
				{"type":"tool_result","tool_use_id":"3","is_error":false,"content":[{"type":"text","text":"(no output)"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"AP8H"}}]}]}]}`), &want)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(body, want) {
		got, _ := json.MarshalIndent(body, "", " ")
		t.Errorf("the body is %s", got)
	}
}

func TestThinkingIsAskedForOnWish(t *testing.T) {
	for wish, want := range map[bool]string{false: "", true: `{"display":"summarized","type":"adaptive"}`} {
		var body struct{ Thinking json.RawMessage }
		m := serve(t, anthropic.Config{Thinking: wish}, func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			sends(wire)(w, r)
		})
		if _, err := collect(t.Context(), m, hello()); err != nil || string(body.Thinking) != want {
			t.Errorf("%v: %s, %v", wish, body.Thinking, err)
		}
	}
}

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"end_turn": "end", "tool_use": "tool", "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal", "stop_sequence": "end", "of_the_future": "end",
	} {
		m := serve(t, anthropic.Config{}, sends(strings.Replace(wire, `"stop_reason":"tool_use"`, `"stop_reason":"`+reason+`"`, 1)))
		got, err := collect(t.Context(), m, hello())
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := got[len(got)-1].(provider.End); !ok || end.Stop != want {
			t.Errorf("%s: %+v, want %s", reason, got[len(got)-1], want)
		}
	}
}

func TestAnErrorSaysItsStatusAndWhenToComeBack(t *testing.T) {
	refuse := func(status int, kind, message string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
		}
	}
	half := wire[:strings.Index(wire, "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":3")]
	tests := map[string]struct {
		handler http.HandlerFunc
		want    provider.Error
		retry   bool
	}{
		"rate limit, in seconds":      {refuse(429, "rate_limit_error", "slow down", "Retry-After", "7"), provider.Error{Status: 429, Message: "slow down", RetryAfter: 7 * time.Second}, true},
		"rate limit, in milliseconds": {refuse(429, "rate_limit_error", "slow down", "Retry-After-Ms", "250", "Retry-After", "1"), provider.Error{Status: 429, Message: "slow down", RetryAfter: 250 * time.Millisecond}, true},
		"overloaded":                  {refuse(529, "overloaded_error", "Overloaded"), provider.Error{Status: 529, Message: "Overloaded"}, true},
		"a bad key":                   {refuse(401, "authentication_error", "invalid x-api-key"), provider.Error{Status: 401, Message: "invalid x-api-key"}, false},
		"an unknown model":            {refuse(404, "not_found_error", "model: x"), provider.Error{Status: 404, Message: "model: x"}, false},
		"a proxy's page": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "<html> bad\n gateway", http.StatusBadGateway)
		}, provider.Error{Status: 502, Message: "<html> bad gateway"}, true},
		"overloaded, inside the stream": {sends(half + event("error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)), provider.Error{Status: 529, Message: "Overloaded"}, true},
		"a bad request in the stream":   {sends(half + event("error", `{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)), provider.Error{Status: 400, Message: "no"}, false},
		"an unknown error in it":        {sends(half + event("error", `{"type":"error","error":{"type":"of_the_future","message":"?"}}`)), provider.Error{Status: 500, Message: "?"}, true},
		"a stream that ends early":      {sends(half), provider.Error{Message: "the answer ended before it was complete"}, true},
		"no stream at all":              {sends("<html></html>"), provider.Error{Message: "the answer ended before it was complete"}, true},
		"a missing block":               {sends(strings.Replace(wire, `"index":1`, `"index":9`, 1)), provider.Error{Message: "a block of the answer is missing"}, true},
		"a piece of no block":           {sends(strings.Replace(wire, `"content_block_delta","index":2`, `"content_block_delta","index":-1`, 1)), provider.Error{Message: "a piece of the answer belongs to no block"}, true},
		"an end of no block":            {sends(strings.Replace(wire, `"content_block_stop","index":2`, `"content_block_stop","index":44`, 1)), provider.Error{Message: "a block of the answer ends that never began"}, true},
		"another address": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:1/x", http.StatusTemporaryRedirect)
		}, provider.Error{Status: 307, Message: "it sends us to 127.0.0.2:1, which is not the configured address; the key is not sent there"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			calls := 0
			m := serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) { calls++; test.handler(w, r) })
			events, err := collect(t.Context(), m, hello())
			var e *provider.Error
			if !errors.As(err, &e) || e.Status != test.want.Status || e.Message != test.want.Message || e.RetryAfter != test.want.RetryAfter || e.Retryable() != test.retry {
				t.Errorf("error %#v (%v), want %+v", e, err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), key) {
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

func TestABrokenConnectionIsAnErrorThatMayPass(t *testing.T) {
	m := serve(t, anthropic.Config{}, func(w http.ResponseWriter, r *http.Request) {
		sends(wire[:700])(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	_, err := collect(t.Context(), m, hello())
	var e *provider.Error
	if !errors.As(err, &e) || e.Status != 0 || !e.Retryable() {
		t.Errorf("error %v", err)
	}
}

// stalls sends the start of an answer and then nothing until the client has gone; gone is closed then.
func stalls(gone chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sends(wire[:strings.Index(wire, ": a comment")])(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	}
}

func TestCancellingEndsTheRequestInTheMiddleOfTheStream(t *testing.T) {
	gone := make(chan struct{})
	m := serve(t, anthropic.Config{}, stalls(gone))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err error
	said := ""
	for e, failure := range m.Stream(ctx, hello()) {
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

func TestAConsumerThatLeavesEndsTheRequest(t *testing.T) {
	gone := make(chan struct{})
	m := serve(t, anthropic.Config{}, stalls(gone))
	for range m.Stream(t.Context(), hello()) {
		break
	}
	<-gone
}

func TestASilentAnswerCountsAsBroken(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"in the middle": stalls(make(chan struct{})),
		"from the start": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the server notices that the client left only once the body is read
			<-r.Context().Done()
		},
	} {
		m := serve(t, anthropic.Config{Idle: 50 * time.Millisecond}, handler)
		_, err := collect(t.Context(), m, hello())
		var e *provider.Error
		if !errors.As(err, &e) || e.Message != "the answer was silent for 50ms" || !e.Retryable() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyOrAnAddressThatCannotBeRightIsRefused(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "from-the-environment") // has no authority here
	for _, cfg := range []anthropic.Config{
		{}, {Key: "  "}, {Key: "q q"}, {Key: "q\n"}, {Key: "ключ"},
		{Key: "k", BaseURL: "http://example.com"}, {Key: "k", BaseURL: "ftp://localhost"}, {Key: "k", BaseURL: "example.com"}, {Key: "k", BaseURL: "http://localhost.example.com"},
	} {
		if _, err := anthropic.New(cfg); err == nil || cfg.Key != "k" && strings.Contains(err.Error(), cfg.Key) && strings.TrimSpace(cfg.Key) != "" {
			t.Errorf("%+v: error %v", cfg, err)
		}
	}
	for _, url := range []string{"", "https://example.com/proxy", "http://localhost:8080", "http://[::1]:9"} {
		if m, err := anthropic.New(anthropic.Config{Key: "k", BaseURL: url}); err != nil || m.Name() != anthropic.DefaultModel {
			t.Errorf("%q: %v", url, err)
		}
	}
}
