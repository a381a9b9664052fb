// Package mutate makes small bugs by rule from the syntax tree of a Go file.
//
// A [Mutant] is one edit of the text. Not all of them compile (a variable may be used nowhere
// else), and some change nothing that anybody could see: the caller has to find that out. [Of]
// lists all mutants of a file. A [Choice] names one of them in words that outlast a change of the
// layout and of the names within a function.
package mutate

import (
	"fmt"
	"slices"
	"strings"
)

// An Operator is a rule by which a mutant is made.
type Operator string

// Operators that make a bug to look for at any place.
const (
	Negate Operator = "negate" // the condition of an if statement
	Bound  Operator = "bound"  // < becomes <=, > becomes >=, and the other way round
	Logic  Operator = "logic"  // && becomes ||, and the other way round
	More   Operator = "more"   // a number in a sum, a comparison or an index is one more
	Less   Operator = "less"   // and one less
	Drop   Operator = "drop"   // a call, an assignment or a count is left out
	Return Operator = "return" // a function without results returns at once
)

// Operators for a [Choice]. Many of their other places do not compile, or change nothing.
const (
	Always  Operator = "always"  // the condition of if, for or case always holds
	Never   Operator = "never"   // the condition of if, for or case never holds
	True    Operator = "true"    // a comparison, a negation, or what && and || join is true
	False   Operator = "false"   // and false
	Left    Operator = "left"    // of two operands of && || + - the left one stays
	Right   Operator = "right"   // of two operands of && || + - the right one stays
	Plus    Operator = "plus"    // an argument, a range, a bound or what is compared with is one more
	Minus   Operator = "minus"   // and one less
	AtMost  Operator = "at most" // == becomes <=
	Swap    Operator = "swap"    // the first and the last argument of a call change places
	Keep    Operator = "keep"    // the last one of several variables keeps its value
	Unindex Operator = "unindex" // instead of an element the whole is assigned
	// a literal, true, false or a name of an imported package becomes Choice.Text; in a function or
	// in the declaration of a constant
	Replace Operator = "replace"
)

// General returns the operators that make a bug to look for at any place.
func General() []Operator { return []Operator{Negate, Bound, Logic, More, Less, Drop, Return} }

// A Mutant replaces bytes [From, To) of a file by New.
type Mutant struct {
	Func     string // where it is: "lineFeed" or "emitter.lineFeed", or the name of a constant
	Operator Operator
	Line     int // from 1 on
	From, To int
	New      string

	node string // the source of what the operator is applied to: the call, the statement
}

func (m Mutant) String() string { return fmt.Sprintf("%s in %s, line %d", m.Operator, m.Func, m.Line) }

// Apply returns src with the bugs in it, which must not overlap.
func Apply(src []byte, bugs ...Mutant) []byte {
	bugs = slices.Clone(bugs)
	slices.SortFunc(bugs, func(a, b Mutant) int { return b.From - a.From })
	for _, m := range bugs {
		src = slices.Concat(src[:m.From], []byte(m.New), src[m.To:])
	}
	return src
}

// A Choice names one mutant of a file: of those that Operator makes in Func, the ones are counted
// whose call, operation or statement holds Word, which should be a literal or an exported name; ""
// counts all. Nth counts from 0 on, or from -1 on backwards from the last one.
type Choice struct {
	Func     string
	Operator Operator
	Word     string
	Nth      int
	Text     string // for Replace
}

// In returns the mutant of src that c names.
func (c Choice) In(src []byte) (Mutant, error) {
	all, err := Of(src)
	if err != nil {
		return Mutant{}, err
	}
	var places []Mutant
	known := false
	for _, m := range all {
		known = known || m.Func == c.Func
		if m.Func == c.Func && m.Operator == c.Operator && strings.Contains(m.node, c.Word) {
			places = append(places, m)
		}
	}
	n := c.Nth
	if n < 0 {
		n += len(places)
	}
	switch {
	case !known:
		return Mutant{}, fmt.Errorf("there is no %s: if it has a new name, the list of bugs needs it, too", c.Func)
	case n < 0 || n >= len(places):
		return Mutant{}, fmt.Errorf("%s has %d places for %s with %q, and none is number %d", c.Func, len(places),
			c.Operator, c.Word, c.Nth)
	}
	m := places[n]
	if c.Operator == Replace {
		m.New = c.Text
	}
	return m, nil
}
