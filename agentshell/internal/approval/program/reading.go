package program

import (
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// readerPrograms returns the programs and subcommands that only read, as long as all their options
// are harmless by their tables. The value lists options that are harmless for a rule but do more
// than read, follow links out of a directory, or wait. It may also contain these words:
//
//	none    no operands are allowed: with one the program creates something
//	list    operands are only allowed with -l
//	cached  --cached is required: in the work tree git follows a link that replaces a directory
//
// A program that is not listed may do anything.
var readerPrograms = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"ls": "-L", "dir": "-L", "vdir": "-L", "cat": "", "tac": "", "nl": "", "head": "",
		"tail": "-f -F --follow --retry",
		"wc":   "", "cut": "", "tr": "", "sort": "", "uniq": "", "comm": "", "join": "", "paste": "", "fold": "",
		"fmt":    "",
		"expand": "", "unexpand": "", "column": "", "rev": "", "od": "", "hexdump": "", "strings": "", "xxd": "",
		"base64": "", "base32": "", "md5sum": "-c", "sha1sum": "-c", "sha224sum": "-c", "sha256sum": "-c",
		"sha384sum": "-c", "sha512sum": "-c", "b2sum": "-c", "cksum": "", "sum": "",
		"diff": "-r", "cmp": "", "stat": "", "file": "-p", "du": "-L", "tree": "-l", "pwd": "", "basename": "",
		"dirname": "", "readlink": "", "realpath": "", "date": "", "seq": "", "nproc": "", "uname": "", "id": "",
		"whoami": "", "grep": "-R", "egrep": "-R", "fgrep": "-R", "rg": "-L", "fd": "-L -l", "fdfind": "-L -l",
		"find": "-L -follow", "jq": "", "true": "", "false": "", ":": "", "echo": "", "printf": "", "test": "", "[": "",
		"type": "", "which": "",

		"git log": gitOtherRepositories, "git show": gitOtherRepositories, "git reflog": gitOtherRepositories,
		"git reflog show": gitOtherRepositories, "git rev-list": "",
		"git shortlog": "", "git diff": gitOtherRepositories, "git diff-tree": gitOtherRepositories,
		"git status": "--ignore-submodules",
		"git branch": "-q -t --no-track -d -m -c -u --unset-upstream --create-reflog list",
		"git tag":    "-a -m --create-reflog list", "git blame": "",
		"git grep":     "--recurse-submodules --untracked cached",
		"git ls-files": "--recurse-submodules", "git ls-tree": "", "git cat-file": "", "git rev-parse": "--git-path",
		"git show-ref": "", "git for-each-ref": "", "git describe": "--dirty --broken", "git merge-base": "",
		"git name-rev": "", "git check-ignore": "", "git check-attr": "", "git count-objects": "", "git version": "",
		"git remote": "none", "git remote get-url": "", "git stash list": gitOtherRepositories,
		"git stash show":    gitOtherRepositories,
		"git worktree list": "", "git range-diff": gitOtherRepositories,
	}
})

// gitOtherRepositories lists options with which git reads other repositories, to which the settings
// of this one do not apply.
const gitOtherRepositories = "--submodule --ignore-submodules"

// Reads returns why a simple command may do more than read the files that it names, or "" if it
// only reads.
func Reads(words []Word) (why string) {
	if len(words) == 0 {
		return "it has no command"
	}
	for i, w := range words {
		if !w.Literal && !isText(words, i) {
			return "it has a word that is computed"
		}
	}
	name := words[0].Text
	if !isStandard(name) {
		return name + " is not known as a program that only reads"
	}
	switch {
	case name == "sed":
		return sedReads(words[1:])
	case slices.Contains(awkNames, name):
		return awkReads(words[1:])
	case name == "env" && len(words) == 1:
		return ""
	}
	r := Read(words)
	text, ok := readerPrograms()[r.Path]
	switch {
	case !ok:
		return r.Path + " is not known to only read"
	case !Covers(words, 1):
		if _, word := r.Danger(words); word != "" {
			return strings.TrimSuffix(r.Path, " "+word) + " " + word + " runs code or writes files"
		}
		return r.Path + " has a word that is not known to only read"
	}
	more := strings.Fields(text)
	for _, g := range r.givenOptions {
		for _, n := range g.names {
			if slices.ContainsFunc(more, func(m string) bool { return m == n || canonicalOption(r.Path, m) == n }) {
				return r.Path + " " + n + " does more than read what is here"
			}
		}
	}
	has := func(option string) bool {
		return slices.ContainsFunc(r.givenOptions, func(g givenOption) bool { return slices.Contains(g.names, option) })
	}
	switch {
	case slices.Contains(more, "cached") && !has("--cached"):
		return r.Path + " without --cached may follow links; the search tool does not"
	case len(r.operands) == 0:
	case slices.Contains(more, "none"), slices.Contains(more, "list") && !has("-l"):
		return r.Path + " makes what it is given the name of"
	case r.Path == "jq" && slices.ContainsFunc(words, func(w Word) bool { return modulePattern().MatchString(w.Text) }):
		return "jq reads other files by import and include"
	}
	return ""
}

// versionWords holds, by program, the words with which it prints its version and exits before it
// reads anything. Programs that first read settings in the directory, such as npm and cargo, are
// left out.
var versionWords = map[string]string{"node": "--version -v", "python": "--version -V", "python3": "--version -V",
	"go": "version", "gcc": "--version", "g++": "--version", "clang": "--version", "make": "--version -v",
	"gmake": "--version -v", "cmake": "--version", "bash": "--version", "perl": "--version -v", "ruby": "--version"}

// AsksVersion reports whether a command only asks a program for its version. The caller must check
// which program has that name, and its environment.
func AsksVersion(words []Word) bool {
	return len(words) == 2 && words[0].Literal && words[1].Literal &&
		slices.Contains(strings.Fields(versionWords[words[0].Text]), words[1].Text)
}

// canonicalOption returns the first spelling of an option in the table with a path, or "" if there
// is none.
func canonicalOption(path, option string) string {
	if t := tables()[path]; t != nil {
		return t.options[option].name
	}
	return ""
}

var modulePattern = lazyregexp.New(`import|include|modulemeta`)

// awkNames lists the names under which awk is installed.
var awkNames = []string{"awk", "gawk", "mawk", "nawk"}

// isText reports whether the word at i, which is not literal, is one text that its program only
// prints or compares.
func isText(words []Word, i int) bool {
	if i == 0 || !words[i].One {
		return false
	}
	switch words[0].Text {
	case "echo", "true", "false", ":":
		return true
	case "printf":
		return i > 1 && words[1].Literal && Computed(words) < 0
	case "[", "test":
		operands := words[1:]
		if n := len(operands); words[0].Text == "[" && n > 0 && operands[n-1].Text == "]" {
			operands = operands[:n-1]
		}
		return len(operands) == 2 && i == 2 && (words[1].Text == "-n" || words[1].Text == "-z") ||
			len(operands) == 3 && i != 2 && slices.Contains([]string{"=", "==", "!="}, words[2].Text)
	}
	return false
}

// NamesFile reports whether the word at i of a command that only reads may name a file. It returns
// false for scripts, patterns and texts.
func NamesFile(words []Word, i int) bool {
	rest := words[1:]
	switch name := words[0].Text; {
	case i == 0, slices.Contains([]string{"echo", "printf", "tr", "seq", "basename", "dirname", "true", "false", ":"},
		name):
		return false
	case name == "sed":
		return !slices.Contains(sedScripts(rest), i-1)
	case slices.Contains(awkNames, name):
		return i-1 > awkProgram(rest)
	case name == "cut", name == "sort":
		option := map[string]string{"cut": "-d", "sort": "-t"}[name] // takes a character
		part := Read(words).Parts[i]
		return part.Option != option || part.Role != Value && !strings.HasPrefix(words[i].Text, option)
	case slices.Contains([]string{"grep", "egrep", "fgrep", "rg", "jq"}, name):
		return !isPattern(words, i)
	}
	return true
}

// isPattern reports whether the word at i is the pattern of a search program: the first operand,
// unless an option contains the pattern or makes it unnecessary.
func isPattern(words []Word, i int) bool {
	r := Read(words)
	first := slices.IndexFunc(r.Parts, func(p Part) bool { return p.Role == Operand })
	given := slices.ContainsFunc(r.givenOptions, func(g givenOption) bool {
		return slices.ContainsFunc(g.names, func(n string) bool {
			return slices.Contains([]string{"-e", "-f", "--files", "--type-list"}, n)
		})
	})
	return i == first && !given
}
