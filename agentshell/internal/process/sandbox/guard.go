package sandbox

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/fold"
)

// guard is a part of the workspace, or of its repository, that a command cannot change.
type guard struct {
	path string
	// own: it can be written, but neither moved nor removed.
	own bool
	// text is what is put there where nothing is, in a file; a directory if it is "".
	text string
	// missing: it must not come into being where it is not there.
	missing bool
}

// byThemselves are what programs run or obey without being asked: when a directory is entered or
// opened, on a commit, or when a person pushes (FS-34). What builds and tests are made of is not
// here, since a command may change it. Of those that are first, none can be made in the top folder.
var byThemselves = struct{ first, others []string }{
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

// runsItself reports whether a name is of that kind.
func runsItself(name string) bool {
	name = fold.Path(name)
	for _, list := range [][]string{byThemselves.first, byThemselves.others} {
		for _, n := range list {
			if n == name {
				return true
			}
		}
	}
	return strings.HasSuffix(name, ".code-workspace")
}

const (
	deepest    = 4    // folders below the workspace in which such names are looked for
	mostLooked = 4000 // folders
	mostGuards = 300
)

// skipped are folders of other people's packages, which are large, and in which nobody works.
var skipped = strings.Fields("node_modules vendor target .venv venv __pycache__ dist build")

// workspaceGuards returns the guards of a workspace, its repository among them. more is what its
// configuration names besides.
func workspaceGuards(root string, more []string) ([]guard, error) {
	var list []guard
	for _, name := range byThemselves.first {
		if name != ".git" {
			list = append(list, guard{path: filepath.Join(root, name), missing: true})
		}
	}
	looked := 0
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		looked++
		if looked > mostLooked || len(list) > mostGuards {
			return
		}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			switch {
			case depth == 0 && fold.Path(e.Name()) == ".git": // see repository
			case runsItself(e.Name()):
				if e.Type()&os.ModeSymlink == 0 { // nothing can be put over a link
					list = append(list, guard{path: name})
				}
			case e.IsDir() && depth < deepest && !contains(skipped, e.Name()):
				walk(name, depth+1)
			}
		}
	}
	walk(root, 0)
	for _, p := range more {
		list = append(list, guard{path: p, missing: true})
	}
	own, err := repository(root)
	return append(list, own...), err
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
