package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// mostOfFile is how much is read of a small file of git's.
const mostOfFile = 4096

// repository returns the guards of the repository whose work tree begins at root. Its directory is
// written by commits, but git runs what some files in it say.
func repository(root string) ([]guard, error) {
	at := filepath.Join(root, ".git")
	info, err := os.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []guard{{path: at, missing: true}}, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New(".git is a symbolic link: a command could put something else in its place")
	case info.IsDir():
		return gitDirectory(at), nil
	}
	list := []guard{{path: at}}
	own, common := worktree(at)
	if own == "" {
		return list, nil // a submodule, or nothing that is known to belong here: git does not work inside
	}
	list = append(list, gitDirectory(common)...)
	return append(list, guard{path: own, own: true},
		guard{path: filepath.Join(own, "commondir")}, guard{path: filepath.Join(own, "gitdir")},
		guard{path: filepath.Join(own, "config.worktree"), missing: true, text: " "}), nil
}

// gitDirectory returns the guards of a repository's own directory.
func gitDirectory(at string) []guard {
	list := []guard{{path: at, own: true}}
	for _, name := range []string{"hooks", "modules", "worktrees", "remotes", "branches"} {
		missing := name == "hooks" || name == "modules"
		list = append(list, guard{path: filepath.Join(at, name), missing: missing})
	}
	return append(list, guard{path: filepath.Join(at, "info"), own: true, missing: true},
		guard{path: filepath.Join(at, "info", "attributes"), missing: true, text: " "},
		guard{path: filepath.Join(at, "config"), missing: true, text: " "},
		guard{path: filepath.Join(at, "config.worktree"), missing: true, text: " "},
		// git takes the configuration of the directory that this names. "." is the one where it is.
		guard{path: filepath.Join(at, "commondir"), missing: true, text: ".\n"})
}

// worktree returns the directory that a repository has for the work tree with that .git file, and
// the repository's; "" if the repository does not say the same: a file of the workspace alone must
// not open another project.
func worktree(file string) (own, common string) {
	line, ok := strings.CutPrefix(small(file), "gitdir: ")
	if !ok {
		return "", ""
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(filepath.Dir(file), line)
	}
	own, err := filepath.EvalSymlinks(line)
	if err != nil || filepath.Base(filepath.Dir(own)) != "worktrees" {
		return "", ""
	}
	common = filepath.Dir(filepath.Dir(own))
	back := small(filepath.Join(own, "gitdir"))
	if back != "" && !filepath.IsAbs(back) {
		back = filepath.Join(own, back)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(back))
	if err != nil || dir != filepath.Dir(file) || filepath.Base(back) != ".git" {
		return "", ""
	}
	if _, err := os.Lstat(filepath.Join(common, "HEAD")); err != nil {
		return "", ""
	}
	return own, common
}

// small returns the text of a file of a few words, without the blanks around it.
func small(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostOfFile {
		return ""
	}
	b, _ := regular.ReadFile(name)
	return string(bytes.TrimSpace(b))
}
