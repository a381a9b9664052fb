package config

import (
	"errors"
	"path/filepath"
	"strings"
)

// GitHub turns the tool github on, and what read_file reads by issue:// and pr://.
type GitHub struct {
	Enabled bool `toml:"enabled"`
	// Host is the host that is asked; "": that of GH_HOST, else github.com.
	Host string `toml:"host"`
	// Worktrees is the folder of the work trees of pull requests, absolute or with ~/ in front; "":
	// one below XDG_DATA_HOME.
	Worktrees string      `toml:"worktrees"`
	Cache     GitHubCache `toml:"cache"`
}

// GitHubCache says how long what was read of issues and pull requests is used again.
type GitHubCache struct {
	Enabled *bool `toml:"enabled"` // nil: it is
	// SoftS is the age in seconds from which an answer is read anew in the background, HardS the
	// one from which it is not used; 0: five minutes and seven days.
	SoftS int `toml:"soft_ttl_s"`
	HardS int `toml:"hard_ttl_s"`
}

// check returns what is wrong, and the key that says it.
func (g GitHub) check() (key string, err error) {
	switch {
	case g.Worktrees != "" && !filepath.IsAbs(g.Worktrees) && !strings.HasPrefix(g.Worktrees, "~/"):
		return ".worktrees", errors.New("worktrees must be absolute or begin with ~/")
	case g.Cache.SoftS < 0:
		return ".cache.soft_ttl_s", errors.New("soft_ttl_s is a number of seconds")
	case g.Cache.HardS < 0:
		return ".cache.hard_ttl_s", errors.New("hard_ttl_s is a number of seconds")
	}
	return "", nil
}

// DataDir returns the directory for files of the person's that last: $XDG_DATA_HOME/agentshell or
// ~/.local/share/agentshell. It returns "" if neither variable is set.
func DataDir(getenv func(string) string) string {
	if base := xdgBase(getenv, "XDG_DATA_HOME", filepath.Join(".local", "share")); base != "" {
		return filepath.Join(base, folderName)
	}
	return ""
}
