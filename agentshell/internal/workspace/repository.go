package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// gitParts are what git looks for in the directory of a repository. No directory is one without a
// valid HEAD, whatever else it has, so a file of that name is always asked for; beside a HEAD that
// is there already the other parts are.
const gitParts = `config config.worktree commondir gitdir packed-refs shallow index *_head sparse-checkout
	objects/ refs/ hooks/ info/ logs/ modules/ worktrees/ branches/ remotes/ reftable/ rr-cache/`

// gitRuns says why git executes or obeys the file of that absolute path where it lies, or "".
func (w *Workspace) gitRuns(full string) string {
	if fold.Path(filepath.Base(full)) == "head" {
		return "with this file git takes the directory for a repository and runs what its configuration says"
	}
	home := w.home
	var c configFile
	for _, name := range w.configs {
		c.read(name, home, 0)
	}
	global := c
	tops := 0
	for dir := filepath.Dir(full); ; dir = filepath.Dir(dir) {
		git := ""
		if info, err := os.Lstat(filepath.Join(dir, "HEAD")); err == nil && !info.IsDir() {
			if rel, ok := below(dir, full); ok && isPart(fold.Path(rel)) {
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
			tops++
			own := configFile{settings: slices.Clone(global.settings)}
			for _, at := range []string{git, commonDir(git)} {
				own.read(filepath.Join(at, "config"), home, 0)
				own.read(filepath.Join(at, "config.worktree"), home, 0)
			}
			if own.runs(full, dir, git, home) {
				return "this file is run by git"
			}
		}
		if filepath.Dir(dir) == dir {
			break
		}
	}
	if tops == 0 { // the root may become a repository, with the person's own configuration
		if r, _ := w.rootOf(full); r != nil && global.runs(full, r.real, "", home) {
			return "this file is run by git"
		}
	}
	if slices.ContainsFunc(global.files, func(f string) bool { return same(f, full) }) {
		return "this file is run by git"
	}
	return ""
}

// GitRuns returns files and directories of the workspace that git runs or obeys because its
// configuration names them, as absolute paths. Directories of hooks need not be there.
func (w *Workspace) GitRuns() (list []string) {
	var global configFile
	for _, name := range w.configs {
		global.read(name, w.home, 0)
	}
	for _, r := range w.roots {
		c := configFile{settings: slices.Clone(global.settings), files: slices.Clone(global.files)}
		top, git := r.real, filepath.Join(r.real, ".git")
		if info, err := os.Stat(git); err == nil && !info.IsDir() {
			git = gitDir(git)
		}
		for _, at := range []string{git, commonDir(git)} {
			c.read(filepath.Join(at, "config"), w.home, 0)
			c.read(filepath.Join(at, "config.worktree"), w.home, 0)
		}
		named := slices.Clone(c.files)
		for _, s := range c.settings {
			if s.value == "" || isData(s.name) {
				continue
			}
			if s.name == "core.hookspath" || s.name == "init.templatedir" {
				named = append(named, anchor(s.value, top, w.home))
				continue
			}
			for _, word := range append(strings.FieldsFunc(s.value, betweenWords), s.value) {
				if at := anchor(word, top, w.home); isFile(at) {
					named = append(named, at)
				}
			}
		}
		for _, name := range named {
			if rel, in := below(r.real, name); in && rel != "." && rel != ".git" &&
				!strings.HasPrefix(rel, ".git/") && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// isData reports whether a setting names no program: a branch may be called like a file that is
// built.
func isData(setting string) bool {
	section, _, _ := strings.Cut(setting, ".")
	return slices.Contains(dataSettings, setting) || slices.Contains([]string{"branch", "user", "init"}, section) &&
		setting != "init.templatedir"
}

func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && !info.IsDir()
}

// isPart reports whether a folded path, relative to a repository's directory, is one of its parts:
// the name stands at the beginning.
func isPart(rel string) bool {
	first, _, deep := strings.Cut(rel, "/")
	if deep {
		return matches(gitParts, first+"/x")
	}
	return matches(gitParts, first)
}

// gitDir returns where a file .git says that the repository is.
func gitDir(file string) string {
	b, err := readSmall(file)
	if err != nil {
		return ""
	}
	to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
	if !ok {
		return ""
	}
	return anchor(to, filepath.Dir(file), "")
}

// commonDir returns where the repository of a work tree has its configuration.
func commonDir(git string) string {
	b, err := readSmall(filepath.Join(git, "commondir"))
	if err != nil {
		return git
	}
	return anchor(strings.TrimSpace(string(b)), git, "")
}

// dataSettings name files that git reads as data.
var dataSettings = []string{
	"blame.ignorerevsfile", "mailmap.file", "core.excludesfile", "commit.template", "user.signingkey",
	"gpg.ssh.allowedsignersfile",
}

// runs reports whether the configuration, of the repository git with the work tree at top, names
// the file: as a configuration that it includes, in the directory of hooks, or as a word of a
// command.
func (c configFile) runs(full, top, git, home string) bool {
	isFull := func(name string) bool { return same(name, full) }
	if slices.ContainsFunc(c.files, isFull) {
		return true
	}
	tops := []string{top}
	if git != "" {
		tops = append(tops, git)
		if leadsTo(filepath.Join(git, "hooks"), full) {
			return true
		}
	}
	for _, s := range c.settings {
		if s.name == "core.worktree" && git != "" {
			tops = append(tops, anchor(s.value, git, home))
		}
	}
	for _, s := range c.settings {
		if slices.Contains(dataSettings, s.name) || s.value == "" {
			continue
		}
		for _, top := range tops {
			if s.name == "core.hookspath" || s.name == "init.templatedir" {
				if leadsTo(anchor(s.value, top, home), full) {
					return true
				}
				continue
			}
			for _, word := range append(strings.FieldsFunc(s.value, betweenWords), s.value) {
				if same(anchor(word, top, home), full) {
					return true
				}
			}
		}
	}
	return false
}

// betweenWords returns what parts the words of a command or of a list.
func betweenWords(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>=!$:,", r) }

// leadsTo reports whether the file lies in the directory, or a link of the directory leads to it.
func leadsTo(dir, full string) bool {
	at, err := walk(dir)
	if err != nil {
		return false
	}
	if _, in := below(fold.Path(at.full()), fold.Path(full)); in {
		return true
	}
	for _, to := range links(at.full()) {
		if _, in := below(to, full); in {
			return true
		}
	}
	return false
}

// same reports whether the name, with its links resolved, is the file.
func same(name, full string) bool {
	at, err := walk(name)
	return err == nil && fold.Path(at.full()) == fold.Path(full)
}
