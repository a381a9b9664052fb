package shell

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// /memory lists notes, shows one whole, forgets one once the person has seen it and agreed, and
// confirms one of the workspace the same way.
func TestThePersonKeepsTheNotes(t *testing.T) {
	work, own := t.TempDir(), t.TempDir()
	put := func(file, text string) string {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	build := put(filepath.Join(own, "build.md"), "---\ndate: 2026-11-28\n---\nThe build\nneeds \x1b[31mmake.\n")
	put(filepath.Join(work, memory.WorkspaceDir, "style.md"), "---\ndate: 2026-11-27\n---\nUse tabs.\n")
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: work}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	env := tool.Env{Workspace: ws, Memory: &tool.Memory{Dir: own, Notes: &memory.Store{Person: memory.Dir(own),
		Workspace: memory.InWorkspace{Workspace: ws}, Agreed: memory.NewAgreed(t.TempDir(), work), Now: time.Now}}}
	t.Cleanup(func() { env.Memory.Close() })
	withNotes := func(c *Config) {
		c.Memory = func(ctx context.Context, arg string) (tool.MemoryReply, error) {
			return tool.MemoryCommand(ctx, env, arg)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 100, Rows: 60}, withNotes)
		s.line("/memory")
		s.holds("person/build (2026-11-28)  The build",
			"workspace/style [workspace file, not confirmed] (2026-11-27)  Use tabs.", "/memory forget NAME")
		s.line("/memory open build")
		s.holds("person/build", "needs", "make.")
		s.Press("q")
		s.line("/memory forget other")
		s.holds("! There is no note other; /memory lists them")
		s.line("/memory shred build")
		s.holds("! /memory takes open, forget or confirm, and the name of a note")
		s.line("/memory forget build")
		s.holds("forget notes/build.md", "- The build", "press Y to approve")
		s.Press("n")
		s.pass(3 * time.Second)
		if _, err := os.Stat(build); err != nil {
			t.Error("a denied forgetting removed the note")
		}
		s.line("/memory forget person/build")
		s.Press("Y")
		s.pass(3 * time.Second)
		if _, err := os.Stat(build); err == nil {
			t.Error("the note is still there")
		}
		s.line("/memory confirm style")
		s.holds("Later sessions trust this note", "Use tabs.")
		s.Press("y")
		s.pass(3 * time.Second)
		s.line("/memory")
		s.holds("workspace/style (2026-11-27)  Use tabs.")
		s.line("/memory confirm style")
		s.holds("The note workspace/style is yours already.")
	})
}

// At the end of a session the model may propose, once and only if anything was said; the proposal
// is asked like every other one, and quitting again leaves at once.
func TestTheModelMayProposeNotesAtTheEnd(t *testing.T) {
	last := func(c *Config) { c.LastMessage = "Propose notes." }
	proposes := `{"expect":["Propose notes."],"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":` +
		`{"path":"note.md","content":"tabs\n"}}]}`
	for name, c := range map[string]struct {
		lines []string
		play  func(s *session)
	}{
		"nothing was said": {nil, func(s *session) { s.line("/quit") }},
		"no notes": {[]string{`{"say":"Hi."}`, `{"expect":["Propose notes."],"say":"no notes"}`},
			func(s *session) { s.line("go"); s.line("/quit") }},
		"a yes": {[]string{`{"say":"Hi."}`, proposes, `{"say":"Done."}`}, func(s *session) {
			s.line("go")
			s.line("/quit")
			s.holds("The model may propose notes for later sessions now", "write note.md  new file")
			s.Press("y")
			s.pass(3 * time.Second)
			if got := s.file("note.md"); got != "tabs\n" {
				t.Errorf("the note is %q", got)
			}
		}},
		"quit again": {[]string{`{"say":"Hi."}`, proposes}, func(s *session) {
			s.line("go")
			s.line("/quit")
			s.Press("ctrl+c", "ctrl+c")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := beginConfigured(t, tuitest.Config{Cols: 100, Rows: 30}, last, c.lines...)
				c.play(s)
				if !s.over(5 * time.Second) {
					t.Error("the session goes on")
				}
			})
		})
	}
}
