package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// runners are files that something executes by itself: on entering a directory, opening it in an editor, committing, pushing (FS-34). The
// patterns are lower case and are matched against the root-relative path in lower case.
var runners = []struct{ pattern, by string }{
	{"**/.git", "git"}, {"**/.git/**", "git"}, {"**/.husky/**", "git"}, {"**/.githooks/**", "git"}, {"**/.pre-commit-config.yaml", "git"},
	{"**/{,.}lefthook{,-local}.{yml,yaml,toml,json}", "git"}, {"**/.hg/**", "Mercurial"}, {"**/.jj/**", "jj"},
	{"**/.envrc", "direnv"}, {"**/{,.}mise{,.local}.toml", "mise"}, {"**/.autoenv", "autoenv"}, {"**/.env.{leave,enter}", "autoenv"},
	{"**/.vscode/**", "the editor"}, {"**/*.code-workspace", "the editor"}, {"**/.idea/**", "the editor"}, {"**/.zed/**", "the editor"},
	{"**/.fleet/**", "the editor"}, {"**/.devcontainer/**", "the editor"}, {"**/.devcontainer.json", "the editor"},
	{"**/.{vimrc,exrc,nvimrc,nvim.lua}", "the editor"}, {"**/_vimrc", "the editor"}, {"**/.dir-locals{,-2}.el", "the editor"},
	{"**/.claude/**", "another agent"}, {"**/.cursor/**", "another agent"}, {"**/.mcp.json", "another agent"}, {"**/.codex/**", "another agent"},
	{"**/.gemini/**", "another agent"}, {"**/.opencode/**", "another agent"}, {"**/opencode.json{,c}", "another agent"},
	{"**/.github/**", "CI"}, {"**/.gitlab-ci.yml", "CI"}, {"**/.gitlab/**", "CI"}, {"**/.circleci/**", "CI"}, {"**/.travis.yml", "CI"}, {"**/.ci/**", "CI"},
	{"**/jenkinsfile*", "CI"}, {"**/azure-pipelines*.yml", "CI"}, {"**/bitbucket-pipelines.yml", "CI"}, {"**/.woodpecker{.yml,/**}", "CI"},
	{"**/.drone.yml", "CI"}, {"**/.buildkite/**", "CI"}, {"**/.forgejo/**", "CI"}, {"**/.gitea/**", "CI"},
}

// RunsCode says who executes a file at p of that mode without being asked again ("git", "the editor"), or "" (FS-34).
func (w *Workspace) RunsCode(p Path, mode fs.FileMode) string {
	full := w.Abs(p)
	for _, dir := range w.hookDirs(w.configs) { // each time: the configuration may have changed
		if _, in := below(dir, full); in {
			return "git"
		}
	}
	rel := strings.ToLower(p.rel)
	for _, r := range runners {
		if ok, _ := doublestar.Match(r.pattern, rel); ok {
			return r.by
		}
	}
	if mode.IsRegular() && mode.Perm()&0o111 != 0 {
		return "anyone: it is executable"
	}
	return ""
}

// hookDirs are the directories that core.hooksPath names: in the repositories that the roots are in, and in the person's own configuration.
// A relative value is relative to the top of the work tree.
func (w *Workspace) hookDirs(configs []string) []string {
	home, homeErr := os.UserHomeDir()
	var dirs []string
	for _, r := range w.roots {
		top := repository(r.real)
		for _, file := range append(gitConfigs(filepath.Join(top, ".git")), configs...) {
			for _, h := range hooksPaths(file) {
				if rest, ok := strings.CutPrefix(h, "~/"); ok && homeErr == nil {
					h = filepath.Join(home, rest)
				}
				if !filepath.IsAbs(h) {
					h = filepath.Join(top, h)
				}
				if at, err := walk(h); err == nil {
					dirs = append(dirs, at.full())
				}
			}
		}
	}
	return dirs
}

// repository is the nearest directory above dir, or dir itself, that has a .git; dir if there is none.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// gitConfigs are the configuration files of the repository at a .git directory, or of the one that a .git file of a work tree names.
func gitConfigs(git string) []string {
	if b, err := readSmall(git); err == nil {
		if dir, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: "); ok {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(filepath.Dir(git), dir)
			}
			git = dir
			if b, err := readSmall(filepath.Join(dir, "commondir")); err == nil {
				git = filepath.Join(dir, strings.TrimSpace(string(b)))
			}
		}
	}
	return []string{filepath.Join(git, "config"), filepath.Join(git, "config.worktree")}
}

// readSmall reads a regular file of at most 1 MiB.
func readSmall(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > 1<<20 {
		return nil, fs.ErrInvalid
	}
	return os.ReadFile(name)
}

// hooksPaths finds the values of core.hooksPath in a git configuration file. Included files are not followed.
func hooksPaths(file string) []string {
	b, err := readSmall(file)
	if err != nil {
		return nil
	}
	var found []string
	core := false
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section, rest, _ := strings.Cut(line[1:], "]")
			core = strings.EqualFold(strings.TrimSpace(section), "core")
			line = strings.TrimSpace(rest)
		}
		key, value, ok := strings.Cut(line, "=")
		if core && ok && strings.EqualFold(strings.TrimSpace(key), "hooksPath") {
			value = strings.TrimSpace(value)
			if !strings.HasPrefix(value, `"`) {
				value = strings.TrimSpace(strings.FieldsFunc(value+" ", func(r rune) bool { return r == '#' || r == ';' })[0])
			}
			if value = strings.Trim(value, `"`); value != "" {
				found = append(found, value)
			}
		}
	}
	return found
}
