package shell

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// What the person does to the list counts, stands above the prompt, and is told to the model.
func TestThePersonChangesTheTodoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := new(todo.Board)
		board.Set(todo.Parse("## Look\n[x] read\n[>] ask\n## Build\n[ ] write\n"))
		s := beginConfigured(t, tuitest.Config{Cols: 70, Rows: 24}, func(c *Config) { c.Todo = board },
			`{"expect":"I changed the todo list. It is now:\n\n## Look\n[x] read\n[x] ask\n`+
				`## Build\n[>] write\n[ ] rest \u001b[2J","say":"I see.","delay_ms":0,`+
				`"tool_calls":[{"id":"1","name":"todo","input":{"ops":[{"op":"done","item":"write"}]}}]}`,
			`{"expect":"[x] write\n[>] rest","say":"Done.","delay_ms":0}`)
		if v := s.Visible(); !strings.Contains(v, "[x] read\n[>] ask\n[ ] write\n") {
			t.Errorf("the list that goes on is not above the prompt:\n%s", v)
		}
		s.line("/todo")
		s.holds("The todo list, 1 of 3 done:\nLook\n  1 [x] read\n  2 [>] ask\nBuild\n  3 [ ] write")
		s.line("/todo done 2")
		s.holds("› /todo done 2", "2 [x] ask", "3 [>] write")
		s.sh.app.Do(func() { s.sh.submit("/todo append rest \x1b[2J") })
		s.pass(1e9)
		s.line("/todo done 9")
		s.holds("! The list was not changed: there is no item 9.")
		s.line("/todo frob")
		s.holds(`"frob" is nothing that /todo does`)
		s.line("go")
		s.holds("I see.", "Done.")
		if got := board.List().Text(); !strings.Contains(got, "[x] write\n[>] rest") {
			t.Error(got)
		}
	})
}

func TestHowTheTodoListLooks(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := new(todo.Board)
				board.Set(todo.Parse("## Look\n[x] read the parser\n[>] ask for the grammar\n      who?\n" +
					"## Build\n[ ] write\n[-] guess\n"))
				s := beginConfigured(t, tuitest.Config{Cols: size[0], Rows: size[1]},
					func(c *Config) { c.Todo = board })
				s.line("/todo")
				s.line("/todo done 2")
				s.Golden()
			})
		})
	}
}
