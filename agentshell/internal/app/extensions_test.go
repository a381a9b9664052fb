package app

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
	"github.com/scrollkeep/scrollkeep/internal/nasty"
)

// testExtension writes the extension of the tests to a directory.
func testExtension(t *testing.T, dir, how string) {
	t.Helper()
	if err := extensiontest.Write(dir, how); err != nil {
		t.Fatal(err)
	}
}

// runsWith reports whether a process with that argument is running.
func runsWith(argument string) bool {
	for _, line := range nasty.Processes("cmdline") {
		if bytes.Contains(append(line, 0), []byte("\x00"+argument+"\x00")) {
			return true
		}
	}
	return false
}

const extensionCalls = `{"say":"one","delay_ms":0,"tool_calls":[{"id":"a","name":"bash",` +
	`"input":{"command":"echo two"}}]}` + "\n" +
	`{"delay_ms":0,"tool_calls":[{"id":"b","name":"ext__test__count","input":{"text":"hello"}}]}` + "\n" +
	`{"say":"end","delay_ms":0}`

func TestAnExtensionOnTheScreen(t *testing.T) {
	t.Parallel()
	p := newPane(t, 100, 30)
	dir := p.path("config/agentshell/extensions/test")
	testExtension(t, dir, "well")
	p.config("sandbox = \"off\"\n[extensions.test]\n")
	p.start(extensionCalls)
	p.sees("status of 40")
	p.sees("footer of 100")
	p.text("/do ma")
	p.sees("max  a note")
	p.keys("C-u")
	p.line("/do pick")
	p.sees("test: Switch to")
	p.keys("Down")
	p.keys("Enter")
	p.sees(`{"value":"topic"}`)
	p.line("/do overlay")
	p.sees("test: Switch to")
	p.keys("Escape")
	p.sees(`{"cancelled":true}`)
	p.line("/do view")
	p.sees("view 100×4 keys:")
	p.keys("j")
	p.sees("keys: j")
	p.keys("Enter")
	p.sees(`{"value":"j enter"}`)
	p.line("/do form")
	p.sees("test: About it")
	for range 3 {
		p.keys("Enter")
	}
	p.sees(`{"value":{"name":"x","size":"small","sure":true}}`)
	p.line("/do draft")
	p.sees("› a draft")
	p.keys("C-u")
	p.line("go")
	p.sees("shown: two")
	p.sees(`runs in the extension "test"`)
	p.armed()
	p.keys("y")
	p.sees("5 letters")
	p.sees("end")
	p.line("/do events")
	p.sees("heard: turn_begin call result call result")
	p.line("/extensions")
	p.sees("test  ready")
	if !runsWith(dir) {
		t.Error("its process is not found")
	}
	p.kill()
	p.wait("the end of the extension", func() bool { return !runsWith(dir) })
}

// Without a screen an extension has its tools, and its questions are answered at once.
func TestAnExtensionWithoutAScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder, script := filepath.Join(dir, "config/agentshell/extensions/test"), filepath.Join(dir, "s.jsonl")
	testExtension(t, folder, "well")
	for name, text := range map[string]string{"config/agentshell/config.toml": "[extensions.test]\n",
		"s.jsonl": strings.Replace(extensionCalls, `"hello"`, `"ask"`, 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "w"), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		cmd := exec.Command(Binary, append(args, "-p", "x", "--script", script, "--output", "stream-json")...)
		cmd.Dir = filepath.Join(dir, "w")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
			"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "TMPDIR=" + t.TempDir()}
		out, _ := cmd.CombinedOutput() // a denied call is an error
		return string(out)
	}
	if out := run("--allow", "ext__test__count", "--allow", "bash"); !strings.Contains(out, `no screen`) {
		t.Errorf("the tool is not called:\n%s", out)
	}
	if out := run(); strings.Contains(out, "no screen") || !strings.Contains(out, "denied") {
		t.Errorf("the tool runs unasked:\n%s", out)
	}
	if runsWith(folder) {
		t.Error("its process is left")
	}
}

// An extension of a workspace is used after one question that shows what it registers, and not
// after a change of its files.
func TestTheExtensionsOfAWorkspaceAreAskedFor(t *testing.T) {
	t.Parallel()
	p := newPane(t, 140, 40)
	dir := p.path("w/.agentshell/extensions/near")
	testExtension(t, dir, "well")
	p.start(`{"say":"hi","delay_ms":0}`)
	p.sees("use extensions of this workspace")
	for _, want := range []string{"near: a test", "/do [WHAT]", "tool         count"} {
		if screen := p.screen(); !strings.Contains(screen, want) {
			t.Errorf("%q is missing in\n%s", want, screen)
		}
	}
	if runsWith(dir) {
		t.Error("it runs before the answer")
	}
	p.readThrough()
	p.keys("y")
	p.sees("Of this workspace: the extension near.")
	p.line("/do this")
	p.sees("did this")
	p.write("other.sh", "x")
	p.write(".agentshell/extensions/far/extension.toml", strings.Replace(extensiontest.Manifest, "/proc/self/exe",
		"sh\", \"other.sh", 1))
	p.write(".agentshell/extensions/near/more", "x")
	p.line("/extensions restart near")
	p.sees("its files have changed")
	p.keys("C-d")
	p.wait("the end", func() bool { return strings.HasSuffix(p.screen(), "\n$") })
	p.line("clear; ./agentshell --script script --workspace w")
	p.sees("use extensions of this workspace")
	if history := p.history(); !strings.Contains(history, `"far" of this workspace is not used: its command names`) {
		t.Errorf("a program outside of its folder is used:\n%s", history)
	}
}
