// Package mention reads and writes the names of files in what a person says: @notes.md.
package mention

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
)

// Word is a word of a text, as a shell would read it but for what a shell would expand.
type Word struct {
	Text  string // without quotes, escapes and the @
	At    bool   // an @ stands before it
	First bool   // the text begins with it
}

// Words returns the words of text. A word may be in quotes or have its blanks escaped, as terminals
// paste the name of a file. Behind an @, double quotes hold escapes as [Quote] writes them.
func Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		rest := strings.TrimLeftFunc(text, unicode.IsSpace)
		for first := true; rest != ""; first = false {
			w := Word{At: rest[0] == '@', First: first}
			if w.At {
				rest = rest[1:]
			}
			w.Text, rest = next(rest, w.At)
			rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
			if !yield(w) {
				return
			}
		}
	}
}

// next takes a word off s. A quote that is never closed is a letter like any other.
func next(s string, escapes bool) (word, rest string) {
	if escapes && strings.HasPrefix(s, `"`) {
		if q, err := strconv.QuotedPrefix(s); err == nil {
			if word, err := strconv.Unquote(q); err == nil {
				return word, s[len(q):]
			}
		}
	}
	if q := s; q != "" && (q[0] == '\'' || q[0] == '"') {
		if end := strings.IndexByte(q[1:], q[0]); end >= 0 && !strings.Contains(q[1:1+end], "\n") {
			return q[1 : 1+end], q[2+end:]
		}
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case unicode.IsSpace(r) && !strings.HasSuffix(s[:i], `\`):
			return b.String(), s[i:]
		case r == '\\' && i+1 < len(s) && strings.IndexByte(` '"()[]&\`, s[i+1]) >= 0 && !strings.HasSuffix(s[:i], `\`):
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), ""
}

// Trim returns word without the punctuation that a sentence may put behind it.
func Trim(word string) string { return strings.TrimRight(word, ".,;:!?)]}'\"") }

// Quote returns how path is written behind an @, so that [Words] reads it: as it is, or in double
// quotes with escapes. It holds no control character and no line end. open leaves the closing quote
// away, for a directory that a name is to follow.
func Quote(path string, open bool) string {
	plain := path != "" && path == Trim(path)
	for _, r := range path {
		plain = plain && unicode.IsPrint(r) && r != unicode.ReplacementChar && !strings.ContainsRune(" '\"\\", r)
	}
	if plain {
		return path
	}
	q := strconv.Quote(path)
	if open {
		q = q[:len(q)-1]
	}
	return q
}

// Open returns the mention that ends text and is not finished: where it begins, and its path so
// far. In quotes it may hold blanks.
func Open(text string) (from int, path string, ok bool) {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] != '@' || i > 0 && !unicode.IsSpace(rune(text[i-1])) {
			continue
		}
		rest := text[i+1:]
		if q, quoted := strings.CutPrefix(rest, `"`); quoted {
			if _, err := strconv.QuotedPrefix(rest); err == nil {
				return 0, "", false // closed
			}
			path, err := strconv.Unquote(`"` + q + `"`)
			return i, path, err == nil
		}
		return i, rest, !strings.ContainsFunc(rest, unicode.IsSpace)
	}
	return 0, "", false
}
