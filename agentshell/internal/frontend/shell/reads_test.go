package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// reading returns a line of a script that reads files, in one message or in one each.
func reading(one bool, names ...string) (lines []string) {
	var calls []string
	for _, name := range names {
		calls = append(calls, fmt.Sprintf(`{"id":%q,"name":"read_file","input":{"path":%q}}`, name, name))
	}
	if one {
		return []string{`{"tool_calls":[` + strings.Join(calls, ",") + `]}`}
	}
	for _, c := range calls {
		lines = append(lines, `{"tool_calls":[`+c+`]}`)
	}
	return lines
}

// files returns n files.
func filesOf(n int) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("file%02d.txt", i)] = fmt.Sprintf("text of %d\n", i)
	}
	return all
}

// Files that are read one after the other are one row, however the model asks for them. Anything
// between them parts them, and so does a read that fails.
func TestReadsInARowAreOneBlock(t *testing.T) {
	for _, one := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			script := reading(one, "file00.txt", "file01.txt", "file02.txt:1-1")
			script = append(script, `{"say":"Three files.","tool_calls":[{"id":"x","name":"read_file",`+
				`"input":{"path":"file03.txt"}}]}`)
			script = append(script, reading(one, "file01.txt", "file04.txt", "none.txt", "file05.txt")...)
			script = append(script, `{"tool_calls":[{"id":"l","name":"list_dir","input":{"path":"."}}]}`,
				`{"say":"Done."}`)
			s := begin(t, tuitest.Config{Cols: 80, Rows: 24}, filesOf(6), script...)
			s.send("read them")
			want := strings.Join([]string{
				"• read_file  3 reads: file00.txt, file01.txt, file02.txt:1-1",
				"",
				"Three files.",
				"",
				"• read_file  3 reads: file03.txt, file01.txt, file04.txt",
				"! read_file none.txt  file not found: workspace/none.txt",
				"• read_file file05.txt  1 line",
				"• list_dir .  6 entries",
				"",
				"Done.",
			}, "\n")
			if !strings.Contains(s.tape(), want) {
				t.Errorf("in one message %v:\n%s\nwant\n%s", one, s.tape(), want)
			}
			for _, key := range []string{"ctrl+o", "[", "[", "["} { // from list_dir: file05, none, file04
				s.Press(key)
				s.Settle()
			}
			if !strings.Contains(s.Visible(), "read_file file04.txt") || !strings.Contains(s.Visible(), "text of 4") {
				t.Errorf("the row does not open:\n%s", s.Visible())
			}
		})
	}
}

// A row of many reads names as many as two rows hold, and its block is complete at the end of the
// turn.
func TestARowOfManyReadsIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var names []string
		for i := range 30 {
			names = append(names, fmt.Sprintf("file%02d.txt", i))
		}
		s := begin(t, tuitest.Config{Cols: 50, Rows: 15}, filesOf(30), append(reading(false, names...), `{}`)...)
		s.send("read them")
		s.holds("• read_file  30 reads: file00.txt, file01.txt, file02.txt, file03.txt, file04.txt, and 25 more")
		if s.sh.reads != nil {
			t.Error("the row stays open at the end of the turn")
		}
	})
}

// A resumed conversation shows the reads of it as they were.
func TestReadsOfAResumedConversationAreOneBlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		call := func(name string) []provider.Message {
			return []provider.Message{
				{Role: provider.Assistant, Parts: []provider.Part{provider.ToolCall{ID: name, Name: "read_file",
					Input: []byte(fmt.Sprintf(`{"path":%q}`, name))}}},
				{Role: provider.User, Parts: []provider.Part{provider.ToolResult{ID: name, Text: "text"}}},
			}
		}
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(c *Config) {
			c.Start.Resumed = append(call("a.txt"), call("b.txt")...)
		}, `{"say":"Hello."}`)
		s.Settle()
		s.holds("• read_file  2 reads: a.txt, b.txt")
	})
}
