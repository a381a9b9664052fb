package tool

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/document"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
)

// readTarget is what a request of read_file means.
type readTarget struct {
	path workspace.Path
	dir  bool // it is a directory
	sel  selector
	// inside is what stands behind the colon of an archive: a member; archive: there is one, or
	// nothing but the archive was named.
	archive bool
	inside  string
	note    string // for the model: how the path was found
}

// find splits a selector and what is meant of an archive off the path. A suffix that is none is
// part of the name; what exists under the whole name comes first. What is not there is looked for
// by the end of its path.
func (t *readFile) find(ctx context.Context, request string) (readTarget, error) {
	whole, there, err := t.place(request)
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
		if found, there, err = t.place(name); err == nil && there {
			found.sel = sel
			return found, nil
		}
	}
	if err != nil {
		return readTarget{}, err
	}
	found.sel = sel
	return t.bySuffix(ctx, found)
}

// place is what request names as a whole, and whether it is there.
func (t *readFile) place(request string) (w readTarget, there bool, err error) {
	ws := t.env.Workspace
	dir, err := ws.ResolveDir(request)
	if err == nil {
		return readTarget{path: dir, dir: true}, true, nil
	}
	file, e := ws.Resolve(request)
	if e != nil {
		return readTarget{}, false, e
	}
	return readTarget{path: file, archive: document.IsArchive(request)}, workspace.KindOf(err) != workspace.NotFound,
		nil
}

// container reads a request as an archive that is there, a colon, and a member with its selector.
func (t *readFile) container(request string) (w readTarget, ok bool, err error) {
	for i, c := range request {
		if c != ':' || !document.IsArchive(request[:i]) {
			continue
		}
		w, there, err := t.place(request[:i])
		if err != nil || !there || w.dir {
			continue
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
	err := walk(ctx, t.env.Workspace, top, "", false, func(tree *workspace.Tree) error {
		if looked++; looked > maxPathsLooked {
			found = nil // there may be another one
			return errEnough
		}
		if !tree.Mode().IsRegular() || tree.Name() != path.Base(suffix) || tree.Size() > workspace.MaxPath {
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
		w.path = found[0]
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

// readContainer gives what is asked of an archive.
func (t *readFile) readContainer(ctx context.Context, w readTarget) (Result, error) {
	name := shown(w.path)
	data, err := t.env.Workspace.Backend().ReadBytes(ctx, w.path, document.MaxFile)
	if err != nil {
		return Result{}, err
	}
	a, err := document.OpenArchive(ctx, w.path.Base(), data)
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{}, failed("%s cannot be read as an archive: %v", name, err)
	}
	m, is := a.Single()
	if w.inside != "" {
		m, is = a.Find(w.inside)
		name += ":" + shownLine(w.inside)
	}
	if !is || m.Mode.IsDir() {
		return listArchive(a, w, name)
	}
	if m.Link != "" {
		return Result{}, failed("%s is a link to %s, which is not followed; read that", name, shownLine(m.Link))
	}
	text, err := a.Read(ctx, m)
	switch {
	case errors.Is(err, document.ErrTooLarge):
		return Result{}, failed("%s unpacks to more than %s, which is the limit", name, bytesWord(document.MaxText))
	case err != nil:
		return Result{}, failed("%s cannot be unpacked: %v", name, err)
	}
	switch workspace.Sniff(text) {
	case workspace.UTF8, workspace.UTF8BOM:
		return readLines(strings.TrimPrefix(string(text), workspace.BOM), name, w.sel), nil
	}
	return Result{Text: fmt.Sprintf("[Cannot read binary archive entry '%s' (%s)]\n", name, bytesWord(len(text))),
		Summary: "binary, " + bytesWord(len(text))}, nil
}

// listArchive lists a directory of an archive as list_dir does.
func listArchive(a *document.Archive, w readTarget, name string) (Result, error) {
	list, ok := a.Dir(w.inside)
	if !ok {
		return Result{}, &Error{Code: "not_found", Text: fmt.Sprintf("%s is not in the archive", name)}
	}
	var b strings.Builder
	for i, m := range list {
		if i == maxEntries {
			fmt.Fprintf(&b, "[%d more entries]\n", len(list)-i)
			break
		}
		b.WriteString(shownLine(path.Base(m.Name)))
		switch {
		case m.Mode.IsDir():
			b.WriteString("/")
		case m.Link != "":
			b.WriteString(" -> " + shownLine(m.Link))
		case m.Size >= 0:
			b.WriteString("  " + bytesWord(int(m.Size)))
		}
		b.WriteString("\n")
	}
	if len(list) == 0 {
		b.WriteString(name + " is empty\n")
	}
	if _, odd := a.Members(); odd > 0 && w.inside == "" {
		fmt.Fprintf(&b, "[%s left out: names that lead out of the archive]\n", count(odd, "entry"))
	}
	fmt.Fprintf(&b, "[read one with %s:PATH]\n", shown(w.path))
	return Result{Text: b.String(), Summary: count(len(list), "entry"), Detail: b.String()}, nil
}
