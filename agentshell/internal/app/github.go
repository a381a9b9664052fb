package app

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
)

// newGitHub returns the service for the tool github, without starting a program. It returns nil if
// the user has not turned the tool on, or if it cannot be used.
func (r *project) newGitHub(p Host) *github.Service {
	if !r.cfg.GitHub.Enabled {
		return nil
	}
	s := github.NewService(p.gitHubConfig(r.cfg.GitHub, r.ws.Dir(), r.secrets))
	err := s.Find()
	if err == nil {
		err = github.CheckHost(s.Host())
	}
	if err != nil {
		r.notices = append(r.notices, "github is off: "+err.Error())
		return nil
	}
	return s
}

// gitHubConfig returns the configuration of the tool github for the workspace dir.
func (p Host) gitHubConfig(c config.GitHub, dir string, secrets secret.Set) github.Config {
	trees, below := c.Worktrees, config.DataDir(p.getenv)
	if rest, ok := strings.CutPrefix(trees, "~/"); ok {
		trees = filepath.Join(p.getenv("HOME"), rest)
	}
	if trees == "" && below != "" {
		trees = filepath.Join(below, "worktrees")
	}
	cache := github.Cache{Soft: cmp.Or(time.Duration(c.Cache.SoftS)*time.Second, github.DefaultSoft),
		Hard: cmp.Or(time.Duration(c.Cache.HardS)*time.Second, github.DefaultHard)}
	if state := config.StateDir(p.getenv); state != "" && (c.Cache.Enabled == nil || *c.Cache.Enabled) {
		cache.Dir = filepath.Join(state, "github")
	}
	return github.Config{Host: cmp.Or(c.Host, p.getenv("GH_HOST"), github.DefaultHost), Dir: dir, Environ: p.environ,
		Family: p.family, Secrets: secrets, Worktrees: trees, Cache: cache}
}

// gitHubFindings reports, for the doctor, whether the tool github can be used: the version of gh,
// and the user who is logged in.
func (p Host) gitHubFindings(ctx context.Context) []finding {
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil || !cfg.GitHub.Enabled {
		return nil
	}
	s := github.NewService(p.gitHubConfig(cfg.GitHub, ".", p.environSecrets()))
	defer s.Close()
	f := finding{About: "github", Name: s.Host()}
	version, err := s.Version(ctx)
	if err != nil {
		f.Value, f.Advice, f.Bad = err.Error(), github.Install, true
		return []finding{f}
	}
	login, err := s.Login(ctx)
	if err != nil {
		f.Value, f.Advice, f.Bad = "gh "+version+", "+err.Error(), "gh auth login --hostname "+s.Host(), true
		return []finding{f}
	}
	f.Value = "gh " + version + ", logged in as " + login
	return []finding{f}
}
