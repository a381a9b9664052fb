package program

import (
	"slices"
	"strings"
)

// given is an option as it stands in a command.
type given struct {
	names []string // what it may stand for: one name, or each long one that a shortened spelling begins
	value string
}

// Includes reports whether a command does what the words of a rule say: the same program and
// subcommand, all options of the rule wherever they stand and however they are spelled, and its
// operands first, or anywhere if each means the same there (make). With open the command may have
// more of both.
func Includes(command, rule []Word, open bool) bool {
	c, r := Read(command), Read(rule)
	if c.Path != r.Path || len(r.operands) > len(c.operands) ||
		!open && (len(r.operands) != len(c.operands) || len(r.given) != len(c.given)) {
		return false
	}
	for i, o := range r.operands {
		if !o.Literal || !r.each && c.operands[i] != o || r.each && !slices.Contains(c.operands, o) {
			return false
		}
	}
	for _, want := range r.given {
		if !slices.ContainsFunc(c.given, func(g given) bool {
			return (want.value == "" || want.value == g.value) &&
				slices.ContainsFunc(g.names, func(n string) bool { return slices.Contains(want.names, n) })
		}) {
			return false
		}
	}
	return true
}

// give takes a word of options apart.
func (t *table) give(w string) (all []given) {
	name := func(n string) string {
		if o, ok := t.options[n]; ok {
			return o.name
		}
		return n
	}
	switch {
	case t.style == "words" || !t.known:
		return []given{{names: []string{name(w)}}}
	case t.style == "single":
		n, v, _ := strings.Cut("-"+strings.TrimLeft(w, "-"), "=")
		return []given{{names: []string{name(n)}, value: v}}
	case strings.HasPrefix(w, "--"):
		n, v, _ := strings.Cut(w, "=")
		g := given{value: v, names: []string{name(n)}}
		if _, exact := t.options[n]; !exact {
			for full, o := range t.options {
				if strings.HasPrefix(full, n) {
					g.names = append(g.names, o.name)
				}
			}
		}
		return []given{g}
	case t.options[w].name != "":
		return []given{{names: []string{name(w)}}}
	}
	for i, c := range w[1:] {
		n := "-" + string(c)
		rest := w[1+i+len(string(c)):]
		g := given{names: []string{name(n)}}
		if o := t.options[n]; o.value != "" && rest != "" && !t.apart {
			g.value = rest
			return append(all, g)
		}
		all = append(all, g)
	}
	return all
}
