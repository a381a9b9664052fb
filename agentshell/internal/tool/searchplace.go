package tool

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// searched represents one place in which a search looks: a directory, a file, or a text that is no
// file of the workspace.
type searched struct {
	// path is the directory or file, or the file that contains the text.
	path workspace.Path
	// file is true if path is a file to search.
	file   bool
	glob   string  // glob is a pattern for paths below a directory; "": all files.
	ranges []lines // ranges limits the search to lines of a file or a text; none: all lines.
	name   string  // name is the name of a text that is no file; "" for files and directories.
	note   string  // note tells the model that the path was corrected, and how.
	// text returns the text that is no file; nil for files and directories. The returned note tells
	// the model how the text was found.
	text func(ctx context.Context) (text, note string, err error)
}

// shown returns the place for display, with its glob and line ranges.
func (s searched) shown() string {
	name := s.name
	if name == "" {
		name = shown(s.path)
	}
	if s.glob != "" {
		name = path.Join(name, shownLine(s.glob))
	}
	return name + selector{ranges: s.ranges}.String()
}

// match returns the path or address that permission rules match.
func (s searched) match() string {
	if s.path == (workspace.Path{}) {
		return s.name
	}
	return s.path.Match()
}

// holds reports whether a line, counted from 0, is in the line ranges that are searched.
func (s searched) holds(line int) bool {
	return len(s.ranges) == 0 || slices.ContainsFunc(s.ranges, func(r lines) bool {
		return line+1 >= r.from && (r.to == 0 || line+1 <= r.to)
	})
}

// place returns the place that the model's request names: a directory, a file, an address, an
// archive member, a range of lines in one of these, or a glob. It corrects paths that are slightly
// wrong.
func (t *search) place(request string) (searched, error) {
	if address, id, sel, ok, err := t.env.Addresses.open(request); ok {
		return t.addressed(address, id, sel), err
	}
	if strings.HasPrefix(request, conflictScheme) {
		return t.conflict(request)
	}
	request, note, err := t.env.meantPart(request)
	if err != nil {
		return searched{}, err
	}
	at, err := t.exact(request)
	at.note = cmp.Or(note, at.note)
	return at, err
}

// exact returns the place that a request names, without correcting its path.
func (t *search) exact(request string) (searched, error) {
	if at, err := t.named(request); err == nil || !absent(err) {
		return at, err
	}
	if w, ok, err := (&readFile{t.env}).container(request); ok && w.as == asArchive && w.inside != "" {
		return t.member(w), errors.Join(err, t.env.readable(w.path))
	}
	if name, sel, ok, err := parseSelector(request); ok {
		if err != nil {
			return searched{}, err
		}
		at, err := t.named(name)
		if absent(err) && strings.ContainsAny(name, globMarks) {
			return searched{}, invalidArgs("a range of lines is one of a single file: %s is a glob", shownLine(name))
		}
		if err == nil && !at.file {
			err = invalidArgs("a range of lines is one of a single file: %s is a directory", at.shown())
		}
		at.ranges = sel.ranges
		return at, err
	}
	if strings.ContainsAny(request, globMarks) {
		return t.globbed(request)
	}
	return t.named(request)
}

// absent reports whether err says that a file does not exist.
func absent(err error) bool { return err != nil && workspace.KindOf(err) == workspace.NotFound }

// named returns the directory or the file at a path that has no glob and no line range.
func (t *search) named(request string) (searched, error) {
	w := t.env.Workspace
	p, err := w.ResolveDir(request)
	if err == nil {
		return searched{path: p}, nil
	}
	file, e := w.Resolve(request)
	if e != nil || !errors.Is(err, &workspace.Error{Kind: workspace.InvalidArgs}) {
		return searched{}, err
	}
	return searched{path: file, file: true}, t.env.readable(file)
}

// globbed splits a request at its first path component with wildcards, into the directory before it
// and the glob.
func (t *search) globbed(request string) (searched, error) {
	h, err := (&find{t.env}).hunt(request)
	if err == nil && !doublestar.ValidatePattern(h.glob) {
		err = invalidArgs("%q is not a glob", request)
	}
	return searched{path: h.base, glob: h.glob, note: h.note}, err
}

// addressed returns the text at an address such as artifact://ID as a place. The text is only
// fetched when it is searched.
func (t *search) addressed(address, id string, sel selector) searched {
	scheme, _, _ := strings.Cut(address, "://")
	at := searched{name: shownLine(address), ranges: sel.ranges}
	at.text = func(ctx context.Context) (text, note string, err error) {
		if strings.ContainsAny(id, globMarks) {
			return "", "", invalidArgs("Glob patterns are not supported for addresses: %s", at.name)
		}
		if text, err = t.env.Addresses[scheme](ctx, id); err != nil {
			err = failed("%s: %v", at.name, err)
		}
		return text, "", err
	}
	return at
}

// conflict returns the text of a merge conflict that read_file has shown, or one side of it, as a
// place.
func (t *search) conflict(request string) (searched, error) {
	address, sel, _, err := parseSelector(request)
	if err != nil {
		return searched{}, err
	}
	text, c, err := t.env.conflictText(address)
	if err == nil {
		err = t.env.readable(c.path)
	}
	return searched{path: c.path, name: shownLine(address), ranges: sel.ranges,
		text: func(context.Context) (string, string, error) { return text, "", nil }}, err
}

// member returns the text of an archive member as a place. The archive is only opened when it is
// searched.
func (t *search) member(w readTarget) searched {
	at := searched{path: w.path, name: shown(w.path) + ":" + shownLine(w.inside), ranges: w.sel.ranges}
	at.text = func(ctx context.Context) (text, note string, err error) {
		a, err := t.env.openArchive(ctx, w)
		if err != nil {
			return "", "", err
		}
		inside, note, err := meantMember(a, w.inside)
		if err != nil {
			return "", "", err
		}
		m, is := a.Find(inside)
		_, dir := a.Dir(inside)
		switch {
		case !is && dir || is && m.Mode.IsDir():
			return "", "", invalidArgs("%s is a directory of the archive; search a file of it", at.name)
		case !is:
			return "", "", &Error{Code: "not_found", Text: at.name + " is not in the archive"}
		}
		data, err := unpack(ctx, a, m, at.name)
		if enc := workspace.Sniff(data); err == nil && enc != workspace.UTF8 && enc != workspace.UTF8BOM {
			err = failed("%s is binary or not UTF-8", at.name)
		}
		return string(data), note, err
	}
	return at
}
