package sandbox

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// The largest size, in bytes, of a small file of git's that is read, and of a git configuration
// file.
const (
	maxSmallFile = 4096
	maxConfig    = 256 << 10
)

// gitGuards returns the protected paths of the git repository whose work tree is at root. Commits
// have to write to the repository's directory, but git runs programs that some files in it name.
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
	if dir := submoduleDir(at); dir != "" {
		return append(list, gitDirGuards(dir)...), nil
	}
	worktreeDir, common := worktreeDirs(at)
	if worktreeDir == "" { // it may belong to another project; one in the workspace is found below
		return list, nil
	}
	return slices.Concat(list, gitDirGuards(common), worktreeGuards(worktreeDir)), nil
}

// worktreeGuards returns the protected paths of at, the directory in a repository that belongs to a
// linked work tree.
func worktreeGuards(at string) []guard {
	list := []guard{{path: at, writable: true}, {path: filepath.Join(at, "commondir")},
		{path: filepath.Join(at, "gitdir")},
		{path: filepath.Join(at, "config.worktree"), mayBeMissing: true, content: " "}}
	return append(list, moduleGuards(filepath.Join(at, "modules"))...)
}

// gitDirGuards returns the protected paths of at, a repository's directory such as .git.
func gitDirGuards(at string) []guard {
	list := []guard{{path: at, writable: true}}
	for _, name := range []string{"hooks", "worktrees", "remotes", "branches"} {
		list = append(list, guard{path: filepath.Join(at, name), mayBeMissing: name == "hooks"})
	}
	list = append(list, moduleGuards(filepath.Join(at, "modules"))...)
	return append(list, guard{path: filepath.Join(at, "info"), writable: true, mayBeMissing: true},
		guard{path: filepath.Join(at, "info", "attributes"), mayBeMissing: true, content: " "},
		guard{path: filepath.Join(at, "config"), mayBeMissing: true, content: " "},
		guard{path: filepath.Join(at, "config.worktree"), mayBeMissing: true, content: " "},
		// git reads the configuration in the directory that this file names; "." is the directory
		// itself
		guard{path: filepath.Join(at, "commondir"), mayBeMissing: true, content: ".\n"})
}

// The largest number of submodules in whose repositories commands can commit, and the largest
// number of elements in the path by which a submodule is named.
const (
	maxModules     = 50
	maxModuleDepth = 4
)

// moduleGuards returns the protected paths of at, the directory in which git keeps the repositories
// of submodules. Commands can create no other repository there. The name of a submodule may be a
// path.
func moduleGuards(at string) []guard {
	list := []guard{{path: at, mayBeMissing: true}}
	found := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			switch head, err := os.Lstat(filepath.Join(name, "HEAD")); {
			case !e.IsDir() || depth == maxModuleDepth || found == maxModules:
			case err == nil && head.Mode().IsRegular():
				found++
				list = append(list, gitDirGuards(name)...)
			default:
				walk(name, depth+1)
			}
		}
	}
	walk(at, 0)
	return list
}

// submoduleDir returns the repository of the submodule with the given .git file, or "" if it
// belongs to none. The repository must lie in the modules directory of another one, and must name
// the submodule's work tree, too.
func submoduleDir(file string) string {
	dir := namedDir(file)
	above, _, inModules := strings.Cut(dir, "/modules/")
	if _, err := os.Lstat(filepath.Join(above, "HEAD")); dir == "" || !inModules || err != nil {
		return ""
	}
	tree := coreWorktree(filepath.Join(dir, "config"))
	if tree == "" {
		return ""
	}
	if !filepath.IsAbs(tree) {
		tree = filepath.Join(dir, tree)
	}
	if tree, err := filepath.EvalSymlinks(tree); err != nil || tree != filepath.Dir(file) {
		return ""
	}
	return dir
}

// coreWorktree returns the value of core.worktree in a git configuration file, or "". It
// understands the format in which git itself writes such a file.
func coreWorktree(file string) (value string) {
	section := ""
	for line := range strings.Lines(readAtMost(file, maxConfig)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		name, text, ok := strings.Cut(line, "=")
		if ok && section == "[core]" && strings.EqualFold(strings.TrimSpace(name), "worktree") {
			value = strings.Trim(strings.TrimSpace(text), `"`)
		}
	}
	return value
}

// worktreeDirs returns the directory that a repository keeps for the linked work tree with the
// given .git file, and common, the repository's directory. Both are "" unless the repository names
// the work tree, too: a file of the workspace alone must not make another project writable.
func worktreeDirs(file string) (worktreeDir, common string) {
	worktreeDir = namedDir(file)
	if worktreeDir == "" || filepath.Base(filepath.Dir(worktreeDir)) != "worktrees" {
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

// readSmall returns the content of a small file of git's, without blanks around it. It returns ""
// if the file is too long or cannot be read.
func readSmall(name string) string { return readAtMost(name, maxSmallFile) }

// readAtMost returns the content of a file without blanks around it. It returns "" if the file has
// more than limit bytes or cannot be read.
func readAtMost(name string, limit int64) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return ""
	}
	b, _ := regular.ReadFile(name)
	return string(bytes.TrimSpace(b))
}
