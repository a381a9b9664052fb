// Package mutate creates small bugs in the source of a Go file, to see whether tests find them.
//
// A [Mutant] is one edit of the text, made by a rule from the syntax tree. Some mutants do not
// compile (a variable may be used nowhere else), and some change nothing that a test could see; the
// caller has to find that out. [Of] returns all mutants of a file. A [Choice] names one of them in
// a way that stays valid when lines move or local names change.
package mutate

import (
	"fmt"
	"slices"
	"strings"
)

// Operator names a rule by which a small bug is made from correct code.
type Operator string

// Operators that are applied wherever they fit, see [General].
const (
	Negate Operator = "negate" // negates the condition of an if statement
	Bound  Operator = "bound"  // replaces < by <=, > by >=, and the other way round
	Logic  Operator = "logic"  // replaces && by ||, and the other way round
	More   Operator = "more"   // adds one to a number in a sum, a comparison or an index
	Less   Operator = "less"   // subtracts one from a number in a sum, a comparison or an index
	Drop   Operator = "drop"   // removes a call, an assignment or an increment
	Return Operator = "return" // lets a function without results return at once
)

// Operators that are applied only at the place that a [Choice] names. At many other places the
// result does not compile, or changes nothing.
const (
	Always Operator = "always" // makes the condition of if, for or case always true
	Never  Operator = "never"  // makes the condition of if, for or case always false
	True   Operator = "true"   // makes a comparison, a negation, or an expression with && or || true
	False  Operator = "false"  // makes a comparison, a negation, or an expression with && or || false
	Left   Operator = "left"   // keeps only the left operand of && || + -
	Right  Operator = "right"  // keeps only the right operand of && || + -
	// adds one to an argument, a range, a slice bound or the right side of a comparison
	Plus Operator = "plus"
	// subtracts one from an argument, a range, a slice bound or the right side of a comparison
	Minus   Operator = "minus"
	AtMost  Operator = "at most" // replaces == by <=
	Swap    Operator = "swap"    // swaps the first and the last argument of a call
	Keep    Operator = "keep"    // lets the last one of several assigned variables keep its value
	Unindex Operator = "unindex" // assigns the whole slice or map instead of one element
	// Replaces a literal, true, false, or a name of an imported package by Choice.Text, in a
	// function or in the declaration of a constant.
	Replace Operator = "replace"
)

// General returns the operators that are applied wherever they fit.
func General() []Operator { return []Operator{Negate, Bound, Logic, More, Less, Drop, Return} }

// Mutant describes one small bug as an edit of a file: the bytes [From, To) are replaced by New.
type Mutant struct {
	Func     string // name of the function, such as "lineFeed" or "emitter.lineFeed", or of the constant
	Operator Operator
	Line     int // number of the line in which it begins, from 1 on
	From, To int
	New      string

	node string // source of the code to which the operator is applied, such as the call or the statement
}

// String names the mutant's operator, function and line.
func (m Mutant) String() string { return fmt.Sprintf("%s in %s, line %d", m.Operator, m.Func, m.Line) }

// Apply returns the file src with all the bugs in it. They must not overlap.
func Apply(src []byte, bugs ...Mutant) []byte {
	bugs = slices.Clone(bugs)
	slices.SortFunc(bugs, func(a, b Mutant) int { return b.From - a.From })
	for _, m := range bugs {
		src = slices.Concat(src[:m.From], []byte(m.New), src[m.To:])
	}
	return src
}

// Choice names one mutant of a file. It counts those mutants of Operator in the function Func whose
// code has the text Word, which should be a literal or an exported name; "" counts all. Nth is the
// number of the mutant among these, from 0 on; negative numbers count from the last one, which is
// -1.
type Choice struct {
	Func     string
	Operator Operator
	Word     string
	Nth      int
	Text     string // new text of the literal or name, for the operator Replace
}

// In returns the mutant of src that c names, or an error if there is none.
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
