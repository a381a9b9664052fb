package workspace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// GitFiles gives access to the files in the .git directory of one repository. It must be closed.
type GitFiles struct {
	ownDir *os.Root // ownDir is the .git directory of the work tree.
	// commonDir is the .git directory that all work trees share; it equals ownDir if there is only
	// one.
	commonDir *os.Root
	workTree  string // workTree is the absolute path of the work tree.
	settings  []setting
}

// GitFiles opens the .git directory of the repository whose work tree is dir. It returns false if
// there is none. A .git directory outside of the root is only accepted if it names dir as its work
// tree. Links do not lead out of the .git directory.
func (w *Workspace) GitFiles(dir Path) (GitFiles, bool) {
	r := w.rootNamed(dir.root)
	if r == nil || w.disk == nil {
		return GitFiles{}, false
	}
	own, at, err := r.openGitDir(dir)
	if err != nil {
		return GitFiles{}, false
	}
	g := GitFiles{ownDir: own, workTree: filepath.Join(r.realPath, dir.rel)}
	if g.commonDir, err = r.openCommonGitDir(own, at); err != nil || !isGitDir(g) {
		g.Close()
		return GitFiles{}, false
	}
	for _, f := range []struct {
		in   *os.Root
		name string
	}{{g.commonDir, "config"}, {g.ownDir, "config.worktree"}} {
		if data, err := readFileIn(f.in, f.name, maxGitConfig); err == nil {
			g.settings = append(g.settings, parseConfig(string(data))...)
		}
	}
	return g, true
}

// openGitDir opens the .git directory of dir, which a file .git may name. at is its absolute path.
func (r *root) openGitDir(dir Path) (own *os.Root, at string, err error) {
	name := filepath.Join(dir.rel, ".git")
	info, err := r.handle.Lstat(name)
	if err != nil {
		return nil, "", err
	}
	top := filepath.Join(r.realPath, dir.rel)
	switch {
	case info.IsDir():
		own, err = r.handle.OpenRoot(name)
		return own, filepath.Join(top, ".git"), err
	case !info.Mode().IsRegular():
		return nil, "", fs.ErrInvalid
	}
	data, err := readFileIn(r.handle, name, maxGitFile)
	to, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if err != nil || !ok {
		return nil, "", fs.ErrInvalid
	}
	at = absolutePath(to, top, "")
	if rel, in := relativeTo(r.realPath, at); in {
		own, err = r.handle.OpenRoot(rel)
		return own, at, err
	}
	if !git.IsGenuine(top, info) {
		return nil, "", fs.ErrPermission
	}
	own, err = os.OpenRoot(at)
	return own, at, err
}

// openCommonGitDir opens the .git directory that own, whose absolute path is at, shares with other
// work trees. It must be the one two levels above, as git creates it.
func (r *root) openCommonGitDir(own *os.Root, at string) (*os.Root, error) {
	data, err := readFileIn(own, "commondir", maxGitFile)
	if errors.Is(err, fs.ErrNotExist) {
		return own, nil
	}
	if err != nil {
		return nil, err
	}
	trees := filepath.Dir(at)
	common := filepath.Dir(trees)
	if filepath.Base(trees) != "worktrees" || absolutePath(strings.TrimSpace(string(data)), at, "") != common {
		return nil, fs.ErrInvalid
	}
	if rel, in := relativeTo(r.realPath, common); in {
		return r.handle.OpenRoot(rel)
	}
	return os.OpenRoot(common)
}

// isGitDir reports whether git would accept the directory as that of a repository.
func isGitDir(g GitFiles) bool {
	head, err := g.ownDir.Lstat("HEAD")
	if err != nil || head.IsDir() {
		return false
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := g.commonDir.Stat(name); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// Setting returns the value of a setting in the repository's own configuration, such as
// "core.ignorecase". It does not look into included files.
func (g GitFiles) Setting(name string) (value string, ok bool) {
	for _, s := range slices.Backward(g.settings) {
		if s.name == name {
			return s.value, true
		}
	}
	return "", false
}

// Top returns the absolute path of the work tree.
func (g GitFiles) Top() string { return g.workTree }

// Read reads a file in the .git directory of the work tree.
func (g GitFiles) Read(name string, max int64) ([]byte, error) {
	return readFileIn(g.ownDir, name, max)
}

// ReadCommon reads a file in the .git directory that all work trees share.
func (g GitFiles) ReadCommon(name string, max int64) ([]byte, error) {
	return readFileIn(g.commonDir, name, max)
}

// Close closes the directories.
func (g GitFiles) Close() {
	if g.commonDir != nil && g.commonDir != g.ownDir {
		_ = g.commonDir.Close()
	}
	_ = g.ownDir.Close()
}

// These constants limit files of a repository, in bytes.
const (
	maxGitFile   = 64 << 10 // maxGitFile limits files with one line.
	maxGitConfig = 1 << 20
)

// readFileIn reads a regular file in a directory. It does not wait at a named pipe.
func readFileIn(root *os.Root, name string, max int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fs.ErrInvalid
	case info.Size() > max:
		return nil, &Error{Kind: TooLarge, Path: name, Bytes: info.Size(), Limit: max}
	}
	data := make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// DirInfo returns information about a directory, with the text of the file textName in it.
func (w *Workspace) DirInfo(dir Path, textName string) (in DirInfo) {
	r := w.rootNamed(dir.root)
	if r == nil || w.disk == nil {
		return in
	}
	_, err := r.handle.Lstat(filepath.Join(dir.rel, ".git"))
	in.Git = err == nil
	name := filepath.Join(dir.rel, textName)
	if info, err := r.handle.Lstat(name); err == nil && info.Mode().IsRegular() {
		data, _ := readFileIn(r.handle, name, MaxRead) // "" if it cannot be read
		in.Text = string(data)
	}
	return in
}

// ReadBelow reads a file by its absolute path. It returns false if the file is in no root, or
// cannot be read.
func (w *Workspace) ReadBelow(full string, max int64) ([]byte, bool) {
	for _, r := range w.roots() {
		if rel, in := relativeTo(r.realPath, full); in {
			data, err := readFileIn(r.handle, rel, max)
			return data, err == nil
		}
	}
	return nil, false
}

// GitIgnore returns the path of the user's file of patterns that git ignores everywhere, or "".
func (w *Workspace) GitIgnore() string { return w.gitIgnore }

// GitValue returns the value of a setting, such as "core.excludesfile", from the last of the
// configuration files that contains it. It does not follow conditional includes.
func GitValue(files []string, home, name string) (value string, ok bool) {
	for _, file := range files {
		c := configFile{unconditionalOnly: true}
		c.read(file, home, 0)
		for _, s := range c.settings {
			if s.name == name {
				value, ok = s.value, true
			}
		}
	}
	return value, ok
}
