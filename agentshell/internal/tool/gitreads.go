package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// gitRisk describes a kind of git setting because of which a read-only git command may do more than
// read the workspace's repository, for instance run a program. The user is asked about a command if
// such a setting exists.
type gitRisk struct {
	// keys lists patterns of setting names, in lower case and separated by blanks.
	keys  string
	value func(value string) bool // value reports whether a value is dangerous; nil: all are.
	// anybodys means that the user's own settings are dangerous too, not only those of the
	// repository.
	anybodys bool
	// runs means that the value names a program. The user's own setting is then dangerous if a word
	// of it is a file in the workspace.
	runs  bool
	verbs string // verbs lists the git subcommands that obey the setting; "": all.
	// submodules means that the setting is only dangerous if the repository has submodules.
	submodules bool
}

// gitRisks lists all kinds of dangerous settings. Other settings that run programs are disabled by
// the environment variables of the command.
var gitRisks = []gitRisk{
	{runs: true, keys: "filter.*.clean filter.*.smudge filter.*.process diff.external diff.*.command " +
		"diff.*.textconv gpg.program gpg.*.program core.alternaterefscommand"},
	{keys: "core.worktree core.attributesfile core.excludesfile diff.orderfile blame.ignorerevsfile mailmap.file " +
		"submodule.*.ignore"}, // files of another place
	{anybodys: true, value: isOn, keys: "log.showsignature", verbs: "log show reflog stash"},
	{anybodys: true, value: asksGPG, keys: "format.pretty pretty.* branch.sort tag.sort"},
	{anybodys: true, value: remerges, keys: "log.diffmerges"},           // with drivers that run, and new objects
	{anybodys: true, value: isOn, keys: "diff.*.cachetextconv"},         // which is kept in the repository
	{anybodys: true, keys: "extensions.partialclone remote.*.promisor"}, // what is missing is fetched
	{anybodys: true, submodules: true, keys: "diff.submodule", value: func(v string) bool { return v != "short" }},
	{anybodys: true, submodules: true, keys: "submodule.recurse", value: isOn, verbs: "grep"},
}

// isOn reports whether git takes a value for true. Unknown values count as true.
func isOn(value string) bool {
	return !slices.Contains([]string{"false", "no", "off", "0", ""}, strings.ToLower(value))
}

var signature = lazyregexp.New(`%[-+ ]?G|signature`)

// asksGPG reports whether a format makes git check signatures, for which it runs gpg.
func asksGPG(value string) bool { return signature().MatchString(value) }

// remerges reports whether the value makes git repeat merges in order to show them.
func remerges(value string) bool { return value == "r" || strings.HasPrefix(value, "remerge") }

// heeds reports whether one of the git subcommands obeys settings of this kind.
func (r gitRisk) heeds(verbs []string) bool {
	return r.verbs == "" || slices.ContainsFunc(strings.Fields(r.verbs), func(v string) bool {
		return slices.Contains(verbs, v)
	})
}

// covers reports whether a setting is of this kind, whichever file contains it.
func (r gitRisk) covers(s gitSetting) bool {
	key := strings.ToLower(s.key)
	return (r.value == nil || r.value(s.value)) && slices.ContainsFunc(strings.Fields(r.keys), func(p string) bool {
		return matchKey(p, key)
	})
}

// matchKey reports whether the name of a git setting or variable matches a pattern with at most one
// "*", which matches any characters, also dots.
func matchKey(pattern, key string) bool {
	before, after, ok := strings.Cut(pattern, "*")
	return !ok && key == pattern ||
		ok && len(key) >= len(before)+len(after) && strings.HasPrefix(key, before) && strings.HasSuffix(key, after)
}

// gitSetting is one setting in the output of git config: its scope, such as "global", the file that
// it is from, its name and its value.
type gitSetting struct{ scope, origin, key, value string }

// gitPassed lists the git environment variables that a read-only command keeps.
var gitPassed = []string{"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"}

// gitIdle lists patterns of git environment variables that do not change what a read-only command
// shows. They are harmless and not passed on.
var gitIdle = strings.Fields(`GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_ASKPASS GIT_SSH GIT_SSH_COMMAND
	GIT_SSH_VARIANT GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_MERGE_AUTOEDIT GIT_TEMPLATE_DIR GIT_ALLOW_PROTOCOL
	GIT_PROXY_COMMAND GIT_ADVICE GIT_AUTHOR_* GIT_COMMITTER_* GIT_PS1_* GIT_PROMPT_* GIT_LFS_* GIT_SSL_* GIT_HTTP_*
	GIT_CURL_* GIT_CREDENTIAL_*`)

// gitEnviron returns a message about an environment variable that may make git read another
// repository or run a program, or "" if there is none.
func (e Env) gitEnviron() string {
	for _, v := range e.Commands.Environ {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GIT_") && !slices.Contains(gitPassed, name) &&
			!slices.ContainsFunc(gitIdle, func(p string) bool { return matchKey(p, name) }) {
			return "the environment has " + diff.Escape(name) + ", by which git may do more"
		}
	}
	return ""
}

// gitReads returns the reason why the git commands in simple may do more than read the workspace's
// own repository, or "" if they only read it.
func (e Env) gitReads(ctx context.Context, simple []approval.SimpleCommand) string {
	if why := e.gitEnviron(); why != "" {
		return why
	}
	top := e.Workspace.Dir()
	info, err := os.Lstat(filepath.Join(top, ".git"))
	if err != nil || !git.IsGenuine(top, info) {
		return "git reads where the workspace is the top of a repository of its own"
	}
	if git.LeadsElsewhere(top, e.Commands.Borrowed) {
		return "the git repository has links, or objects of another one, which lead out of the workspace"
	}
	verbs := gitVerbs(simple)
	submodules, err := e.hasSubmodules(ctx, verbs)
	switch {
	case err != nil:
		return "the index of the git repository cannot be read"
	case submodules && (slices.Contains(verbs, "status") || slices.Contains(verbs, "diff")):
		return "git looks into submodules here, whose own settings may name programs"
	}
	found, ok := e.gitSettings(ctx)
	if !ok {
		return "the settings of the git repository cannot be read"
	}
	for _, s := range found {
		if why := e.gitRisk(s, verbs, submodules); why != "" {
			return why
		}
	}
	if hasFilters(found) {
		switch filters, err := e.filtersFiles(ctx); {
		case err != nil:
			return "the attributes of the git repository cannot be read"
		case filters:
			return "git passes files here through a program, your filter, which obeys settings of the repository, too"
		}
	}
	return ""
}

// gitVerbs returns the git subcommands that a command line calls, such as "log".
func gitVerbs(simple []approval.SimpleCommand) (verbs []string) {
	for _, c := range simple {
		if path.Base(c[0].Text) != "git" {
			continue
		}
		at := slices.IndexFunc(c[1:], func(w approval.Word) bool { return !strings.HasPrefix(w.Text, "-") })
		if at >= 0 {
			verbs = append(verbs, c[1+at].Text)
		}
	}
	return verbs
}

// gitRisk returns the reason why a setting makes the git subcommands in verbs do more than read, or
// "" if it is harmless. submodules says whether the repository has submodules.
func (e Env) gitRisk(s gitSetting, verbs []string, submodules bool) string {
	top := e.Workspace.Dir()
	person := slices.Contains([]string{"system", "global", "command"}, s.scope) && !e.holds(s.origin)
	for _, r := range gitRisks {
		switch {
		case !r.covers(s) || !r.heeds(verbs) || r.submodules && !submodules:
		case strings.EqualFold(s.key, "core.worktree") && git.IsWorkTree(top, git.Dir(top), s.value): // of a submodule
		case !person:
			return "the git repository has a setting of its own by which git may do more: " + diff.Escape(s.key)
		case r.anybodys:
			return "git may do more here by your setting " + diff.Escape(s.key)
		case r.runs && e.namesFile(s.value):
			return "your setting " + diff.Escape(s.key) + " of git names a file of the workspace"
		}
	}
	return ""
}

// holds reports whether the file in which git found a setting lies in the workspace. origin has the
// form of git config --show-origin.
func (e Env) holds(origin string) bool {
	name, ok := strings.CutPrefix(origin, "file:")
	if !ok {
		return false
	}
	_, err := e.Workspace.Resolve(name)
	return err == nil
}

// namesFile reports whether a word of a command line names a file of the workspace.
func (e Env) namesFile(command string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(command, func(r rune) bool {
		return strings.ContainsRune(" \t\n;|&()<>'\"`$={}", r)
	}), func(word string) bool {
		if !filepath.IsAbs(word) {
			word = filepath.Join(e.Workspace.Dir(), word)
		}
		_, err := e.Workspace.Resolve(word)
		info, statErr := os.Stat(word)
		return err == nil && statErr == nil && !info.IsDir()
	})
}

// gitSettings returns all settings that git obeys in the workspace. ok is false if they cannot be
// read.
func (e Env) gitSettings(ctx context.Context) (found []gitSetting, ok bool) {
	const most = 1 << 20
	cmd, err := e.git("config", "--list", "--show-scope", "--show-origin", "--null", "--includes")
	if err != nil {
		return nil, false
	}
	out, _, err := child.Output(ctx, e.Commands.family().Run, cmd, most)
	if err != nil || len(out) >= most {
		return nil, false
	}
	fields := bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0})
	for ; len(fields) >= 3; fields = fields[3:] {
		key, value, set := strings.Cut(string(fields[2]), "\n")
		if !set {
			value = "true" // as git has it
		}
		found = append(found, gitSetting{string(fields[0]), string(fields[1]), key, value})
	}
	return found, len(fields) == 0
}

// hasSubmodules reports whether the repository may have submodules: it has a file .gitmodules, or a
// submodule in its index. The index is only searched for subcommands that look into submodules.
func (e Env) hasSubmodules(ctx context.Context, verbs []string) (bool, error) {
	if _, err := os.Lstat(filepath.Join(e.Workspace.Dir(), ".gitmodules")); !os.IsNotExist(err) {
		return true, nil
	}
	if !slices.ContainsFunc(verbs, func(v string) bool { return v == "status" || v == "diff" || v == "grep" }) {
		return false, nil
	}
	cmd, err := e.git("ls-files", "--stage", "-z")
	if err != nil {
		return false, err
	}
	found := &gitlinks{}
	cmd.Stdout = found
	err = e.Commands.family().Run(ctx, cmd)
	return found.any, err
}

// git returns a git command that only reads the repository at the top of the workspace.
func (e Env) git(args ...string) (*exec.Cmd, error) {
	program, err := e.Commands.family().Programs.Path("git")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = e.Workspace.Dir(), e.readingEnv()
	return cmd, nil
}

// gitlinks is a writer for the output of git ls-files --stage -z. It records whether any entry is a
// submodule.
type gitlinks struct {
	// any is true if at least one entry is a submodule.
	any  bool
	line []byte // line is the beginning of an incomplete entry.
}

// Write implements io.Writer.
func (g *gitlinks) Write(p []byte) (int, error) {
	const mode = "160000 "
	for rest := p; len(rest) > 0; {
		part, more, ended := bytes.Cut(rest, []byte{0})
		g.line = append(g.line, part[:min(len(part), max(0, len(mode)-len(g.line)))]...)
		if ended {
			g.any = g.any || string(g.line) == mode
			g.line = g.line[:0]
		}
		rest = more
	}
	return len(p), nil
}

// commandReadingEnv returns the environment variables for one read-only command line. The caller
// must call end after the command: it removes a temporary copy of the git index.
func (e Env) commandReadingEnv(command string) (env []string, end func(), err error) {
	env, end = e.readingEnv(), func() {}
	line, _ := approval.Reads(command, e.location())
	if !slices.ContainsFunc(line.Parts, func(p approval.Part) bool {
		return slices.Contains(gitVerbs([]approval.SimpleCommand{p.Words}), "diff")
	}) {
		return env, end, nil
	}
	name, end, err := e.ownIndex()
	if err != nil {
		end()
		return nil, nil, fmt.Errorf("the index of the git repository cannot be read: %w", err)
	}
	if name != "" {
		env = append(env, "GIT_INDEX_FILE="+name)
	}
	return env, end, nil
}

// ownIndex copies the git index of the workspace to a temporary file for one command, and returns
// its name, or "" if there is no index. git diff updates the index if only the times of files
// differ, but a read-only command must not write to the repository.
func (e Env) ownIndex() (name string, remove func(), err error) {
	remove = func() {}
	from, err := regular.Open(filepath.Join(git.Dir(e.Workspace.Dir()), "index"))
	if os.IsNotExist(err) {
		return "", remove, nil
	}
	if err != nil {
		return "", remove, err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return "", remove, err
	}
	dir, err := os.MkdirTemp("", "scrollkeep-index-")
	if err != nil {
		return "", remove, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	name = filepath.Join(dir, "index")
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = io.Copy(to, from)
		err = errors.Join(err, to.Close())
	}
	if err == nil { // by its time git knows which files may have changed since
		err = os.Chtimes(name, info.ModTime(), info.ModTime())
	}
	return name, remove, err
}
