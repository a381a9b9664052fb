package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWhatGitRunsInAWorkspaceIsNamed(t *testing.T) {
	dir, err := realDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".git/config": "[core]\n\thooksPath = tools/hooks\n\tfsmonitor = ./watch --fast\n[include]\n" +
			"\tpath = ../more\n[branch \"main\"]\n\tremote = origin\n\tdescription = main\n" +
			"[filter \"x\"]\n\tclean = cat clean.sh gone.sh\n",
		"more": "[core]\n\tsshCommand = ssh.sh\n", "watch": "", "main": "", "clean.sh": "", "ssh.sh": "", "other": "",
	} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(Config{Roots: []Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var got []string
	for _, name := range w.FilesGitRuns() {
		rel, _ := filepath.Rel(dir, name)
		got = append(got, rel)
	}
	slices.Sort(got)
	if want := []string{"clean.sh", "more", "ssh.sh", "tools/hooks", "watch"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
