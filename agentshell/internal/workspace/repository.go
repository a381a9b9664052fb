package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// gitFilePatterns holds the patterns of files in a repository's directory that git uses. Writing a
// file HEAD is always asked about, because no directory is a repository without it; so the other
// names matter only next to an existing HEAD.
const gitFilePatterns = `config config.worktree commondir gitdir packed-refs shallow index *_head sparse-checkout
	objects/ refs/ hooks/ info/ logs/ modules/ worktrees/ branches/ remotes/ reftable/ rr-cache/`

// whyGitRuns returns a sentence that says why git executes or obeys the file with an absolute path,
// or "" if it does not.
func (w *Workspace) whyGitRuns(full string) string {
	if fold.Path(filepath.Base(full)) == "head" {
		return "with this file git takes the directory for a repository and runs what its configuration says"
	}
	home := w.home
	var global configFile
	for _, name := range w.gitConfigs {
		global.read(name, home, 0)
	}
	repositories := 0
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		git := ""
		if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err == nil && !info.IsDir() {
			if rel, ok := relativeTo(dir, full); ok && isGitPart(fold.Path(rel)) {
				return "this file belongs to a git repository"
			}
			git = dir
		}
		if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			git = filepath.Join(dir, ".git")
			if !info.IsDir() {
				git = gitDir(git)
			}
		}
		if git != "" {
			repositories++
			repoConfig := configFile{settings: slices.Clone(global.settings)}
			for _, configDir := range []string{git, commonDir(git)} {
				repoConfig.read(filepath.Join(configDir, "config"), home, 0)
				repoConfig.read(filepath.Join(configDir, "config.worktree"), home, 0)
			}
			if repoConfig.namesFile(full, dir, git, home) {
				return "this file is run by git"
			}
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	if repositories == 0 { // the root may become a repository, and the person's own configuration holds there
		if r, _ := w.rootOf(full); r != nil && global.namesFile(full, r.realPath, "", home) {
			return "this file is run by git"
		}
	}
	if slices.ContainsFunc(global.files, func(f string) bool { return isSameFile(f, full) }) {
		return "this file is run by git"
	}
	return ""
}

// FilesGitRuns returns the absolute paths of files and directories of the workspace that git runs
// or obeys, because its configuration names them. A directory of hooks need not exist.
func (w *Workspace) FilesGitRuns() (list []string) {
	var global configFile
	for _, name := range w.gitConfigs {
		global.read(name, w.home, 0)
	}
	for _, r := range w.roots() {
		c := configFile{settings: slices.Clone(global.settings), files: slices.Clone(global.files)}
		top, git := r.realPath, filepath.Join(r.realPath, ".git")
		if info, err := os.Stat(git); err == nil && !info.IsDir() {
			git = gitDir(git)
		}
		for _, at := range []string{git, commonDir(git)} {
			c.read(filepath.Join(at, "config"), w.home, 0)
			c.read(filepath.Join(at, "config.worktree"), w.home, 0)
		}
		named := slices.Clone(c.files)
		for _, s := range c.settings {
			if s.value == "" || isDataSetting(s.name) {
				continue
			}
			if s.name == "core.hookspath" || s.name == "init.templatedir" {
				named = append(named, absolutePath(s.value, top, w.home))
				continue
			}
			for _, word := range append(strings.FieldsFunc(s.value, isWordSeparator), s.value) {
				if at := absolutePath(word, top, w.home); isFile(at) {
					named = append(named, at)
				}
			}
		}
		for _, name := range named {
			if rel, in := relativeTo(r.realPath, name); in && rel != "." && rel != ".git" &&
				!strings.HasPrefix(rel, ".git/") && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// isDataSetting reports whether a setting names no program. For example a branch may have the name
// of a file.
func isDataSetting(setting string) bool {
	section, _, _ := strings.Cut(setting, ".")
	return slices.Contains(dataSettings, setting) || slices.Contains([]string{"branch", "user", "init"}, section) &&
		setting != "init.templatedir"
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && !info.IsDir()
}

// isGitPart reports whether a path belongs to a repository. rel is in lower case and relative to
// the repository's directory; its first component decides.
func isGitPart(rel string) bool {
	first, _, deep := strings.Cut(rel, "/")
	if deep {
		return matchesAny(gitFilePatterns, first+"/x")
	}
	return matchesAny(gitFilePatterns, first)
}

// gitDir returns the directory of the repository that a .git file names, or "".
func gitDir(file string) string {
	b, err := readSmall(file)
	if err != nil {
		return ""
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return ""
	}
	return absolutePath(to, filepath.Dir(file), "")
}

// commonDir returns the directory with the configuration of a repository, which its work trees
// share.
func commonDir(git string) string {
	b, err := readSmall(filepath.Join(git, "commondir"))
	if err != nil {
		return git
	}
	return absolutePath(strings.TrimSpace(string(b)), git, "")
}

// dataSettings lists the settings that name files which git reads as data.
var dataSettings = []string{
	"blame.ignorerevsfile", "mailmap.file", "core.excludesfile", "commit.template", "user.signingkey",
	"gpg.ssh.allowedsignersfile",
}

// namesFile reports whether the configuration makes git run or read the file full: as an included
// configuration, in the directory of hooks, or as a word of a command. git is the repository's
// directory and workTree its work tree.
func (c configFile) namesFile(full, workTree, git, home string) bool {
	isFull := func(name string) bool { return isSameFile(name, full) }
	if slices.ContainsFunc(c.files, isFull) {
		return true
	}
	baseDirs := []string{workTree}
	if git != "" {
		baseDirs = append(baseDirs, git)
		if dirLeadsTo(filepath.Join(git, "hooks"), full) {
			return true
		}
	}
	for _, s := range c.settings {
		if s.name == "core.worktree" && git != "" {
			baseDirs = append(baseDirs, absolutePath(s.value, git, home))
		}
	}
	for _, s := range c.settings {
		if slices.Contains(dataSettings, s.name) || s.value == "" {
			continue
		}
		for _, workTree := range baseDirs {
			if s.name == "core.hookspath" || s.name == "init.templatedir" {
				if dirLeadsTo(absolutePath(s.value, workTree, home), full) {
					return true
				}
				continue
			}
			for _, word := range append(strings.FieldsFunc(s.value, isWordSeparator), s.value) {
				if isSameFile(absolutePath(word, workTree, home), full) {
					return true
				}
			}
		}
	}
	return false
}

// isWordSeparator reports whether r separates the words of a command or a list.
func isWordSeparator(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>=!$:,", r) }

// dirLeadsTo reports whether the file full is in the directory dir, or a link in dir leads to it.
func dirLeadsTo(dir, full string) bool {
	at, err := resolveLinks(dir)
	if err != nil {
		return false
	}
	if _, in := relativeTo(fold.Path(at.fullPath()), fold.Path(full)); in {
		return true
	}
	for _, to := range readLinks(at.fullPath()) {
		if _, in := relativeTo(to, full); in {
			return true
		}
	}
	return false
}

// isSameFile reports whether name leads to the file full after its links are resolved.
func isSameFile(name, full string) bool {
	at, err := resolveLinks(name)
	return err == nil && fold.Path(at.fullPath()) == fold.Path(full)
}
