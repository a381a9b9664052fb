package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAThemeThatCannotBeUsedIsToldAndAutoIs(t *testing.T) {
	home, workspace := t.TempDir(), t.TempDir()
	dir := filepath.Join(home, "agentshell", "themes")
	for _, d := range []string{dir, filepath.Join(workspace, "themes")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{
		filepath.Join(dir, "mine.toml"):                   "base = \"light\"\naccent = \"#ffffff\"\n",
		filepath.Join(dir, "bad.toml"):                    "base = \"light\"\naccent = true\n",
		filepath.Join(workspace, "themes", "theirs.toml"): "base = \"dark\"\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(workspace)
	p := Host{getenv: func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }}
	for _, test := range []struct{ name, used, told string }{
		{"", "auto", ""}, {"dark", "dark", ""}, {"high-contrast", "high-contrast", ""},
		{"mine", "mine", filepath.Join(dir, "mine.toml") + ":2: accent is not used, the base's look is: its contrast"},
		{"bad", "auto", "The theme of config.toml is not used, auto is: " + filepath.Join(dir, "bad.toml") +
			":2: accent:"},
		{"minne", "auto", `auto is: there is no theme "minne"; did you mean "mine"?; there are auto, dark,`},
		{"theirs", "auto", `there is no theme "theirs"`}, {"themes/theirs", "auto", "there is no theme"},
		{filepath.Join(workspace, "themes", "theirs"), "auto", "there is no theme"},
	} {
		th, told := p.loadTheme(test.name)
		ok := strings.Contains(strings.Join(told, "\n"), test.told) && (test.told != "" || told == nil)
		if th.Name != test.used || !ok {
			t.Errorf("%q: %s is used, and told %q; want %s and %q", test.name, th.Name, told, test.used, test.told)
		}
	}
	if th, _ := (Host{getenv: func(string) string { return "" }}).loadTheme("mine"); th.Name != "auto" {
		t.Errorf("without a config folder it is %s", th.Name)
	}
}
