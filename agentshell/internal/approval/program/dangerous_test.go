package program

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func words(line string) []Word {
	var all []Word
	for w := range strings.FieldsSeq(line) {
		all = append(all, Word{Text: w, Literal: true})
	}
	return all
}

// spellings returns the ways to write an option that takes a value or not: a long one also
// shortened, one of a letter also joined to others.
func spellings(name string, value bool, letters string) (all [][]string) {
	with := func(w string) {
		all = append(all, []string{w}, []string{w, "v"})
		if value {
			all = append(all, []string{w + "=v"})
		}
	}
	if !strings.HasPrefix(name, "--") {
		with(name)
		all = append(all, []string{name + "v"})
		if len(name) > 2 {
			return all
		}
		for _, c := range letters {
			with("-" + string(c) + name[1:])
			all = append(all, []string{"-" + string(c) + name[1:] + "v"})
		}
		return all
	}
	for n := 3; n <= len(name); n++ {
		with(name[:n])
	}
	return all
}

// Of the options that somebody wrote down from the manuals none is covered by a free tail, however
// it is spelled; what runs code or writes is found by mode trusted as well. An ordinary option of
// the same table is covered in the same place.
func TestNoDangerousOptionIsCovered(t *testing.T) {
	data, err := os.ReadFile("testdata/dangerous.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried, controls := 0, 0
	for line := range strings.SplitSeq(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		path, list, _ := strings.Cut(strings.TrimSpace(rest), ": ")
		table := tables()[path]
		if table == nil {
			t.Errorf("%s has no table", path)
			continue
		}
		rule := words(path)
		var letters string // that can stand before another
		for name, o := range table.options {
			if o.role == Harmless && o.valueForm == "" && len(name) == 2 {
				letters += name[1:]
			}
			if o.role == Harmless && o.valueForm == "" && !table.hasSubcommands && table.operandCheck != "script" &&
				table.operandCheck != "none" {
				controls++
				if !Covers(append(slices.Clone(rule), Word{Text: name, Literal: true}), len(rule)) {
					t.Errorf("control: %s * does not cover %s", path, name)
				}
			}
		}
		for option := range strings.FieldsSeq(list) {
			name, value := strings.CutSuffix(option, "=")
			for _, spelled := range spellings(name, value, letters) {
				first, _, _ := strings.Cut(spelled[0], "=")
				if o, exact := table.options[first]; exact && first != name && o.role != Dangerous {
					continue // that spelling is another option
				}
				tried++
				for _, tail := range [][]string{spelled, append([]string{"x"}, spelled...),
					append(slices.Clone(spelled), "x")} {
					command := slices.Clone(rule)
					for _, w := range tail {
						command = append(command, Word{Text: w, Literal: true})
					}
					if Covers(command, len(rule)) {
						t.Errorf("%s * covers %q", path, tail)
					}
					if sub := strings.Contains(path, " "); !sub && table.hasSubcommands {
						break // an operand is a subcommand
					}
				}
				command := slices.Clone(rule)
				for _, w := range spelled {
					command = append(command, Word{Text: w, Literal: true})
				}
				if p, _ := Read(command).Danger(command); kind == "run" && p == "" {
					t.Errorf("%s %q is not found to be dangerous", path, spelled)
				}
			}
		}
	}
	if tried < 8000 || controls < 1000 {
		t.Errorf("%d spellings, %d controls", tried, controls)
	}
	t.Logf("%d spellings, %d controls", tried, controls)
}

// What a free tail covers stands in the table, letter for letter: every option that a program tells
// of in its help is tried in full, shortened to each length, and joined to a harmless letter.
func TestOnlyOptionsOfTheTableAreCovered(t *testing.T) {
	tried, covered := 0, 0
	for path, text := range helps(t) {
		table := tables()[path]
		rule := words(path)
		harmless := ""
		for name, o := range table.options {
			if o.role == Harmless && o.valueForm == "" && len(name) == 2 && (harmless == "" || name[1:] < harmless) {
				harmless = name[1:]
			}
		}
		try := func(w string, names ...string) {
			tried++
			if !Covers(append(slices.Clone(rule), Word{Text: w, Literal: true}), len(rule)) {
				return
			}
			covered++
			for _, n := range names {
				if o, ok := table.options[n]; !ok || o.role != Harmless {
					t.Errorf("%s * covers %q, and %s is not harmless in its table", path, w, n)
				}
			}
		}
		for _, o := range options(text) {
			if o.long != "" {
				for n := 3; n <= len(o.long); n++ {
					try(o.long[:n], o.long[:n])
					try(o.long[:n]+"=v", o.long[:n])
				}
			}
			if o.short != "" && table.optionStyle == "" {
				try(o.short, o.short)
				if harmless != "" {
					try("-"+harmless+o.short[1:], "-"+harmless, o.short)
				}
			}
		}
	}
	if covered < tried/50 {
		t.Errorf("%d of %d were covered", covered, tried)
	}
	t.Logf("%d spellings, %d of them covered", tried, covered)
}
