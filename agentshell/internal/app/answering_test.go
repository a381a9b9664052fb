package app

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// The server gets the effort that /effort has set, not that of the command line.
func TestAnEffortThatIsSetReachesTheServer(t *testing.T) {
	t.Parallel()
	effort := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Effort string `json:"reasoning_effort"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		effort = body.Effort
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}`+
			"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	e := &endpoints{p: Host{getenv: func(string) string { return "" }}, service: serviceNamed("openai"),
		cfg: config.Config{BaseURL: server.URL + "/v1", Provider: "openai"}}
	e.flags.Effort = "low"
	for _, level := range []string{"", "high"} {
		e.setAnswering(func(c *answering) { c.effort = level })
		m, err := e.newModel(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range m.Stream(t.Context(), provider.Request{Messages: []provider.Message{{Role: provider.User,
			Parts: []provider.Part{provider.Text{Text: "x"}}}}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		want := level
		if level == "" {
			want = "low"
		}
		if effort != want {
			t.Errorf("after %q the server gets %q, want %q", level, effort, want)
		}
	}
}
