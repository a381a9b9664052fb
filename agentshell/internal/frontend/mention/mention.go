// Package mention finds and quotes the names of files in a user's messages, such as @notes.md. It
// also parses slash commands.
package mention

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
)

// Word is one word of a message. Words are split as a shell does, but nothing is expanded.
type Word struct {
	Text  string // The word without quotes, escapes and the @.
	At    bool   // An @ precedes the word, so that it names a file.
	First bool   // The word is the first one of the message.
}

// Words returns the words of text, a user's message. A word may be quoted or have escaped blanks,
// as terminals paste file names. In double quotes after an @, the escapes of [Quote] are decoded.
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

// cutWord splits the first word off s. If escapes is true, the word follows an @, and escapes in
// double quotes are decoded. A quote that is never closed is an ordinary character. But after an @,
// an open double quote reaches to the end of its line: the user has completed a directory and no
// name in it.
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

// Command splits a slash command, such as "/undo 2", into its name with the slash and the text
// after it. ok is false if the line is an ordinary message: it does not begin with a slash, it has
// several lines, or its first word has another slash and so is a path.
func Command(line string) (name, argument string, ok bool) {
	name, argument, _ = strings.Cut(strings.TrimSpace(line), " ")
	if !strings.HasPrefix(line, "/") || strings.Contains(line, "\n") || strings.Contains(name[1:], "/") {
		return "", "", false
	}
	return name, strings.TrimSpace(argument), true
}

// Trim removes punctuation from the end of word, because it may belong to the sentence around the
// word.
func Trim(word string) string { return strings.TrimRight(word, ".,;:!?)]}'\"") }

// Quote returns path as it must be written after an @, so that [Words] reads the same path:
// unchanged, or in double quotes with escapes. The result never contains control characters or line
// ends.
//
// If open is true, the closing quote is left out: path is a directory, and a name in it follows.
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

// Unfinished finds a file name that the user is typing after an @ at the end of text. It returns
// the index of the @ and the path so far. ok is false if text does not end so. A path in quotes may
// contain blanks.
func Unfinished(text string) (from int, path string, ok bool) {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] != '@' || i > 0 && !unicode.IsSpace(rune(text[i-1])) {
			continue
		}
		afterAt := text[i+1:]
		if q, quoted := strings.CutPrefix(afterAt, `"`); quoted {
			if _, err := strconv.QuotedPrefix(afterAt); err == nil {
				return 0, "", false // the quotes are closed, so nothing is unfinished
			}
			path, err := strconv.Unquote(`"` + q + `"`)
			return i, path, err == nil
		}
		return i, afterAt, !strings.ContainsFunc(afterAt, unicode.IsSpace)
	}
	return 0, "", false
}
