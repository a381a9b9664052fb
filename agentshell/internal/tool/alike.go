package tool

import (
	"fmt"
	"path"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// meant returns the path that a request means. This is the request itself if the path exists.
// Otherwise it is the one path in the same folder whose name differs only in characters that look
// alike, with a note for the model. Several such paths are an error. If there is none, the request
// is returned unchanged, and the tool reports what is missing.
func (e Env) meant(request string) (path, note string, err error) {
	return e.firstMeant([]string{request})
}

// meantPart corrects a path as [Env.meant] does, in a request that may end with a line selector, a
// member of an archive, or a query of a database.
func (e Env) meantPart(request string) (path, note string, err error) {
	names := []string{request}
	if name, _, ok, err := parseSelector(request); ok && err == nil {
		names = append(names, name)
	}
	for i, c := range request {
		as := kindOf(request[:i])
		if c == ':' && (as == asArchive || as == asDatabase) || c == '?' && as == asDatabase {
			names = append(names, request[:i])
		}
	}
	return e.firstMeant(names)
}

// firstMeant corrects a path as [Env.meant] does, in a request that can be understood in several
// ways. names[0] is the request, and the other names are beginnings of it. If one of the names
// exists, the request is returned unchanged.
func (e Env) firstMeant(names []string) (path, note string, err error) {
	request := names[0]
	for i, name := range names {
		if names[i] = strings.TrimRight(name, "/"); names[i] == "" {
			return request, "", nil // the workspace, or no path of it
		}
		if _, there, err := e.place(name); there || err != nil {
			return request, "", nil //nolint:nilerr // the tool tells it in its words
		}
	}
	for _, name := range names {
		w, _, _ := e.place(name)
		p, note, err := e.alike(w.path)
		if err != nil || note != "" {
			return e.Workspace.Abs(p) + request[len(name):], note, err
		}
	}
	return request, "", nil
}

// meantNew corrects the path of a file that may be new, or the path of the folder in which it will
// be created, as [Env.meant] does.
func (e Env) meantNew(request string) (whole, note string, err error) {
	whole, note, err = e.meantPart(request)
	if note != "" || err != nil {
		return whole, note, err
	}
	for dir := path.Dir(request); dir != "." && dir != "/"; dir = path.Dir(dir) {
		found, note, err := e.meant(dir)
		if err != nil {
			return request, "", err
		}
		if note != "" {
			return found + "/" + strings.TrimPrefix(path.Clean(request), dir+"/"), note, nil
		}
		if _, there, err := e.place(dir); there || err != nil {
			break
		}
	}
	return request, "", nil
}

// alike returns the path in the folder of missing, which does not exist, whose name looks the same,
// and a note for the model. If there is none, note is "". Several such paths are an error that
// names them.
func (e Env) alike(missing workspace.Path) (p workspace.Path, note string, err error) {
	found := e.Workspace.Alike(missing)
	switch len(found) {
	case 0:
		return missing, "", nil
	case 1:
		return found[0], alikeNote(shown(missing), shown(found[0])), nil
	}
	var names []string
	for _, f := range found {
		names = append(names, fmt.Sprintf("%s (%+q)", shown(f), f.Base()))
	}
	return missing, "", didYouMean(shown(missing), names)
}

// meantMember corrects the name of a member or a directory in an archive as [Env.meant] corrects
// paths.
func meantMember(a *document.Archive, name string) (found, note string, err error) {
	if _, is := a.Find(name); is || name == "" {
		return name, "", nil
	}
	if _, is := a.Dir(name); is {
		return name, "", nil
	}
	list := a.Alike(name)
	switch len(list) {
	case 0:
		return name, "", nil
	case 1:
		return list[0], alikeNote(shownLine(name), shownLine(list[0])), nil
	}
	for i := range list {
		list[i] = fmt.Sprintf("%s (%+q)", shownLine(list[i]), list[i])
	}
	return name, "", didYouMean(shownLine(name), list)
}

// alikeNote returns the note for the model that a name was replaced by one that looks the same.
func alikeNote(missing, found string) string {
	return fmt.Sprintf("There is no %s; the name of %s is the same but for characters that look alike", missing, found)
}

// didYouMean returns the error that asks the model which of several names it means.
func didYouMean(missing string, names []string) error {
	return &Error{Code: "not_found", Text: fmt.Sprintf("file not found: %s; did you mean %s?", missing,
		strings.Join(names[:min(len(names), maxSuffixes)], " or "))}
}

// noted returns text with a note above it that says how its path was found. If note is "", it
// returns text unchanged.
func noted(note, text string) string {
	if note == "" {
		return text
	}
	return "[" + note + "]\n" + text
}
