package tool

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// symbolPosition returns the position at which a symbol begins on a line, for a language server.
// Lines count from 1. The symbol "name#N" means the Nth occurrence of name on the line. An empty
// symbol means the first character that is no space. Case is ignored only if the exact name is not
// on the line.
func symbolPosition(text string, line int, symbol string, e lsp.Encoding) (lsp.Position, error) {
	lines := strings.Split(strings.TrimPrefix(text, workspace.BOM), "\n")
	if line > len(lines) {
		return lsp.Position{}, invalidArgs("line %d is behind the end: the file has %s", line,
			count(len(lines), "line"))
	}
	row := strings.TrimSuffix(lines[line-1], "\r")
	at := 0
	if symbol == "" {
		at = max(strings.IndexFunc(row, func(r rune) bool { return !unicode.IsSpace(r) }), 0)
	} else {
		name, n := occurrence(symbol)
		found := occurrences(row, name)
		if len(found) == 0 {
			found = occurrences(strings.ToLower(row), strings.ToLower(name))
		}
		switch {
		case len(found) == 0:
			return lsp.Position{}, invalidArgs("the symbol %q is not on line %d", titled(name, 80), line)
		case n > len(found):
			return lsp.Position{}, invalidArgs("occurrence %d of %q is not on line %d: it has %d", n, titled(name, 80),
				line, len(found))
		}
		at = min(found[n-1], len(row))
	}
	return lsp.Position{Line: line - 1, Character: e.Column(row[:at])}, nil
}

// occurrence splits a symbol of the form name#N into its parts. Without a number n is 1.
func occurrence(symbol string) (name string, n int) {
	name, number, ok := cutLast(symbol, "#")
	if n, err := strconv.Atoi(number); ok && err == nil && n > 0 && name != "" {
		return name, n
	}
	return symbol, 1
}

// cutLast splits text at the last separator in it, as [strings.Cut] does at the first.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// occurrences returns the byte offsets at which name begins in a line. It returns only occurrences
// that are whole words, or all of them if none is a whole word.
func occurrences(row, name string) (found []int) {
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	var all []int
	for i := 0; i+len(name) <= len(row); {
		n := strings.Index(row[i:], name)
		if n < 0 {
			break
		}
		at := i + n
		before, after := []rune(row[:at]), []rune(row[at+len(name):])
		if (len(before) == 0 || !isWord(before[len(before)-1])) && (len(after) == 0 || !isWord(after[0])) {
			found = append(found, at)
		}
		all = append(all, at)
		i = at + max(len(name), 1)
	}
	if len(found) > 0 {
		return found
	}
	return all
}
