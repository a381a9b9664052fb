package app

import (
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
)

func TestTheSettingsOfGitHub(t *testing.T) {
	variables := map[string]string{"HOME": "/home/x", "GH_HOST": "ghe.example.org"}
	p := Host{getenv: func(name string) string { return variables[name] }, environ: []string{"HOME=/home/x"},
		family: &child.Family{Programs: child.NewPrograms(t.TempDir())}}
	off, yes := false, true
	const trees, state = "/home/x/.local/share/agentshell/worktrees", "/home/x/.local/state/agentshell/github"
	kept := github.Cache{Dir: state, Soft: 5 * time.Minute, Hard: 7 * 24 * time.Hour}
	for _, c := range []struct {
		set  config.GitHub
		want github.Config
	}{
		{config.GitHub{}, github.Config{Host: "ghe.example.org", Worktrees: trees, Cache: kept}},
		{config.GitHub{Host: "git.example.net:8443", Worktrees: "~/wt",
			Cache: config.GitHubCache{Enabled: &off, SoftS: 1, HardS: 2}},
			github.Config{Host: "git.example.net:8443", Worktrees: "/home/x/wt",
				Cache: github.Cache{Soft: time.Second, Hard: 2 * time.Second}}},
		{config.GitHub{Cache: config.GitHubCache{Enabled: &yes}}, github.Config{Host: "ghe.example.org",
			Worktrees: trees, Cache: kept}},
	} {
		got := p.gitHubConfig(c.set, "/w", secret.Set{})
		if got.Host != c.want.Host || got.Worktrees != c.want.Worktrees || got.Cache != c.want.Cache ||
			got.Dir != "/w" {
			t.Errorf("%+v gives %+v", c.set, got)
		}
	}
	delete(variables, "GH_HOST")
	if got := p.gitHubConfig(config.GitHub{}, "/w", secret.Set{}).Host; got != "github.com" {
		t.Error(got)
	}
	r := &project{}
	if r.newGitHub(p) != nil || len(r.notices) > 0 {
		t.Errorf("it is there though nobody has turned it on: %v", r.notices)
	}
}
