package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// chunk returns one server-sent event of the API; delta and finish are JSON.
func chunk(delta, finish string) string {
	return `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":` +
		delta + `,"finish_reason":` + finish + "}]}\n\n"
}

const (
	usage = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[],` +
		`"usage":{"prompt_tokens":132,"completion_tokens":89,"total_tokens":221}}` + "\n\n"
	done = "data: [DONE]\n\n"
)

// wire is a whole answer: text, one call in pieces and one without arguments, with a comment and a
// field from the future.
var wire = chunk(`{"role":"assistant","content":"","refusal":null}`, "null") +
	chunk(`{"content":"I look"}`, "null") +
	": keep-alive\n\n" +
	chunk(`{"content":" at \u00e9.","of_the_future":[1]}`, "null") +
	chunk(`{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"read_file","arguments":""}}]}`,
		"null") +
	chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\": \"no"}}]}`, "null") +
	chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"tes.md\"}"}}]}`, "null") +
	chunk(`{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"list_dir","arguments":""}}]}`,
		"null") +
	chunk(`{}`, `"tool_calls"`) + usage + done

// serve answers every request with h and returns a model that asks it.
func serve(t *testing.T, cfg openai.Config, h http.HandlerFunc) *openai.Model {
	t.Helper()
	cfg.Key, cfg.BaseURL = providertest.Key, providertest.Serve(t, h)+"/v1"
	m, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var service = providertest.Service{
	New: func(url string, idle time.Duration) (provider.Model, error) {
		return openai.New(openai.Config{Key: providertest.Key, BaseURL: url + "/v1", Idle: idle})
	},
	Wire: wire, Start: wire[:strings.Index(wire, ": keep-alive")],
}

func assistant(parts ...provider.Part) provider.Message {
	return provider.Message{Role: provider.Assistant, Parts: parts}
}

func TestAnAnswerStreamsAsEventsAndEndsWithTheWholeMessage(t *testing.T) {
	got, err := providertest.Collect(t.Context(), serve(t, openai.Config{}, providertest.Sends(wire)),
		providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	read := provider.ToolCall{ID: "call_a", Name: "read_file", Input: json.RawMessage(`{"path": "notes.md"}`)}
	list := provider.ToolCall{ID: "call_b", Name: "list_dir", Input: json.RawMessage(`{}`)}
	want := []provider.Event{
		provider.TextDelta{Text: "I look"}, provider.TextDelta{Text: " at é."},
		provider.ToolCallStart{ID: "call_a", Name: "read_file"},
		provider.ToolCallDelta{ID: "call_a", JSON: `{"path": "no`},
		provider.ToolCallDelta{ID: "call_a", JSON: `tes.md"}`}, read,
		provider.ToolCallStart{ID: "call_b", Name: "list_dir"}, list,
		provider.Usage{Input: 132, Output: 89},
		provider.End{Stop: "tool", Message: assistant(provider.Text{Text: "I look at é."}, read, list)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%#v\nwant\n%#v", got, want)
	}
}

func TestOtherServersSpeakDialects(t *testing.T) {
	for name, test := range map[string]struct {
		wire string
		want []provider.Event
	}{
		"calls of one index, without ids, and no usage": {
			chunk(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`, "null") +
				chunk(`{"tool_calls":[{"index":0,"id":"y","function":{"name":"b","arguments":"{}"}}]}`, `"stop"`) +
				done,
			[]provider.Event{provider.ToolCallStart{ID: "x", Name: "a"}, provider.ToolCallDelta{ID: "x", JSON: "{}"},
				call("x", "a"), provider.ToolCallStart{ID: "y", Name: "b"}, provider.ToolCallDelta{ID: "y", JSON: "{}"},
				call("y", "b"),
				provider.Usage{}, provider.End{Stop: "tool", Message: assistant(call("x", "a"), call("y", "b"))}},
		},
		"no id": {
			chunk(`{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"{}"}}]}`, `"tool_calls"`) + done,
			[]provider.Event{provider.ToolCallStart{ID: "c00000001", Name: "a"},
				provider.ToolCallDelta{ID: "c00000001", JSON: "{}"}, call("c00000001", "a"), provider.Usage{},
				provider.End{Stop: "tool", Message: assistant(call("c00000001", "a"))}},
		},
		"thinking": {
			chunk(`{"reasoning_content":"hm"}`, "null") + chunk(`{"reasoning":"so"}`, "null") +
				chunk(`{"content":"ok"}`, `"stop"`),
			[]provider.Event{provider.ThinkingDelta{Text: "hm"}, provider.ThinkingDelta{Text: "so"},
				provider.TextDelta{Text: "ok"}, provider.Usage{},
				provider.End{Stop: "end", Message: assistant(
					provider.Thinking{Text: "hmso", Signature: "reasoning", From: "chat gpt-5.2"},
					provider.Text{Text: "ok"})}},
		},
	} {
		got, err := providertest.Collect(t.Context(), serve(t, openai.Config{}, providertest.Sends(test.wire)),
			providertest.Hello())
		for _, e := range got {
			if end, ok := e.(provider.End); ok {
				withoutAddress(end.Message.Parts)
			}
		}
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, got\n%#v\nwant\n%#v", name, err, got, test.want)
		}
	}
}

// withoutAddress takes the address of the server out of where thinking is from.
func withoutAddress(parts []provider.Part) {
	for i, p := range parts {
		if th, ok := p.(provider.Thinking); ok {
			f := strings.Fields(th.From)
			th.From = f[0] + " " + strings.Join(f[2:], " ")
			parts[i] = th
		}
	}
}

func call(id, name string) provider.ToolCall {
	return provider.ToolCall{ID: id, Name: name, Input: json.RawMessage("{}")}
}

func TestTheRequestCarriesTheConversationAndTheKeyGoesInItsHeader(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-the-environment") // has no authority here
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_ORG_ID", "org")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: 1")
	var asked providertest.Asked
	m := serve(t, openai.Config{Model: "m-x"}, asked.Takes(t, wire))
	user := func(p ...provider.Part) provider.Message { return provider.Message{Role: provider.User, Parts: p} }
	_, err := providertest.Collect(t.Context(), m, provider.Request{
		System: "be kind",
		Tools: []provider.Tool{{Name: "read_file", Description: "reads",
			Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],` +
				`"additionalProperties":false}`)}},
		Messages: []provider.Message{
			user(provider.Text{Text: "hi"}),
			assistant(provider.Thinking{Text: "t", Signature: "s"}, provider.Text{Text: "o"}, provider.Text{Text: "k"},
				provider.ToolCall{ID: "call00001", Name: "a", Input: json.RawMessage(`{"x":1}`)},
				provider.ToolCall{ID: "call00002", Name: "b", Input: json.RawMessage(`{"x":`)}),
			user(provider.ToolResult{ID: "call00001", Text: "r1"},
				provider.ToolResult{ID: "call00002", Text: "bad", IsError: true},
				provider.Text{Text: "and then"}),
			assistant(provider.Thinking{Text: "nothing that goes back"}),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Path != "/v1/chat/completions" || asked.Header.Get("Authorization") != "Bearer "+providertest.Key ||
		asked.Header.Get("OpenAI-Organization") != "" || asked.Header.Get("X-Custom") != "" {
		t.Errorf("%+v", asked)
	}
	asked.Says(t, `{"model":"m-x","stream":true,"stream_options":{"include_usage":true},
		"tools":[{"type":"function","function":{"name":"read_file","description":"reads","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}}}],
		"messages":[
			{"role":"system","content":"be kind"},
			{"role":"user","content":"hi"},
			{"role":"assistant","content":"ok","tool_calls":[{"id":"call00001","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}},{"id":"call00002","type":"function","function":{"name":"b","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"call00001","content":"r1"},
			{"role":"tool","tool_call_id":"call00002","content":"bad"},
			{"role":"user","content":"and then"}]}`)
}

func TestStopReasons(t *testing.T) {
	for reason, want := range map[string]string{"stop": "end", "length": "length", "content_filter": "filter",
		"of_the_future": "end"} {
		got, err := providertest.Collect(t.Context(),
			serve(t, openai.Config{}, providertest.Sends(chunk(`{"content":"x"}`, `"`+reason+`"`)+done)),
			providertest.Hello())
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := got[len(got)-1].(provider.End); !ok || end.Stop != want {
			t.Errorf("%s: %+v, want %s", reason, got[len(got)-1], want)
		}
	}
	got, err := providertest.Collect(t.Context(),
		serve(t, openai.Config{}, providertest.Sends(chunk(`{"refusal":"I will not."}`, "null")+chunk(`{}`, `"stop"`)+
			done)), providertest.Hello())
	if end, ok := got[len(got)-1].(provider.End); err != nil || !ok || end.Stop != "refusal" ||
		end.Message.Parts[0] != provider.Part(provider.Text{Text: "I will not."}) {
		t.Errorf("a refusal: %v, %+v", err, got)
	}
}

func TestAnErrorSaysItsStatusAndWhenToComeBack(t *testing.T) {
	refuse := func(status int, kind, code, message string, headers ...string) http.HandlerFunc {
		return providertest.Refuses(status,
			fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":%q}}`, message, kind, code), headers...)
	}
	half := wire[:strings.Index(wire, "call_b")]
	half = half[:strings.LastIndex(half, "data: ")]
	service.Fails(t, map[string]providertest.Case{
		"rate limit, in seconds": providertest.Fails(refuse(429, "requests", "rate_limit_exceeded", "slow down",
			"Retry-After", "7"), provider.Error{Status: 429, Message: "slow down", RetryAfter: 7 * time.Second}, true),
		"rate limit, in milliseconds": providertest.Fails(refuse(429, "requests", "rate_limit_exceeded", "slow down",
			"Retry-After-Ms", "250"), provider.Error{Status: 429, Message: "slow down",
			RetryAfter: 250 * time.Millisecond}, true),
		"no money": providertest.Fails(refuse(429, "insufficient_quota", "insufficient_quota",
			"You exceeded your current quota"), provider.Error{Status: 402, Message: "You exceeded your current quota"},
			false),
		"too long": providertest.Fails(
			refuse(400, "invalid_request_error", "context_length_exceeded", "maximum context length"),
			provider.Error{Status: 413, TooLong: true, Message: "maximum context length"}, false),
		"too long, on another server": providertest.Fails(
			refuse(400, "BadRequestError", "", "This model's maximum context length is 32768 tokens"),
			provider.Error{Status: 400, TooLong: true, Message: "This model's maximum context length is 32768 tokens"},
			false),
		"too long, on a small server": providertest.Fails(
			refuse(500, "server_error", "", "the request exceeds the available context size"),
			provider.Error{Status: 500, TooLong: true, Message: "the request exceeds the available context size"},
			false),
		"a bad key": providertest.Fails(refuse(401, "invalid_request_error", "invalid_api_key",
			"Incorrect API key"), provider.Error{Status: 401, Message: "Incorrect API key"}, false),
		"an unknown model": providertest.Fails(refuse(404, "invalid_request_error", "model_not_found",
			"no model x"), provider.Error{Status: 404, Message: "no model x"}, false),
		"overloaded": providertest.Fails(refuse(503, "server_error", "", "Overloaded"),
			provider.Error{Status: 503, Message: "Overloaded"}, true),
		"a proxy's page": providertest.Page(),
		"an error in the stream": providertest.Fails(
			providertest.Sends(half+`data: {"error":{"message":"broke","type":"server_error","code":null}}`+"\n\n"),
			provider.Error{Status: 500, Message: "broke"}, true),
		"a bad request in the stream": providertest.Fails(
			providertest.Sends(half+`data: {"error":{"message":"no","type":"invalid_request_error","code":null}}`+
				"\n\n"), provider.Error{Status: 400, Message: "no"}, false),
		"a status in the stream": providertest.Fails(
			providertest.Sends(half+`data: {"error":{"message":"no","code":429}}`+"\n\n"),
			provider.Error{Status: 429, Message: "no"}, true),
		"a stream that ends early":        providertest.EndsEarly(half),
		"a page that says it is a stream": providertest.Login(),
		"another address":                 providertest.Elsewhere(),
	})
}

func TestABrokenConnectionIsAnErrorThatMayPass(t *testing.T) { service.Breaks(t) }

func TestCancellingEndsTheRequestInTheMiddleOfTheStream(t *testing.T) { service.Cancels(t) }

func TestAConsumerThatLeavesEndsTheRequest(t *testing.T) { service.Leaves(t) }

func TestASilentAnswerCountsAsBroken(t *testing.T) { service.Silent(t) }

func TestAKeyOrAnAddressThatCannotBeRightIsRefused(t *testing.T) {
	providertest.Configures(t, func(key, url string) (provider.Model, error) {
		return openai.New(openai.Config{Key: key, BaseURL: url})
	}, openai.DefaultModel)
}

func TestAnAnswerWithoutAnEndIsCutOff(t *testing.T) {
	providertest.Floods(t, providertest.OpenAI, func(url string) (provider.Model, error) {
		return openai.New(openai.Config{Key: providertest.Key, BaseURL: url + "/v1", Bounds: providertest.Small})
	})
}
