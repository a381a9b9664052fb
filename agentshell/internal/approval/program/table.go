package program

import (
	"slices"
	"strings"
	"sync"
)

// table describes how one program or subcommand reads its words. It is written as a list of words.
// A word that begins with - is an option:
//
//	-n:,--lines:    two spellings of one option with a value: joined, after =, or the next word
//	--color?        may have a value after = (or, with one letter, joined), never as the next word
//	--arg::         takes two words
//	-m:>            takes a value, and the other words are for another program; > alone: no value
//	-f:file         the value must be a local file (see checkByName)
//	~-C:            known, but not harmless
//	!--exec:        dangerous
//
// The other words say how the program reads its words:
//
//	--        this word ends the options
//	pass      the words after -- belong to another program
//	number    -5 is harmless
//	apart     a value is never in the same word as its letter: -tc is -t and -c
//	@file     @file means the words in that file, also where a value could be
//	each      the order of the operands does not matter
//	plus      an operand may begin with +, @ or :
//	single    options have one dash or two and one name, as in Go; letters are never joined
//	words     an option is one word and its values are the next ones, as for find
//	bundle    the first word has option letters without a dash, as for tar
//	data      no word is an option
//	script    the first operand is a program, and the words after it belong to that
//	closed    a subcommand that is not in the table is dangerous
//	[check]   operands must pass this check
//	code      the program takes code, or the name of a program to run
//	alters    the program changes what later commands mean, or evaluates names of variables
type table struct {
	isKnown        bool // isKnown is false for an unknown program.
	path           string
	options        map[string]option
	hasSubcommands bool
	optionStyle    string
	operandCheck   string

	ends, pass, number, plus, bundle, data, script, closed, code, alters, apart, each, file bool
}

// option is an option in a table.
type option struct {
	role Role   // role is Harmless, Known or Dangerous.
	name string // name is the first spelling.
	// valueForm says how the option takes a value: "", ":", "::", "?", ":>" or ">", as in the
	// description of [table].
	valueForm   string
	valueCheck  string // valueCheck is the name of the check for its value.
	joinedValue string // joinedValue is the value, if it is in the same word after a letter.
}

// tables returns all tables by their paths, such as "git stash list". The text of a table can also
// be "= NAME": then it is the same as the table NAME.
var tables = sync.OnceValue(func() map[string]*table {
	all, _ := readTables()
	return all
})

func readTables() (all map[string]*table, problems []string) {
	all = map[string]*table{}
	aliases := map[string]string{}
	for _, family := range []map[string]string{gitTables(), goTables(), coreTables(), searchTables(),
		archiveTables(), interpreterTables(), buildTables(), serviceTables(), shellTables(), runnerTables()} {
		for path, text := range family {
			if all[path] != nil || aliases[path] != "" {
				problems = append(problems, path+": has two tables")
			}
			if to, ok := strings.CutPrefix(text, "= "); ok {
				aliases[path] = to
				continue
			}
			t, ps := readTable(text)
			t.path = path
			for _, p := range ps {
				problems = append(problems, path+": "+p)
			}
			all[path] = t
		}
	}
	for path, to := range aliases {
		if all[to] == nil {
			problems = append(problems, path+": there is no "+to)
			continue
		}
		all[path] = all[to]
	}
	for path := range all {
		if i := strings.LastIndexByte(path, ' '); i > 0 {
			parent := all[path[:i]]
			if path[i+1] == '-' && parent != nil {
				continue // cargo test --, command -v
			}
			if option := strings.LastIndexByte(path[:i], '-'); parent == nil && option > 0 {
				continue // python -m pytest
			}
			if parent == nil {
				problems = append(problems, path+": its program has no table")
				continue
			}
			parent.hasSubcommands = true
		}
	}
	return all, problems
}

func readTable(text string) (t *table, problems []string) {
	t = &table{isKnown: true, options: map[string]option{}}
	flags := map[string]*bool{
		"--": &t.ends, "pass": &t.pass, "number": &t.number, "plus": &t.plus, "bundle": &t.bundle, "data": &t.data,
		"script": &t.script,
		"closed": &t.closed, "code": &t.code, "alters": &t.alters, "apart": &t.apart, "each": &t.each, "@file": &t.file,
	}
	for w := range strings.FieldsSeq(text) {
		o := option{role: Harmless}
		switch f := flags[w]; {
		case f != nil:
			*f = true
			continue
		case w == "single" || w == "words":
			t.optionStyle = w
			continue
		case w[0] == '[':
			t.operandCheck = strings.Trim(w, "[]")
			if checkByName[t.operandCheck] == nil {
				problems = append(problems, "there is no check "+w)
			}
			continue
		case w[0] == '~':
			o.role, w = Known, w[1:]
		case w[0] == '!':
			o.role, w = Dangerous, w[1:]
		}
		for name := range strings.SplitSeq(w, ",") {
			if i := strings.IndexAny(name, ":?>"); i > 0 {
				rest := strings.TrimLeft(name[i:], ":?>")
				o.valueForm, o.valueCheck = name[i:len(name)-len(rest)], rest
				if name = name[:i]; rest != "" && checkByName[rest] == nil {
					problems = append(problems, "there is no check "+rest)
				}
			} else if o.valueForm != "" {
				problems = append(problems, w+": one takes a value and the other does not")
			}
			if o.name == "" {
				o.name = name
			} else if first := t.options[o.name]; o.valueForm != first.valueForm || o.valueCheck != first.valueCheck {
				problems = append(problems, w+": one takes a value and the other does not")
			}
			if _, twice := t.options[name]; twice {
				problems = append(problems, name+" stands twice")
			}
			if len(name) < 2 || name[0] != '-' || !slices.Contains([]string{"", ":", "::", "?", ":>", ">"},
				o.valueForm) {
				problems = append(problems, name+o.valueForm+" is no option")
			}
			t.options[name] = o
		}
	}
	return t, problems
}
