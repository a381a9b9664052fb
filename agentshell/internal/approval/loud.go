package approval

import (
	"path"
	"slices"
	"strings"
)

// Danger returns why the user is asked about a command even if a mode, a sandbox or a general rule
// would let it run, or "". A dangerous command deletes something that git may not be able to
// restore, or publishes something.
//
// Danger examines the words of the line, including words that are only arguments (xargs rm -r). It
// does not know what a program does on its own.
func Danger(command string) string {
	p := ParseCommand(command)
	for _, c := range slices.Concat(p.Simple, p.guesses) {
		if why := c.danger(); why != "" {
			return why
		}
	}
	return ""
}

// danger returns the [Danger] of a simple command, and of commands that may begin at its further
// words.
func (c SimpleCommand) danger() string {
	looked := 0
	for i := range c {
		if !slices.Contains(deletingPrograms, path.Base(c[i].Text)) {
			continue
		}
		if looked++; looked > maxInnerCommands { // each may take all words after it
			return "it names too many commands to tell what it deletes"
		}
		if why := commandDanger(c[i:]); why != "" {
			return why
		}
	}
	return ""
}

// deletingPrograms lists the programs that commandDanger knows.
var deletingPrograms = []string{"rm", "shred", "find", "fd", "rsync", "git", "npm", "pnpm", "yarn", "cargo", "poetry",
	"uv", "twine", "gem", "docker", "podman", "gh"}

// namesDanger reports whether the rule itself contains the words that make a command dangerous. It
// is true for a command without danger.
func (r Rule) namesDanger(c SimpleCommand) bool {
	return c.danger() == "" || r.command().danger() != ""
}

// command returns the words of the rule as a command.
func (r Rule) command() (c SimpleCommand) {
	for _, w := range r.words {
		c = append(c, Word{Text: strings.TrimSuffix(w, star), Literal: true})
	}
	return c
}

func commandDanger(c SimpleCommand) string {
	args := c[1:]
	switch path.Base(c[0].Text) {
	case "rm":
		// Behind xargs or -exec the files are not in the line.
		unnamed := func(w Word) bool { return !w.Literal || strings.Contains(w.Text, "{}") }
		named := func(w Word) bool { return !strings.HasPrefix(w.Text, "-") }
		if !args.some(named) || args.some(unnamed) ||
			args.some(func(w Word) bool { return hasOption(w.Text, "rR", "--recursive") }) {
			return "it deletes folders, or files that it does not name"
		}
	case "shred":
		return "it destroys files"
	case "find", "fd":
		if args.some(func(w Word) bool { return w.Text == "-delete" }) {
			return "it deletes what it finds"
		}
	case "rsync":
		if args.some(func(w Word) bool { return strings.HasPrefix(w.Text, "--del") }) {
			return "it deletes what the source lacks"
		}
		if args.some(func(w Word) bool { return strings.HasPrefix(w.Text, "--rem") }) {
			return "it deletes what it has copied"
		}
	case "git":
		return args.gitDanger()
	case "npm", "pnpm", "yarn", "cargo", "poetry", "uv", "twine", "gem", "docker", "podman":
		if len(args) > 0 && slices.Contains([]string{"publish", "unpublish", "yank", "upload", "push"}, args[0].Text) {
			return "it publishes a package"
		}
	case "gh":
		if len(args) > 1 && (args[0].Text == "release" || args[1].Text == "merge") && !args[1:].some(isLook) {
			return "it publishes to GitHub"
		}
	}
	return ""
}

// isLook reports whether a word is a subcommand that only shows or fetches something.
func isLook(w Word) bool {
	return slices.Contains([]string{"list", "view", "download", "--help"}, w.Text)
}

// gitDanger returns why a git command is dangerous, or "". args are the words after git.
func (args SimpleCommand) gitDanger() string {
	has := func(text string) bool { return args.some(func(w Word) bool { return w.Text == text }) }
	option := func(letters, long string) bool {
		return args.some(func(w Word) bool { return hasOption(w.Text, letters, long) })
	}
	switch {
	case has("push"), has("send-pack"):
		return "it publishes commits"
	case has("clean"), has("restore"), has("stash") && (has("drop") || has("clear")),
		has("reset") && option("", "--hard"),
		has("checkout") && (option("f", "--force") || has("--") || args.checksOutFiles()),
		has("checkout-index") && option("f", "--force"), has("read-tree") && option("u", "--reset"),
		has("switch") && (option("f", "--force") || option("", "--discard-changes")),
		has("worktree") && has("remove") && option("f", "--force"),
		has("submodule") && has("deinit") && option("f", "--force"):
		return "it discards changes that are not committed"
	case has("branch") && (option("D", "") || option("d", "--delete") && option("f", "--force")),
		has("update-ref") && option("d", ""), has("reflog") && (has("expire") || has("delete")),
		has("gc") && args.some(func(w Word) bool { return strings.HasPrefix(w.Text, "--prune=") }),
		len(args) > 0 && args[0].Text == "prune":
		return "it gives up commits"
	}
	return ""
}

// checksOutFiles reports whether a git checkout seems to overwrite files: it has two names and does
// not create a branch, or a word that looks like a path. args are the words after git.
func (args SimpleCommand) checksOutFiles() bool {
	at := slices.IndexFunc(args, func(w Word) bool { return w.Text == "checkout" })
	names := 0
	for _, w := range args[at+1:] {
		switch {
		case hasOption(w.Text, "bB", "--orphan"):
			return false
		case strings.HasPrefix(w.Text, "-"):
		case strings.HasPrefix(w.Text, ":"), strings.Contains(w.Text, "."), strings.HasSuffix(w.Text, "/"):
			return true
		default:
			names++
		}
	}
	return names > 1
}

func (c SimpleCommand) some(f func(Word) bool) bool { return slices.ContainsFunc(c, f) }

// hasOption reports whether a word is a short option with one of the letters, or an abbreviation of
// the long option.
func hasOption(word, letters, long string) bool {
	if strings.HasPrefix(word, "--") {
		return len(word) > 2 && strings.HasPrefix(long, word)
	}
	return strings.HasPrefix(word, "-") && strings.ContainsAny(word, letters)
}
