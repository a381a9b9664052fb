package briefing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Limits on git's running time and output.
const (
	gitTimeout   = 2 * time.Second
	maxGitOutput = 64 << 10 // the number of bytes of git's output that are read
	maxGitText   = 4 << 10  // the number of bytes of git's output that the model gets
	maxGitLines  = 40
)

// repository returns the top directory of the git repository that contains dir. It returns "" if
// there is none, or if it belongs to another user. A .git that is a symbolic link does not count.
func repository(dir string) string {
	current := dir
	for range maxLevels {
		info, err := os.Lstat(filepath.Join(current, ".git"))
		if err == nil {
			owner, err := os.Lstat(current)
			if err != nil || !belongsToPerson(info) || !belongsToPerson(owner) || !git.IsGenuine(current, info) {
				return ""
			}
			return current
		}
		if filepath.Dir(current) == current {
			return ""
		}
		current = filepath.Dir(current)
	}
	return ""
}

// directoriesAbove returns the directories above dir up to and including top, topmost first. It
// returns nil if top is "".
func directoriesAbove(dir, top string) []string {
	var list []string
	if top == "" {
		return nil
	}
	for at := dir; at != top && len(list) < maxLevels; {
		at = filepath.Dir(at)
		list = append([]string{at}, list...)
	}
	return list
}

// gitStatus returns the branch and the status of the repository, limited to files in the workspace.
// It runs nothing that the repository's configuration names: no hook, monitor, pager or filter.
func (c Config) gitStatus(ctx context.Context, top string) string {
	if top == "" || c.Family == nil || git.HasLinks(top) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	runner := gitRunner{config: c, ctx: ctx, top: top}
	toplevel, err := runner.run("rev-parse", "--show-toplevel")
	if err != nil || filepath.Clean(strings.TrimRight(string(toplevel), "\r\n")) != top {
		return ""
	}
	// Filters have names of their own, so they are looked up before they are taken away.
	filters, err := runner.run("config", "--null", "--name-only", "--get-regexp",
		`^filter\..*\.(clean|process|smudge)$`)
	var exit *exec.ExitError
	// 1: there is none
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) || len(filters) >= maxGitOutput {
		return ""
	}
	for key := range bytes.SplitSeq(bytes.TrimSuffix(filters, []byte{0}), []byte{0}) {
		if name := string(key); name != "" {
			driver := name[:strings.LastIndexByte(name, '.')]
			runner.emptied = append(runner.emptied, name, driver+".required")
		}
	}
	status, err := runner.run("status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=all",
		"--no-renames", "--", ".")
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("The workspace is in a git repository. Its status took longer than %v and is not known.\n",
			gitTimeout)
	case err != nil:
		return ""
	}
	text, _ := visible.Lines(string(status)) // git quotes names of files, but not those of branches
	return "The git branch and status when the session began:\n" + frame("git", "", shorten(text))
}

// shorten returns the first lines of git's output, with a note if lines are left out.
func shorten(text string) string {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if i == maxGitLines || b.Len()+len(l) > maxGitText {
			fmt.Fprintf(&b, "\n[more]\n")
			break
		}
		b.WriteString(l)
	}
	return b.String()
}

// gitRunner runs git commands in one repository.
type gitRunner struct {
	config  Config
	ctx     context.Context
	top     string
	emptied []string // names of configuration settings that are set to "" for each command
}

func (g gitRunner) run(args ...string) ([]byte, error) {
	set := []string{"-c", "core.quotePath=true", "-c", "color.ui=never", "-c", "advice.statusHints=false"}
	env := git.Environ(secret.ForCommands(withoutRepositoryVars(g.config.Environ)), g.emptied...)
	programs := g.config.Family.Programs
	git, err := programs.Path("git")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(git, append(set, args...)...)
	cmd.Dir = g.config.Workspace.Dir()
	cmd.Env = append(programs.Environ(env), "LC_ALL=C", "GIT_CEILING_DIRECTORIES="+filepath.Dir(g.top))
	out, _, err := child.Output(g.ctx, g.config.Family.Run, cmd, maxGitOutput)
	return out, err
}

// withoutRepositoryVars returns the environment without variables that would point git to another
// repository.
func withoutRepositoryVars(environ []string) []string {
	var list []string
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_ATTR_SOURCE", "GIT_TRACE", "GIT_TRACE2",
			"GIT_TRACE2_EVENT", "GIT_TRACE2_PERF", "GIT_TRACE_SETUP", "GIT_DISCOVERY_ACROSS_FILESYSTEM":
			continue
		}
		list = append(list, v)
	}
	return list
}
