package tool

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// count returns "1 line", "150 lines".
func count(n int, noun string) string { return plural.Of(n, noun) }

// shown returns a path for a description: one line, whatever the name holds.
func shown(p workspace.Path) string { return diff.Escape(p.String()) }

// titled returns text in a title: its beginning, harmless on one line, and to be read as it was
// written.
func titled(text string, most int) string {
	text, _ = visible.Line(width.Head(text, most))
	return text
}

// bytesWord returns "1 byte", "1234 bytes".
func bytesWord(n int) string { return fmt.Sprint(count(n, "byte")) }
