package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// fussy is a server that refuses requests by what is in them.
type fussy struct {
	refuse func(body map[string]any) (status int, text string) // 0: it answers
	wire   string
	asked  []map[string]any
	path   string
	header http.Header
	url    string
}

func (f *fussy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	_ = json.NewDecoder(r.Body).Decode(&body)
	f.asked, f.path, f.header = append(f.asked, body), r.URL.String(), r.Header
	if status, text := f.refuse(body); status != 0 {
		providertest.Refuses(status, text)(w, r)
		return
	}
	providertest.Sends(f.wire)(w, r)
}

// talk asks a server and returns what the person is told of how it was asked.
func talk(t *testing.T, f *fussy, cfg openai.Config, req provider.Request) (notes []string, err error) {
	t.Helper()
	if f.url == "" {
		f.url = providertest.Serve(t, f.ServeHTTP) + "/v1"
	}
	cfg.Key, cfg.BaseURL = providertest.Key, f.url
	m, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Messages) > 1 { // what it thought is its own
		thought := req.Messages[1].Parts[0].(provider.Thinking)
		thought.From = "chat " + f.url + " m"
		req.Messages[1].Parts[0] = thought
	}
	events, err := providertest.Collect(t.Context(), m, req)
	for _, e := range events {
		if n, ok := e.(provider.Notice); ok {
			notes = append(notes, n.Text)
		}
	}
	return notes, err
}

// full is a request with everything that a server may refuse: thinking goes back within a turn.
func full() provider.Request {
	return provider.Request{System: "be kind", Tools: []provider.Tool{{Name: "a"}, {Name: "b"}, {Name: "c"}},
		Messages: []provider.Message{
			{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "hi"}}},
			assistant(provider.Thinking{Text: "hm", Signature: "reasoning_content"},
				provider.ToolCall{ID: "1", Name: "a", Input: json.RawMessage(`{}`)}),
			{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: "1", Text: "r"}}},
		}}
}

// has reports whether a request has a field.
func has(body map[string]any, field string) bool {
	switch field {
	case "system":
		return strings.Contains(fmt.Sprint(body["messages"]), "role:system")
	case "thoughts":
		return strings.Contains(fmt.Sprint(body["messages"]), "reasoning_content")
	case "strict":
		return strings.Contains(fmt.Sprint(body["tools"]), "strict")
	case "reasoning.effort", "reasoning.summary":
		r, _ := body["reasoning"].(map[string]any)
		return r[strings.TrimPrefix(field, "reasoning.")] != nil
	}
	return body[field] != nil
}

// Texts are those that servers were reported to send.
func TestWhatAServerRefusesIsLeftOutOnceAndTold(t *testing.T) {
	for _, c := range []struct {
		name, field string
		status      int
		text, says  string
		api         string
	}{
		{"Mistral", "stream_options", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":` +
			`["body","stream_options"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error"}`,
			"token counts", ""},
		{"Databricks", "stream_options", 400, `{"error_code":"BAD_REQUEST","message":"{\"message\":\"Bad request: ` +
			`json: unknown field \\\"stream_options\\\"\\n\"}"}`, "token counts", ""},
		{"Azure, older", "stream_options", 400, `{"error":{"message":"Unrecognized request argument supplied: ` +
			`stream_options","type":"invalid_request_error","param":null,"code":null}}`, "token counts", ""},
		{"as an answer", "stream_options", 200, `{"error":"stream_options is not supported"}`, "token counts", ""},
		{"xAI", "reasoning_effort", 400, `{"code":"Client specified an invalid argument","error":"Argument not ` +
			`supported on this model: reasoningEffort"}`, "effort", ""},
		{"OpenAI", "reasoning_effort", 400, `{"error":{"message":"Unsupported parameter: 'reasoning_effort' is not ` +
			`supported with this model.","param":"reasoning_effort","code":"unsupported_parameter"}}`, "effort", ""},
		{"Ollama", "reasoning_effort", 400, `{"error":{"message":"\"m\" does not support thinking"}}`, "effort", ""},
		{"LiteLLM", "reasoning_effort", 500, `{"error":{"message":"litellm.UnsupportedParamsError: x does not ` +
			`support parameters: ['reasoning_effort'], for model=m"}}`, "effort", ""},
		{"OpenAI's reasoning models", "max_tokens", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' ` +
			`is not supported with this model. Use 'max_completion_tokens' instead."}}`, "max_completion_tokens", ""},
		{"vLLM with Gemma", "system", 400, `{"object":"error","message":"System role not supported","code":400}`,
			"before your first message", ""},
		{"llama.cpp with a template", "system", 500, `{"error":{"code":500,"message":"Conversation roles must ` +
			`alternate user/assistant/user/assistant/...","type":"server_error"}}`, "before your first message", ""},
		{"o1-mini", "system", 400, `{"error":{"message":"Unsupported value: 'messages[0].role' does not support ` +
			`'system' with this model."}}`, "before your first message", ""},
		{"Groq", "thoughts", 400, `{"error":{"message":"'messages.2' : for 'role:assistant' the following must be ` +
			`satisfied[('messages.2' : property 'reasoning_content' is unsupported)]"}}`, "what it thought", ""},
		{"Responses: effort", "reasoning.effort", 400, `{"error":{"message":"Unsupported parameter: ` +
			`'reasoning.effort' is not supported with this model."}}`, "effort", "responses"},
		{"Responses: summary", "reasoning.summary", 400, `{"error":{"message":"Your organization must be verified to ` +
			`generate reasoning summaries.","param":"reasoning.summary","code":"unsupported_value"}}`, "not shown",
			"responses"},
		{"Responses: include", "include", 400, `{"error":{"message":"Encrypted content is not supported with this ` +
			`model.","param":"include"}}`, "thought", "responses"},
		{"Responses: strict", "strict", 422, `{"detail":[{"loc":["body","tools",0,"strict"],"msg":"extra fields not ` +
			`permitted"}]}`, "checks calls", "responses"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fussy{wire: wire, refuse: func(body map[string]any) (int, string) {
				if has(body, c.field) {
					return c.status, c.text
				}
				return 0, ""
			}}
			if c.api != "" {
				f.wire = whole
			}
			cfg := openai.Config{Model: "m", Effort: "high", Thinking: true, Output: 1000, API: c.api,
				Dialects: new(remote.Dialects)}
			notes, err := talk(t, f, cfg, full())
			if err != nil || len(notes) != 1 || !strings.Contains(notes[0], c.says) || len(f.asked) != 2 {
				t.Fatalf("%d requests, %q, %v", len(f.asked), notes, err)
			}
			first, second := f.asked[0], f.asked[1]
			for field := range first {
				if field != c.field && !strings.HasPrefix(c.field, "reasoning.") && field != "messages" &&
					c.field != "strict" && !reflect.DeepEqual(first[field], second[field]) {
					t.Errorf("%s is another one", field)
				}
			}
			if c.field == "system" && !strings.Contains(fmt.Sprint(second["messages"]), "content:be kind\n\nhi") {
				t.Errorf("the messages are %v", second["messages"])
			}
			if c.field == "max_tokens" && second["max_completion_tokens"] != 1000.0 {
				t.Errorf("the limit is %v", second["max_completion_tokens"])
			}
		})
	}
}

// The Model of a server has the same address each time here.
func TestWhatAServerRefusedIsRememberedForItsAddress(t *testing.T) {
	f := &fussy{wire: wire, refuse: func(body map[string]any) (int, string) {
		switch {
		case has(body, "stream_options"):
			return 400, `{"error":{"message":"Unknown parameter: 'stream_options'."}}`
		case has(body, "reasoning_effort") && body["model"] == "small":
			return 400, `{"error":{"message":"Unknown parameter: 'reasoning_effort'."}}`
		}
		return 0, ""
	}}
	url, known := providertest.Serve(t, f.ServeHTTP)+"/v1", new(remote.Dialects)
	for _, c := range []struct {
		model           string
		requests, notes int
	}{{"small", 3, 2}, {"small", 1, 0}, {"large", 1, 0}} {
		m, err := openai.New(openai.Config{Key: "k", BaseURL: url, Model: c.model, Effort: "low", Dialects: known})
		if err != nil {
			t.Fatal(err)
		}
		f.asked = nil
		events, err := providertest.Collect(t.Context(), m, full())
		notes := 0
		for _, e := range events {
			if _, is := e.(provider.Notice); is {
				notes++
			}
		}
		if err != nil || len(f.asked) != c.requests || notes != c.notes {
			t.Errorf("%s: %d requests, %d notes, %v", c.model, len(f.asked), notes, err)
		}
	}
	if !has(f.asked[0], "reasoning_effort") {
		t.Error("the large model lost what the small one refused")
	}
}

func TestARefusalThatNothingMendsIsToldAndEndsTheAttempt(t *testing.T) {
	for name, c := range map[string]struct {
		status   int
		text     string
		requests int
	}{
		"the same for ever":   {400, "Unknown parameter: 'stream_options'.", 2},
		"of all things":       {400, "Unsupported: stream_options, reasoning_effort, max_tokens, system role", 5},
		"of what is not sent": {400, "Unsupported parameter: 'temperature'", 1},
		"of a value":          {400, "max_tokens is too large: 1000", 1},
		"of a message":        {400, "messages.3: text content blocks must be non-empty", 1},
		"of what must be":     {400, "tools is not supported with this model", 1},
		"a key":               {401, "stream_options is not supported", 1},
		"a limit":             {429, "stream_options is not supported", 1},
		"a tool that is not":  {400, "tools.17.custom.input_schema: invalid", 1},
		"every tool":          {400, "tools.0: invalid", 1 + 3},
	} {
		f := &fussy{refuse: func(map[string]any) (int, string) {
			return c.status, `{"error":{"message":"` + c.text + `"}}`
		}}
		cfg := openai.Config{Model: "m", Effort: "high", Output: 1000, Dialects: new(remote.Dialects)}
		notes, err := talk(t, f, cfg, full())
		var e *provider.Error
		if !errors.As(err, &e) || e.Message != c.text || len(notes) != 0 || len(f.asked) != c.requests {
			t.Errorf("%s: %d requests, %q, %v", name, len(f.asked), notes, err)
		}
		f.refuse, f.asked, f.wire = func(map[string]any) (int, string) { return 0, "" }, nil, wire
		if _, err := talk(t, f, cfg, full()); err != nil || !has(f.asked[0], "stream_options") {
			t.Errorf("%s: something was learned from it: %v", name, err)
		}
	}
}

func TestAToolThatAServerRefusesIsLeftOutByName(t *testing.T) {
	for name, text := range map[string]string{
		"Anthropic": "tools.%d.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
		"OpenAI":    "Invalid 'tools[%d].function.name': string does not match pattern.",
		"Gemini": "* GenerateContentRequest.tools[0].function_declarations[%d].parameters.properties: " +
			"should be non-empty for OBJECT type",
		"by name": "Invalid schema for function 'b': In context=(), object schema missing properties. %[2]s",
	} {
		f := &fussy{wire: wire, refuse: func(body map[string]any) (int, string) {
			for i, tool := range body["tools"].([]any) {
				if strings.Contains(fmt.Sprint(tool), "name:b") {
					return 400, fmt.Sprintf(`{"error":{"message":%q}}`, fmt.Sprintf(text, i, ""))
				}
			}
			return 0, ""
		}}
		notes, err := talk(t, f, openai.Config{Model: "m"}, full())
		if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "The tool b is left out") ||
			!slices.ContainsFunc(f.asked[1]["tools"].([]any), func(v any) bool {
				return strings.Contains(fmt.Sprint(v), "name:c")
			}) {
			t.Errorf("%s: %q, %v", name, notes, err)
		}
	}
}

// What stands in a request is needed, or can be left out: a new field has to be one of the two.
func TestEachPartOfARequestIsNeededOrCanBeLeftOut(t *testing.T) {
	for api, known := range map[string]string{
		"chat": "model stream messages system thoughts tools stream_options reasoning_effort max_tokens",
		"responses": "model stream store input instructions tools max_output_tokens include reasoning.effort " +
			"reasoning.summary strict",
	} {
		f := &fussy{wire: wire, refuse: func(map[string]any) (int, string) { return 0, "" }}
		if api == "responses" {
			f.wire = whole
		}
		cfg := openai.Config{Model: "m", Effort: "high", Thinking: true, Output: 1000, API: api}
		if _, err := talk(t, f, cfg, full()); err != nil {
			t.Fatal(err)
		}
		for field := range f.asked[0] {
			if !slices.Contains(strings.Fields(known), field) && field != "reasoning" {
				t.Errorf("%s: %s is new: give it an omission, or a place here if nothing goes without it", api, field)
			}
		}
		for _, field := range strings.Fields(known) {
			if !has(f.asked[0], field) {
				t.Errorf("%s: %s is not sent any more", api, field)
			}
		}
	}
}

// lmStudio answers below /v1, and elsewhere with a status of success.
func lmStudio(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/v1/models":
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"m"}]}`)
	case "/v1/chat/completions":
		providertest.Sends(wire)(w, r)
	default:
		fmt.Fprintf(w, `{"error":"Unexpected endpoint or method. (%s %s)"}`, r.Method, r.URL.Path)
	}
}

func TestAnAddressWithoutAVersionIsTriedWithOne(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"200 with an error": lmStudio,
		"404": func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/v1") {
				http.NotFound(w, r)
				return
			}
			lmStudio(w, r)
		},
	} {
		requests := 0
		url := providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) { requests++; handler(w, r) })
		known := new(remote.Dialects)
		for i, want := range []int{3, 1} {
			m, err := openai.New(openai.Config{Key: "k", BaseURL: url, Dialects: known})
			if err != nil {
				t.Fatal(err)
			}
			requests = 0
			events, err := providertest.Collect(t.Context(), m, providertest.Hello())
			if err != nil || requests != want {
				t.Fatalf("%s: %d requests, %v", name, requests, err)
			}
			note, is := events[0].(provider.Notice)
			if is != (i == 0) || is && !strings.Contains(note.Text, url+"/v1 answers") {
				t.Errorf("%s: %v", name, events[0])
			}
		}
		m, err := openai.New(openai.Config{Key: "k", BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		if ids, err := m.Models(t.Context()); err != nil || !slices.Equal(ids, []string{"m"}) {
			t.Errorf("%s: %q, %v", name, ids, err)
		}
	}
	url := providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		providertest.Sends(`{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`)(w, r)
	})
	m, err := openai.New(openai.Config{Key: "k", BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	_, err = providertest.Collect(t.Context(), m, providertest.Hello())
	var e *provider.Error
	if !errors.As(err, &e) || e.Retryable() || !strings.Contains(e.Error(), "Unexpected endpoint") ||
		!strings.Contains(e.Advice, "/v1") {
		t.Errorf("without a version anywhere: %v", err)
	}
}

func TestADeploymentOfAzureIsAskedWithItsVersionAndItsHeader(t *testing.T) {
	f := &fussy{wire: wire, refuse: func(map[string]any) (int, string) { return 0, "" }}
	url := providertest.Serve(t, f.ServeHTTP)
	for base, want := range map[string]string{
		"/openai/deployments/d?api-version=1":                  "/openai/deployments/d/chat/completions?api-version=1",
		"/openai/deployments/d/chat/completions?api-version=1": "/openai/deployments/d/chat/completions?api-version=1",
		"/openai/v1/":                          "/openai/v1/chat/completions",
		"/openai/v1/responses?api-version=two": "/openai/v1/responses?api-version=two",
	} {
		f.wire = wire
		if strings.Contains(base, "responses") {
			f.wire = whole
		}
		m, err := openai.New(openai.Config{Key: "k", KeyHeader: "api-key", BaseURL: url + base, Model: "d"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := providertest.Collect(t.Context(), m, providertest.Hello()); err != nil || f.path != want ||
			f.header.Get("api-key") != "k" || f.header.Get("Authorization") != "" {
			t.Errorf("%s: %s, %v, %v", base, f.path, f.header, err)
		}
	}
}

func TestAKeyThatAzureDoesNotFindNamesTheSetting(t *testing.T) {
	url := providertest.Serve(t, providertest.Refuses(401, `{"statusCode":401,"message":"Unauthorized."}`)) +
		"/openai/deployments/d?api-version=1"
	for header, want := range map[string]bool{"": true, "api-key": false} {
		m, err := openai.New(openai.Config{Key: "k", KeyHeader: header, BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		_, err = providertest.Collect(t.Context(), m, providertest.Hello())
		var e *provider.Error
		if !errors.As(err, &e) || strings.Contains(e.Advice, `key_header = "api-key"`) != want || e.Retryable() {
			t.Errorf("%q: %v; %s", header, err, e.Advice)
		}
	}
}
