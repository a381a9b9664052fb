package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
