package anthropic_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// Texts are those that gateways were reported to send.
func TestWhatAGatewayRefusesIsLeftOutOnceAndTold(t *testing.T) {
	for _, c := range []struct{ field, text, says string }{
		{"cache_control", "system.0.cache_control.ephemeral: Extra inputs are not permitted", "cache"},
		{"output_config", "output_config: Extra inputs are not permitted", "effort"},
		{"output_config", "This model does not support the effort parameter.", "effort"},
		{"thinking", "adaptive thinking is not supported on this model", "thinks"},
		{`"name":"b"`, "tools.1.custom.input_schema: JSON schema is invalid.", "The tool b is left out"},
	} {
		requests := 0
		url := providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
			requests++
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), c.field) {
				text, _ := json.Marshal(c.text)
				providertest.Refuses(400, `{"type":"error","error":{"type":"invalid_request_error",`+
					`"message":`+string(text)+`}}`)(w, r)
				return
			}
			providertest.Sends(wire)(w, r)
		})
		m, err := anthropic.New(anthropic.Config{Key: "k", BaseURL: url, Thinking: true, Effort: "high"})
		if err != nil {
			t.Fatal(err)
		}
		req := providertest.Hello()
		req.System, req.Tools = "be kind", []provider.Tool{{Name: "a"}, {Name: "b"}}
		for i, want := range []int{2, 1} {
			requests = 0
			events, err := providertest.Collect(t.Context(), m, req)
			if err != nil || requests != want {
				t.Fatalf("%s: %d requests, %v", c.field, requests, err)
			}
			note, is := events[0].(provider.Notice)
			if is != (i == 0) || is && !strings.Contains(note.Text, c.says) {
				t.Errorf("%s: %+v", c.field, events[0])
			}
		}
	}
}

const wholeMessage = `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[` +
	`{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"I look."},` +
	`{"type":"tool_use","id":"call_a","name":"read_file","input":{"path":"notes.md"}}],` +
	`"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":5}}`

func TestAWholeJSONMessageIsAnAnswer(t *testing.T) {
	cut := len(wholeMessage)
	url := providertest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, wholeMessage[:cut])
	})
	m, err := anthropic.New(anthropic.Config{Key: "k", BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	events, err := providertest.Collect(t.Context(), m, providertest.Hello())
	if err != nil {
		t.Fatal(err)
	}
	end, _ := events[len(events)-1].(provider.End)
	call, _ := end.Message.Parts[len(end.Message.Parts)-1].(provider.ToolCall)
	if end.Stop != "tool" || len(end.Message.Parts) != 3 || call.ID != "call_a" ||
		string(call.Input) != `{"path":"notes.md"}` || !slices.Contains(events, provider.Event(provider.Usage{Input: 3,
		Output: 5})) || end.Message.Parts[0] != provider.Part(provider.Thinking{Text: "hm", Signature: "s"}) {
		t.Errorf("%+v", events)
	}
	for cut = range len(wholeMessage) {
		events, err := providertest.Collect(t.Context(), m, providertest.Hello())
		var e *provider.Error
		if !errors.As(err, &e) || !e.Retryable() || len(events) != 0 {
			t.Fatalf("cut at %d: %v, %v", cut, events, err)
		}
	}
}

func TestAVersionAtTheEndOfTheAddressStandsInThePathOnce(t *testing.T) {
	var asked providertest.Asked
	url := providertest.Serve(t, asked.Takes(t, wire))
	for base, header := range map[string]string{"": "X-Api-Key", "/v1": "X-Api-Key", "/v1/messages": "api-key"} {
		cfg := anthropic.Config{Key: "k", BaseURL: url + base}
		if header == "api-key" {
			cfg.KeyHeader = header
		}
		m, err := anthropic.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := providertest.Collect(t.Context(), m, providertest.Hello()); err != nil ||
			asked.Path != "/v1/messages" || asked.Header.Get(header) != "k" {
			t.Errorf("%q: %+v, %v", base, asked, err)
		}
	}
}
