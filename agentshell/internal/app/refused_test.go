package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

func TestARefusalThatTryingDoesNotMendIsToldOnce(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Error(w, `{"detail":"Not Found"}`, http.StatusNotFound)
	}))
	t.Cleanup(s.Close)
	p := newPlace(t)
	p.env = append(p.env, "OPENAI_BASE_URL="+s.URL+"/v1")
	got := p.run("", "-p", "x", "--model", "m")
	if got.code != 1 || strings.Count(got.stderr, "Not Found") != 1 || asked.Load() != 1 ||
		!strings.Contains(got.stderr, "the server has nothing at "+s.URL+
			"/v1/chat/completions (404): Not Found\nCheck base_url") {
		t.Errorf("%d requests, %+v", asked.Load(), got)
	}
}

// A deployment of Azure: its version is a query, its key goes in a header of its own, and an older
// one refuses stream_options.
func TestAServerIsAskedAsItsSettingsSayAndWithoutWhatItRefuses(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.URL.String() != "/openai/deployments/d/chat/completions?api-version=2024-02-01" ||
			r.Header.Get("Api-Key") != "azure-key" || r.Header.Get("Authorization") != "":
			http.Error(w, r.URL.String(), http.StatusTeapot)
		case strings.Contains(string(body), "stream_options"):
			http.Error(w, `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`, 400)
		case !strings.Contains(string(body), `"max_tokens":5000`):
			http.Error(w, "no limit", http.StatusTeapot)
		default:
			_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`)
		}
	}))
	t.Cleanup(s.Close)
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), fmt.Sprintf(`
[models."azure"]
provider = "openai"
url = "%s/openai/deployments/d?api-version=2024-02-01"
key_env = "AZURE_KEY"
key_header = "api-key"
output = 5000
`, s.URL))
	p.env = append(p.env, "AZURE_KEY=azure-key")
	got := p.run("", "-p", "x", "--model", "azure")
	if got.code != 0 || got.stdout != "hi\n" || strings.Count(got.stderr, "The server refuses stream_options.") != 1 {
		t.Errorf("%+v", got)
	}
}
