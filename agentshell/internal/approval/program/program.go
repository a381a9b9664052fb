// Package program knows how programs read the words of their command line: which are options, what
// an option takes, and what may come of it.
//
// The knowledge is a set of tables, one for each program or subcommand. An option that stands in a
// table is one of three: harmless (it cannot run a program, read code or configuration from a path,
// or write where the program otherwise reads), known (it is no harm in itself, but leads or writes
// elsewhere) or dangerous. What does not stand in a table is unknown, and so is a shortened
// spelling of what does.
package program

import (
	"path"
	"slices"
	"strings"
)

// Word is one word of a simple command, without its quotes. A word that is not literal has no known
// text; it may be known how it begins.
type Word struct {
	Text    string
	Literal bool
	// Safe is true for a word that is not literal if each word that it becomes begins with a
	// letter, a digit, an underscore, a point or a slash. One is true if it always becomes one
	// word.
	Safe, One bool
	// Values are the texts that a word which is not literal may have; nil: they are not known.
	Values *Values
}

// Values are texts that a word may have. With All set it becomes all of them, as a pattern or
// braces do, else one of them.
type Values struct {
	All  bool
	List []Choice
}

// Choice is a text, or the names that a pattern of the shell matches, with a text before and
// behind. The pattern may match more than that of the shell. Dirs are the directories in which it
// is expanded; nil: those of the command. Plain is true if the shell splits what comes of it into
// words, so that it must have plain characters only.
type Choice struct {
	Before, Pattern, After string
	Dirs                   []string
	Plain                  bool
}

// Role is the meaning of a word for its program.
type Role uint8

// The roles. Of two that fit a word the later one holds.
const (
	Name       Role = iota // the program
	Subcommand             // a subcommand that has a table
	Operand                // a name or data
	Value                  // the value of the option before it
	Passed                 // a word for another program: an argument of a script, or a word after cargo's --
	Harmless               // an option of the table, with its value if that is in the same word
	Known                  // an option or operand that is neither harmless nor dangerous by itself
	Unknown                // an option that the table does not know, or an operand that may be one
	Dangerous              // it runs code, or writes where the program otherwise reads
)

// Part is one word with its meaning for the program.
type Part struct {
	Role Role
	// Option is the first spelling of the option in its table, for an option and for its value.
	Option string
	// Of is the index of the option that a value belongs to.
	Of int
}

// Reading is a simple command as its program reads it.
type Reading struct {
	Parts []Part
	// Table is true if the program has a table, so that its operands are known to be data.
	Table bool
	// Code is true if the program, or this subcommand, takes code or the name of a program.
	Code bool
	// Alters is true if the program changes the meaning of later commands, or evaluates names of
	// variables.
	Alters bool
	// Path is the program with its subcommands: "git stash list".
	Path string
	// unsure is true if an option that may take a value came where a subcommand could follow.
	unsure bool

	each     bool          // operands mean the same in any place
	given    []givenOption // the options, with those before a subcommand
	operands []Word        // without the subcommands
}

// Read returns the meaning of each word of a simple command. The first word must be literal. The
// program is found by the last part of its path, without case, version and .exe: that is right for
// rules that must not miss it, and [Covers] is stricter.
func Read(words []Word) Reading {
	t := tableOf(words[0].Text)
	r := reader{words: words, table: t, Reading: Reading{Parts: make([]Part, len(words)), Table: t.known, Path: t.path}}
	r.run()
	return r.Reading
}

// Danger returns the first word that makes a command dangerous, with the program that it is a word
// of. word is "" if the program itself is dangerous.
func (r Reading) Danger(words []Word) (program, word string) {
	if r.Code || r.Alters {
		return r.Path, ""
	}
	for i, p := range r.Parts {
		if p.Role == Dangerous {
			if p.Option != "" {
				return r.Path, p.Option
			}
			return r.Path, words[i].Text
		}
	}
	return "", ""
}

// Covers reports whether a rule covers a command if it names the first n words and allows any
// further ones. Each further word has to be an operand, or an option that the program's table calls
// harmless. None may have another meaning because of the rule's words.
func Covers(words []Word, n int) bool {
	if n >= len(words) {
		return true
	}
	if inner := Inner(words); len(inner) < len(words) && n > len(words)-len(inner) {
		words, n = inner, n-(len(words)-len(inner))
	}
	if !isStandard(words[0].Text) {
		words = append([]Word{{Text: "./a program without a table", Literal: true}}, words[1:]...)
	}
	r := Read(words)
	if r.Code || r.Alters || r.unsure {
		return false
	}
	if last := r.Parts[n-1]; n > 1 && last.Role == Unknown {
		return false // who knows whether it takes the next word
	}
	for i := n; i < len(words); i++ {
		switch p := r.Parts[i]; p.Role {
		case Operand, Harmless, Subcommand:
		case Value:
			if p.Of < n || r.Parts[p.Of].Role != Harmless {
				return false
			}
		case Passed:
			if !words[i].Literal || !plain(words[i].Text) && !isTestSwitch(r.Path, words[i].Text) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// testSwitches are options that runners of tests take behind the -- of a package manager. They have
// no value that could name a file or a program.
var testSwitches = strings.Fields(`--watch=false --watchAll=false --no-watch --run --ci --silent --verbose --bail
	--runInBand --color --no-color`)

// isTestSwitch reports whether a word is such an option, behind npm test -- or the like.
func isTestSwitch(path, word string) bool {
	return slices.Contains([]string{"npm test", "npm run", "pnpm test", "pnpm run", "yarn test"}, path) &&
		slices.Contains(testSwitches, word)
}

// MustName reports whether the last word names a script or a package that runs, so that only a rule
// with that word covers it.
func MustName(words []Word) bool {
	r := Read(words)
	t := tables()[r.Path]
	return t != nil && (t.check == "run" || t.check == "named") && r.Parts[len(words)-1].Role == Known
}

// Named returns the number of words that name the program and its subcommands, 0 for a program
// without a table.
func Named(words []Word) int {
	inner := Inner(words)
	before := len(words) - len(inner)
	words = inner
	r := Read(words)
	if !isStandard(words[0].Text) || !r.Table || r.Code || r.Alters {
		return 0
	}
	n := 1
	for n < len(words) && r.Parts[n].Role == Subcommand {
		n++
	}
	return before + n
}

// Computed returns the index of the first word that is not literal and that the program may read as
// more than a name or data; -1 if there is none.
func Computed(words []Word) int {
	r := Read(words)
	for i, w := range words {
		p := r.Parts[i]
		if !w.Literal && p.Role != Operand && p.Role != Harmless &&
			(p.Role != Value || r.Parts[p.Of].Role != Harmless) {
			return i
		}
	}
	return -1
}

// isStandard reports whether a program is named without a path, or by a path in a directory of the
// system.
func isStandard(name string) bool {
	dir, base := path.Split(name)
	_, exact := tables()[base]
	return exact && (dir == "" || dir == "/bin/" || dir == "/usr/bin/" || dir == "/usr/local/bin/")
}

// plain reports whether an unknown program will hardly take a word for an option or for code.
func plain(w string) bool {
	return !strings.ContainsAny(w, "|=") && !strings.Contains(w, "::") &&
		(w == "" || !strings.ContainsRune("-+@:!%", rune(w[0])))
}

// tableOf returns the table of a program. It ignores the directory, the case, .exe and a version in
// the name.
func tableOf(name string) *table {
	base := strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe")
	for _, n := range []string{base, strings.TrimRight(base, "0123456789.-")} {
		if t := tables()[n]; t != nil {
			return t
		}
	}
	return &table{path: base}
}
