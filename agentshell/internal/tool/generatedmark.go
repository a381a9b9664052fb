package tool

import (
	"bytes"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Where a file says that it is generated.
const (
	generatedBytes = 1024
	generatedLines = 40
)

// generatedMarks are what generators write into their files: a comment that begins so. A comment
// that only speaks of something generated is none.
var generatedMarks = lazyregexp.New(`^\s*(?:[/]{2,3}|#+|/?\*+|--|;+|<!--|%+|'|""")!?[\s*=-]*(?:` +
	`Code generated .*DO NOT EDIT|DO NOT EDIT\b|@generated\b|(?:.* )?GENERATED .*DO NOT EDIT|.*godefs.* DO NOT EDIT|` +
	`(?i:(?:this|the following) (?:file|code) (?:is|was|has been) (?:automatically |auto-?)?@?generated ` +
	`(?:by|from|with|using|at)\b|this is (?:an )?auto-?generated file|` +
	`(?:this|the following) (?:file|code) (?:is|was|has been) (?:automatically|auto-?)\s?generated\b|` +
	`auto-?(?:matically )?generated(?: file| code)?(?:\s*(?:-->|\*/|[.,;:!]|$)| (?:by|from|with|using)\b)|` +
	`generated (?:by|from|with|using) .*\bdo not (?:edit|modify|change)))`)

// generatedBy returns the line by which a text says that a program has written it, "" if it does
// not.
func generatedBy(data []byte) string {
	head := data[:min(len(data), generatedBytes)]
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte(workspace.BOM))) {
		if n++; n > generatedLines {
			break
		}
		if generatedMarks().Match(line) {
			return diff.Escape(width.Head(strings.TrimSpace(string(line)), 100))
		}
	}
	return ""
}
