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

// Word is one word of a simple command, without its quotes. Text is not known if the word is not
// literal, such as "$x".
type Word struct {
	Text    string
	Literal bool
	// Safe says, for a word that is not literal, that each word that it expands to begins with a
	// letter, a digit, an underscore, a dot or a slash. One says that it always expands to one
	// word.
	Safe, One bool
	// Values holds the texts that the word can expand to; nil: they are not known.
	Values *Values
}

// Values holds the texts that a word can expand to. All says that it expands to all of them, like a
// file name pattern or braces, and not to only one.
type Values struct {
	All  bool
	List []Choice
}

// Choice is a text, or the file names that match a pattern of the shell, with a text before and
// after. The pattern may match more names than the shell's. Dirs lists the directories in which the
// pattern is expanded; nil: the directory of the command. Plain says that the shell splits the
// result into words, so only plain characters are acceptable.
type Choice struct {
	Before, Pattern, After string
	Dirs                   []string
	Plain                  bool
}

// Role is the meaning of a word for its program.
type Role uint8

// These are the roles. If two apply to a word, the later one counts.
const (
	Name       Role = iota // Name is for the name of the program.
	Subcommand             // Subcommand is for a subcommand with a table.
	Operand                // Operand is for a file name or other data.
	Value                  // Value is for the value of the option before it.
	// Passed is for a word that another program gets: an argument of a script, or a word after
	// cargo's --.
	Passed
	Harmless // Harmless is for a harmless option, with its value if that is in the same word.
	Known    // Known is for an option or operand that is neither harmless nor dangerous by itself.
	Unknown  // Unknown is for an option that is not in the table, or an operand that may be one.
	// Dangerous is for a word that runs code, or writes where the program otherwise only reads.
	Dangerous
)

// Part is the meaning of one word.
type Part struct {
	Role Role
	// Option is the option's first spelling in the table. It is set for an option and for its
	// value.
	Option string
	// Of is the index of the option to which a value belongs.
	Of int
}

// Reading is a simple command as its program understands it.
type Reading struct {
	Parts []Part
	// Table says that the program has a table, so its operands are known to be data.
	Table bool
	// Code says that the program or subcommand takes code, or the name of a program to run.
	Code bool
	// Alters says that the program changes the meaning of later commands, or evaluates the names of
	// variables.
	Alters bool
	// Path is the program with its subcommands, such as "git stash list".
	Path string
	// isUnsure says that an option that may take a value was before the place of a subcommand.
	isUnsure bool

	orderIsFree  bool          // orderIsFree says that the order of the operands does not matter.
	givenOptions []givenOption // givenOptions holds the options, including those before a subcommand.
	operands     []Word        // operands does not include the subcommands.
}

// Read returns the meaning of each word of a simple command. The first word must be literal. The
// table is found by the last part of the program's path, ignoring case, a version and .exe. This
// finds dangerous programs under other names; [Covers] is stricter.
func Read(words []Word) Reading {
	t := tableOf(words[0].Text)
	r := reader{words: words, table: t, Reading: Reading{Parts: make([]Part, len(words)), Table: t.isKnown,
		Path: t.path}}
	r.run()
	return r.Reading
}

// Danger returns the first dangerous word of a command, with the path of its program. word is "" if
// the program itself is dangerous. Both are "" if nothing is.
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

// Covers reports whether a rule that names the first n words of a command may allow all further
// words. Each further word must be an operand, or an option that the table calls harmless, and must
// mean the same with every such command.
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
	if r.Code || r.Alters || r.isUnsure {
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
			if !words[i].Literal || !isPlain(words[i].Text) && !isTestSwitch(r.Path, words[i].Text) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// testSwitches lists options that test runners accept after the -- of a package manager. Their
// values cannot name a file or a program.
var testSwitches = strings.Fields(`--watch=false --watchAll=false --no-watch --run --ci --silent --verbose --bail
	--runInBand --color --no-color`)

// isTestSwitch reports whether word is such an option. path is the command of the package manager,
// such as "npm test".
func isTestSwitch(path, word string) bool {
	return slices.Contains([]string{"npm test", "npm run", "pnpm test", "pnpm run", "yarn test"}, path) &&
		slices.Contains(testSwitches, word)
}

// MustName reports whether the last word names a script or a package that will run. Only a rule
// that contains this word may allow the command.
func MustName(words []Word) bool {
	r := Read(words)
	t := tables()[r.Path]
	return t != nil && (t.operandCheck == "run" || t.operandCheck == "named") && r.Parts[len(words)-1].Role == Known
}

// Named returns the number of words that name the program and its subcommands. It returns 0 for a
// program without a table.
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

// Computed returns the index of the first word that is not literal and that the program may
// understand as more than data. It returns -1 if there is none.
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

// isStandard reports whether name is the exact name of a program with a table, without a directory
// or in a system directory.
func isStandard(name string) bool {
	dir, base := path.Split(name)
	_, exact := tables()[base]
	return exact && (dir == "" || dir == "/bin/" || dir == "/usr/bin/" || dir == "/usr/local/bin/")
}

// isPlain reports whether an unknown program is unlikely to take a word for an option or for code.
func isPlain(w string) bool {
	return !strings.ContainsAny(w, "|=") && !strings.Contains(w, "::") &&
		(w == "" || !strings.ContainsRune("-+@:!%", rune(w[0])))
}

// tableOf returns the table of a program. It ignores the directory, the case, .exe and a version in
// the name. For an unknown program it returns an empty table.
func tableOf(name string) *table {
	base := strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe")
	for _, n := range []string{base, strings.TrimRight(base, "0123456789.-")} {
		if t := tables()[n]; t != nil {
			return t
		}
	}
	return &table{path: base}
}
