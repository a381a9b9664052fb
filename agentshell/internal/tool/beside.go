package tool

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// location returns the directories that matter for the analysis of a command line: where it runs,
// and the home directory.
func (e Env) location() approval.Location {
	at := approval.Location{Top: e.Workspace.Dir()}
	if home := e.Commands.variable("HOME"); filepath.IsAbs(home) && strings.Trim(home, plainName) == "" {
		at.Home = filepath.Clean(home)
	}
	return at
}

// readsBeside returns the reason why some commands in a command line may do more than read files of
// the workspace, or "" if they only read them. Rules allow the line's other commands. parts holds
// the indexes of the commands to check. The line runs with the full environment, so no variable in
// it may make a reading program start another one. A reading command must not depend on what
// another command of the line may change.
func (e Env) readsBeside(ctx context.Context, line approval.ParsedCommand, parts []int) (why string) {
	if why := e.besideEnviron(); why != "" {
		return why
	}
	if why := e.inputsRead(line); why != "" {
		return why
	}
	opens, settles := len(line.Inputs) > 0, true
	matches, names := len(line.Patterns) > 0, len(line.Writes) > 0
	var gits []approval.SimpleCommand
	if slices.ContainsFunc(parts, func(i int) bool { return isCd(line.Parts[i]) }) {
		if why := e.whyNotBelow(line, parts); why != "" {
			return why
		}
	}
	for i, part := range line.Parts {
		part = atDirectory(part)
		if isCd(part) && slices.Contains(parts, i) {
			continue
		}
		if !slices.Contains(parts, i) {
			settles = settles && program.IsCompanion(part.Words)
			names = names || program.ChangesNames(part.Words)
			continue
		}
		if why := e.partReads(part); why != "" {
			return why
		}
		if program.AsksVersion(part.Words) {
			return part.Words[0].Text + " may heed its variables in the environment of the other commands"
		}
		if why := e.whyShim(part.Words[0].Text); why != "" {
			return why
		}
		if showsEnviron(part.Words) {
			return "it shows the environment of the other commands"
		}
		opens = opens || !program.OpensNothing(part.Words)
		matches = matches || hasPattern(part.Words)
		if filepath.Base(part.Words[0].Text) == "git" {
			gits = append(gits, part.Words)
		}
	}
	switch {
	case opens && !settles:
		return "another command of the line may change where what it reads leads"
	case matches && names:
		return "another command of the line may change what a pattern matches"
	case len(gits) == 0:
		return ""
	}
	return e.gitReadsBeside(ctx, gits)
}

// isCd reports whether a command is cd.
func isCd(part approval.Part) bool { return part.Words[0].Literal && part.Words[0].Text == "cd" }

// hasPattern reports whether the shell may replace a word of the command by file names.
func hasPattern(c approval.SimpleCommand) bool {
	isPattern := func(v program.Choice) bool { return v.Pattern != "" }
	return slices.ContainsFunc(c, func(w approval.Word) bool {
		return w.Values != nil && slices.ContainsFunc(w.Values.List, isPattern)
	})
}

// showsEnviron reports whether a read-only command may print environment variables.
func showsEnviron(c approval.SimpleCommand) bool {
	return c[0].Text == "env" || c[0].Text == "jq" && slices.ContainsFunc(c, func(w approval.Word) bool {
		return strings.Contains(strings.ToLower(w.Text), "env")
	})
}

// besideEnviron returns a message about an environment variable of commands that may make a reading
// program start another one, or "" if there is none.
func (e Env) besideEnviron() string {
	for _, v := range e.Commands.Environ {
		name, value, _ := strings.Cut(v, "=")
		switch {
		case name == "PATH":
			for _, dir := range filepath.SplitList(value) {
				if child.NewPrograms(dir, e.Workspace.Dirs()...).PathValue() == "" {
					return "PATH has a directory of the workspace: " + diff.Escape(dir)
				}
			}
		case strings.HasPrefix(name, "BASH_FUNC_"), name == "RIPGREP_CONFIG_PATH", name == "GREP_OPTIONS",
			name == "SHELLOPTS", name == "BASHOPTS":
			return "the environment has " + diff.Escape(name) + ", by which a command may do more"
		}
	}
	return ""
}

// gitReadsBeside returns the reason why git commands that run with the full environment may do more
// than read the workspace's own repository, or "". Settings that are disabled for a command that
// only reads must not be set at all here.
func (e Env) gitReadsBeside(ctx context.Context, gits []approval.SimpleCommand) string {
	if why := e.gitReads(ctx, gits); why != "" {
		return why
	}
	if git.HasHook(e.Workspace.Dir(), "post-index-change") {
		return "the git repository has a hook, post-index-change, which git status runs"
	}
	found, ok := e.gitSettings(ctx)
	if !ok {
		return "the settings of the git repository cannot be read"
	}
	for _, s := range found {
		if s.scope == "command" {
			continue // those of the reading git itself
		}
		if slices.ContainsFunc(git.ForReading, func(off git.Setting) bool {
			return strings.EqualFold(off.Name, s.key)
		}) {
			return "git may do more here by the setting " + diff.Escape(s.key)
		}
	}
	return ""
}
