package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// A server is what names its models; what answers something else, or nothing, is none.
func TestServersOfModelsAreFoundByTheirList(t *testing.T) {
	serve := func(text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "" {
				t.Errorf("asked for %s, %v", r.URL.Path, r.Header)
			}
			_, _ = io.WriteString(w, text)
		}))
		t.Cleanup(s.Close)
		return s.URL + "/v1"
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	found := findLocalServers(t.Context(), []localServer{
		{name: "a", url: serve(`{"data":[{"id":"x"},{"id":"y"},{"id":"z"},{"id":"w"},{"id":"v"}]}`)},
		{name: "b", url: serve(`<html>`)}, {name: "c", url: serve(`{"data":[]}`)}, {name: "d", url: gone.URL},
	})
	if len(found) != 1 || found[0].name != "a" || firstNames(found[0].models) != "x, y, z and 2 more" {
		t.Errorf("%+v", found)
	}
}

// Without a key the person is told how to ask a server that runs, and else how to name one.
func TestServersComeFirstWithoutAKey(t *testing.T) {
	about, command := localServerText([]localServer{{name: "Ollama", url: "http://127.0.0.1:11434/v1",
		models: []string{"x"}}})
	if about != "Ollama runs here with x. To ask it:" ||
		command != "OPENAI_BASE_URL=http://127.0.0.1:11434/v1 agentshell --model x" {
		t.Errorf("%q, %q", about, command)
	}
	about, command = localServerText(nil)
	if !strings.Contains(about, "LM Studio") || !strings.HasPrefix(command, "OPENAI_BASE_URL=http://") {
		t.Errorf("%q, %q", about, command)
	}
}

// A server of one's own is offered with its own models, and one without a key has no price.
func TestAServerOfOnesOwnHasNoModelsAndPricesOfAProvider(t *testing.T) {
	newModel := func(name string) (provider.Model, error) { return namedModel(name), nil }
	r := &project{modelSource: modelSource{service: "openai", model: namedModel("fake-coder"), newModel: newModel,
		keyless: true}}
	r.cfg.Models = map[string]config.Model{"mine": {Input: 1, Answer: 2, Window: 9000}}
	if got := strings.Join(r.modelNames(), " "); got != "fake-coder mine" {
		t.Errorf("offered are %s", got)
	}
	if m := r.modelInfo("gpt-5.5"); m.Price.Known() || m.Window == 0 {
		t.Errorf("%+v", m)
	}
	if m := r.modelInfo("mine"); !m.Price.Known() {
		t.Errorf("%+v", m)
	}
	for name, assumed := range map[string]bool{"fake-coder": true, "mine": false, "gpt-5.5": false} {
		if r.isWindowAssumed(name) != assumed {
			t.Errorf("the window of %s is assumed: %v", name, !assumed)
		}
	}
	r.keyless, r.usualAddress = false, true
	if m := r.modelInfo("gpt-5.5"); !m.Price.Known() || len(r.modelNames()) < 4 {
		t.Errorf("%+v, %q", m, r.modelNames())
	}
}
