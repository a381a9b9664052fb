package shell

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// ofDocs returns where a picture of the documentation stands.
func ofDocs(name string) string { return "../../../../docs/pictures/" + name + ".svg" }

// tour returns the demo as it begins for somebody who has just started the shell in a terminal.
func tour(t *testing.T, screen tuitest.Config) *tuitest.Screen {
	t.Helper()
	// The name of the folder stands on the screen; it is a random one, but not here.
	dir, err := demo.NewWorkspace(t.TempDir(), bytes.NewReader([]byte{0x98, 0xbd}))
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	text, err := demo.Script()
	if err != nil {
		t.Fatal(err)
	}
	// In steps that a film can show, at the same speed.
	for was, is := range map[string]string{
		`"tool_chunk_bytes":48,"delay_ms":15,"chunk_runes":4`: `"tool_chunk_bytes":320,"delay_ms":100,"chunk_runes":27`,
		`"tool_chunk_bytes":48,"delay_ms":23,"chunk_runes":4`: `"tool_chunk_bytes":208,"delay_ms":100,"chunk_runes":17`,
	} {
		if !bytes.Contains(text, []byte(was)) {
			t.Fatalf("the pace of the demo is not %s any more", was)
		}
		text = bytes.ReplaceAll(text, []byte(was), []byte(is))
	}
	model, err := script.Parse(demo.Name, text)
	if err != nil {
		t.Fatal(err)
	}
	sh := New(Config{Version: "0.1", Models: Models{Name: demo.Name, Note: "no key set, /model tells how"},
		// The keys get bright between two looks of the film.
		Approval:  Approval{Mode: "ask", Times: ApprovalTimes{FocusDelay: 400 * time.Millisecond}},
		Workspace: Workspace{Name: "demo-98bd"}, Start: Start{SuggestedMessage: demo.SuggestedMessage},
		Session: Session{Path: "x"},
	})
	sh.setUp(agent.New(agent.Config{Model: model, Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: sh,
		Inbox: inbox{person: sh}}))
	screen.Before = "$ agentshell --demo\n"
	screen.Env = map[string]string{"SCROLLKEEP_STILL": "1"} // each picture of a spinner makes the file larger
	return tuitest.Start(t, &sh.app, screen)
}

func TestThePicturesOfTheDemoAreThoseOfTheShell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := tour(t, tuitest.Config{Cols: 80, Rows: 24})
		film := s.Film("The demo of the agent shell: it answers, and asks before it writes a file. " +
			"The change is shown as a diff, and is written after a yes.")
		keys := func(wait time.Duration, keys ...string) {
			for _, k := range keys {
				s.Pass(wait)
				s.Press(k)
			}
		}
		keys(2*time.Second, "enter")
		s.Pass(5 * time.Second)
		keys(time.Second, "y") // the haiku
		s.Pass(22 * time.Second)
		keys(900*time.Millisecond, "space", "space", "]")
		s.Pass(time.Second)
		tuitest.Golden(t, ofDocs("approval"), s.SVG("The approval pane of the agent shell: a diff of tides.go "+
			"in hunks, and below it the keys: yes, no, reason, always, edit, full."))
		keys(time.Second, "y")
		s.Pass(8 * time.Second)
		keys(time.Second, "r")
		s.Pass(300 * time.Millisecond)
		for _, r := range "it is a quote" {
			s.Pass(100 * time.Millisecond)
			s.Type(string(r))
		}
		keys(time.Second, "enter")
		s.Pass(12 * time.Second)
		tuitest.Golden(t, ofDocs("demo"), film.SVG())
	})
}
