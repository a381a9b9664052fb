package skill

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// notices collects what of a folder is not used, and why.
type notices struct {
	where  string
	texts  []string
	fields map[string][]string // files by the field of their head that means nothing here
}

// skip adds that a file is not used.
func (n *notices) skip(path string, err error) {
	n.add("%s in %s is not used: %v", shownPath(path), n.where, err)
}

// full adds that a folder has more files than are used.
func (n *notices) full(dir string, used int) {
	n.add("only the first %d %s in %s are used", used, shownPath(dir), n.where)
}

func (n *notices) add(format string, args ...any) {
	n.texts = append(n.texts, fmt.Sprintf(format, args...))
}

// list returns the names in a directory of a source, and adds a notice if there are too many.
func (n *notices) list(src source, dir string) []string {
	names := src.list(dir)
	if len(names) > maxEntries {
		n.add("%s in %s has more than %d files; the others are not read", shownPath(dir), n.where, maxEntries)
		names = names[:maxEntries]
	}
	return names
}

// description returns the description of a file, and adds a notice if it is cut.
func (n *notices) description(path, text, body string) string {
	line, cut := description(text, body)
	if cut && text != "" {
		n.add("the description of %s in %s is cut: it is longer than %d bytes", shownPath(path), n.where, maxAbout)
	}
	return line
}

// Fields of a head that have a meaning here, or that say nothing about what is to be done.
var (
	commandFields = []string{"name", "description", "argument-hint", "license", "version", "author", "tags"}
	skillFields   = []string{"name", "description", "disable-model-invocation", "license", "version", "author", "tags",
		"metadata", "compatibility"}
)

// fieldPattern is the form of the name of a field. What else a head holds, such as a list, is no
// field.
var fieldPattern = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// unused notes the fields of a head that are not among known.
func (n *notices) unused(path string, head map[string]string, known []string) {
	for field := range head {
		if slices.Contains(known, field) || !fieldPattern().MatchString(field) {
			continue
		}
		if n.fields == nil {
			n.fields = make(map[string][]string)
		}
		n.fields[field] = append(n.fields[field], path)
	}
}

// lines returns the notices. Fields that mean nothing are one line each, and all lines are bounded.
func (n *notices) lines() []string {
	for _, field := range slices.Sorted(maps.Keys(n.fields)) {
		files := n.fields[field]
		more := ""
		if len(files) > 1 {
			more = fmt.Sprintf(" and %d more", len(files)-1)
		}
		n.add("%s has no effect here; it stands in %s%s in %s", field, shownPath(files[0]), more, n.where)
	}
	if all := len(n.texts); all > maxNotices {
		n.texts = n.texts[:maxNotices]
		n.add("%d more notices about %s are left out", all-maxNotices, n.where)
	}
	return n.texts
}

// shownPath returns a path as a notice shows it.
func shownPath(path string) string {
	line, _ := visible.Line(strings.TrimSpace(filepath.ToSlash(path)))
	return line
}
