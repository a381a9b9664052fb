// Package mention reads and writes file names in messages, such as @notes.md.
package mention

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
)

// Word is a word of a text, split as a shell does, but without expansion.
type Word struct {
	Text  string // without quotes, escapes and the @
	At    bool   // it has an @ before it
	First bool   // it is the first word of the text
}

// Words returns the words of text. A word may be quoted or have escaped blanks, as terminals paste
// file names. After an @, double quotes hold escapes as [Quote] writes them.
func Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		remaining := strings.TrimLeftFunc(text, unicode.IsSpace)
		for first := true; remaining != ""; first = false {
			w := Word{At: remaining[0] == '@', First: first}
			if w.At {
				remaining = remaining[1:]
			}
			w.Text, remaining = cutWord(remaining, w.At)
			remaining = strings.TrimLeftFunc(remaining, unicode.IsSpace)
			if !yield(w) {
				return
			}
		}
	}
}

// cutWord splits the first word off s. A quote that is never closed is an ordinary letter. After an
// @, a double quote that is not closed ends with the line: a directory was completed and no name in
// it.
func cutWord(s string, escapes bool) (word, rest string) {
	if escapes && strings.HasPrefix(s, `"`) {
		if q, err := strconv.QuotedPrefix(s); err == nil {
			if word, err := strconv.Unquote(q); err == nil {
				return word, s[len(q):]
			}
		}
		line, _, _ := strings.Cut(s, "\n")
		if word, err := strconv.Unquote(strings.TrimRightFunc(line, unicode.IsSpace) + `"`); err == nil && word != "" {
			return word, s[len(line):]
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

// Command returns the parts of a line that is a slash command: its name, and the text after it. A
// first word with another slash is a path, and the line is a message. So is one that begins with a
// blank.
func Command(line string) (name, argument string, ok bool) {
	name, argument, _ = strings.Cut(strings.TrimSpace(line), " ")
	if !strings.HasPrefix(line, "/") || strings.Contains(line, "\n") || strings.Contains(name[1:], "/") {
		return "", "", false
	}
	return name, strings.TrimSpace(argument), true
}

// Trim returns word without punctuation at its end that may belong to the sentence.
func Trim(word string) string { return strings.TrimRight(word, ".,;:!?)]}'\"") }

// Quote returns path as it is written after an @, so that [Words] reads it: unchanged, or in double
// quotes with escapes. It has no control characters and no line ends. With open the closing quote
// is left out, for a directory after which a name follows.
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

// Unfinished returns the unfinished mention at the end of text: the index where it begins, and its
// path so far. In quotes the path may have blanks.
func Unfinished(text string) (from int, path string, ok bool) {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] != '@' || i > 0 && !unicode.IsSpace(rune(text[i-1])) {
			continue
		}
		afterAt := text[i+1:]
		if q, quoted := strings.CutPrefix(afterAt, `"`); quoted {
			if _, err := strconv.QuotedPrefix(afterAt); err == nil {
				return 0, "", false // closed
			}
			path, err := strconv.Unquote(`"` + q + `"`)
			return i, path, err == nil
		}
		return i, afterAt, !strings.ContainsFunc(afterAt, unicode.IsSpace)
	}
	return 0, "", false
}
