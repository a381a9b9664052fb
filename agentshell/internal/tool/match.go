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

// matcher finds the lines of a text that match a regular expression.
type matcher struct {
	line *regexp.Regexp // line is the expression for a single line without its line break.
	// text is the expression for a whole text. It quickly finds the lines that may match: every
	// line that matches is found. nil: every line must be tried.
	text    *regexp.Regexp
	literal string // literal is a string that every matching line contains; "": none is known.
	across  bool   // across is true if a match may span several lines; then text finds the matches.
}

// asPattern returns a valid regular expression for the expression that the model has written. If
// expr is invalid, its parentheses, or all of it, are taken literally, and note says so. Syntax
// that only other kinds of expressions have is not corrected: it remains an error.
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

// mapOutsideClass returns expr with each byte replaced by the result of stands for its offset.
// Escaped bytes and character classes stay as they are.
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

// newMatcher compiles an expression; fold ignores case. If the expression contains \n, its matches
// may span several lines.
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

// required returns the longest string that every match must contain, or "" if none is known.
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

// ends reports whether the expression refers to the beginning or the end of the text. These would
// match elsewhere in a single line.
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

// spot is the position of a match: its first and its last line, counted from 0, and the byte offset
// in the first line at which it begins.
type spot struct{ from, to, at int }

// may reports whether a text may contain a match. It is fast, and false only if there is none.
func (m *matcher) may(text []byte) bool {
	switch {
	case m.literal != "":
		return bytes.Contains(text, []byte(m.literal))
	case m.text != nil && (m.across || !bytes.Contains(text, []byte("\r\n"))):
		return m.text.Match(text)
	}
	return true
}

// find calls yield with the matches in a text, at most one for each line, until yield returns
// false. lines is the same text, split into lines.
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

// findAcross calls yield with the matches that may span lines. Matches that touch the same line are
// reported as one.
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

// lineStarts returns the byte offset of each line in the text that the lines make up.
func lineStarts(lines []string) []int {
	starts := make([]int, len(lines))
	at := 0
	for i, l := range lines {
		starts[i] = at
		at += len(l)
	}
	return starts
}
