package tool

import (
	"context"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// ignorer knows what the .gitignore files of a workspace name. Only these files count, not the person's own git configuration.
type ignorer struct {
	w     *workspace.Workspace
	rules map[workspace.Path][]ignoreRule // by directory; an entry means it was looked for
}

type ignoreRule struct {
	glob    string // on the path below the directory
	negated bool
	dirOnly bool
}

// names reports whether at is ignored. Whoever walks leaves out an ignored directory as a whole, as git does.
func (g *ignorer) names(ctx context.Context, at workspace.Path, isDir bool) bool {
	parts := strings.Split(at.Rel(), "/")
	dir, ignored := at.Top(), false
	for i := range parts { // from the root down: the deepest file has the last word
		below := path.Join(parts[i:]...)
		for _, r := range g.of(ctx, dir) {
			if r.dirOnly && !isDir {
				continue
			}
			if ok, _ := doublestar.Match(r.glob, below); ok {
				ignored = !r.negated
			}
		}
		dir = dir.Join(parts[i])
	}
	return ignored
}

// of reads the rules of one directory, once.
func (g *ignorer) of(ctx context.Context, dir workspace.Path) []ignoreRule {
	rules, known := g.rules[dir]
	if known {
		return rules
	}
	if text, err := g.w.ReadText(ctx, dir.Join(".gitignore"), 0, 0); err == nil {
		for line := range strings.Lines(text) {
			if r, ok := parseIgnore(line); ok {
				rules = append(rules, r)
			}
		}
	}
	g.rules[dir] = rules
	return rules
}

// parseIgnore reads one line of a .gitignore file.
func parseIgnore(line string) (r ignoreRule, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return r, false
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.dirOnly = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	r.glob = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	if !anchored {
		r.glob = "**/" + r.glob
	}
	return r, line != "" && doublestar.ValidatePattern(r.glob)
}
