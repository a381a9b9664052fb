//go:build unix

package acp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// In an editor /sessions and /memory answer without the model, and a note is forgotten after a yes.
func TestNotesAndSessionsInAnEditor(t *testing.T) {
	t.Parallel()
	node := need.Program(t, "node")
	if _, err := os.Stat("client/node_modules/@agentclientprotocol/sdk"); err != nil {
		need.Missing(t, "acp", err)
	}
	e := &editor{t: t, lines: make(chan message, 10_000), work: t.TempDir(), home: t.TempDir(),
		log: new(strings.Builder)}
	config := filepath.Join(e.home, ".config", "agentshell")
	note := filepath.Join(config, "memory", "build.md")
	for file, text := range map[string]string{filepath.Join(config, "config.toml"): "[memory]\nbackend = \"file\"\n",
		note: "Use make.\n"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e.start(node, scriptOf(done))
	id := e.begin(false)
	for _, command := range []string{"/sessions", "/memory", "/memory open build"} {
		if why := e.ends(e.prompt(id, command)); why != "end_turn" {
			t.Errorf("%s: %s", command, why)
		}
	}
	all := e.said("agent_message_chunk")
	for _, want := range []string{"  editor, since ", "idle  (this one)", "person/build (", "Use make."} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing in %s", want, all)
		}
	}
	turn := e.prompt(id, "/memory forget build")
	ask, p := e.asked()
	if _, err := os.Stat(note); err != nil || len(p.ToolCall.Content) == 0 {
		t.Errorf("before the answer: %+v, %v", p, err)
	}
	e.choose(ask, "yes")
	if why := e.ends(turn); why != "end_turn" {
		t.Error(why)
	}
	if _, err := os.Stat(note); err == nil {
		t.Error("the note is still there")
	}
}
