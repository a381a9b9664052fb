package tool

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"sort"
	"strings"
)

// matcher finds the lines of a text that match an expression.
type matcher struct {
	line *regexp.Regexp // on one line without its end
	// text finds in a whole text where a line may match: what it does not find, no line has. Nil:
	// each line is looked at.
	text    *regexp.Regexp
	literal string // what every line that matches holds; "": not known
	across  bool   // a match may go over lines; text finds them
}

// asPattern returns the regular expression that a model means by expr. What is none is searched as
// text, and note says so; what only other kinds of expressions know stays the error that it is.
func asPattern(expr string) (pattern, note string) {
	// An end of a line before a brace matches nothing, so it is a dollar sign.
	pattern = mapOutsideClass(expr, func(at int) string {
		if expr[at] == '$' && strings.HasPrefix(expr[at:], "${") {
			return `\$`
		}
		return expr[at : at+1]
	})
	_, err := regexp.Compile(pattern)
	var bad *syntax.Error
	if err == nil || !errors.As(err, &bad) || bad.Code == syntax.ErrInvalidPerlOp ||
		bad.Code == syntax.ErrInvalidNamedCapture {
		return pattern, ""
	}
	note = fmt.Sprintf("\"%s\" is not a regular expression (%s)", shownLine(expr), bad.Code)
	plain := mapOutsideClass(expr, func(at int) string {
		if c := expr[at]; c == '(' || c == ')' {
			return `\` + expr[at:at+1]
		}
		return expr[at : at+1]
	})
	if _, err := regexp.Compile(plain); err == nil {
		return plain, note + "; its parentheses were taken as text"
	}
	return regexp.QuoteMeta(expr), note + "; it was searched as text"
}

// mapOutsideClass returns an expression with each byte replaced that is neither escaped nor in a
// class.
func mapOutsideClass(expr string, stands func(at int) string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\' && i+1 < len(expr):
			b.WriteString(expr[i : i+2])
			i++
		case class || c == '[':
			class = c != ']'
			b.WriteByte(c)
		default:
			b.WriteString(stands(i))
		}
	}
	return b.String()
}

// newMatcher reads an expression. One in which \n stands goes over lines.
func newMatcher(expr string, fold bool) (*matcher, error) {
	if fold {
		expr = "(?i)" + expr
	}
	m := &matcher{across: strings.Contains(expr, "\n") || strings.Contains(expr, `\n`)}
	var err error
	if m.line, err = regexp.Compile(expr); err != nil {
		return nil, err
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	tree = tree.Simplify()
	m.literal = required(tree)
	lines := "(?m)" + expr
	if tree, err = syntax.Parse(lines, syntax.Perl); err != nil {
		return nil, err
	}
	if m.across || !ends(tree) {
		m.text, err = regexp.Compile(lines)
	}
	return m, err
}

// required returns the longest text that every match holds, "" if none is known.
func required(t *syntax.Regexp) (best string) {
	switch t.Op {
	case syntax.OpLiteral:
		if t.Flags&syntax.FoldCase == 0 {
			return string(t.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return required(t.Sub[0])
	case syntax.OpConcat:
		for _, sub := range t.Sub {
			if s := required(sub); len(s) > len(best) {
				best = s
			}
		}
	}
	return best
}

// ends reports whether the expression speaks of the ends of the text, which are others in a line.
func ends(t *syntax.Regexp) bool {
	if t.Op == syntax.OpBeginText || t.Op == syntax.OpEndText {
		return true
	}
	for _, sub := range t.Sub {
		if ends(sub) {
			return true
		}
	}
	return false
}

// spot is a match: lines from to to of a text, counted from 0, and where it begins in the first, in
// bytes.
type spot struct{ from, to, at int }

// may reports whether a text may have a match.
func (m *matcher) may(text []byte) bool {
	switch {
	case m.literal != "":
		return bytes.Contains(text, []byte(m.literal))
	case m.text != nil && (m.across || !bytes.Contains(text, []byte("\r\n"))):
		return m.text.Match(text)
	}
	return true
}

// find gives the matches in the lines of a text, at most one for each line, until yield returns
// false.
func (m *matcher) find(lines []string, text string, yield func(spot) bool) {
	if m.across {
		m.findAcross(text, yield)
		return
	}
	if m.text != nil && strings.Contains(text, "\r\n") {
		m = &matcher{line: m.line, literal: m.literal} // an end of a line is not before a CR there
	}
	starts := lineStarts(lines)
	for i := 0; i < len(lines); i++ {
		if i < len(lines) && (m.text != nil || m.literal != "") {
			at := starts[i]
			if m.literal != "" {
				n := strings.Index(text[at:], m.literal)
				if n < 0 {
					return
				}
				at += n
			} else {
				loc := m.text.FindStringIndex(text[at:])
				if loc == nil {
					return
				}
				at += loc[0]
			}
			i = sort.Search(len(starts), func(k int) bool { return starts[k] > at }) - 1
		}
		line := strings.TrimRight(lines[i], "\r\n")
		if loc := m.line.FindStringIndex(line); loc != nil && !yield(spot{i, i, loc[0]}) {
			return
		}
	}
}

// findAcross gives matches that go over lines; those that touch the same line are one.
func (m *matcher) findAcross(text string, yield func(spot) bool) {
	line, from := 0, 0
	last := spot{to: -1}
	for _, loc := range m.text.FindAllStringIndex(text, -1) {
		line += strings.Count(text[from:loc[0]], "\n")
		from = loc[0]
		to := line + strings.Count(strings.TrimSuffix(text[loc[0]:loc[1]], "\n"), "\n")
		s := spot{line, to, loc[0] - (strings.LastIndexByte(text[:loc[0]], '\n') + 1)}
		if s.from <= last.to {
			last.to = max(last.to, s.to)
			continue
		}
		if last.to >= 0 && !yield(last) {
			return
		}
		last = s
	}
	if last.to >= 0 {
		yield(last)
	}
}

// lineStarts returns the offsets of lines in their text.
func lineStarts(lines []string) []int {
	starts := make([]int, len(lines))
	at := 0
	for i, l := range lines {
		starts[i] = at
		at += len(l)
	}
	return starts
}
