package ignore

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// repository describes a git repository in the workspace.
type repository struct {
	top           workspace.Path
	hashBytes     int // hashBytes is the number of bytes of an object id.
	index         *index
	isIndexLoaded bool
}

// openRepository returns the repository whose work tree is top, and the rules of its info/exclude
// and of the user's patterns. It returns false if there is none.
func openRepository(ws *workspace.Workspace, top workspace.Path) (*repository, folderRules, bool) {
	files, ok := ws.GitFiles(top)
	if !ok {
		return nil, folderRules{}, false
	}
	defer files.Close()
	r := &repository{top: top, hashBytes: 20}
	if format, _ := files.Setting("extensions.objectformat"); strings.EqualFold(format, "sha256") {
		r.hashBytes = 32
	}
	everywhere := userPatterns(ws)
	if named, ok := files.Setting("core.excludesfile"); ok {
		everywhere = repositoryExcludes(ws, files.Top(), named)
	}
	exclude, _ := files.ReadCommon("info/exclude", workspace.MaxRead) // "" if it is not there
	base := folderRules{foldsCase: isTrue(files.Setting("core.ignorecase"))}
	return r, base.withFile(everywhere).withFile(string(exclude)), true
}

// isTrue reports whether git takes the value of a setting for true.
func isTrue(value string, set bool) bool {
	switch strings.ToLower(value) {
	case "", "false", "no", "off", "0":
		return false
	}
	return set
}

// repositoryExcludes returns the text of the file that a repository's core.excludesFile names. top
// is its work tree. It only reads a file of the workspace or the user's own, and otherwise returns
// "".
func repositoryExcludes(ws *workspace.Workspace, top, named string) string {
	switch {
	case named == "":
		return ""
	case !filepath.IsAbs(named):
		named = filepath.Join(top, named)
	}
	if named == ws.GitIgnore() {
		return userPatterns(ws)
	}
	data, _ := ws.ReadBelow(named, workspace.MaxRead) // "" if it lies elsewhere
	return string(data)
}

// userPatterns returns the text of the user's file of patterns that git ignores everywhere, or "".
func userPatterns(ws *workspace.Workspace) string {
	name := ws.GitIgnore()
	if name == "" {
		return ""
	}
	f, err := regular.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, workspace.MaxRead+1))
	if err != nil || len(data) > workspace.MaxRead {
		return ""
	}
	return string(data)
}

// isTracked reports whether the index has the path p or, if dir is set, a file in that directory.
func (r *repository) isTracked(ws *workspace.Workspace, p workspace.Path, dir bool) bool {
	if !r.isIndexLoaded {
		r.isIndexLoaded = true
		r.index = r.loadIndex(ws)
	}
	rel := p.Rel()
	if r.top.Rel() != "." {
		rel = strings.TrimPrefix(rel, r.top.Rel()+"/")
	}
	return r.index.isTracked(rel, dir)
}

// loadIndex reads the index. It returns nil if there is none, or it cannot be read.
func (r *repository) loadIndex(ws *workspace.Workspace) *index {
	files, ok := ws.GitFiles(r.top)
	if !ok {
		return nil
	}
	defer files.Close()
	data, err := files.Read("index", maxIndexBytes)
	if err != nil {
		return nil
	}
	x, err := readIndex(data, r.hashBytes, func(name string) ([]byte, error) { return files.Read(name, maxIndexBytes) })
	if err != nil {
		return nil
	}
	return x
}
