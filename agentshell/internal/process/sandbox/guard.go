package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// guard describes the protection of one path of the workspace, or of its git repository, against
// changes by a command.
type guard struct {
	path string
	// writable says that a command can change the content, but can neither move nor remove the
	// path.
	writable bool
	// content is the text of the placeholder file that is created if the path does not exist. If it
	// is "", the placeholder is a directory.
	content string
	// mayBeMissing says that a command must not create the path if it does not exist.
	mayBeMissing bool
}

// autorunNames lists files and folders that programs run or obey without asking the user: when a
// directory is entered or opened, on a commit, or on a push (FS-34). Files that builds and tests
// consist of are not among them, because a command may change them.
//
// In the top folder of the workspace, a command can also not create those listed in first.
var autorunNames = struct{ first, others []string }{
	first: strings.Fields(`
		.git .envrc .vscode .idea .zed .devcontainer .github .gitlab-ci.yml .circleci .agentshell .claude .cursor
		.mcp.json`),
	others: strings.Fields(`
		.husky .githooks .devcontainer.json .codex .gemini .exrc .nvimrc .nvim.lua .dir-locals.el
		.pre-commit-config.yaml .hg .jj .svn .fleet .vs .opencode .gitlab .woodpecker .woodpecker.yml .buildkite .forgejo .gitea .ci
		.travis.yml .drone.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml .autoenv .env.enter
		.env.leave mise.toml .mise.toml .tool-versions lefthook.yml lefthook.yaml .lefthook.yml .vimrc .gvimrc .vim
		.nvim .emacs .gitpod.yml opencode.json .direnv`),
}

// isAutorun reports whether programs run or obey a file of that name without asking, see
// autorunNames.
func isAutorun(name string) bool {
	name = fold.Path(name)
	for _, list := range [][]string{autorunNames.first, autorunNames.others} {
		for _, n := range list {
			if n == name {
				return true
			}
		}
	}
	return strings.HasSuffix(name, ".code-workspace")
}

const (
	maxDepth   = 4    // the number of folder levels below the workspace in which such names are searched
	maxFolders = 4000 // the largest number of folders that are searched
	maxGuards  = 300
)

// skippedFolders lists names of folders that are not searched, because they are large and hold
// packages or build results that nobody works in.
var skippedFolders = strings.Fields("node_modules vendor target .venv venv __pycache__ dist build")

// workspaceGuards returns all paths that a command cannot change in the workspace and in the git
// repositories there. more lists paths that git's configuration names, such as a directory of
// hooks.
func workspaceGuards(p Policy, more []string) ([]guard, error) {
	list, git, err := findGuards(p, more)
	for _, p := range more {
		list = append(list, guard{path: p, mayBeMissing: true})
	}
	return append(list, git...), err
}

// findGuards returns the protected paths of the workspace: list holds those that programs run or
// obey, repositories those of the git repositories in it.
func findGuards(p Policy, more []string) (list, repositories []guard, err error) {
	root := p.Workspace
	own, err := gitGuards(root)
	git := nestedGuards{root: root, closed: slices.Concat(p.ReadOnly, p.Hidden, more), list: own}
	if info, err := os.Lstat(filepath.Join(root, ".git")); err == nil && info.Mode().IsRegular() {
		git.add(filepath.Join(root, ".git"), false)
	}
	for _, name := range autorunNames.first {
		if name != ".git" {
			list = append(list, guard{path: filepath.Join(root, name), mayBeMissing: true})
		}
	}
	folders := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		folders++
		if folders > maxFolders || len(list)+git.seen > maxGuards {
			return
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			switch {
			case depth == 0 && fold.Path(e.Name()) == ".git": // see gitGuards
			case e.Name() == ".git" && e.Type()&os.ModeSymlink == 0:
				git.add(name, e.IsDir())
			case isAutorun(e.Name()):
				if e.Type()&os.ModeSymlink == 0 { // nothing can be put over a link
					list = append(list, guard{path: name})
				}
			case e.IsDir() && depth < maxDepth && !contains(skippedFolders, e.Name()):
				walk(name, depth+1)
			}
		}
	}
	walk(root, 0)
	return list, git.list, err
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
