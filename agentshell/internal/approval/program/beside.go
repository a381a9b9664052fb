package program

import (
	"path"
	"slices"
	"strings"
)

// nonFileOperands lists programs that read only their input and the files that they name, and no
// directories. The value is the number of operands that are no files.
var nonFileOperands = map[string]int{"cat": 0, "tac": 0, "nl": 0, "head": 0, "tail": 0, "wc": 0, "cut": 0, "tr": 2,
	"sort": 0,
	"uniq": 0, "fold": 0, "fmt": 0, "rev": 0, "column": 0, "grep": 1, "egrep": 1, "fgrep": 1, "jq": 1,
	"seq": 3, "pwd": 0, "nproc": 0, "uname": 0, "whoami": 0, "basename": 2, "dirname": 9}

// OpensNothing reports whether a command that only reads opens no file by itself: it prints its
// words, or reads its standard input.
func OpensNothing(words []Word) bool {
	if len(words) == 0 || !isStandard(words[0].Text) || Reads(words) != "" {
		return false
	}
	name := words[0].Text
	switch name {
	case "true", "false", ":", "echo", "printf":
		return true
	case "sed", "awk", "gawk", "mawk", "nawk":
		return namesNoFile(words)
	}
	free, ok := nonFileOperands[path.Base(name)]
	r := Read(words)
	pattern := strings.HasSuffix(name, "grep")
	for _, g := range r.givenOptions {
		ok = ok && !slices.ContainsFunc(g.names, func(n string) bool {
			return pattern && slices.Contains(patternFileOptions, n)
		})
		if pattern && slices.Contains(g.names, "-e") {
			free = 0
		}
	}
	return ok && len(r.operands) <= free
}

// patternFileOptions lists options with which a search program opens further files.
var patternFileOptions = strings.Fields("-f -r -R -d")

// namesNoFile reports whether no word of a sed or awk command names a file.
func namesNoFile(words []Word) bool {
	for i, w := range words {
		if NamesFile(words, i) && !strings.HasPrefix(w.Text, "-") {
			return false
		}
	}
	return true
}

// companionPrograms lists programs that may run in the same line as a command that opens files and
// only reads. They either create no links and change no git settings, or run code of the workspace,
// which could read such files by itself.
var companionPrograms = strings.Fields(`make gmake ninja ctest go gofmt staticcheck golangci-lint npm pnpm yarn bun node
	deno python python3 pytest mypy ruff black flake8 isort eslint prettier tsc jest vitest mocha cargo rustfmt dotnet mvn gradle meson mkdir touch rm rmdir cd`)

// ChangesNames reports whether a command of companionPrograms adds or removes files that its words
// name. A pattern later in the line may then match a file that is named like an option.
func ChangesNames(words []Word) bool {
	return len(words) > 0 && slices.Contains([]string{"mkdir", "touch", "rm", "rmdir"}, words[0].Text)
}

// gitCompanionSubcommands lists the git subcommands that may run in such a line. Each can run
// hooks.
var gitCompanionSubcommands = []string{"add", "commit", "push"}

// IsCompanion reports whether a command, if a permission rule allows it, may run in the same line
// as commands that open files and only read. Programs of the workspace may.
func IsCompanion(words []Word) bool {
	if len(words) == 0 || !words[0].Literal {
		return false
	}
	name := words[0].Text
	switch {
	case strings.Contains(name, "/"):
		return name[0] != '/' && !slices.Contains(strings.Split(name, "/"), "..")
	case name == "git":
		return len(words) > 1 && words[1].Literal && slices.Contains(gitCompanionSubcommands, words[1].Text)
	}
	return slices.Contains(companionPrograms, name) || Reads(words) == ""
}

// LooksUpwards returns the names of the files, such as go.mod, that a command looks for in its
// directory and those above it. It returns nil if that is not known, or if the command does not
// look for the same files in every directory below.
func LooksUpwards(words []Word) []string {
	if len(words) < 2 || !words[0].Literal || words[0].Text != "go" || !words[1].Literal ||
		!slices.Contains([]string{"test", "vet", "build", "list", "fmt"}, words[1].Text) {
		return nil
	}
	return []string{"go.mod", "go.work"}
}
