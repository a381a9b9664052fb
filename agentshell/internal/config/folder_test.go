package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
)

func TestFoldersOfEarlierVersionsAreUsedAndMoved(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		// What is used for configuration and state before and after the move, and how many
		// directories were moved and could not be.
		before, after [2]string
		moved, kept   int
	}{
		{"new person", nil, [2]string{"agentshell", "agentshell"}, [2]string{"agentshell", "agentshell"}, 0, 0},
		{"both", []string{"config/scrollkeep/config.toml", "state/scrollkeep/history"},
			[2]string{"scrollkeep", "scrollkeep"}, [2]string{"agentshell", "agentshell"}, 2, 0},
		{"already moved", []string{"config/agentshell/config.toml", "config/scrollkeep/config.toml"},
			[2]string{"agentshell", "agentshell"}, [2]string{"agentshell", "agentshell"}, 0, 0},
		{"copies", []string{"state/scrollkeep/copies/a/f"},
			[2]string{"agentshell", "scrollkeep"}, [2]string{"agentshell", "scrollkeep"}, 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			getenv := func(name string) string {
				return map[string]string{"XDG_CONFIG_HOME": dir + "/config", "XDG_STATE_HOME": dir + "/state"}[name]
			}
			for _, f := range test.files {
				os.MkdirAll(filepath.Dir(filepath.Join(dir, f)), 0o700)
				if err := os.WriteFile(filepath.Join(dir, f), []byte(f), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			used := func() [2]string {
				return [2]string{filepath.Base(config.Dir(getenv)), filepath.Base(config.StateDir(getenv))}
			}
			if got := used(); got != test.before {
				t.Errorf("at first %q, want %q", got, test.before)
			}
			moved, kept := 0, 0
			for _, m := range config.MoveOldFolders(getenv) {
				if m.Err != nil {
					kept++
				} else {
					moved++
				}
			}
			if got := used(); got != test.after || moved != test.moved || kept != test.kept {
				t.Errorf("then %q, %d moved, %d kept", got, moved, kept)
			}
			for _, f := range test.files {
				name := filepath.Base(filepath.Dir(f))
				if name == "scrollkeep" && moved > 0 {
					f = filepath.Join(filepath.Dir(filepath.Dir(f)), "agentshell", filepath.Base(f))
				}
				if _, err := os.Stat(filepath.Join(dir, f)); err != nil {
					t.Error(err)
				}
			}
			if again := config.MoveOldFolders(getenv); len(again) != kept {
				t.Errorf("again %v", again)
			}
		})
	}
}
