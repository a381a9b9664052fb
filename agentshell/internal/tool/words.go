package tool

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// count returns n with the noun in its singular or plural: "1 line", "150 lines".
func count(n int, noun string) string { return plural.Of(n, noun) }

// shown returns a path for display: on one line, with control characters escaped.
func shown(p workspace.Path) string { return diff.Escape(p.String()) }

// titled returns the first bytes of text, at most as many as most says, for a call's title. Line
// breaks and control characters are made visible, so that the result is a single harmless line.
func titled(text string, most int) string {
	text, _ = visible.Line(width.Head(text, most))
	return text
}

// bytesWord returns a number of bytes with its unit: "1 byte", "1234 bytes".
func bytesWord(n int) string { return fmt.Sprint(count(n, "byte")) }
