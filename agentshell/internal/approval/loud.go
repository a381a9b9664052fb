package approval

import (
	"path"
	"slices"
	"strings"
)

// Loud says why a command is asked about although a mode, a sandbox or a wide rule would let it
// run, "" if it is not: it deletes what git may not bring back, or publishes. It goes by the words
// of the line, also of those that are only arguments (xargs rm -r); what a program does by itself
// does not stand there.
func Loud(command string) string {
	p := ParseCommand(command)
	for _, c := range slices.Concat(p.Simple, p.guessed) {
		if why := c.loud(); why != "" {
			return why
		}
	}
	return ""
}

// loud is [Loud] of a simple command and of what stands behind its first words.
func (c SimpleCommand) loud() string {
	looked := 0
	for i := range c {
		if !slices.Contains(deleting, path.Base(c[i].Text)) {
			continue
		}
		if looked++; looked > mostDeep { // each may take all words behind it
			return "it names too many commands to tell what it deletes"
		}
		if why := loud(c[i:]); why != "" {
			return why
		}
	}
	return ""
}

// deleting are the programs that [loud] knows.
var deleting = []string{"rm", "shred", "find", "fd", "rsync", "git"}

// says reports whether the words of a rule themselves say what is loud in a command that it covers.
func (r Rule) says(c SimpleCommand) bool {
	var own SimpleCommand
	for _, w := range r.words {
		own = append(own, Word{Text: w, Literal: true})
	}
	return c.loud() == "" || own.loud() != ""
}

func loud(c SimpleCommand) string {
	rest := c[1:]
	switch path.Base(c[0].Text) {
	case "rm":
		// Behind xargs or -exec the files are not in the line.
		unnamed := func(w Word) bool { return !w.Literal || strings.Contains(w.Text, "{}") }
		named := func(w Word) bool { return !strings.HasPrefix(w.Text, "-") }
		if !rest.some(named) || rest.some(unnamed) ||
			rest.some(func(w Word) bool { return switched(w.Text, "rR", "--recursive") }) {
			return "it deletes folders, or files that it does not name"
		}
	case "shred":
		return "it destroys files"
	case "find", "fd":
		if rest.some(func(w Word) bool { return w.Text == "-delete" }) {
			return "it deletes what it finds"
		}
	case "rsync":
		if rest.some(func(w Word) bool { return strings.HasPrefix(w.Text, "--del") }) {
			return "it deletes what the source lacks"
		}
	case "git":
		has := func(text string) bool { return rest.some(func(w Word) bool { return w.Text == text }) }
		switch {
		case has("push"), has("send-pack"):
			return "it publishes commits"
		case has("clean"), has("reset") && has("--hard"), has("stash") && (has("drop") || has("clear")),
			has("checkout") && (has("-f") || has("--force") || has("--") || has(".")),
			has("switch") && (has("-f") || has("--force") || has("--discard-changes")), has("restore"):
			return "it discards changes that are not committed"
		}
	}
	return ""
}

func (c SimpleCommand) some(f func(Word) bool) bool { return slices.ContainsFunc(c, f) }

// switched reports whether a word is an option with one of the letters, or a beginning of the long
// form.
func switched(word, letters, long string) bool {
	if strings.HasPrefix(word, "--") {
		return len(word) > 2 && strings.HasPrefix(long, word)
	}
	return strings.HasPrefix(word, "-") && strings.ContainsAny(word, letters)
}
