package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// The person's file of what git ignores is the one that git takes.
func TestTheFileOfWhatGitIgnoresIsGitsOwn(t *testing.T) {
	git := need.Program(t, "git")
	const set = "[core]\n\texcludesFile = "
	for name, c := range map[string]struct {
		files map[string]string // below the home directory
		env   map[string]string
		want  string
	}{
		"nothing is set": {nil, nil, ".config/git/ignore"},
		"another place":  {nil, map[string]string{"XDG_CONFIG_HOME": "~/x"}, "x/git/ignore"},
		"named":          {map[string]string{".gitconfig": set + "~/mine\n"}, nil, "mine"},
		"named in both files": {map[string]string{".gitconfig": set + "~/a\n", ".config/git/config": set + "~/b\n"},
			nil, "a"},
		"named in the other place": {map[string]string{"x/git/config": set + "~/b\n"},
			map[string]string{"XDG_CONFIG_HOME": "~/x"}, "b"},
		"named in an include": {map[string]string{".gitconfig": "[include]\n\tpath = more\n", "more": set + "~/c\n"},
			nil, "c"},
		"the last one": {map[string]string{".gitconfig": set + "~/a\n[core]\n\texcludesfile = \"~/d d\" # two\n"},
			nil, "d d"},
		"instead of the person's": {map[string]string{".gitconfig": set + "~/a\n", "other": set + "~/e\n"},
			map[string]string{"GIT_CONFIG_GLOBAL": "~/other"}, "e"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for file, text := range c.files {
				_ = os.MkdirAll(filepath.Dir(filepath.Join(home, file)), 0o755)
				if err := os.WriteFile(filepath.Join(home, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"GIT_CONFIG_NOSYSTEM": "1", "HOME": home}
			for k, v := range c.env {
				env[k] = strings.Replace(v, "~", home, 1)
			}
			h := Host{getenv: func(key string) string { return env[key] }}
			if got := h.gitIgnore(home); got != filepath.Join(home, c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
			cmd := exec.Command(git, "config", "--type=path", "core.excludesFile")
			cmd.Dir = home
			for k, v := range env {
				cmd.Env = append(cmd.Env, k+"="+v)
			}
			out, _ := cmd.Output() // fails if it is not set
			if name := strings.TrimSpace(string(out)); name != "" && name != filepath.Join(home, c.want) {
				t.Errorf("git has %s", name)
			}
		})
	}
}
