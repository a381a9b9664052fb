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

// notices collects sentences for the user about files of a folder that are not used, and why.
type notices struct {
	// the name of the folder
	where  string
	texts  []string
	fields map[string][]string // unknown fields of front matter, each with the paths of the files that have it
}

// skip adds a notice that a file is not used because of err.
func (n *notices) skip(path string, err error) {
	n.add("%s in %s is not used: %v", shownPath(path), n.where, err)
}

// full adds a notice that only the first files of a directory are used.
func (n *notices) full(dir string, used int) {
	n.add("only the first %d %s in %s are used", used, shownPath(dir), n.where)
}

func (n *notices) add(format string, args ...any) {
	n.texts = append(n.texts, fmt.Sprintf(format, args...))
}

// list returns the names in a directory of a source. If there are too many, it drops some and adds
// a notice.
func (n *notices) list(src source, dir string) []string {
	names := src.list(dir)
	if len(names) > maxEntries {
		n.add("%s in %s has more than %d files; the others are not read", shownPath(dir), n.where, maxEntries)
		names = names[:maxEntries]
	}
	return names
}

// description returns the description of a file, and adds a notice if it had to be cut.
func (n *notices) description(path, text, body string) string {
	line, cut := description(text, body)
	if cut && text != "" {
		n.add("the description of %s in %s is cut: it is longer than %d bytes", shownPath(path), n.where, maxAbout)
	}
	return line
}

// Fields of front matter that have a meaning here, or that have no influence on what is to be done.
var (
	commandFields = []string{"name", "description", "argument-hint", "license", "version", "author", "tags"}
	skillFields   = []string{"name", "description", "disable-model-invocation", "license", "version", "author", "tags",
		"metadata", "compatibility"}
)

// fieldPattern matches names of fields. Other lines of front matter, such as those of a list, are
// ignored.
var fieldPattern = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// unused records the fields of front matter that are not among known.
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

// lines returns all notices, at most maxNotices and one that counts the others. Each unknown field
// has only one, with the number of files.
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

// shownPath returns a path in a form that can be shown in a notice.
func shownPath(path string) string {
	line, _ := visible.Line(strings.TrimSpace(filepath.ToSlash(path)))
	return line
}
