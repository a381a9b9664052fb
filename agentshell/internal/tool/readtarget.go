package tool

import (
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// readTarget is what a request of read_file means.
type readTarget struct {
	path workspace.Path
	dir  bool // it is a directory
	sel  selector
	as   kind
	// inside is what is meant of it: the member of an archive, or the query of a database with the
	// sign that it begins with.
	inside string
	note   string // for the model: how the path was found
}

// kind is how a file is read, by its name.
type kind uint8

const (
	asText kind = iota // or a picture
	asArchive
	asDatabase // if its bytes say so, too
	asDocument
	asNotebook
)

func kindOf(name string) kind {
	switch {
	case document.IsArchive(name):
		return asArchive
	case document.IsDatabase(name):
		return asDatabase
	case document.IsDocument(name):
		return asDocument
	case strings.HasSuffix(name, ".ipynb"):
		return asNotebook
	}
	return asText
}

// expanded returns a request in the form of a path, where it is written as a person does: / is the
// workspace, ~/ the home directory, and file:// begins a path.
func (e Env) expanded(request string) string {
	if request == "/" {
		return e.Workspace.Dir()
	}
	if path, ok := strings.CutPrefix(request, "file:///"); ok {
		if plain, err := url.PathUnescape("/" + path); err == nil {
			return plain
		}
	}
	below, ok := strings.CutPrefix(request, "~/")
	if !ok {
		return request
	}
	home := e.Commands.variable("HOME")
	if !strings.HasPrefix(home, "/") {
		return request
	}
	return strings.TrimSuffix(home, "/") + "/" + below
}

// find splits a selector and what is meant of an archive off the path. A suffix that is none is
// part of the name; what exists under the whole name comes first. What is not there is looked for
// by the end of its path.
func (t *readFile) find(ctx context.Context, request string) (readTarget, error) {
	request, note, err := t.env.meantPart(request)
	if err != nil {
		return readTarget{}, err
	}
	w, err := t.exact(ctx, request)
	if note != "" {
		w.note = noted(note, w.note)
	}
	return w, err
}

// exact finds a request whose names are exact.
func (t *readFile) exact(ctx context.Context, request string) (readTarget, error) {
	whole, there, err := t.env.place(request)
	if err == nil && there {
		return whole, nil
	}
	if w, ok, err := t.container(request); ok || err != nil {
		return w, err
	}
	name, sel, ok, bad := parseSelector(request)
	if bad != nil {
		return readTarget{}, bad
	}
	found := whole
	if ok {
		if found, there, err = t.env.place(name); err == nil && there {
			found.sel = sel
			return found, nil
		}
	}
	if err != nil {
		return readTarget{}, err
	}
	if w, ok, err := t.containerBySuffix(ctx, request); ok || err != nil {
		return w, err
	}
	found.sel = sel
	return t.bySuffix(ctx, found)
}

// place returns what request names as a whole, and whether it is there.
func (e Env) place(request string) (w readTarget, there bool, err error) {
	ws := e.Workspace
	dir, err := ws.ResolveDir(request)
	if err == nil {
		return readTarget{path: dir, dir: true}, true, nil
	}
	file, bad := ws.Resolve(request)
	if bad != nil {
		return readTarget{}, false, bad
	}
	return readTarget{path: file, as: kindOf(request)}, workspace.KindOf(err) != workspace.NotFound,
		nil
}

// container reads a request as an archive that is there, a colon, and a member with its selector;
// or as a database that is there and a query.
func (t *readFile) container(request string) (w readTarget, ok bool, err error) {
	for i, c := range request {
		if !endsContainer(request[:i], c) {
			continue
		}
		w, there, err := t.env.place(request[:i])
		if err != nil || !there || w.dir {
			continue
		}
		if w.as == asDatabase {
			w.inside = request[i:]
			return w, true, nil
		}
		// A selector alone is one of the list, or of the one file of it.
		rest, sel, _, bad := parseSelector(request[i:])
		if only, is, err := parseRanges(rest[1:]); is && err == nil && rest[1:] != "" {
			sel.ranges, rest = only, ":"
		} else if rest == ":raw" {
			sel.raw, rest = true, ":"
		}
		w.sel, w.inside = sel, strings.Trim(path.Clean("/"+rest[1:]), "/")
		return w, true, bad
	}
	return readTarget{}, false, nil
}

// endsContainer reports whether a name is that of an archive or a database, and the sign behind it
// begins the name of a part.
func endsContainer(name string, sign rune) bool {
	as := kindOf(name)
	return as == asArchive && sign == ':' || as == asDatabase && (sign == ':' || sign == '?')
}

// containerBySuffix reads a request as container does, of what is found by the end of its path.
func (t *readFile) containerBySuffix(ctx context.Context, request string) (w readTarget, ok bool, err error) {
	for i, c := range request {
		if !endsContainer(request[:i], c) {
			continue
		}
		missing, there, err := t.env.place(request[:i])
		if err != nil || there {
			continue
		}
		found, err := t.bySuffix(ctx, missing)
		if err != nil {
			return readTarget{}, false, err
		}
		if found.note == "" {
			continue
		}
		w, ok, err = t.container(t.env.Workspace.Abs(found.path) + request[i:])
		w.note = found.note
		return w, ok, err
	}
	return readTarget{}, false, nil
}

// Limits of the search for a path that is not there.
const (
	maxPathsLooked = 100_000 // files
	maxSuffixes    = 5       // that are told if it is not clear which is meant
)

// bySuffix finds the file whose path ends as the one that is asked for and is not there; if there
// is none, the answer is missing.
func (t *readFile) bySuffix(ctx context.Context, missing readTarget) (readTarget, error) {
	suffix := missing.path.Rel()
	top := missing.path.Top()
	var found []workspace.Path
	looked := 0
	err := walk(ctx, t.env.Workspace, top, looks{}, func(tree *workspace.Tree) error {
		if looked++; looked > maxPathsLooked {
			found = nil // there may be another one
			return errEnough
		}
		if !tree.Mode().IsRegular() || tree.Name() != path.Base(suffix) || tree.PathLength() > workspace.MaxPath {
			return nil
		}
		if p := tree.Path(); strings.HasSuffix("/"+p.Rel(), "/"+suffix) {
			if found = append(found, p); len(found) > maxSuffixes {
				return errEnough
			}
		}
		return nil
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return readTarget{}, err
	case len(found) == 1:
		w := missing
		w.path, w.as = found[0], kindOf(found[0].Base())
		w.note = fmt.Sprintf("[Path '%s' not found; resolved to '%s' via suffix match]\n", shown(missing.path),
			shown(found[0]))
		return w, nil
	case len(found) > 1:
		names := make([]string, 0, len(found))
		for _, p := range found[:min(len(found), maxSuffixes)] {
			names = append(names, shown(p))
		}
		slices.Sort(names)
		return readTarget{}, &Error{Code: "not_found", Text: fmt.Sprintf("file not found: %s; several files end so: %s",
			shown(missing.path), strings.Join(names, ", "))}
	}
	return missing, nil
}
