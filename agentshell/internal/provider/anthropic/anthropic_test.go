package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// event writes one server-sent event as the API does.
func event(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// wire is a whole answer: thinking, text, one call in pieces and one without arguments, with
// keep-alives and an event from the future.
var wire = strings.Join([]string{
	event("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",`+
		`"model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,`+
		`"cache_read_input_tokens":100,"cache_creation_input_tokens":7,"output_tokens":1}}}`),
	event("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking",`+
		`"thinking":"","signature":""}}`),
	event("ping", `{"type":"ping"}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",`+
		`"thinking":"Let me "}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",`+
		`"thinking":"see."}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta",`+
		`"signature":"c2ln"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":0}`),
	event("content_block_start",
		`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"cmVk"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":1}`),
	event("content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta",`+
		`"text":"I look"}}`),
	": a comment\n\n",
	event("content_block_delta",
		`{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":" at \u00e9."}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":2}`),
	event("content_block_start", `{"type":"content_block_start","index":3,"content_block":{"type":"tool_use",`+
		`"id":"toolu_1","name":"read_file","input":{}}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta",`+
		`"partial_json":""}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta",`+
		`"partial_json":"{\"path\": \"no"}}`),
	event("content_block_delta", `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta",`+
		`"partial_json":"tes.md\"}"}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":3}`),
	event("content_block_start", `{"type":"content_block_start","index":4,"content_block":{"type":"tool_use",`+
		`"id":"toolu_2","name":"list_dir","input":{}}}`),
	event("content_block_stop", `{"type":"content_block_stop","index":4}`),
	event("message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},`+
		`"usage":{"output_tokens":89}}`),
	event("message_stop", `{"type":"message_stop"}`),
}, "")

// serve answers every request with h and returns a model that asks it.
func serve(t *testing.T, cfg anthropic.Config, h http.HandlerFunc) *anthropic.Model {
	t.Helper()
	cfg.Key, cfg.BaseURL = providertest.Key, providertest.Serve(t, h)
	m, err := anthropic.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var service = providertest.Service{
	New: func(url string, idle time.Duration) (provider.Model, error) {
		return anthropic.New(anthropic.Config{Key: providertest.Key, BaseURL: url, Idle: idle})
	},
	Wire: wire, Start: wire[:strings.Index(wire, ": a comment")],
}

func TestAnAnswerStreamsAsEventsAndEndsWithTheWholeMessage(t *testing.T) {
	m := serve(t, anthropic.Config{}, providertest.Sends(wire))
	got, err := providertest.Collect(t.Context(), m, providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	read := provider.ToolCall{ID: "toolu_1", Name: "read_file", Input: json.RawMessage(`{"path": "notes.md"}`)}
	list := provider.ToolCall{ID: "toolu_2", Name: "list_dir", Input: json.RawMessage(`{}`)}
	want := []provider.Event{
		provider.ThinkingDelta{Text: "Let me "}, provider.ThinkingDelta{Text: "see."},
		provider.TextDelta{Text: "I look"}, provider.TextDelta{Text: " at é."},
		provider.ToolCallStart{ID: "toolu_1", Name: "read_file"},
		provider.ToolCallDelta{ID: "toolu_1", JSON: `{"path": "no`},
		provider.ToolCallDelta{ID: "toolu_1", JSON: `tes.md"}`}, read,
		provider.ToolCallStart{ID: "toolu_2", Name: "list_dir"}, list,
		provider.Usage{Input: 132, Output: 89, CacheRead: 100, CacheWrite: 7},
		provider.End{Stop: "tool", Message: provider.Message{Role: provider.Assistant, Parts: []provider.Part{
			provider.Thinking{Text: "Let me see.", Signature: "c2ln"}, provider.Thinking{Redacted: "cmVk"},
			provider.Text{Text: "I look at é."}, read, list,
		}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%#v\nwant\n%#v", got, want)
	}
}

var dot = picture.Picture{Name: "dot.gif", Media: "image/gif", Data: []byte{0, 255, 7}, W: 1, H: 1}

func TestTheRequestCarriesTheConversationAndTheKeyGoesInItsHeader(t *testing.T) {
	var asked providertest.Asked
	m := serve(t, anthropic.Config{Model: "claude-x"}, asked.Takes(t, wire))
	user := func(p ...provider.Part) provider.Message { return provider.Message{Role: provider.User, Parts: p} }
	_, err := providertest.Collect(t.Context(), m, provider.Request{
		System: "be kind",
		Tools: []provider.Tool{{Name: "read_file", Description: "reads",
			Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],` +
				`"additionalProperties":false}`)}},
		Messages: []provider.Message{
			user(provider.Image{Picture: dot}, provider.Text{Text: "hi"}),
			{Role: provider.Assistant, Parts: []provider.Part{
				provider.Thinking{Text: "t", Signature: "s"}, provider.Thinking{Text: "unsigned"},
				provider.Thinking{Text: "somebody else's", Signature: "s", Redacted: "r", From: "responses"},
				provider.Thinking{Redacted: "r"}, provider.Text{Text: " \n"}, provider.Text{Text: "ok"},
				provider.ToolCall{ID: "call00001", Name: "a", Input: json.RawMessage(`{"x":1}`)},
				provider.ToolCall{ID: "call00002", Name: "b", Input: json.RawMessage(`{"x":`)},
				provider.ToolCall{ID: "call00003", Name: "c", Input: json.RawMessage(`[1]`)}}},
			user(provider.ToolResult{ID: "call00001", Text: "r1"},
				provider.ToolResult{ID: "call00002", Text: "bad", IsError: true},
				provider.ToolResult{ID: "call00003", Images: []picture.Picture{dot}}),
			{Role: provider.Assistant, Parts: []provider.Part{provider.Thinking{Text: "nothing that goes back"}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Path != "/v1/messages" || asked.Header.Get("X-Api-Key") != providertest.Key ||
		asked.Header.Get("Anthropic-Version") == "" || asked.Header.Get("Authorization") != "" {
		t.Errorf("%+v", asked)
	}
	asked.Says(t, `{"model":"claude-x","max_tokens":32000,"stream":true,"cache_control":{"type":"ephemeral"},
		"system":[{"type":"text","text":"be kind","cache_control":{"type":"ephemeral"}}],
		"tools":[{"name":"read_file","description":"reads","input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}],
		"messages":[
			{"role":"user","content":[{"type":"text","text":"picture dot.gif: gif, 1 by 1 pixels, 3 bytes"},
				{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"AP8H"}},{"type":"text","text":"hi"}]},
			{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"r"},{"type":"text","text":"ok"},
				{"type":"tool_use","id":"call00001","name":"a","input":{"x":1}},{"type":"tool_use","id":"call00002","name":"b","input":{}},{"type":"tool_use","id":"call00003","name":"c","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"call00001","is_error":false,"content":[{"type":"text","text":"r1"}]},
				{"type":"tool_result","tool_use_id":"call00002","is_error":true,"content":[{"type":"text","text":"bad"}]},
				{"type":"tool_result","tool_use_id":"call00003","is_error":false,"content":[{"type":"text","text":"(no output)"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"AP8H"}}]}]}]}`)
}

func TestThinkingIsAskedForOnWish(t *testing.T) {
	for wish, want := range map[bool]string{false: "", true: `{"type":"adaptive","display":"summarized"}`} {
		var body struct{ Thinking json.RawMessage }
		m := serve(t, anthropic.Config{Thinking: wish}, func(w http.ResponseWriter, r *http.Request) {
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			providertest.Sends(wire)(w, r)
		})
		if _, err := providertest.Collect(t.Context(), m, providertest.Hello()); err != nil ||
			string(body.Thinking) != want {
			t.Errorf("%v: %s, %v", wish, body.Thinking, err)
		}
	}
}

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]string{
		// Calls are calls whatever the reason.
		"end_turn": "tool", "tool_use": "tool", "max_tokens": "length", "model_context_window_exceeded": "window",
		"refusal": "refusal", "stop_sequence": "tool", "of_the_future": "tool",
	} {
		m := serve(t, anthropic.Config{},
			providertest.Sends(strings.Replace(wire, `"stop_reason":"tool_use"`, `"stop_reason":"`+reason+`"`, 1)))
		got, err := providertest.Collect(t.Context(), m, providertest.Hello())
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := got[len(got)-1].(provider.End); !ok || end.Stop != want {
			t.Errorf("%s: %+v, want %s", reason, got[len(got)-1], want)
		}
	}
}

func TestAnErrorSaysItsStatusAndWhenToComeBack(t *testing.T) {
	refuse := func(status int, kind, message string, headers ...string) http.HandlerFunc {
		return providertest.Refuses(status,
			fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message),
			headers...)
	}
	half := wire[:strings.Index(wire,
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":3")]
	service.Fails(t, map[string]providertest.Case{
		"rate limit, in seconds": providertest.Fails(refuse(429, "rate_limit_error", "slow down", "Retry-After",
			"7"), provider.Error{Status: 429, Message: "slow down", RetryAfter: 7 * time.Second}, true),
		"rate limit, in milliseconds": providertest.Fails(refuse(429, "rate_limit_error", "slow down",
			"Retry-After-Ms", "250", "Retry-After", "1"), provider.Error{Status: 429, Message: "slow down",
			RetryAfter: 250 * time.Millisecond}, true),
		"too long": providertest.Fails(
			refuse(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"),
			provider.Error{Status: 400, TooLong: true, Message: "prompt is too long: 213462 tokens > 200000 maximum"},
			false),
		"no room for the answer": providertest.Fails(
			refuse(400, "invalid_request_error", "input length and `max_tokens` exceed context limit: 9 + 2 > 10"),
			provider.Error{Status: 400, TooLong: true,
				Message: "input length and `max_tokens` exceed context limit: 9 + 2 > 10"}, false),
		"too many bytes": providertest.Fails(refuse(413, "request_too_large", "Request exceeds the maximum size"),
			provider.Error{Status: 413, TooLong: true, Message: "Request exceeds the maximum size"}, false),
		"overloaded": providertest.Fails(refuse(529, "overloaded_error", "Overloaded"),
			provider.Error{Status: 529, Message: "Overloaded"}, true),
		"a bad key": providertest.Fails(refuse(401, "authentication_error", "invalid x-api-key"),
			provider.Error{Status: 401, Message: "invalid x-api-key"}, false),
		"an unknown model": providertest.Fails(refuse(404, "not_found_error", "model: x"),
			provider.Error{Status: 404, Message: "model: x"}, false),
		"a proxy's page": providertest.Page(),
		"overloaded, inside the stream": providertest.Fails(
			providertest.Sends(half+event("error",
				`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)),
			provider.Error{Status: 529, Message: "Overloaded"}, true),
		"a bad request in the stream": providertest.Fails(
			providertest.Sends(half+event("error",
				`{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)),
			provider.Error{Status: 400, Message: "no"}, false),
		"an unknown error in it": providertest.Fails(
			providertest.Sends(half+event("error", `{"type":"error","error":{"type":"of_the_future","message":"?"}}`)),
			provider.Error{Status: 500, Message: "?"}, true),
		"a stream that ends early":        providertest.EndsEarly(half),
		"a page that says it is a stream": providertest.Login(),
		"a piece of no block": providertest.Fails(
			providertest.Sends(strings.Replace(wire, `"content_block_delta","index":2`,
				`"content_block_delta","index":-1`, 1)),
			provider.Error{Message: "a piece of the answer belongs to no block"}, true),
		"another address": providertest.Elsewhere(),
	})
}

func TestABrokenConnectionIsAnErrorThatMayPass(t *testing.T) { service.Breaks(t) }

func TestCancellingEndsTheRequestInTheMiddleOfTheStream(t *testing.T) { service.Cancels(t) }

func TestAConsumerThatLeavesEndsTheRequest(t *testing.T) { service.Leaves(t) }

func TestASilentAnswerCountsAsBroken(t *testing.T) { service.Silent(t) }

func TestAKeyOrAnAddressThatCannotBeRightIsRefused(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "from-the-environment") // has no authority here
	providertest.Configures(t, func(key, url string) (provider.Model, error) {
		return anthropic.New(anthropic.Config{Key: key, BaseURL: url})
	}, anthropic.DefaultModel)
}

func TestAnAnswerWithoutAnEndIsCutOff(t *testing.T) {
	providertest.Floods(t, providertest.Anthropic, func(url string) (provider.Model, error) {
		return anthropic.New(anthropic.Config{Key: providertest.Key, BaseURL: url, Bounds: providertest.Small})
	})
}
