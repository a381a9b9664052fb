package tool

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

const ignoreFile = ".gitignore"

// ignorer knows along a walk what the .gitignore files of a workspace name. Only these files count,
// not the person's own git configuration.
type ignorer struct {
	levels []ignoring // by depth of the entries
}

// ignoring are the rules that can name something in a directory or below it, in the order of their
// files and lines: the last one that matches holds.
type ignoring struct {
	rules []placedRule
	read  bool // the directory's own are among them
}

// placedRule is a rule and how far the path from its file has come in its glob.
type placedRule struct {
	*ignoreRule
	at places
}

type ignoreRule struct {
	glob    *glob // on the path below the directory
	negated bool
	dirOnly bool
}

// newIgnorer begins with the rules above t.
func newIgnorer(t *workspace.Tree) *ignorer {
	g := &ignorer{}
	now := ignoring{}
	for text, name := range t.AncestorTexts() {
		now = now.with(text).below(name)
	}
	g.levels = append(g.levels, now)
	return g
}

// names reports whether the entry that t is at is ignored. Whoever walks leaves out an ignored
// directory as a whole, as git does.
func (g *ignorer) names(t *workspace.Tree) bool {
	depth := t.Depth()
	g.levels = g.levels[:depth]
	now := &g.levels[depth-1]
	if !now.read {
		*now = now.with(t.DirText())
		now.read = true
	}
	for _, r := range slices.Backward(now.rules) {
		if (!r.dirOnly || t.Mode().IsDir()) && r.glob.matches(r.at, t.Name()) {
			return !r.negated
		}
	}
	return false
}

// enter takes the rules into the directory that t is at.
func (g *ignorer) enter(t *workspace.Tree) {
	g.levels = append(g.levels[:t.Depth()], g.levels[t.Depth()-1].below(t.Name()))
}

// with adds the rules of a file.
func (s ignoring) with(text string) ignoring {
	rules := s.rules[:len(s.rules):len(s.rules)] // others share it
	for line := range strings.Lines(text) {
		if r, ok := parseIgnore(line); ok {
			rules = append(rules, placedRule{&r, r.glob.start()})
		}
	}
	return ignoring{rules: rules}
}

// below returns the rules that are left in the directory name. As long as none has changed its
// place they are the same list: a tree may be deep.
func (s ignoring) below(name string) ignoring {
	same := true
	var rules []placedRule
	for i, r := range s.rules {
		at, moved := r.glob.next(r.at, name)
		dead := r.glob.dead(at)
		if same && (dead || moved) {
			same = false
			rules = slices.Clone(s.rules[:i])
		}
		if !same && !dead {
			rules = append(rules, placedRule{r.ignoreRule, at})
		}
	}
	if same {
		rules = s.rules
	}
	return ignoring{rules: rules}
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
	pattern := strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
	if !anchored {
		pattern = "**/" + pattern
	}
	if line == "" || !doublestar.ValidatePattern(pattern) {
		return r, false
	}
	r.glob = newGlob(pattern)
	return r, true
}
