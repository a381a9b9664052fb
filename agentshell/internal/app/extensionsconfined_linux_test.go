package app_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A program in the sandbox reads its own folder, also one beside the configuration file, which
// confined programs do not see. It cannot change it, and sees no other.
func TestAConfinedExtensionReadsItsFolder(t *testing.T) {
	t.Parallel()
	p := confinedPlace(t)
	need.Program(t, "node")
	configDir := filepath.Join(p.home, ".config", "agentshell")
	for name, dir := range map[string]string{"beside": filepath.Join(configDir, "extensions", "beside"),
		"home": filepath.Join(p.home, "src", "home")} {
		if made := p.run("", "extension", "new", name, dir); made.code != 0 {
			t.Fatal(made)
		}
		p.write(filepath.Join(dir, "extension.toml"), `protocol = 1
about = "looks"
command = ["node", "${dir}/main.mjs"]
[[tools]]
name = "look"
about = "looks"
schema = '{"type": "object"}'
`)
		p.write(filepath.Join(dir, "main.mjs"), `import { run } from "./extension.mjs";
import { existsSync, writeFileSync } from "node:fs";
const writes = (file) => { try { writeFileSync(file, "x"); return true; } catch { return false; } };
run({ tools: { look: { run: () => ["config `+configDir+`/config.toml", "other `+p.home+`/src/other"].map(
  (line) => line.split(" ")).map(([name, file]) => name + " " + existsSync(file)).join(", ") +
  ", own " + writes(new URL("own", import.meta.url)) + ", workspace " + writes("written") } } });
`)
	}
	p.write(filepath.Join(p.home, "src", "other"), "x")
	p.config("sandbox = \"auto\"\n[extensions.beside]\n[extensions.home]\ndir = \"~/src/home\"\n")
	for _, name := range []string{"beside", "home"} {
		script := p.script(`{"delay_ms":0,"tool_calls":[{"id":"t","name":"ext__`+name+`__look","input":{}}]}`, hi)
		got := p.run("", "-p", "go", "--output", "stream-json", "--script", script, "--allow", "ext__"+name+"__look")
		if !strings.Contains(got.stdout, "config false, other false, own false, workspace true") {
			t.Errorf("%s: %s%s", name, got.stdout, got.stderr)
		}
	}
}

// In a directory that is too wide for a sandbox an extension is tried in an empty folder.
func TestAnExtensionIsTriedInAHomeDirectory(t *testing.T) {
	t.Parallel()
	p := confinedPlace(t)
	need.Program(t, "node")
	p.work = p.home
	dir := filepath.Join(p.home, "src", "fruit")
	if made := p.run("", "extension", "new", "fruit", dir); made.code != 0 {
		t.Fatal(made)
	}
	tried := p.run("", "extension", "test", dir, "--run", "fruit plum")
	wants(t, tried.stdout, "is too wide for a sandbox: ", "it runs in an empty folder", "cd PROJECT\n",
		"       | You chose plum.\n", "All is well.\n")
}
