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

// maxSmallFile is the number of bytes that are read of a small file of git's.
const maxSmallFile = 4096

// gitGuards returns the guards of the repository whose work tree is at root. Commits write to its
// directory, but git runs what some files in it say.
func gitGuards(root string) ([]guard, error) {
	at := filepath.Join(root, ".git")
	info, err := os.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []guard{{path: at, mayBeMissing: true}}, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errors.New(".git is a symbolic link: a command could put something else in its place")
	case info.IsDir():
		return gitDirGuards(at), nil
	}
	list := []guard{{path: at}}
	worktreeDir, common := worktreeDirs(at)
	if worktreeDir == "" {
		// a submodule, or a directory that may belong to another project: git does not work in the
		// cell
		return list, nil
	}
	list = append(list, gitDirGuards(common)...)
	return append(list, guard{path: worktreeDir, writable: true},
		guard{path: filepath.Join(worktreeDir, "commondir")}, guard{path: filepath.Join(worktreeDir, "gitdir")},
		guard{path: filepath.Join(worktreeDir, "config.worktree"), mayBeMissing: true, content: " "}), nil
}

// gitDirGuards returns the guards of a repository's own directory.
func gitDirGuards(at string) []guard {
	list := []guard{{path: at, writable: true}}
	for _, name := range []string{"hooks", "modules", "worktrees", "remotes", "branches"} {
		missing := name == "hooks" || name == "modules"
		list = append(list, guard{path: filepath.Join(at, name), mayBeMissing: missing})
	}
	return append(list, guard{path: filepath.Join(at, "info"), writable: true, mayBeMissing: true},
		guard{path: filepath.Join(at, "info", "attributes"), mayBeMissing: true, content: " "},
		guard{path: filepath.Join(at, "config"), mayBeMissing: true, content: " "},
		guard{path: filepath.Join(at, "config.worktree"), mayBeMissing: true, content: " "},
		// git reads the configuration in the directory that this file names; "." is the directory
		// itself
		guard{path: filepath.Join(at, "commondir"), mayBeMissing: true, content: ".\n"})
}

// worktreeDirs returns the directory that a repository keeps for the work tree with that .git file,
// and the repository's directory. Both are "" unless the repository names the work tree too: a file
// of the workspace alone must not open another project.
func worktreeDirs(file string) (worktreeDir, common string) {
	line, ok := strings.CutPrefix(readSmall(file), "gitdir: ")
	if !ok {
		return "", ""
	}
	if !filepath.IsAbs(line) {
		line = filepath.Join(filepath.Dir(file), line)
	}
	worktreeDir, err := filepath.EvalSymlinks(line)
	if err != nil || filepath.Base(filepath.Dir(worktreeDir)) != "worktrees" {
		return "", ""
	}
	common = filepath.Dir(filepath.Dir(worktreeDir))
	named := readSmall(filepath.Join(worktreeDir, "gitdir"))
	if named != "" && !filepath.IsAbs(named) {
		named = filepath.Join(worktreeDir, named)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(named))
	if err != nil || dir != filepath.Dir(file) || filepath.Base(named) != ".git" {
		return "", ""
	}
	if _, err := os.Lstat(filepath.Join(common, "HEAD")); err != nil {
		return "", ""
	}
	return worktreeDir, common
}

// readSmall returns the content of a small file without surrounding blanks.
func readSmall(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSmallFile {
		return ""
	}
	b, _ := regular.ReadFile(name)
	return string(bytes.TrimSpace(b))
}
