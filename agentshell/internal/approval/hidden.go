package approval

import (
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// CountHidden returns the number of characters in a line that are invisible or would act on the
// terminal: controls other than tab, bidirectional, zero-width, tag and other invisible characters,
// and bytes that are not UTF-8.
func CountHidden(line string) int {
	_, c := visible.Lines(line)
	return c.Total()
}

// Confusable returns why a file name may be mistaken for another one, or "". The reason is that it
// has invisible characters, or that an element of the path mixes Latin letters with letters of a
// similar script.
func Confusable(path string) string {
	if _, c := visible.Line(path); c.Total() > 0 {
		return "the name has hidden characters"
	}
	latin, other := false, ""
	for _, r := range path + "/" {
		switch {
		case r == '/':
			if latin && other != "" {
				return "the name mixes Latin and " + other + " letters"
			}
			latin, other = false, ""
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.Is(unicode.Cyrillic, r):
			other = "Cyrillic"
		case unicode.Is(unicode.Greek, r):
			other = "Greek"
		case unicode.Is(unicode.Armenian, r):
			other = "Armenian"
		case unicode.Is(unicode.Cherokee, r):
			other = "Cherokee"
		}
	}
	return ""
}
