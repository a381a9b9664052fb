package app

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The language servers of a workspace's own table are used only after a question that shows all of
// it. The answer holds for that content alone, and the person's table stands over it.
func TestTheLanguageServersOfAWorkspaceAreAskedFor(t *testing.T) {
	t.Parallel()
	p := newPane(t, 140, 30)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"w/.agentshell", "config/agentshell"} {
		if err := os.MkdirAll(p.path(dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write("w/a.odd", "one\n")
	// The first program is looked for and is not there, which the model is told by its name.
	const table = "[odd]\ncommand = [\"odd-of-the-workspace\"]\nkinds = { \".odd\" = \"odd\" }\n"
	write("w/.agentshell/lsp.toml", table)
	write("config/agentshell/config.toml", "[lsp]\nenabled = true\n")
	const ask = `{"say":"hi","delay_ms":0,"tool_calls":[{"id":"a","name":"lsp","input":` +
		`{"action":"hover","file":"a.odd"}}]}` + "\n" + `{"say":"end","delay_ms":0}` + "\n"
	// asked returns what the model is told about a.odd, and what the person is.
	asked := func() string {
		t.Helper()
		write("s.jsonl", ask)
		cmd := exec.Command(p.path("agentshell"), "-p", "x", "--script", p.path("s.jsonl"), "--output", "stream-json")
		cmd.Dir = p.path("w")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.path("state"),
			"XDG_CONFIG_HOME=" + p.path("config")}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return string(out)
	}
	wants := func(when string, parts ...string) {
		t.Helper()
		got := asked()
		for _, part := range parts {
			without, is := strings.CutPrefix(part, "!")
			if strings.Contains(got, without) == is {
				t.Errorf("%s: %q in\n%s", when, part, got)
			}
		}
	}
	const unasked = "language servers in .agentshell/lsp.toml of this workspace are not used"
	wants("before the question", unasked, "No language server found for workspace/a.odd")
	p.start(`{"say":"hi","delay_ms":0}`)
	p.sees("use language servers of this workspace")
	if screen := p.screen(); !strings.Contains(screen, `command = ["odd-of-the-workspace"]`) {
		t.Errorf("the question is\n%s", screen)
	}
	p.readThrough()
	p.keys("y")
	p.sees("Of this workspace: the language server odd.")
	wants("after a yes", "!"+unasked, "odd-of-the-workspace is not installed")
	write("config/agentshell/lsp.toml", "[odd]\ncommand = [\"odd-of-the-person\"]\nkinds = { \".odd\" = \"odd\" }\n")
	wants("with a table of the person", "!"+unasked, "odd-of-the-person is not installed")
	write("config/agentshell/lsp.toml", "")
	write("w/.agentshell/lsp.toml", table+"edits = [\"odd.run\"]\n")
	wants("a command without a question", "only your own table may name edits", "!"+unasked, "No language server found")
	write("w/.agentshell/lsp.toml", strings.Replace(table, "odd-of", "other-of", 1))
	wants("after a change", unasked, "No language server found for workspace/a.odd")
	write("w/.agentshell/lsp.toml", "comand = 1\n")
	wants("a broken table", ".agentshell/lsp.toml of the workspace is not used", "No language server found")
}
