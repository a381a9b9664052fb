package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/workspace"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// session is the whole shell on a virtual screen: a scripted model, the real tools, a workspace of its own.
type session struct {
	*tuitest.Screen
	t   *testing.T
	dir string
	sh  *Shell
}

// begin starts a session in a workspace of files (name, content, ...), played from the lines of a script.
func begin(t *testing.T, screen tuitest.Config, files map[string]string, lines ...string) *session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	model, err := script.Parse("test script", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	sh := New(Config{Version: "0.1", Model: "test script", Workspace: "demo", Dir: "/demo", Mode: "ask", Log: "x"})
	sh.drive(agent.New(agent.Config{Model: model, Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: sh}))
	return &session{tuitest.Start(t, &sh.app, screen), t, dir, sh}
}

// pass lets time pass.
func (s *session) pass(d time.Duration) {
	<-time.After(d)
	s.Settle()
}

// file is what stands in a file of the workspace; "(none)" without it.
func (s *session) file(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if os.IsNotExist(err) {
		return "(none)"
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// tape is history and grid, as text.
func (s *session) tape() string {
	return strings.TrimLeft(s.Scrollback()+"\n"+s.Visible(), "\n")
}

// lacks fails if the screen or the history holds one of texts.
func (s *session) lacks(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.tape(), text) {
			s.t.Errorf("%q stands in\n%s", text, s.tape())
		}
	}
}

func (s *session) holds(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.tape(), text) {
			s.t.Errorf("%q does not stand in\n%s", text, s.tape())
		}
	}
}

const notes = "one\ntwo\nteh end\n"

var rivers = []string{
	`{"say":"I look at the folder first.","tool_calls":[{"id":"a","name":"list_dir","input":{"path":"."}},{"id":"b","name":"read_file","input":{"path":"notes.md"}}]}`,
	`{"say":"The typo is \"teh\" in line 3. The haiku first.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"haiku.txt","content":"river under ice\na heron waits on one leg\nthe current goes on\n"}}]}`,
	`{"tool_calls":[{"id":"d","name":"edit_file","input":{"path":"notes.md","old_string":"teh","new_string":"the"}}]}`,
	`{"expect":"user denied this tool call\nkeep it, it is a quote","say":"Understood, I leave **notes.md** as it is.","usage":{"input":3000,"output":120}}`,
}

func TestAWholeSession(t *testing.T) {
	for _, size := range []struct {
		name       string
		cols, rows int
	}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"50x15", 50, 15}, {"20x6", 20, 6}} {
		t.Run(size.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := begin(t, tuitest.Config{Cols: size.cols, Rows: size.rows, Before: "$ an earlier command\nits output\n"}, map[string]string{"notes.md": notes}, rivers...)
				s.Type("put a haiku about rivers into haiku.txt and fix the typo in notes.md")
				s.Press("enter")
				s.pass(5 * time.Second)
				if got := s.file("haiku.txt"); got != "(none)" {
					t.Fatalf("before the answer haiku.txt is %q", got)
				}
				s.Press("y")
				s.pass(5 * time.Second)
				if got := s.file("haiku.txt"); !strings.HasPrefix(got, "river") {
					t.Errorf("after y haiku.txt is %q\n%s", got, s.Visible())
				}
				s.Press("r")
				s.Type("keep it, it is a quote")
				s.Press("enter")
				s.pass(5 * time.Second)
				if got := s.file("notes.md"); got != notes {
					t.Errorf("after a denial notes.md is %q", got)
				}
				s.Golden()
				s.Press("ctrl+d")
				if err := s.Wait(); err != nil {
					t.Error(err)
				}
				s.lacks("working", "[y]es", "Esc stops", "ask ·")
			})
		})
	}
}
