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

// Bounds of what git is asked.
const (
	gitTime  = 2 * time.Second
	gitOut   = 64 << 10 // bytes that are read
	gitText  = 4 << 10  // bytes that are told
	gitLines = 40
)

// repository returns the top of the repository that dir lies in, "" if there is none that is the
// person's. A .git that is a link is none.
func repository(dir string) string {
	at := dir
	for range maxAbove {
		info, err := os.Lstat(filepath.Join(at, ".git"))
		if err == nil {
			here, err := os.Lstat(at)
			if err != nil || !mine(info) || !mine(here) || !git.IsGenuine(at, info) {
				return ""
			}
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
		at = filepath.Dir(at)
	}
	return ""
}

// above returns the directories over dir up to top, top first; none if top is "".
func above(dir, top string) []string {
	var list []string
	if top == "" {
		return nil
	}
	for at := dir; at != top && len(list) < maxAbove; {
		at = filepath.Dir(at)
		list = append([]string{at}, list...)
	}
	return list
}

// git returns the branch and the status of the repository, as far as the workspace goes. Nothing
// that the repository names is run: no hook, monitor, pager or filter.
func (c Config) git(ctx context.Context, top string) string {
	if top == "" || c.Family == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	g := asked{config: c, ctx: ctx, top: top}
	where, err := g.run("rev-parse", "--show-toplevel")
	if err != nil || filepath.Clean(strings.TrimRight(string(where), "\r\n")) != top {
		return ""
	}
	// Filters have names of their own, so they are looked up before they are taken away.
	filters, err := g.run("config", "--null", "--name-only", "--get-regexp", `^filter\..*\.(clean|process|smudge)$`)
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) || len(filters) >= gitOut { // 1: there is none
		return ""
	}
	for key := range bytes.SplitSeq(bytes.TrimSuffix(filters, []byte{0}), []byte{0}) {
		if name := string(key); name != "" {
			driver := name[:strings.LastIndexByte(name, '.')]
			g.off = append(g.off, name, driver+".required")
		}
	}
	status, err := g.run("status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=all",
		"--no-renames", "--", ".")
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("The workspace is in a git repository. Its status took longer than %v and is not known.\n",
			gitTime)
	case err != nil:
		return ""
	}
	text, _ := visible.Lines(string(status)) // git quotes names of files, but not those of branches
	return "The git branch and status when the session began:\n" + quote("git", "", shorten(text))
}

// shorten keeps the first lines.
func shorten(text string) string {
	var b strings.Builder
	lines := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	for i, l := range lines {
		if i == gitLines || b.Len()+len(l) > gitText {
			fmt.Fprintf(&b, "\n[more]\n")
			break
		}
		b.WriteString(l)
	}
	return b.String()
}

// asked is a git that is asked several things.
type asked struct {
	config Config
	ctx    context.Context
	top    string
	off    []string // settings that are emptied
}

func (g asked) run(args ...string) ([]byte, error) {
	set := []string{"-c", "core.quotePath=true", "-c", "color.ui=never", "-c", "advice.statusHints=false"}
	env := git.Environ(secret.ForCommands(own(g.config.Environ)), g.off...)
	programs := g.config.Family.Programs
	git, err := programs.Path("git")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(git, append(set, args...)...)
	cmd.Dir = g.config.Workspace.Dir()
	cmd.Env = append(programs.Environ(env), "LC_ALL=C", "GIT_CEILING_DIRECTORIES="+filepath.Dir(g.top))
	out, _, err := child.Output(g.ctx, g.config.Family.Run, cmd, gitOut)
	return out, err
}

// own returns environ without what leads git to another repository than the one that it finds.
func own(environ []string) []string {
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
