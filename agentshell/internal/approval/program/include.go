package program

import (
	"slices"
	"strings"
)

// givenOption is an option as it is written in a command.
type givenOption struct {
	names []string // names holds the option's name, or all long names that an abbreviation can mean.
	value string
}

// Includes reports whether a command matches the words of a rule. It must have the same program and
// subcommand, all options of the rule in any order and spelling, and the operands of the rule
// first. For a program whose operands have no order, such as make, they may be anywhere. If open is
// set, the command may have further options and operands.
func Includes(command, rule []Word, open bool) bool {
	c, r := Read(command), Read(rule)
	if c.Path != r.Path || len(r.operands) > len(c.operands) ||
		!open && (len(r.operands) != len(c.operands) || len(r.givenOptions) != len(c.givenOptions)) {
		return false
	}
	for i, o := range r.operands {
		if !o.Literal || !r.orderIsFree && c.operands[i] != o || r.orderIsFree && !slices.Contains(c.operands, o) {
			return false
		}
	}
	for _, want := range r.givenOptions {
		if !slices.ContainsFunc(c.givenOptions, func(g givenOption) bool {
			return (want.value == "" || want.value == g.value) &&
				slices.ContainsFunc(g.names, func(n string) bool { return slices.Contains(want.names, n) })
		}) {
			return false
		}
	}
	return true
}

// splitOptions returns the options in a word.
func (t *table) splitOptions(w string) (all []givenOption) {
	name := func(n string) string {
		if o, ok := t.options[n]; ok {
			return o.name
		}
		return n
	}
	switch {
	case t.optionStyle == "words" || !t.isKnown:
		return []givenOption{{names: []string{name(w)}}}
	case t.optionStyle == "single":
		n, v, _ := strings.Cut("-"+strings.TrimLeft(w, "-"), "=")
		return []givenOption{{names: []string{name(n)}, value: v}}
	case strings.HasPrefix(w, "--"):
		n, v, _ := strings.Cut(w, "=")
		g := givenOption{value: v, names: []string{name(n)}}
		if _, exact := t.options[n]; !exact {
			for full, o := range t.options {
				if strings.HasPrefix(full, n) {
					g.names = append(g.names, o.name)
				}
			}
		}
		return []givenOption{g}
	case t.options[w].name != "":
		return []givenOption{{names: []string{name(w)}}}
	}
	for i, c := range w[1:] {
		n := "-" + string(c)
		rest := w[1+i+len(string(c)):]
		g := givenOption{names: []string{name(n)}}
		if o := t.options[n]; o.valueForm != "" && rest != "" && !t.apart {
			g.value = rest
			return append(all, g)
		}
		all = append(all, g)
	}
	return all
}
