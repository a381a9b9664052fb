package workspace

import (
	"path"
	"path/filepath"
	"strings"
)

// OwnFolders finds the folders that a version control system uses for itself, such as .git and .hg,
// also if they have other names. It looks at each folder once, so it is only valid for a moment.
type OwnFolders struct {
	w           *Workspace
	isGitByPath map[Path]bool // isGitByPath says for each folder that was looked at whether it is a git directory.
}

// NewOwnFolders returns an OwnFolders for the folders of w.
func NewOwnFolders(w *Workspace) *OwnFolders { return &OwnFolders{w, map[Path]bool{}} }

// Of returns the folder of a version control system that contains p, or p itself. ok is false if
// there is none.
func (o *OwnFolders) Of(p Path) (folder Path, ok bool) {
	at := p.Top()
	for _, name := range strings.Split(p.rel, "/") {
		at = at.Join(name)
		switch strings.ToLower(name) {
		case ".git", ".hg", ".jj", ".svn", ".bzr", "_darcs", "cvs":
			return at, true
		}
	}
	for at = p; at.rel != "."; {
		at.rel = path.Dir(at.rel)
		if o.IsGit(at) {
			return at, true
		}
	}
	return Path{}, false
}

// IsGit reports whether git would accept the directory p as that of a repository.
func (o *OwnFolders) IsGit(p Path) bool {
	is, known := o.isGitByPath[p]
	if !known {
		is = o.w.isGitFolder(p)
		o.isGitByPath[p] = is
	}
	return is
}

// isGitFolder does the work of [OwnFolders.IsGit].
func (w *Workspace) isGitFolder(p Path) bool {
	r := w.rootNamed(p.root)
	if r == nil || w.disk == nil {
		return false
	}
	head, err := r.handle.Lstat(filepath.Join(p.rel, "HEAD"))
	if err != nil || head.IsDir() {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := r.handle.Stat(filepath.Join(p.rel, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// RunsIn reports whether the file p in such a folder decides which programs run: a hook, the
// configuration, or a .git file. Sample hooks do not.
func RunsIn(folder, p Path) bool {
	name := strings.ToLower(strings.TrimPrefix(p.rel, folder.rel+"/"))
	base := path.Base(name)
	switch {
	case p == folder:
		return true
	case path.Base(path.Dir(name)) == "hooks":
		return !strings.HasSuffix(base, ".sample")
	case base == "config" || base == "config.worktree" || base == "hgrc" || base == "attributes":
		// A branch can have such a name.
		return !strings.HasPrefix(name, "refs/") && !strings.HasPrefix(name, "logs/") &&
			!strings.Contains(name, "/refs/") && !strings.Contains(name, "/logs/")
	}
	return false
}
