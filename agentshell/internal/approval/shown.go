package approval

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// ShowCommand returns the words of a command on one line for the user to read. Words with blanks or
// special characters are quoted, so that their limits are visible.
func ShowCommand(words []string) string {
	var shown []string
	for _, w := range words {
		shown = append(shown, showWord(w))
	}
	return strings.Join(shown, " ")
}

// showWord returns a word on one line, quoted if necessary. A reference such as ${HOME} and a =
// need no quotes.
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

// ShowValue returns a text from a file on one line. Runs of blanks become one, so that the text
// cannot look like several rows.
func ShowValue(s string) string {
	line, _ := visible.Line(s)
	return strings.Join(strings.Fields(line), " ")
}
