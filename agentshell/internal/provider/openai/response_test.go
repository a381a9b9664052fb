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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// event returns one server-sent event of Responses; fields are the rest of its JSON.
func event(kind, fields string) string {
	return fmt.Sprintf("event: %s\ndata: {\"type\":%q,\"sequence_number\":1%s}\n\n", kind, kind, fields)
}

func completed(status, rest string) string {
	return event("response."+status, `,"response":{"id":"resp_1","status":"`+status+`",`+rest+
		`"usage":{"input_tokens":132,"input_tokens_details":{"cached_tokens":100},"output_tokens":89}}`)
}

// whole is an answer of Responses: thinking with its summary and its secret, text, and two calls
// whose arguments come in turns; with an event from the future, and a keep-alive.
var whole = event("response.created", `,"response":{"id":"resp_1","status":"in_progress"}`) +
	event("response.output_item.added", `,"output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}`) +
	event("response.reasoning_summary_part.added", `,"output_index":0,"summary_index":0`) +
	event("response.reasoning_summary_text.delta", `,"output_index":0,"summary_index":0,"delta":"Let me "`) +
	event("response.reasoning_summary_text.delta", `,"output_index":0,"summary_index":0,"delta":"see."`) +
	event("response.reasoning_summary_part.added", `,"output_index":0,"summary_index":1`) +
	event("response.reasoning_summary_text.delta", `,"output_index":0,"summary_index":1,"delta":"So."`) +
	event("response.output_item.done", `,"output_index":0,"item":{"id":"rs_1","type":"reasoning",`+
		`"summary":[{"type":"summary_text","text":"Let me see."}],"encrypted_content":"gAAA+/="}`) +
	event("response.output_item.added", `,"output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant",`+
		`"content":[]}`) +
	event("response.output_text.delta", `,"output_index":1,"content_index":0,"delta":"I look"`) +
	": keep-alive\n\n" +
	event("response.of_the_future", `,"output_index":7,"delta":{"a":1}`) +
	event("response.output_text.delta", `,"output_index":1,"content_index":0,"delta":" at é."`) +
	event("response.output_item.done", `,"output_index":1,"item":{"id":"msg_1","type":"message","role":"assistant",`+
		`"content":[{"type":"output_text","text":"I look at é."}]}`) +
	event("response.output_item.added", `,"output_index":2,"item":{"id":"fc_1","type":"function_call",`+
		`"call_id":"call_a","name":"read_file","arguments":""}`) +
	event("response.output_item.added", `,"output_index":3,"item":{"id":"fc_2","type":"function_call",`+
		`"call_id":"call_b","name":"list_dir","arguments":""}`) +
	event("response.function_call_arguments.delta", `,"output_index":2,"delta":"{\"path\": \"no"`) +
	event("response.function_call_arguments.delta", `,"output_index":3,"delta":"{}"`) +
	event("response.function_call_arguments.delta", `,"output_index":2,"delta":"tes.md\"}"`) +
	event("response.output_item.done", `,"output_index":3,"item":{"id":"fc_2","type":"function_call",`+
		`"call_id":"call_b","name":"list_dir","arguments":"{}"}`) +
	event("response.output_item.done", `,"output_index":2,"item":{"id":"fc_1","type":"function_call",`+
		`"call_id":"call_a","name":"read_file","arguments":"{\"path\": \"notes.md\"}"}`) +
	completed("completed", "")

func responses(t *testing.T, cfg openai.Config, h http.HandlerFunc) *openai.Model {
	t.Helper()
	cfg.API = openai.Responses
	return serve(t, cfg, h)
}

var responsesService = providertest.Service{
	New: func(url string, idle time.Duration) (provider.Model, error) {
		return openai.New(openai.Config{Key: providertest.Key, BaseURL: url + "/v1", Idle: idle, API: openai.Responses})
	},
	Wire: whole, Start: whole[:strings.Index(whole, ": keep-alive")],
}

func TestAResponseStreamsAsEventsAndEndsWithTheWholeMessage(t *testing.T) {
	got, err := providertest.Collect(t.Context(), responses(t, openai.Config{}, providertest.Sends(whole)),
		providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	read := provider.ToolCall{ID: "call_a", Name: "read_file", Input: json.RawMessage(`{"path": "notes.md"}`)}
	list := provider.ToolCall{ID: "call_b", Name: "list_dir", Input: json.RawMessage(`{}`)}
	if end, ok := got[len(got)-1].(provider.End); ok {
		withoutAddress(end.Message.Parts)
	}
	want := []provider.Event{
		provider.ThinkingDelta{Text: "Let me "}, provider.ThinkingDelta{Text: "see."},
		provider.ThinkingDelta{Text: "\n\n"},
		provider.ThinkingDelta{Text: "So."},
		provider.TextDelta{Text: "I look"}, provider.TextDelta{Text: " at é."},
		provider.ToolCallStart{ID: "call_a", Name: "read_file"}, provider.ToolCallStart{ID: "call_b", Name: "list_dir"},
		provider.ToolCallDelta{ID: "call_a", JSON: `{"path": "no`}, provider.ToolCallDelta{ID: "call_b", JSON: `{}`},
		provider.ToolCallDelta{ID: "call_a", JSON: `tes.md"}`}, list, read,
		provider.Usage{Input: 132, Output: 89, CacheRead: 100},
		provider.End{Stop: "tool", Message: assistant(
			provider.Thinking{Text: "Let me see.\n\nSo.", Signature: "rs_1", Redacted: "gAAA+/=", From: "responses "},
			provider.Text{Text: "I look at é."}, read, list)},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%#v\nwant\n%#v", got, want)
	}
}

// A server that sends whole items only, without their pieces, is understood, too.
func TestAResponseOfWholeItems(t *testing.T) {
	wire := event("response.output_item.done", `,"output_index":0,"item":{"type":"message","content":[`+
		`{"type":"output_text","text":"ok"}]}`) +
		event("response.output_item.done", `,"output_index":1,"item":{"type":"function_call","call_id":"x","name":"a",`+
			`"arguments":"{\"b\":1}"}`) + completed("completed", "")
	got, err := providertest.Collect(t.Context(), responses(t, openai.Config{}, providertest.Sends(wire)),
		providertest.Hello())
	c := provider.ToolCall{ID: "x", Name: "a", Input: json.RawMessage(`{"b":1}`)}
	want := []provider.Event{provider.TextDelta{Text: "ok"}, provider.ToolCallStart{ID: "x", Name: "a"}, c,
		provider.Usage{Input: 132, Output: 89, CacheRead: 100},
		provider.End{Stop: "tool", Message: assistant(provider.Text{Text: "ok"}, c)}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, got\n%#v\nwant\n%#v", err, got, want)
	}
}

func TestAResponseThatOnlySaysDoneIsCompleteUnlessACallIsOpen(t *testing.T) {
	text := event("response.output_text.delta", `,"output_index":0,"delta":"ok"`)
	got, err := providertest.Collect(t.Context(), responses(t, openai.Config{}, providertest.Sends(text+done)),
		providertest.Hello())
	if end, ok := got[len(got)-1].(provider.End); err != nil || !ok || end.Stop != "end" {
		t.Errorf("%v, %+v", err, got)
	}
	call := event("response.output_item.added", `,"output_index":1,"item":{"type":"function_call","call_id":"x",`+
		`"name":"a","arguments":""}`)
	_, err = providertest.Collect(t.Context(), responses(t, openai.Config{}, providertest.Sends(text+call+done)),
		providertest.Hello())
	if err == nil {
		t.Error("a call that is cut off is no end")
	}
}

func TestTheRequestOfResponsesCarriesTheConversation(t *testing.T) {
	var asked providertest.Asked
	m := responses(t, openai.Config{Model: "gpt-5.2", Effort: "high", Thinking: true,
		Header: map[string]string{"X-Team": "a"}}, asked.Takes(t, whole))
	user := func(p ...provider.Part) provider.Message { return provider.Message{Role: provider.User, Parts: p} }
	first, err := providertest.Events(t.Context(), m, providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	end, _ := first[len(first)-1].(provider.End)
	dot := picture.Picture{Name: "dot.gif", Media: "image/gif", Data: []byte{0, 255, 7}, W: 1, H: 1}
	_, err = providertest.Collect(t.Context(), m, provider.Request{
		System: "be kind",
		Tools: []provider.Tool{{Name: "read_file", Description: "reads",
			Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}},
		Messages: []provider.Message{
			user(provider.Text{Text: "hi"}),
			assistant(provider.Thinking{Text: "somebody else's", Signature: "s"},
				provider.Thinking{Text: "another one's", Signature: "rs_8", Redacted: "x", From: "responses elsewhere"},
				provider.Text{Text: "ok"}),
			user(provider.Text{Text: "go on"}),
			end.Message,
			user(provider.ToolResult{ID: "call_a", Text: "r1"}, provider.ToolResult{ID: "call_b", Text: "bad",
				IsError: true}, provider.Text{Text: "and then"}),
			assistant(end.Message.Parts[0]), // nothing came of it
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if asked.Path != "/v1/responses" || asked.Header.Get("Authorization") != "Bearer "+providertest.Key ||
		asked.Header.Get("X-Team") != "a" {
		t.Errorf("%+v", asked)
	}
	asked.Says(t, `{"model":"gpt-5.2","stream":true,"store":false,"include":["reasoning.encrypted_content"],
		"instructions":"be kind","reasoning":{"effort":"high","summary":"auto"},
		"tools":[{"type":"function","name":"read_file","description":"reads","strict":false,
			"parameters":{"type":"object","properties":{"path":{"type":"string"}}}}],
		"input":[
			{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]},
			{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]},
			{"type":"reasoning","id":"rs_1","encrypted_content":"gAAA+/=",
				"summary":[{"type":"summary_text","text":"Let me see.\n\nSo."}]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look at é."}]},
			{"type":"function_call","call_id":"call_a","name":"read_file","arguments":"{\"path\": \"notes.md\"}"},
			{"type":"function_call","call_id":"call_b","name":"list_dir","arguments":"{}"},
			{"type":"function_call_output","call_id":"call_a","output":"r1"},
			{"type":"function_call_output","call_id":"call_b","output":"bad"},
			{"type":"message","role":"user","content":[{"type":"input_text","text":"and then"}]}]}`)
	yes := true
	m = responses(t, openai.Config{Model: "gpt-4.1", Sees: &yes}, asked.Takes(t, whole))
	if _, err = providertest.Collect(t.Context(), m, provider.Request{Messages: []provider.Message{
		user(provider.Image{Picture: dot}, provider.Text{Text: "look"}),
		assistant(provider.ToolCall{ID: "call00001", Name: "a"}),
		user(provider.ToolResult{ID: "call00001", Text: "read", Images: []picture.Picture{dot}})}}); err != nil {
		t.Fatal(err)
	}
	const image = `{"type":"input_image","image_url":"data:image/gif;base64,AP8H"}`
	asked.Says(t, `{"model":"gpt-4.1","stream":true,"store":false,"input":[
		{"type":"message","role":"user","content":[`+image+`,{"type":"input_text","text":"look"}]},
		{"type":"function_call","call_id":"call00001","name":"a","arguments":"{}"},
		{"type":"function_call_output","call_id":"call00001","output":[{"type":"input_text","text":"read"},`+image+`]}]}`)
}

// What a model thought goes back to the server that sent it, under its name, and within the turn
// alone.
func TestThinkingGoesBackAsItCame(t *testing.T) {
	var asked providertest.Asked
	answer := chunk(`{"reasoning_content":"hm \u003c\""}`, "null") +
		chunk(`{"tool_calls":[{"index":0,"id":"x23456789","function":{"name":"a","arguments":"{}"}}]}`,
			`"tool_calls"`) + done
	m := serve(t, openai.Config{Model: "deepseek"}, asked.Takes(t, answer))
	got, err := providertest.Collect(t.Context(), m, providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	end, _ := got[len(got)-1].(provider.End)
	user := func(p ...provider.Part) provider.Message { return provider.Message{Role: provider.User, Parts: p} }
	alone := assistant(end.Message.Parts[0], provider.Text{Text: "I wait."})
	talk := []provider.Message{user(provider.Text{Text: "one"}), end.Message, user(provider.ToolResult{ID: "x23456789",
		Text: "r"}),
		assistant(provider.Text{Text: "done"}), user(provider.Text{Text: "two"}), end.Message,
		user(provider.ToolResult{ID: "x23456789", Text: "r"}), alone, user(provider.Text{Text: "it ended",
			Origin: provider.Job})}
	if _, err := providertest.Collect(t.Context(), m, provider.Request{Messages: talk}); err != nil {
		t.Fatal(err)
	}
	const calls = `"tool_calls":[{"id":"x23456789","type":"function","function":{"name":"a","arguments":"{}"}}]}`
	asked.Says(t, `{"model":"deepseek","stream":true,"stream_options":{"include_usage":true},"messages":[
		{"role":"user","content":"one"},{"role":"assistant",`+calls+`,{"role":"tool","tool_call_id":"x23456789","content":"r"},
		{"role":"assistant","content":"done"},{"role":"user","content":"two"},
		{"role":"assistant","reasoning_content":"hm <\"",`+calls+`,{"role":"tool","tool_call_id":"x23456789","content":"r"},
		{"role":"assistant","content":"I wait."},{"role":"user","content":"it ended"}]}`)
	// another model at another address gets none of it
	other := serve(t, openai.Config{Model: "strict"}, asked.Takes(t, answer))
	if _, err := providertest.Collect(t.Context(), other, provider.Request{Messages: talk[4:7]}); err != nil {
		t.Fatal(err)
	}
	asked.Says(t, `{"model":"strict","stream":true,"stream_options":{"include_usage":true},"messages":[
		{"role":"user","content":"two"},{"role":"assistant",`+calls+`,{"role":"tool","tool_call_id":"x23456789","content":"r"}]}`)
}

func TestStopReasonsOfResponses(t *testing.T) {
	text := event("response.output_text.delta", `,"output_index":0,"delta":"x"`)
	for want, wire := range map[string]string{
		"end":    text + completed("completed", ""),
		"length": text + completed("incomplete", `"incomplete_details":{"reason":"max_output_tokens"},`),
		"filter": text + completed("incomplete", `"incomplete_details":{"reason":"content_filter"},`),
		"refusal": event("response.refusal.delta", `,"output_index":0,"delta":"I will not."`) +
			completed("completed", ""),
	} {
		got, err := providertest.Collect(t.Context(), responses(t, openai.Config{}, providertest.Sends(wire)),
			providertest.Hello())
		if err != nil {
			t.Fatal(err)
		}
		if end, ok := got[len(got)-1].(provider.End); !ok || end.Stop != want {
			t.Errorf("%+v, want %s", got[len(got)-1], want)
		}
	}
}

func TestAnErrorOfResponsesSaysItsStatus(t *testing.T) {
	half := whole[:strings.Index(whole, "event: response.completed")]
	responsesService.Fails(t, map[string]providertest.Case{
		"rate limit": providertest.Fails(providertest.Refuses(429,
			`{"error":{"message":"slow down","type":"requests","code":"rate_limit_exceeded"}}`, "Retry-After", "7"),
			provider.Error{Status: 429, Message: "slow down", RetryAfter: 7 * time.Second}, true),
		"too long": providertest.Fails(providertest.Sends(event("response.created", "")+
			event("response.failed", `,"response":{"status":"failed","error":{"code":"context_length_exceeded",`+
				`"message":"Your input exceeds the context window of this model."}}`)),
			provider.Error{Status: 413, TooLong: true,
				Message: "Your input exceeds the context window of this model."}, false),
		"failed, and nobody says why": providertest.Fails(providertest.Sends(half+
			event("response.failed", `,"response":{"status":"failed"}`)),
			provider.Error{Status: 500, Message: "the answer failed"}, true),
		"an error in the stream": providertest.Fails(providertest.Sends(half+
			event("error", `,"code":"rate_limit_exceeded","message":"slow","param":null`)),
			provider.Error{Status: 429, Message: "slow"}, true),
		"one that lies deeper": providertest.Fails(providertest.Sends(half+
			event("error", `,"error":{"type":"invalid_request_error","message":"no"}`)),
			provider.Error{Status: 400, Message: "no"}, false),
		"a stream that ends early":        providertest.EndsEarly(half),
		"one cut in an event":             providertest.EndsEarly(half[:len(half)-20]),
		"a page that says it is a stream": providertest.Login(),
		"a proxy's page":                  providertest.Page(),
		"another address":                 providertest.Elsewhere(),
	})
}

func TestAResponseWithoutAnEndIsCutOff(t *testing.T) {
	providertest.Floods(t, providertest.Responses, func(url string) (provider.Model, error) {
		return openai.New(openai.Config{Key: providertest.Key, BaseURL: url + "/v1", Bounds: providertest.Small,
			API: openai.Responses})
	})
}

func TestResponsesBreakAndEnd(t *testing.T) {
	responsesService.Breaks(t)
	responsesService.Cancels(t)
	responsesService.Leaves(t)
	responsesService.Silent(t)
}
