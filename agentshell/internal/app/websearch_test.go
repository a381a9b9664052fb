package app_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// The tool web_search is there where the person has turned it on. Its key comes from the
// environment or from a command, and is nowhere in what is printed and logged.
func TestTheWebIsSearchedWhereTheConfigSaysSo(t *testing.T) {
	const key = "brave-key-of-the-person-5518"
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if r.Header.Get("X-Subscription-Token") != key {
			w.WriteHeader(401)
			return
		}
		_, _ = w.Write([]byte(`{"web":{"results":[{"title":"Found ` + key + `","url":"https://a.example/"}]}}`))
	}))
	defer service.Close()
	search := `{"tool_calls":[{"id":"a","name":"web_search","input":{"query":"tides"}}]}`
	p := newPlace(t)
	run := func(config string) string {
		t.Helper()
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config)
		got := p.run("", "-p", "x", "--script", p.script(search, `{"say":"end"}`), "--output", "stream-json")
		if all := got.stdout + got.stderr; strings.Contains(all, key) {
			t.Errorf("the key is printed: %s", all)
		}
		return got.stdout + got.stderr
	}
	if got := run(""); !strings.Contains(got, `there is no tool \"web_search\"`) {
		t.Errorf("off: %s", got)
	}
	const on = "[web_search]\nenabled = true\n"
	if got := run(on); !strings.Contains(got, "No web search provider configured.") {
		t.Errorf("without a key: %s", got)
	}
	host := strings.TrimPrefix(service.URL, "http://")
	brave := on + "provider = \"brave\"\n[web_search.services.brave]\nurl = \"" + service.URL + "\"\n"
	p.env = append(p.env, "BRAVE_API_KEY="+key)
	denied := `"query":"tides","reach":"Brave (` + host + `)"},"decision":"deny"`
	if got := run(brave); asked != 0 || !strings.Contains(got, denied) {
		t.Errorf("nobody can be asked: %d requests, %s", asked, got)
	}
	allowed := "network_private = [\"" + host + "\"]\n" + brave
	if got := run(allowed); asked != 1 || !strings.Contains(got, "Found [secret]") {
		t.Errorf("allowed: %d requests, %s", asked, got)
	}
	p.env = p.env[:len(p.env)-1]
	printed := allowed + "key_command = [\"echo\", \"" + key + "\"]\n"
	if got := run(printed); asked != 2 || !strings.Contains(got, "Found [secret]") {
		t.Errorf("a key that a command prints: %d requests, %s", asked, got)
	}
	if got := run(allowed + "key_command = [\"echo\", \"another-key-1234\"]\n"); !strings.Contains(got,
		"Brave authorization failed (401). Check its key.") {
		t.Errorf("another key: %s", got)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	for _, name := range logs {
		if text := p.read(name); strings.Contains(text, key) {
			t.Errorf("the key is in %s", name)
		}
	}
	if len(logs) != 6 {
		t.Errorf("%d logs", len(logs))
	}
	if got := p.run("", "doctor"); !strings.Contains(got.stdout, "search                     brave\n") {
		t.Errorf("%s", got.stdout)
	}
}
