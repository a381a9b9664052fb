// Package untrusted makes texts that others have written harmless and short.
package untrusted

import (
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// IsShown reports whether Line and Paragraphs keep a character: it is printable.
func IsShown(r rune) bool { return unicode.IsPrint(r) && r != unicode.ReplacementChar }

// Line returns an untrusted text as one line of at most limit bytes, without control characters and
// invisible ones.
func Line(text string, limit int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case IsShown(r):
			return r
		}
		return -1
	}, width.Head(text, 4*limit)) // the cut below is behind what is left out here
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= limit {
		return text
	}
	return strings.TrimSpace(width.Head(text, limit)) + "…"
}

// Paragraphs returns an untrusted text of at most limit bytes. It keeps line breaks and tabs, and
// removes all other control characters and invisible ones.
func Paragraphs(text string, limit int) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || IsShown(r) {
			return r
		}
		return -1
	}, width.Head(text, 2*limit))
	text = strings.TrimSpace(text)
	if len(text) <= limit {
		return text
	}
	return strings.TrimSpace(width.Head(text, limit)) + "\n[cut here]"
}
