package tool

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// count returns "1 line", "150 lines".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if noun == "match" {
		return strconv.Itoa(n) + " matches"
	}
	if noun == "entry" {
		return strconv.Itoa(n) + " entries"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// shown returns a path for a description: one line, whatever the name holds.
func shown(p workspace.Path) string { return diff.Escape(p.String()) }

// titled returns text in a title: its beginning, harmless on one line, and to be read as it was
// written.
func titled(text string, most int) string {
	text, _ = visible.Line(cutText(text, most))
	return text
}

// cutText shortens s to at most n bytes without breaking a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// bytesWord returns "1 byte", "1234 bytes".
func bytesWord(n int) string { return fmt.Sprint(count(n, "byte")) }
