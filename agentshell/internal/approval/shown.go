package approval

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// ShowCommand returns a command on one line, as it would be typed: a word with blanks or other
// marks is quoted, so that the words and their borders are seen. It is to be read, not run.
func ShowCommand(words []string) string {
	var shown []string
	for _, w := range words {
		shown = append(shown, showWord(w))
	}
	return strings.Join(shown, " ")
}

// showWord returns a word on one line. A reference such as ${HOME}, which a file of servers may
// have, and a = are not quoted for their own sake.
func showWord(w string) string {
	plain := strings.NewReplacer("${", "", "}", "", "=", "").Replace(w)
	shown := w
	if quoted, err := syntax.Quote(plain, syntax.LangBash); err != nil || quoted != plain {
		if shown, err = syntax.Quote(w, syntax.LangBash); err != nil { // no shell takes it
			shown = strconv.Quote(w)
		}
	}
	shown, _ = visible.Line(shown)
	return shown
}

// ShowValue returns a text of a file on one line, without runs of blanks that could make it look
// like several rows.
func ShowValue(s string) string {
	line, _ := visible.Line(s)
	return strings.Join(strings.Fields(line), " ")
}
