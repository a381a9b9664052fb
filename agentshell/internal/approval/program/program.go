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
	"strings"
)

// Word is one word of a simple command, its quotes removed. A word that is not literal has no known
// text; of some it is known how they begin.
type Word struct {
	Text    string
	Literal bool
	// Safe: not literal, and each word that comes of it begins with a letter, a digit, an
	// underscore, a point or a slash. One: it is always one word.
	Safe, One bool
}

// Role is what a word is to the program that gets it.
type Role uint8

// The roles. Of two that fit a word the later one holds.
const (
	Name       Role = iota // the program
	Subcommand             // a subcommand that has a table
	Operand                // a name or data
	Value                  // what the option before it takes
	Passed                 // a word for another program: the arguments of a script, what stands after cargo's --
	Harmless               // an option of the table, with its value if that is in the same word
	Known                  // an option or operand that is neither harmless nor dangerous by itself
	Unknown                // an option that the table does not know, or an operand that may be one
	Dangerous              // it runs code, or writes where the program otherwise reads
)

// Part is one word as its program reads it.
type Part struct {
	Role Role
	// Option is the option as its table writes it first, of an option and of its value.
	Option string
	// Of is the place of the option that a value belongs to.
	Of int
}

// Reading is a simple command as its program reads it.
type Reading struct {
	Parts []Part
	// Table says that the program has a table, so that its operands are known to be data.
	Table bool
	// Code says that the program, or this subcommand of it, takes code or the name of a program.
	Code bool
	// Alters says that the program changes what later commands mean, or evaluates names of
	// variables.
	Alters bool
	// Path is the program with its subcommands: "git stash list".
	Path string
	// lost says that an option of unknown arity stood where a subcommand could follow.
	lost bool

	each     bool    // the place of an operand does not matter
	given    []given // the options, of every table on the way
	operands []Word  // without the subcommands
}

// Read looks at the words of a simple command. The first must be literal. The program goes by the
// last part of its path, without case, version and .exe, which is right for what must not be
// missed; [Covers] is stricter.
func Read(words []Word) Reading {
	t := find(words[0].Text)
	r := reader{words: words, table: t, Reading: Reading{Parts: make([]Part, len(words)), Table: t.known, Path: t.path}}
	r.run()
	return r.Reading
}

// Danger returns the first word of a command that makes it dangerous, or "", and the program that
// makes it so.
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

// Covers reports whether a rule that names the first n words and then says "any further words"
// covers the rest. It does if each of them is an operand, or an option that the program's table
// calls harmless, and if none can be read as something else because of the words of the rule.
func Covers(words []Word, n int) bool {
	if n >= len(words) {
		return true
	}
	if !standard(words[0].Text) {
		words = append([]Word{{Text: "./a program without a table", Literal: true}}, words[1:]...)
	}
	r := Read(words)
	if r.Code || r.Alters || r.lost {
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
			if !words[i].Literal || !plain(words[i].Text) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Named returns how many words name the program and its subcommands, of a program that has a table;
// 0 of one that has none.
func Named(words []Word) int {
	r := Read(words)
	if !standard(words[0].Text) || !r.Table || r.Code || r.Alters {
		return 0
	}
	n := 1
	for n < len(words) && r.Parts[n].Role == Subcommand {
		n++
	}
	return n
}

// Computed returns the first word that is not literal and that the program may read as something
// else than a name or data, or -1.
func Computed(words []Word) int {
	r := Read(words)
	for i, w := range words {
		p := r.Parts[i]
		if !w.Literal && p.Role != Operand && (p.Role != Value || r.Parts[p.Of].Role != Harmless) {
			return i
		}
	}
	return -1
}

// standard reports whether a program is called by its name, or by its path in the system's own
// directories.
func standard(name string) bool {
	dir, base := path.Split(name)
	_, exact := tables()[base]
	return exact && (dir == "" || dir == "/bin/" || dir == "/usr/bin/" || dir == "/usr/local/bin/")
}

// plain reports whether a word can hardly be an option or code to a program that nobody knows.
func plain(w string) bool {
	return !strings.ContainsAny(w, "|=") && !strings.Contains(w, "::") &&
		(w == "" || !strings.ContainsRune("-+@:!%", rune(w[0])))
}

// find returns the table of a program. The name loses what does not tell it from another: the
// directory, case, .exe and a version.
func find(name string) *table {
	base := strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe")
	for _, n := range []string{base, strings.TrimRight(base, "0123456789.-")} {
		if t := tables()[n]; t != nil {
			return t
		}
	}
	return &table{path: base}
}
