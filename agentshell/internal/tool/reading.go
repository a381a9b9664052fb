package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// maxOption is the number of bytes up to which a command's option is searched for the name of a
// file.
const maxOption = 300

// reads returns the reason why a shell command line may do more than read files of the workspace,
// or "" if it only reads them. Each program must be known to only read, each path that an argument
// could name must lie in the workspace, and git must find the workspace's own repository, whose
// configuration names no programs.
func (e Env) reads(ctx context.Context, command string) (why string) {
	line, why := approval.Reads(command, e.location())
	if why != "" {
		return why
	}
	return e.lineReads(ctx, line)
}

// lineReads returns the reason why a command line whose programs are known to only read may read
// files outside of the workspace, or "" if it does not.
func (e Env) lineReads(ctx context.Context, line approval.ParsedCommand) (why string) {
	if why := e.leads(line); why != "" {
		return why
	}
	if why := e.inputsRead(line); why != "" {
		return why
	}
	var gits []approval.SimpleCommand
	for _, part := range line.Parts {
		part = atDirectory(part)
		if why := e.partReads(part); why != "" {
			return why
		}
		if filepath.Base(part.Words[0].Text) == "git" {
			gits = append(gits, part.Words)
		}
	}
	if len(gits) > 0 {
		return e.gitReads(ctx, gits)
	}
	return ""
}

// inputsRead returns the reason why a redirection or a loop of a command line may read files
// outside of the workspace, or "" if none does.
func (e Env) inputsRead(line approval.ParsedCommand) (why string) {
	for _, file := range line.Inputs {
		if why := e.within("", ".", file); why != "" {
			return why
		}
	}
	for _, v := range line.Patterns {
		names, why := e.matches(v, ".")
		if why != "" {
			return why
		}
		for _, name := range names {
			for _, dir := range v.Dirs {
				if why := e.within("", dir, name); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// partReads returns the reason why one simple command of a command line may do more than read files
// of the workspace, or "" if it only reads them.
func (e Env) partReads(part approval.Part) (why string) {
	if !part.Words[0].Literal {
		return "the name of a command is computed"
	}
	if filepath.Base(part.Words[0].Text) == "git" {
		at := slices.IndexFunc(part.Words[1:], func(w approval.Word) bool { return !strings.HasPrefix(w.Text, "-") })
		switch {
		case slices.ContainsFunc(part.Dirs, func(dir string) bool { return !e.belongs(dir, gitMarks) }):
			return "git reads where it finds the repository at the top of the workspace"
		case at >= 0 && !part.Words[1+at].Literal:
			return "the subcommand of git is computed"
		}
	}
	for _, dir := range part.Dirs {
		variants, why := e.expand(part.Words, dir)
		if why != "" {
			return why
		}
		for _, v := range variants {
			if why := e.commandReads(v, dir); why != "" {
				return why
			}
		}
	}
	return ""
}

// commandReads returns the reason why a simple command, with its globs expanded, may do more than
// read files of the workspace, or "" if it only reads them. The command runs in the directory dir.
func (e Env) commandReads(c expanded, dir string) (why string) {
	if program.AsksVersion(c.words) {
		return e.whyNoVersion(c.words[0].Text)
	}
	if why := program.Reads(c.words); why != "" {
		return why
	}
	if why := e.whyOtherReader(c.words[0].Text); why != "" {
		return why
	}
	name := filepath.Base(c.words[0].Text)
	for i, w := range c.words {
		if !w.Literal || !c.found[i] && !program.NamesFile(c.words, i) {
			continue
		}
		if why := e.within(name, dir, w.Text); why != "" {
			return why
		}
	}
	return ""
}

// within returns the reason why an argument of a command may name a file outside of the workspace,
// or "" if it cannot. The command runs in dir, a directory of the workspace. Each part of the
// argument that could be a path is checked: behind each "=", and in "-fNAME".
func (e Env) within(program, dir, word string) string {
	parts := []string{word}
	for i := strings.IndexByte(word, '='); i >= 0; {
		parts = append(parts, word[i+1:]) // --file=name
		next := strings.IndexByte(word[i+1:], '=')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if len(word) > 2 && word[0] == '-' && word[1] != '-' { // -fname, -nfname
		if len(word) > maxOption {
			return "an option is too long to be looked at"
		}
		for i := 2; i < len(word); i++ {
			parts = append(parts, word[i:])
		}
	}
	for _, part := range parts {
		at := strings.TrimRight(part, "/")
		switch {
		case part == "" || at == "." || part == "/dev/null":
			continue
		case at == "":
			at = "/"
		case !filepath.IsAbs(part):
			at = e.Workspace.Dir() + "/" + dir + "/" + at
		}
		_, err := e.Workspace.Resolve(at)
		dir, dirErr := e.Workspace.ResolveDir(at)
		switch {
		case err != nil && dirErr != nil && workspace.KindOf(err) != workspace.NotFound && !namesNothing(part, at):
			return "a command reads in the workspace only, not " + diff.Escape(part)
		case dirErr == nil && program == "diff":
			return "diff follows the links in the directory " + dir.String()
		}
	}
	return ""
}

// maxWord is the number of bytes in the longest path that the operating system accepts (PATH_MAX
// less the NUL).
const maxWord = 4095

// namesNothing reports whether a word cannot be the name of a file because the operating system
// refuses it as too long. Most scripts and patterns of that length are such words. at is the word
// as an absolute path.
func namesNothing(word, at string) bool {
	if len(word) > maxWord || len(at) > maxWord {
		return len(word) > maxWord
	}
	_, err := os.Lstat(at)
	return errors.Is(err, syscall.ENAMETOOLONG)
}

// readingEnv returns the environment variables for a command that may only read. It holds what
// every program needs, but no shell functions and no settings of programs. PATH lacks directories
// in the workspace and those with shims of version managers.
func (e Env) readingEnv() []string {
	env := []string{"TERM=dumb", "PAGER=cat", "GOTOOLCHAIN=local"} // else go version may get another go
	for _, v := range secret.ForCommands(e.Commands.Environ) {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			env = append(env, "PATH="+child.WithoutShims(child.NewPrograms(value, e.Workspace.Dirs()...).PathValue()))
		case slices.Contains([]string{"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "XDG_CONFIG_HOME",
			"SYSTEMROOT", "COLUMNS"}, name), slices.Contains(gitPassed, name), strings.HasPrefix(name, "LC_"):
			env = append(env, v)
		}
	}
	env = git.AddSettings(env, git.ForReading)
	return append(env, "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(e.Workspace.Dir()))
}
