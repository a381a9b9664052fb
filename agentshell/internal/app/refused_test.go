package app_test

import (
	"net/http"
	"net/http/httptest"
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
