package skill

import (
	_ "embed"
	"strings"
)

// reviewText is the text of the built-in skill review.
//
//go:embed shipped/review.md
var reviewText string

// initText is the message that the command /init sends.
//
//go:embed shipped/init.md
var initText string

// Shipped returns the built-in skill review and the command that uses it. Only that command
// mentions the skill to the model, so that the skill costs no tokens before.
func Shipped() Folder {
	return Folder{
		Commands: []Command{{Name: "review", Args: "[WHAT]", fallback: "the working tree",
			About: "review the working tree, or WHAT: a commit, a branch; nothing is changed",
			body:  "Review this, as " + Scheme + "://review says, which you read first: $ARGUMENTS"}},
		Skills: []Skill{{Name: "review", unlisted: true, read: func() (string, error) { return reviewText, nil }}},
	}
}

// Instructions returns the message that asks the model to propose a file AGENTS.md. wishes are the
// user's additions to it.
func Instructions(wishes string) string {
	return Command{body: strings.TrimSpace(initText)}.Text(wishes)
}
