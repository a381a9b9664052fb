package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github/githubtest"
)

// The tool github is there where the person has turned it on and gh is installed. Its key is
// nowhere in what is printed and logged.
func TestGitHubIsAskedWhereTheConfigSaysSo(t *testing.T) {
	t.Parallel()
	h := githubtest.New(t)
	h.JSON("GET /search/issues", `{"total_count":1,"items":[{"number":7,"title":"Key `+githubtest.Token+`","state`+
		`":"open"}]}`)
	h.JSON("GET /", `{}`)
	h.JSON("UserCurrent", `{"data":{"viewer":{"login":"mona"}}}`)
	p := newPlace(t)
	_, port, _ := strings.Cut(h.Host, ":")
	host := "127.0.0.1:" + port // the resolver of the system knows no other name of it
	for _, v := range h.Environ() {
		if strings.HasPrefix(v, "GH_") || strings.HasPrefix(v, "SSL_") {
			p.env = append(p.env, v)
		}
	}
	search := `{"tool_calls":[{"id":"a","name":"github","input":{"op":"search_issues","query":"tides"}}]}`
	run := func(config string) string {
		t.Helper()
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config)
		got := p.run("", "-p", "x", "--script", p.script(search, `{"say":"end"}`), "--output", "stream-json")
		if all := got.stdout + got.stderr; strings.Contains(all, githubtest.Token) {
			t.Errorf("the key is printed: %s", all)
		}
		return got.stdout + got.stderr
	}
	if got := run(""); !strings.Contains(got, `there is no tool \"github\"`) {
		t.Errorf("off: %s", got)
	}
	on := "[github]\nenabled = true\nhost = \"" + host + "\"\n"
	if got := run(on); len(h.Requests()) > 0 || !strings.Contains(got, `"reach":"`+host+`"},"decision":"deny"`) {
		t.Errorf("nobody can be asked: %d requests, %s", len(h.Requests()), got)
	}
	if got := run("allow = [\"github(search)\"]\n" + on); len(h.Requests()) != 1 || !strings.Contains(got, "#7 Ke"+
		"y [secret]") {
		t.Errorf("allowed: %d requests, %s", len(h.Requests()), got)
	}
	logs, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.jsonl"))
	for _, name := range logs {
		if strings.Contains(p.read(name), githubtest.Token) {
			t.Errorf("the key is in %s", name)
		}
	}
	if got := p.run("", "doctor"); len(logs) != 3 || !strings.Contains(got.stdout, ", logged in as mona\n") {
		t.Errorf("%d logs, %s", len(logs), got.stdout)
	}
	for i, v := range p.env {
		if strings.HasPrefix(v, "PATH=") {
			p.env[i] = "PATH=" + t.TempDir()
		}
	}
	if got := run(on); !strings.Contains(got, "github is off: gh is not installed. To install it: apt-get install gh") {
		t.Errorf("without gh: %s", got)
	}
}
