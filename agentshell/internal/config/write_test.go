package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

// A server is written behind what is there and taken out again, and nothing else changes.
func TestAServerIsWrittenIntoTheFileAndTakenOut(t *testing.T) {
	for _, before := range []string{"", "# mine\nmodel = \"m\"", "# mine\nmodel = \"m\"\n\n[[format]]\nfiles = " +
		"[\"*.go\"]\n" +
		"command = [\"gofmt\"]\n\n[mcp.other] # a note\ncommand = [\"x\"]\n"} {
		dir := filepath.Join(t.TempDir(), "agentshell")
		if before != "" {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(before), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		want := config.MCP{Command: []string{"prog", `a "b" \c`, "d\te\x7f"}, Env: []string{"A=1", "B"}}
		file, err := config.Append(dir, config.MCPText("mine", want))
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(dir)
		if got := cfg.MCP["mine"]; err != nil || strings.Join(got.Command, "|") != strings.Join(want.Command, "|") ||
			strings.Join(got.Env, "|") != "A=1|B" {
			t.Errorf("%+v, %v", got, err)
		}
		mode := os.FileMode(0o640)
		if before == "" {
			mode = 0o600
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%v, %v", info, err)
		}
		if _, gone, err := config.RemoveMCP(dir, "mine"); err != nil || !strings.HasPrefix(gone, "[mcp.mine]\n") {
			t.Errorf("%q, %v", gone, err)
		}
		after, err := os.ReadFile(file)
		if err != nil || strings.TrimSpace(string(after)) != strings.TrimSpace(before) {
			t.Errorf("%q became %q, %v", before, after, err)
		}
	}
}

// A table below a server goes with it, whatever its quotes; what stands elsewhere is not guessed
// at.
func TestAServerIsTakenOutWithItsTables(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	text := "[mcp.\"a\"]\nurl = \"https://x.example/\"\n[mcp.a.headers]\nX = \"1\"\n[mcp.ab]\ncommand = [\"y\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := config.RemoveMCP(dir, "a"); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != "[mcp.ab]\ncommand = [\"y\"]\n" {
		t.Errorf("%q, %v", after, err)
	}
	inline := "mcp = { a = { command = [\"x\"] } }\n"
	if err := os.WriteFile(file, []byte(inline), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := config.RemoveMCP(dir, "a"); err == nil || !strings.Contains(err.Error(), "by hand") {
		t.Error(err)
	}
	// What could not be read then is not written.
	if _, err := config.Append(dir, "[mcp.a]\ncommand = [\"y\"]\n"); err == nil ||
		!strings.Contains(err.Error(), "was not changed") {
		t.Error(err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != inline {
		t.Errorf("%q, %v", after, err)
	}
}
