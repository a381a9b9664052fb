//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A write-protected file is refused, for root as well, and stays as it is (EDIT-5).
func TestAWriteProtectedFileIsRefused(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "g", "h = g")
	w := openWorkspace(t, Root{Dir: dir})
	for _, c := range []struct {
		mode    fs.FileMode
		refused string
	}{
		{0o644, ""}, {0o600, ""}, {0o664, ""}, {0o200, ""},
		{0o444,
			"operation not permitted: workspace/f is read-only (mode 0444). The user can make it writable with " +
				"chmod u+w."},
		{0o400, "(mode 0400)"}, {0o555, "(mode 0555)"}, {0, "(mode 0)"},
	} {
		put(t, dir+"/f", "old") // root may; others own it with every mode below
		for _, change := range []Change{{Data: []byte("new")}, {Data: []byte("new"), InPlace: true}, {Remove: true}} {
			f := snapshot(t, w, "f")
			if err := os.Chmod(dir+"/f", c.mode); err != nil {
				t.Fatal(err)
			}
			if os.Geteuid() == 0 {
				f = snapshot(t, w, "f")
			}
			change.Path, change.Base, change.MayLose = f.Path, f.Print, f.Loses
			_, err := w.Commit(t.Context(), change)
			got, _ := os.ReadFile(dir + "/f")
			switch {
			case c.refused == "" && os.Geteuid() == 0 && err != nil:
				t.Errorf("%v: %v", c.mode, err)
			case c.refused != "" && (KindOf(err) != NotPermitted || !strings.Contains(err.Error(), c.refused) ||
				string(got) == "new" || len(leftovers(t, dir)) > 0):
				t.Errorf("%v: %v, %q", c.mode, err, got)
			}
			os.Remove(dir + "/f")
			put(t, dir+"/f", "old")
		}
	}
	if err := w.Writable(resolve(t, w, "none/yet")); err != nil {
		t.Errorf("a new file: %v", err)
	}
}

// An immutable file, and one on a file system that is mounted for reading, are refused before
// anything is asked.
func TestAnImmutableFileAndAReadOnlyMountAreRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		need.Missing(t, "immutable", "only root can make a file immutable")
	}
	dir := t.TempDir()
	tree(t, dir, "f", "mnt/", "real/g")
	tried := 0
	w := openWorkspace(t, Root{Dir: dir})
	if exec.Command("chattr", "+i", dir+"/f").Run() == nil {
		defer exec.Command("chattr", "-i", dir+"/f").Run()
		tried++
		if err := w.Writable(resolve(t, w, "f")); KindOf(err) != NotPermitted ||
			!strings.Contains(err.Error(), "workspace/f is immutable. The user can allow writing with chattr -i.") {
			t.Errorf("%v", err)
		}
	}
	if exec.Command("mount", "--bind", dir+"/real", dir+"/mnt").Run() == nil {
		defer exec.Command("umount", dir+"/mnt").Run()
		if exec.Command("mount", "-o", "remount,bind,ro", dir+"/mnt").Run() == nil {
			tried++
			for _, name := range []string{"mnt/g", "mnt/new"} {
				if err := w.Writable(resolve(t, w, name)); KindOf(err) != NotPermitted ||
					!strings.Contains(err.Error(), "lies on a read-only file system") {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	if tried == 0 {
		need.Missing(t, "immutable", "neither chattr nor mount works here")
	}
	t.Logf("%d of 2 tried", tried)
}
