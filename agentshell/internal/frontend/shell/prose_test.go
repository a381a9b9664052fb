package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Whatever is prose breaks between words, at each width: the words of the rows are those of the
// text.
func TestProseBreaksAtWords(t *testing.T) {
	const text = "please run the tests of this package once more and mend the failing one before you commit it"
	manyFiles := agent.ToolEnd{OK: true, Name: "bash", Title: "bash make all the generated files",
		Result: tool.Result{Summary: "exit 0, in 4 s", Changed: strings.Fields(text)}}
	for name, block := range map[string]staticBlock{
		"the person's words": personBlock(text),
		"a title":            endedCall(agent.ToolEnd{OK: true, Name: "bash", Title: "bash echo " + text}),
		"a summary": endedCall(agent.ToolEnd{OK: true, Name: "x", Title: "x",
			Result: tool.Result{Summary: text}}),
		"a failure":     endedCall(agent.ToolEnd{Name: "x", Title: "x", Text: text}),
		"changed files": endedCall(manyFiles),
		"a problem":     problem(text, text),
		"paragraphs":    paragraphs(true, text, "  name  "+text),
	} {
		whole := wordsOfRows(block, 2000)
		for cols := 24; cols <= 140; cols++ {
			if got := wordsOfRows(block, cols); !slices.Equal(got, whole) {
				t.Errorf("%s, %d columns: %q", name, cols, got)
				break
			}
		}
	}
}

// A person who lets the terminal wrap prose gets full rows.
func TestNativeProseFillsItsRows(t *testing.T) {
	text := strings.Repeat("words and more ", 20)
	rows := personBlock(text)(tui.Space{Width: 40, Native: true})
	if first := plainText(rows[0]); len([]rune(first)) != 40 || !rows[0].Wrapped {
		t.Errorf("the first row is %q", first)
	}
}

// wordsOfRows returns the words of all rows of a block.
func wordsOfRows(block staticBlock, cols int) (words []string) {
	for _, row := range block.View(tui.Space{Width: cols}).Lines {
		words = append(words, strings.Fields(plainText(row))...)
	}
	return words
}
