package openai_test

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// Answers that say what wire and whole say, each as one JSON value.
const (
	wholeChat = `{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{` +
		`"role":"assistant","content":"I look at é.","tool_calls":[{"id":"call_a","type":"function","function":{` +
		`"name":"read_file","arguments":"{\"path\": \"notes.md\"}"}},{"id":"call_b","type":"function","function":{` +
		`"name":"list_dir","arguments":"{}"}}]},"finish_reason":"tool_calls"}],` +
		`"usage":{"prompt_tokens":132,"completion_tokens":89,"total_tokens":221}}`
	wholeResponse = `{"id":"r1","object":"response","status":"completed","error":null,"output":[{"id":"rs_1",` +
		`"type":"reasoning","summary":[],"encrypted_content":"gAAA+/="},{"id":"msg_1","type":"message",` +
		`"role":"assistant","content":[{"type":"output_text","text":"I look at é."}]},{"id":"fc_1",` +
		`"type":"function_call","call_id":"call_a","name":"read_file","arguments":"{\"path\": \"notes.md\"}"},` +
		`{"id":"fc_2","type":"function_call","call_id":"call_b","name":"list_dir","arguments":"{}"}],` +
		`"usage":{"input_tokens":132,"input_tokens_details":{"cached_tokens":100},"output_tokens":89}}`
	byLines = `{"choices":[{"index":0,"delta":{"content":"I "},"finish_reason":null}]}` + "\n" +
		`{"choices":[{"index":0,"delta":{"content":"look"},"finish_reason":"stop"}]}` + "\n"
)

// sends answers with a text that claims to be of a type.
func sends(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
}

func TestAWholeJSONAnswerIsAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		api, text string
		text2     string
		calls     []string
		usage     provider.Usage
	}{
		"chat": {"chat", wholeChat, "I look at é.", []string{"call_a", "call_b"},
			provider.Usage{Input: 132, Output: 89}},
		"chat behind keep-alives": {"chat", "\n\n\r\n\n" + wholeChat, "I look at é.", []string{"call_a", "call_b"},
			provider.Usage{Input: 132, Output: 89}},
		"response": {"responses", wholeResponse, "I look at é.", []string{"call_a", "call_b"},
			provider.Usage{Input: 132, Output: 89, CacheRead: 100}},
		"a value a line":   {"chat", byLines, "I look", nil, provider.Usage{}},
		"without a reason": {"chat", `{"choices":[{"message":{"content":"hi"}}]}`, "hi", nil, provider.Usage{}},
	} {
		for _, kind := range []string{"application/json", "text/event-stream", "text/plain", ""} {
			m := serve(t, openai.Config{API: c.api}, sends(kind, c.text))
			events, err := providertest.Collect(t.Context(), m, providertest.Hello())
			if err != nil {
				t.Errorf("%s as %s: %v", name, kind, err)
				continue
			}
			end, _ := events[len(events)-1].(provider.End)
			var calls []string
			said := ""
			for _, p := range end.Message.Parts {
				switch p := p.(type) {
				case provider.Text:
					said += p.Text
				case provider.ToolCall:
					calls = append(calls, p.ID)
				}
			}
			if said != c.text2 || !slices.Equal(calls, c.calls) || !slices.Contains(events, provider.Event(c.usage)) {
				t.Errorf("%s as %s: %+v", name, kind, events)
			}
		}
	}
}

func TestAWholeAnswerThatIsCutIsNone(t *testing.T) {
	for _, text := range []string{wholeChat, wholeResponse} {
		api := "chat"
		if text == wholeResponse {
			api = "responses"
		}
		cut := 0
		m := serve(t, openai.Config{API: api}, func(w http.ResponseWriter, r *http.Request) {
			sends("application/json", text[:cut])(w, r)
		})
		for ; cut < len(text); cut++ {
			events, err := providertest.Collect(t.Context(), m, providertest.Hello())
			var e *provider.Error
			if !errors.As(err, &e) || !e.Retryable() || len(events) != 0 {
				t.Fatalf("%s cut at %d: %v, %v", api, cut, events, err)
			}
		}
	}
}

func TestWhatIsNoAnswerIsToldAtOnceInTheServersWords(t *testing.T) {
	for text, want := range map[string]provider.Error{
		`{"error":"Unexpected endpoint"}`:                           {Message: "Unexpected endpoint", Final: true},
		`{"error":{"message":"no such model","code":404}}`:          {Status: 404, Message: "no such model"},
		`{"error":{"message":"slow down","code":429}}`:              {Status: 429, Message: "slow down"},
		`{"error":{"message":"slow","type":"rate_limit_error"}}`:    {Status: 429, Message: "slow"},
		`{"object":"error","message":"bad","code":400}`:             {Status: 400, Message: "bad"},
		`{"detail":"Not Found"}`:                                    {Message: "Not Found", Final: true},
		`[{"error":{"message":"in a list"}}]`:                       {Message: "in a list", Final: true},
		`{"a":1}`:                                                   {Message: `{"a":1}`, Final: true},
		"<html><title>Log\x1b in</title>":                           {Message: `"Log in"`, Final: true},
		"  <!DOCTYPE html>\n<head>\n<TITLE lang=en>A &lt; B</title": {Message: `"A < B"`, Final: true},
	} {
		for _, kind := range []string{"application/json", "text/event-stream", "text/html; charset=utf-8", ""} {
			m := serve(t, openai.Config{}, sends(kind, text))
			events, err := providertest.Collect(t.Context(), m, providertest.Hello())
			var e *provider.Error
			if !errors.As(err, &e) || e.Status != want.Status || e.Message != want.Message || e.Final != want.Final ||
				e.Final && (e.Advice == "" || e.What == "") || len(events) != 0 {
				t.Errorf("%s as %s: %#v, %v", text, kind, e, err)
			}
		}
	}
	m := serve(t, openai.Config{}, sends("text/plain", "Ollama is running"))
	_, err := providertest.Collect(t.Context(), m, providertest.Hello())
	var e *provider.Error
	if !errors.As(err, &e) || !e.Final || e.Message != "Ollama is running" {
		t.Errorf("%v", err)
	}
}

// A stream whose type is wrong is one all the same.
func TestAStreamIsKnownByHowItBegins(t *testing.T) {
	want, err := providertest.Collect(t.Context(), serve(t, openai.Config{}, providertest.Sends(wire)),
		providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	for _, begin := range []string{"", ": comment\n\n", "\n\n", "event: x\n", "id: 1\r\n", "retry: 5\n", "\ufeff"} {
		for _, kind := range []string{"text/plain", "application/json", "application/octet-stream", ""} {
			got, err := providertest.Collect(t.Context(), serve(t, openai.Config{}, sends(kind, begin+wire)),
				providertest.Hello())
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%q as %s: %v, %v", begin, kind, got, err)
			}
		}
	}
}
