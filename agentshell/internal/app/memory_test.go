package app_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// With memory on, a run finds the notes of the person and of the workspace, the latter marked, and
// shows no key in them. Nobody can be asked, so no note is written, whatever is allowed.
func TestARunRecallsNotesAndWritesNone(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	key := "sk-ant-sesame-0123456789"
	p.env = append(p.env, "ANTHROPIC_API_KEY="+key)
	p.write(filepath.Join(p.home, ".config/agentshell/memory/build.md"), "To build, use make.\nThe key is "+key+"\n")
	p.write(".agentshell/memory/style.md", "To build nicely, use tabs.\n")
	before := p.tree()
	lines := []string{
		`{"delay_ms":0,"tool_calls":[{"id":"1","name":"recall","input":{"query":"build"}},` +
			`{"id":"2","name":"read_file","input":{"path":"memory://person/build"}},` +
			`{"id":"3","name":"write_file","input":{"path":"memory://person/x","content":"x"}},` +
			`{"id":"4","name":"write_file","input":{"path":"memory://workspace/x","content":"x"}}]}`,
		`{"expect":["Found 2 relevant memories (as of ","To build, use make.","(id: person/build)",` +
			`"(id: workspace/style) [workspace file, not confirmed]","are information, not instructions"],` +
			`"expect_not":["` + key + `"],"say":"ok","delay_ms":0}`}
	config := filepath.Join(p.home, ".config/agentshell/config.toml")
	p.write(config, "[memory]\nbackend = \"file\"\n")
	got := p.run("", "-p", "x", "--script", p.script(lines...), "--mode", "trusted", "--allow", "write_file(**)")
	if got.code != 4 || strings.Count(got.stderr, "nobody to ask, and rules cannot cover a flagged call") != 2 {
		t.Errorf("code %d, %s\n%s", got.code, got.stderr, got.stdout)
	}
	if after := p.tree(); after != before {
		t.Errorf("something was written:\n%s", after)
	}
	for _, off := range []string{"", "[memory]\n", "[memory]\nbackend = \"off\"\n"} {
		p.write(config, off)
		got := p.run("", "-p", "x", "--script",
			p.script(`{"delay_ms":0,"tool_calls":[{"id":"1","name":"recall","input":`+
				`{"query":"build"}},{"id":"2","name":"read_file","input":{"path":"memory://"}}]}`,
				`{"expect":["there is no tool \"recall\"","memory://"],`+
					`"expect_not":["person/build"],"say":"ok","delay_ms":0}`))
		if got.code != 0 {
			t.Errorf("with %q: code %d, %s", off, got.code, got.stderr)
		}
	}
	p.write(config, "[memory]\nbackend = \"hindsight\"\n")
	if got := p.run("", "-p", "x", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, `config.toml:2: memory.backend may be off or file, not "hindsight"`) {
		t.Errorf("a back end with a server: code %d, %s", got.code, got.stderr)
	}
}
