package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// opened returns a project in a new directory, with a scripted model.
func opened(t *testing.T, lines ...string) (Host, *project) {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	m, err := script.Parse("script", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	p := Host{getenv: func(name string) string { return map[string]string{"HOME": home}[name] }, tempDir: t.TempDir(),
		family: new(child.Family)}
	s, err := p.resolveSettings(Options{Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.openProject(t.Context(), s, modelSource{model: m, script: true}, editorClient{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.stop()
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
	return p, r
}

// conversationIn opens a conversation in the project. The end of the test closes it.
func conversationIn(t *testing.T, p Host, r *project, o conversationOptions) *conversation {
	t.Helper()
	c, err := r.openConversation(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// A process has several conversations: each has its own tools, messages and changes, and shares the
// rest.
func TestASecondConversationHasOnlyWhatItIsGiven(t *testing.T) {
	t.Parallel()
	p, r := opened(t,
		`{"tool_calls":[{"id":"1","name":"read_file","input":{"path":"a.txt"}},`+
			`{"id":"2","name":"write_file","input":{"path":"b.txt","content":"x"}}]}`,
		`{"say":"done","expect":["alpha","write_file"]}`)
	if err := os.WriteFile(filepath.Join(r.dir, "a.txt"), []byte("alpha\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	first := conversationIn(t, p, r, conversationOptions{NoLog: true})
	second := conversationIn(t, p, r, conversationOptions{NoLog: true, Tools: []string{"read_file"}})
	foreign := &tool.Foreign{Server: "s", Tool: "look", Schema: json.RawMessage(`{"type":"object"}`)}
	if err := r.foreign.setTools("s", []tool.Tool{foreign}); err != nil {
		t.Fatal(err)
	}
	if got := specNames(second); !slices.Equal(got, []string{"read_file"}) {
		t.Errorf("the second conversation has %q", got)
	}
	if got := specNames(first); !slices.Contains(got, "write_file") || !slices.Contains(got, foreign.Spec().Name) {
		t.Errorf("the first conversation has %q", got)
	}
	ag, other := second.newAgent(nil), first.newAgent(nil)
	if err := ag.RunTurn(t.Context(), agent.Message{Text: "go on"}, func(agent.Event) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "b.txt")); !os.IsNotExist(err) {
		t.Error("a tool that the conversation has not was run")
	}
	said := ag.Messages()
	if len(said) != 4 || len(other.Messages()) != 0 {
		t.Errorf("%d messages in the second, %d in the first", len(said), len(other.Messages()))
	}
	if last, ok := said[len(said)-1].Parts[0].(provider.Text); !ok || last.Text != "done" {
		t.Errorf("it ended with %v", said[len(said)-1])
	}
	if err := second.close(); err != nil {
		t.Fatal(err)
	}
}

func specNames(c *conversation) (names []string) {
	for _, s := range c.tools.Specs() {
		names = append(names, s.Name)
	}
	return names
}

// The command line beats the config file, and where each value comes from is known.
func TestSettingsKnowWhereTheyComeFrom(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := filepath.Join(home, ".config", "agentshell")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := "mode = \"plan\"\nmax_cost = 2.5\nmax_steps = 7\nprovider = \"openai\"\nallow = [\"bash(ls)\"]\n"
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	p := Host{getenv: func(name string) string { return map[string]string{"HOME": home}[name] }}
	s, err := p.resolveSettings(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.mode != (setting[string]{"plan", byFile}) || s.cost != (setting[float64]{2.5, byFile}) ||
		s.provider != (setting[string]{"openai", byFile}) || s.cfg.MaxSteps != 7 || len(s.rules) != 1 {
		t.Errorf("of the file: %+v %+v %+v, %d steps, %d rules", s.mode, s.cost, s.provider, s.cfg.MaxSteps,
			len(s.rules))
	}
	s, err = p.resolveSettings(Options{SessionOptions: SessionOptions{Mode: "edits", MaxCost: 1, MaxTurns: 3,
		Provider: "anthropic", Deny: []string{"bash(rm *)"}}})
	if err != nil {
		t.Fatal(err)
	}
	if s.mode != (setting[string]{"edits", byFlag}) || s.cost != (setting[float64]{1, byFlag}) ||
		s.provider != (setting[string]{"anthropic", byFlag}) || s.cfg.MaxSteps != 3 || s.cfg.MaxCost != 1 ||
		len(s.rules) != 2 || s.rules[1].Origin != "flag" {
		t.Errorf("of the line: %+v %+v %+v, %+v", s.mode, s.cost, s.provider, s.rules)
	}
	if s, err = (Host{getenv: func(string) string { return "" }}).resolveSettings(Options{}); err != nil ||
		s.mode.from != byDefault || s.provider.from != byDefault {
		t.Errorf("of nobody: %+v, %v", s, err)
	}
}
