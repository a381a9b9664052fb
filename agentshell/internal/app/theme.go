package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
)

// themes returns the collection of themes: the built-in ones, and the user's files in the directory
// themes of the configuration directory.
func (p Host) themes() theme.Shelf {
	dir := config.Dir(p.getenv)
	if dir == "" {
		return theme.Shelf{}
	}
	return theme.Shelf{Dir: filepath.Join(dir, "themes")}
}

// loadTheme returns the theme of that name, and notices about it. If the theme cannot be used, it
// returns the theme auto.
func (p Host) loadTheme(name string) (t *theme.Theme, notices []string) {
	t, err := p.themes().Load(name)
	if err != nil {
		t, _ = p.themes().Load(theme.Auto)
		return t, []string{"The theme of config.toml is not used, auto is: " + err.Error() + "."}
	}
	return t, t.Refused
}
