package config

import (
	"errors"
	"path/filepath"
	"strings"
)

// GitHub turns on the tool github, and the addresses issue:// and pr:// for the tool read_file.
type GitHub struct {
	Enabled bool `toml:"enabled"`
	// Host is the GitHub server; "": the host in GH_HOST, or else github.com.
	Host string `toml:"host"`
	// Worktrees is the folder for work trees of pull requests, absolute or with ~/ at the
	// beginning; "": a folder in XDG_DATA_HOME.
	Worktrees string      `toml:"worktrees"`
	Cache     GitHubCache `toml:"cache"`
}

// GitHubCache says how long issues and pull requests that were read are served from a cache.
type GitHubCache struct {
	Enabled *bool `toml:"enabled"` // The cache is used; nil: true.
	// SoftS is the age in seconds from which a cached entry is read anew in the background; 0: 300.
	// HardS is the age from which it is not used; 0: 604800, which is seven days.
	SoftS int `toml:"soft_ttl_s"`
	HardS int `toml:"hard_ttl_s"`
}

// check returns an error if the settings are wrong. key is the wrong part of the table, such as
// ".worktrees".
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

// DataDir returns the directory for the user's permanent files: $XDG_DATA_HOME/agentshell or
// ~/.local/share/agentshell. It returns "" if neither XDG_DATA_HOME nor HOME is set.
func DataDir(getenv func(string) string) string {
	if base := xdgBase(getenv, "XDG_DATA_HOME", filepath.Join(".local", "share")); base != "" {
		return filepath.Join(base, folderName)
	}
	return ""
}
