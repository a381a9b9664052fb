package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRulesAreShownBeforeTheyAreImported(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	file := filepath.Join(t.TempDir(), "settings.json")
	const settings = `{"permissions": {"allow": ["Bash(npm run test:*)", "Bash(npx:*)", "Bash(npm run *)",
		"mcp__git", "Bash(x \u001b[31m)"],
		"ask": ["Bash(git push:*)"], "defaultMode": "acceptEdits",
		"additionalDirectories": ["../lib"],
		"deny": ["Read(./.env)", "Read(~/.ssh/**)", "Edit(.github/**)"]}}`
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	shown := p.run("", "rules", "import", file)
	for _, want := range []string{"allow      bash(npm run test *)\n", "allow      mcp(git/*)\n",
		"not taken  allow Bash(npx:*): npx runs what its words say", "ask        bash(git push *)\n",
		"deny       read_file(.env)\n", "deny       read_file(~/.ssh/**)\n",
		"not taken  allow Bash(npm run *): the word behind npm run names what runs",
		`not taken  defaultMode acceptEdits: mode = "edits" in the config file`,
		"not taken  additionalDirectories ../lib: ",
		`/config.toml: ask = ["bash(git push *)"]`, "For the config file " + p.home,
		`/config.toml: deny = ["read_file(.env)", "read_file(~/.ssh/**)", "write_file(.github/**)", ` +
			`"edit_file(.github/**)"]`,
		"Nothing was written. --write keeps the allow rules.\n"} {
		if !strings.Contains(shown.stdout, want) {
			t.Errorf("%q is missing:\n%s", want, shown.stdout)
		}
	}
	if shown.code != 0 || strings.Contains(shown.stdout, "\x1b") {
		t.Errorf("code %d, %q", shown.code, shown.stdout)
	}
	kept := filepath.Join(p.home, ".config", "agentshell", "rules.json")
	if _, err := os.Stat(kept); err == nil {
		t.Error("something was written unasked")
	}
	if wrote := p.run("", "rules", "import", "--write", file); wrote.code != 0 ||
		!strings.Contains(wrote.stdout, "2 rules are kept in ") {
		t.Errorf("%+v", wrote)
	}
	if bad := p.run("", "rules", "import", filepath.Join(p.home, "none")); bad.code == 0 {
		t.Errorf("%+v", bad)
	}
}
