package github

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/scratch"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// These constants limit one call of git.
const (
	maxGitOutputBytes = 16 << 20 // bytes
	transferTimeout   = 10 * time.Minute
)

// checkout is the git repository of the workspace.
type checkout struct {
	service   *Service
	workTree  string // workTree is the directory of the work tree.
	commonDir string // commonDir is the .git directory that all work trees of the repository share.
}

// ErrNoCheckout is the error if the workspace is not in a work tree of git.
var ErrNoCheckout = errors.New("the workspace is not a git repository")

// checkout finds the git repository of the workspace. The error is ErrNoCheckout if there is none.
func (s *Service) checkout(ctx context.Context) (checkout, error) {
	top, ok := git.FindTop(s.config.Dir)
	if !ok {
		return checkout{}, ErrNoCheckout
	}
	c := checkout{service: s, workTree: top}
	out, err := c.git(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return checkout{}, fmt.Errorf("%w: %w", ErrNoCheckout, err)
	}
	c.commonDir = out
	return c, nil
}

// gitEnviron returns the user's environment for git, without API keys and without the variables
// that lead git to another repository.
func (s *Service) gitEnviron() []string {
	return slices.DeleteFunc(secret.ForCommands(s.config.Environ), func(v string) bool {
		return strings.HasPrefix(v, "GIT_")
	})
}

// git runs git in the repository and returns its output without the last line break. No hook or
// other program that the repository configures is run.
func (c checkout) git(ctx context.Context, args ...string) (string, error) {
	return c.gitIn(ctx, c.workTree, nil, args...)
}

// gitIn runs git in dir like [checkout.git]. off names further settings that are overridden by an
// empty value.
func (c checkout) gitIn(ctx context.Context, dir string, off []string, args ...string) (string, error) {
	env := git.Environ(c.service.gitEnviron(), off...)
	env = append(env, "LC_ALL=C", "GIT_LFS_SKIP_SMUDGE=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(c.workTree))
	return c.service.runGit(ctx, dir, env, args...)
}

// runGit runs git in dir. The error contains the message of git, without API tokens.
func (s *Service) runGit(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	program, err := s.program("git")
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, s.config.Family.Programs.Environ(env)
	limited, cancel := context.WithTimeout(ctx, transferTimeout)
	defer cancel()
	out, problem, err := child.Output(limited, s.config.Family.Run, cmd, maxGitOutputBytes)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && len(problem) > 0:
		return "", errors.New("git " + args[0] + ": " + untrusted.Line(s.redactTokens(string(problem)),
			maxMessageBytes))
	case err != nil:
		return string(out), fmt.Errorf("git %s: %w", args[0], err)
	case len(out) >= maxGitOutputBytes:
		return "", errors.New("git prints too much")
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// settings returns the settings of the repository itself whose names match pattern, a regular
// expression for git config. It leaves out the user's own settings. Each entry is a name and a
// value, in the order of the files.
func (c checkout) settings(ctx context.Context, pattern string) (list [][2]string, err error) {
	out, err := c.git(ctx, "config", "--show-scope", "--null", "--get-regexp", pattern)
	if err != nil {
		if errors.As(err, new(*exec.ExitError)) { // there is none
			return nil, nil
		}
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	for ; len(fields) >= 2; fields = fields[2:] {
		if fields[0] == "local" || fields[0] == "worktree" {
			name, value, _ := strings.Cut(fields[1], "\n")
			list = append(list, [2]string{name, value})
		}
	}
	return list, nil
}

// remote is a git remote of the repository that leads to the GitHub host.
type remote struct {
	name, address string
	repository    Repository
	isDefault     bool // isDefault says that gh has chosen this remote as its default (gh-resolved).
}

// remotes returns the remotes that lead to the GitHub host. They are sorted like in gh: its default
// first, then upstream, github, origin, and the others.
func (c checkout) remotes(ctx context.Context) (list []remote, err error) {
	settings, err := c.settings(ctx, `^remote\..*\.(url|gh-resolved)$`)
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		name, is := strings.CutSuffix(strings.TrimPrefix(s[0], "remote."), ".url")
		r, ok := remoteRepository(s[1], c.service.config.Host)
		if is && ok && IsRefName(name) && !slices.ContainsFunc(list, func(o remote) bool { return o.name == name }) {
			list = append(list, remote{name: name, address: s[1], repository: r})
		}
	}
	for _, s := range settings {
		for i := range list {
			list[i].isDefault = list[i].isDefault || s[0] == "remote."+list[i].name+".gh-resolved" && s[1] == "base"
		}
	}
	slices.SortStableFunc(list, func(a, b remote) int { return a.sortRank() - b.sortRank() })
	return list, nil
}

func (r remote) sortRank() int {
	if r.isDefault {
		return -1
	}
	if i := slices.Index([]string{"upstream", "github", "origin"}, r.name); i >= 0 {
		return i
	}
	return 3
}

// Current returns the GitHub repository of the workspace: that of its first remote. The error is
// ErrRepository if there is none.
func (s *Service) Current(ctx context.Context) (Repository, error) {
	c, err := s.checkout(ctx)
	if err != nil {
		return Repository{}, ErrRepository
	}
	list, err := c.remotes(ctx)
	if err != nil || len(list) == 0 {
		return Repository{}, ErrRepository
	}
	return list[0].repository, nil
}

// Branch returns the checked out branch of the workspace.
func (s *Service) Branch(ctx context.Context) (string, error) {
	c, err := s.checkout(ctx)
	if err != nil {
		return "", err
	}
	return c.branch(ctx)
}

func (c checkout) branch(ctx context.Context) (string, error) {
	name, err := c.git(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil || !IsRefName(name) {
		return "", errors.New("no branch is checked out in the workspace; pass `branch`")
	}
	return name, nil
}

// isolate creates an empty repository in a temporary folder, for one fetch or push. It gets the
// refs of the user's repository, and objects gives it access to the commits. It has none of the
// settings, so no program that they name can run, and no URL can be rewritten to another one than
// the user has seen. The caller removes the folder.
func (c checkout) isolate(ctx context.Context, objects func(dir string) error) (folder *scratch.Folder, err error) {
	format, err := c.git(ctx, "rev-parse", "--show-object-format", "--is-shallow-repository")
	switch {
	case err != nil:
		return nil, err
	case format == "sha1\ntrue":
		return nil, errors.New("this clone is shallow: run `git fetch --unshallow` first")
	case format != "sha1\nfalse":
		return nil, fmt.Errorf("this repository has an object format that is not supported: %s", oneLine(format))
	}
	refs, err := c.git(ctx, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes", "r"+
		"efs/tags")
	if err != nil {
		return nil, err
	}
	if refs != "" {
		refs += "\n"
	}
	if folder, err = scratch.New("", "git"); err != nil {
		return nil, err
	}
	dir := folder.Path
	// Nothing is packed or removed: git would not know there which objects the user's refs need.
	const config = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\tauto = " +
		"0\n[maintenance]\n\tauto = false\n"
	err = errors.Join(os.MkdirAll(filepath.Join(dir, "refs"), 0o700),
		os.MkdirAll(filepath.Join(dir, "objects", "info"), 0o700), objects(dir))
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/none\n", "config": config, "packed-refs": refs} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	if err != nil {
		folder.Remove()
		return nil, err
	}
	return folder, nil
}

// transfer runs git in a repository that [checkout.isolate] has created. The user's global git
// settings apply, because they say how to log in.
func (c checkout) transfer(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	settings := []git.Setting{{Name: "gc.auto", Value: "0"}, {Name: "maintenance.auto", Value: "false"},
		{Name: "core.hooksPath", Value: os.DevNull}, {Name: "core.fsmonitor", Value: "false"}}
	environ := git.AddSettings(c.service.gitEnviron(), settings)
	if agent := c.service.variable("SSH_AUTH_SOCK"); agent != "" {
		environ = append(environ, "SSH_AUTH_SOCK="+agent)
	}
	if dir := c.service.configDir(); dir != "" { // gh may be what git asks for a password
		environ = append(environ, "GH_CONFIG_DIR="+dir)
	}
	for _, name := range tokenVariables(c.service.config.Host) {
		if value := c.service.variable(name); value != "" {
			environ = append(environ, name+"="+value)
		}
	}
	environ = append(environ, "GIT_DIR="+dir, "GIT_ALLOW_PROTOCOL="+c.service.config.Protocols, "GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=false", "SSH_ASKPASS_REQUIRE=never", "LC_ALL=C", "TERM=dumb")
	return c.service.runGit(ctx, dir, append(environ, env...), args...)
}

// withoutLogin hides the name and password in the URL of a remote.
func withoutLogin(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if ok && scheme != "ssh" {
		if i := strings.LastIndexByte(strings.SplitN(rest, "/", 2)[0], '@'); i >= 0 {
			return scheme + "://" + secret.Hidden + rest[i:]
		}
	}
	return address
}
