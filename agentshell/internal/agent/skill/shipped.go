package skill

import (
	_ "embed"
	"strings"
)

// reviewText is the skill review.
//
//go:embed shipped/review.md
var reviewText string

// initText is the message of /init.
//
//go:embed shipped/init.md
var initText string

// Shipped returns what comes with the program: the skill review, and the command that uses it. The
// model is told of the skill by that command only, so it costs nothing before.
func Shipped() Folder {
	return Folder{
		Commands: []Command{{Name: "review", Args: "[WHAT]", fallback: "the working tree",
			About: "review the working tree, or WHAT: a commit, a branch; nothing is changed",
			body:  "Review this, as " + Scheme + "://review says, which you read first: $ARGUMENTS"}},
		Skills: []Skill{{Name: "review", unlisted: true, read: func() (string, error) { return reviewText, nil }}},
	}
}

// Instructions returns the message that makes the model propose AGENTS.md. wishes is what the
// person adds.
func Instructions(wishes string) string {
	return Command{body: strings.TrimSpace(initText)}.Text(wishes)
}
