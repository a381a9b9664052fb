package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
)

// themes returns all themes. The person's themes are files beside config.toml; a workspace has
// none.
func (p Host) themes() theme.Shelf {
	dir := config.Dir(p.getenv)
	if dir == "" {
		return theme.Shelf{}
	}
	return theme.Shelf{Dir: filepath.Join(dir, "themes")}
}

// loadTheme returns the configured theme, and notices about it. If it cannot be used, the theme is
// auto.
func (p Host) loadTheme(name string) (t *theme.Theme, notices []string) {
	t, err := p.themes().Load(name)
	if err != nil {
		t, _ = p.themes().Load(theme.Auto)
		return t, []string{"The theme of config.toml is not used, auto is: " + err.Error() + "."}
	}
	return t, t.Refused
}
