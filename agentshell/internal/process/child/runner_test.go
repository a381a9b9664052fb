//go:build unix

package child

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server of the person's does not run what a workspace has under the name of a package, nor what
// its settings lead to.
func TestARunnerFindsNoPackageOfTheWorkspace(t *testing.T) {
	for _, c := range []struct {
		file, text, command string
		local               bool
	}{
		{"node_modules/foo/package.json", "{}", "npx -y foo", true},
		{"node_modules/foo/package.json", "{}", "npx foo@1.2.3 --port 80", true},
		{"node_modules/.bin/foo", "", "npx --yes foo", true},
		{"node_modules/@a/foo/package.json", "{}", "npx -y @a/foo@latest", true},
		{"node_modules/.bin/foo", "", "npx -y @a/foo", true},
		{"node_modules/foo/package.json", "{}", "npx -p foo bar", true},
		{"node_modules/.bin/bar", "", "npx --package=foo bar", true},
		{"node_modules/foo/package.json", "{}", "/usr/bin/npx -y foo", true},
		{"node_modules/foo/package.json", "{}", "npx --loglevel error -y foo", true},
		{"node_modules/foo/package.json", "{}", "npx -c foo", true},
		{"node_modules/foo/package.json", "{}", "npm exec -- foo", true},
		{"node_modules/foo/package.json", "{}", "pnpm dlx foo", true},
		{"node_modules/foo/package.json", "{}", "bunx foo", true},
		{"bunfig.toml", "preload = ['./x.ts']", "bunx foo", true},
		{".npmrc", "registry=http://127.0.0.1:9\n", "npx -y foo", true},
		{".npmrc", "@a:registry = https://example.com\n", "npx -y @a/foo", true},
		{".npmrc", "node-options=--require ./x.js\n", "npx -y foo", true},

		{"node_modules/other/package.json", "{}", "npx -y foo", false},
		{"node_modules/arg/package.json", "{}", "npx -y foo arg", false},
		{"package.json", "{}", "npx -y foo", false},
		{".npmrc", "save-exact=true\n# registry=https://example.com\n", "npx -y foo", false},
		{"bunfig.toml", "", "npx -y foo", false},
		{"node_modules/foo/package.json", "{}", "npm run foo", false},
		{"node_modules/foo/package.json", "{}", "uvx foo", false},
		{"node_modules/foo/package.json", "{}", "foo", false},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, c.file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755),
			os.WriteFile(name, []byte(c.text), 0o644)); err != nil {
			t.Fatal(err)
		}
		if err := RunsLocal(dir, strings.Fields(c.command)); errors.Is(err, ErrLocal) != c.local {
			t.Errorf("%s beside %s: %v", c.command, c.file, err)
		}
	}
}

func TestPythonImportsFromTheDirectoryForModulesAndCode(t *testing.T) {
	for command, local := range map[string]bool{"python3 -m x": true, "python -c import": true,
		"python3.12 -u -m x": true, "/usr/bin/python3 -Im x": true, "python3 - x": true, "python3": true,
		"python3 /home/x/a.py -m": false,
		"python3 -u a.py":         false, "uvx x": false, "node -m": false} {
		env := SafeEnviron([]string{"A=b"}, strings.Fields(command))
		if len(env) == 2 != local || env[len(env)-1] != "A=b" {
			t.Errorf("%s", command)
		}
	}
}
