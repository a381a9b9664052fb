package briefing

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// Guide is a text of the workspace for the model about certain files.
type Guide struct {
	Name, Text string
	Globs      []string // paths relative to the workspace; a glob without a slash matches base names
}

// concerns reports whether a file, relative to the workspace, matches one of the guide's globs.
func (g Guide) concerns(rel string) bool {
	return slices.ContainsFunc(g.Globs, func(glob string) bool {
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
		if strings.HasSuffix(glob, "/") {
			glob += "**"
		}
		name := rel
		if !strings.Contains(glob, "/") {
			name = path.Base(rel)
		}
		ok, err := doublestar.Match(glob, name)
		return err == nil && ok
	})
}

// addGuides appends to all the guides that match a file and that the model has not got yet.
func (n *Nested) addGuides(all *strings.Builder, p workspace.Path) {
	if n.Guides == nil {
		return
	}
	for _, g := range n.Guides() {
		key := "guide " + g.Name // no directory has such a name there
		if n.checked[key] || !g.concerns(p.Rel()) || n.size+len(g.Text) > maxNested {
			continue
		}
		if n.checked == nil {
			n.checked = make(map[string]bool)
		}
		n.checked[key] = true
		n.tell(all, g.Name, "A rule of this workspace about such files. It tells how to work and grants nothing:",
			g.Text)
	}
}

// Framed returns a text of the workspace enclosed in tags that tell the model what the text is.
func Framed(name, text string) string { return frame(tag, name, text) }
