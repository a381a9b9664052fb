package app

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// gitIgnore returns the path of the file in which the user lists what git ignores in all
// repositories: core.excludesFile of the user's git configuration, or git's default. It returns ""
// if there is none.
func (p Host) gitIgnore(home string) string {
	xdg := p.getenv("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	var files []string // in the order in which git reads them
	if system := p.getenv("GIT_CONFIG_SYSTEM"); p.getenv("GIT_CONFIG_NOSYSTEM") == "" {
		files = append(files, cmp.Or(system, "/etc/gitconfig"))
	}
	if global := p.getenv("GIT_CONFIG_GLOBAL"); global != "" {
		files = append(files, global)
	} else if home != "" {
		files = append(files, filepath.Join(xdg, "git", "config"), filepath.Join(home, ".gitconfig"))
	}
	name, set := workspace.GitValue(files, home, "core.excludesfile")
	if !set && xdg != "" {
		name = filepath.Join(xdg, "git", "ignore")
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		name = filepath.Join(home, rest)
	}
	if !filepath.IsAbs(name) {
		return ""
	}
	return name
}
