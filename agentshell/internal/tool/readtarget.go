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

// readTarget is the result of resolving a request of read_file: the file or directory to read, how
// to read it, and which part of it.
type readTarget struct {
	path workspace.Path
	dir  bool // dir is true for a directory.
	// sel says which lines are shown.
	sel selector
	// as says in which way the file is read.
	as kind
	// inside is the path of the member in an archive, or the query of a database with the ":" or
	// "?" before it.
	inside string
	note   string // note tells the model that the path was corrected, and how.
}

// kind says in which way a file is read; its name decides.
type kind uint8

const (
	asText kind = iota // asText also stands for pictures.
	asArchive
	asDatabase // asDatabase applies only if the file also has the bytes of an SQLite database.
	asDocument
	asNotebook
)

// kindOf returns how a file with that name is read.
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

// expanded returns the absolute path for a request in a form that users write: "/" means the
// workspace, "~/" the home directory, and "file:///" begins a URL. Other requests are returned
// unchanged.
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

// find resolves a request of read_file into a path, a line selector and the part of an archive or
// database. A suffix that is no valid selector belongs to the name, and a file whose name is the
// whole request comes first. find also corrects paths that are slightly wrong.
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

// exact resolves a request whose path is taken literally. If there is no such file, it searches for
// one whose path ends with the request.
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

// place resolves request as the path of a file or a directory, without any suffix. there is false
// if nothing exists at that path.
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

// container resolves a request of the form ARCHIVE:MEMBER, with an optional line selector, or
// DATABASE:QUERY. ok is false if the request has another form, or the archive or database does not
// exist.
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

// endsContainer reports whether name is the name of an archive or a database, and sign, the
// character after it, begins the name of a member or a query.
func endsContainer(name string, sign rune) bool {
	as := kindOf(name)
	return as == asArchive && sign == ':' || as == asDatabase && (sign == ':' || sign == '?')
}

// containerBySuffix resolves a request as container does, for an archive or database that does not
// exist at the path: it searches for one whose path ends with that path.
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

// maxPathsLooked and maxSuffixes limit the search for a file by the end of its path.
const (
	maxPathsLooked = 100_000 // maxPathsLooked is the number of files that are compared.
	maxSuffixes    = 5       // maxSuffixes is the number of matching files that are named if several match.
)

// bySuffix searches for the only file whose path ends with the path of missing, which does not
// exist. It returns missing itself if no file matches, and an error that names them if several do.
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
