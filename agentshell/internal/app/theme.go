package app

import (
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/theme"
)

// themes returns the themes that there are: the person's are files beside config.toml, never of a
// workspace.
func (p Host) themes() theme.Shelf {
	dir := config.Dir(p.getenv)
	if dir == "" {
		return theme.Shelf{}
	}
	return theme.Shelf{Dir: filepath.Join(dir, "themes")}
}

// look returns the theme of that name in the config, and what is to be told about it. One that
// cannot be used does not keep anybody from working: auto is used then.
func (p Host) look(name string) (t *theme.Theme, told []string) {
	t, err := p.themes().Load(name)
	if err != nil {
		t, _ = p.themes().Load(theme.Auto)
		return t, []string{"The theme of config.toml is not used, auto is: " + err.Error() + "."}
	}
	return t, t.Refused
}
