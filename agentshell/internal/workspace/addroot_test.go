package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A root is added while others work, and its files are reached by its name. What would take a
// protection away is refused.
func TestARootIsAddedToAWorkspaceInUse(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(base, "home")
	for _, dir := range []string{"home/w", "home/.config/agentshell", "home/lib", "out/state", "out/state/in",
		"linked"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(home, filepath.Join(base, "linked/home")); err != nil {
		t.Fatal(err)
	}
	w, err := Open(Config{Roots: []Root{{Dir: filepath.Join(home, "w")}}, Home: home,
		Protected: []string{filepath.Join(home, ".config/agentshell"), filepath.Join(base, "out/state")}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for dir, want := range map[string]string{
		"/": "is the whole file system", home: "is the home directory", base: "contains the home directory",
		filepath.Join(base, "linked/home"):               "is the home directory",
		filepath.Join(home, ".config"):                   "which belongs to agentshell itself",
		filepath.Join(home, ".config/agentshell"):        "belongs to agentshell itself",
		filepath.Join(base, "out"):                       "which belongs to agentshell itself",
		filepath.Join(base, "out/state/in"):              "belongs to agentshell itself",
		filepath.Join(base, "none"):                      "file not found",
		filepath.Join(home, "w") + "/../.config/../../.": "contains the home directory",
	} {
		if err := w.CheckAdded(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", dir, err, want)
		}
		if err := w.AddRoot(Root{Name: "x", Dir: dir}); err == nil {
			t.Errorf("%s was added", dir)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				_, _ = w.Resolve("lib/a")
				_ = w.Dirs()
			}
		})
	}
	if err := w.AddRoot(Root{Name: "lib", Dir: filepath.Join(home, "lib"), ReadOnly: true}); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	p, err := w.Resolve("lib/a")
	if err != nil || p.Match() != "lib/a" {
		t.Fatalf("%v, %v", p, err)
	}
	if err := w.Writable(p); err == nil {
		t.Error("a read-only root may be written")
	}
	if err := w.AddRoot(Root{Name: "lib", Dir: filepath.Join(base, "linked")}); err == nil {
		t.Error("two roots have one name")
	}
}
