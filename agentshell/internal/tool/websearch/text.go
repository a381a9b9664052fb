package websearch

import (
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// shown reports whether a character of a foreign text is passed on.
func shown(r rune) bool { return unicode.IsPrint(r) && r != unicode.ReplacementChar }

// oneLine returns a foreign text as one line of at most most bytes, without controls and without
// characters that nobody sees.
func oneLine(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case shown(r):
			return r
		}
		return -1
	}, width.Head(text, 4*most)) // the cut below is behind what is left out here
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= most {
		return text
	}
	return strings.TrimSpace(width.Head(text, most)) + "…"
}

// paragraphs returns a foreign text of several lines without other controls.
func paragraphs(text string, most int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || shown(r) {
			return r
		}
		return -1
	}, width.Head(text, 2*most))
	text = strings.TrimSpace(text)
	if len(text) <= most {
		return text
	}
	return strings.TrimSpace(width.Head(text, most)) + "\n[cut here]"
}
