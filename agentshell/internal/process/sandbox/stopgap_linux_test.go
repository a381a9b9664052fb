package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// dirOf returns everything below a directory, with its modes.
func dirOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		rel, _ := filepath.Rel(dir, path)
		if rel != "." && err == nil {
			list = append(list, info.Mode().String()+" "+rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A session that is killed after any step of what it puts into a workspace leaves what the next
// start takes away, and nothing else goes with it.
func TestWhatAKillLeftGoesWithTheNextStart(t *testing.T) {
	defer unix.Umask(unix.Umask(0o077))
	for _, git := range []bool{false, true} {
		work := t.TempDir()
		keep := func(path string, mode os.FileMode) {
			if err := os.MkdirAll(filepath.Join(work, path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(filepath.Join(work, path), mode); err != nil {
				t.Fatal(err)
			}
		}
		keep(".idea", 0o755)                     // the person's own, and empty
		keep(".zed/x", 0o755)                    // with something in it
		keep(".zed", 0o555)                      // and nearly of our mode
		keep("sub/.vscode", 0o555|os.ModeSticky) // where we put nothing
		if git {
			keep(".git/refs", 0o755)
		}
		p := Policy{Workspace: work, ReadOnly: []string{filepath.Join(work, "conf/hooks")}}
		was := dirOf(t, work)
		pl, err := makePlan(p, nil)
		if err != nil || len(pl.missing) < 8 {
			t.Fatal(pl.missing, err)
		}
		for n := range pl.missing { // killed behind the first n, and after the next one is made
			s := new(placeholders)
			if err := s.create(pl.missing[:n]); err != nil {
				t.Fatal(err)
			}
			for _, one := range s.locked { // a kill lets go of everything
				unix.Close(one.fd)
			}
			if err := pl.missing[n].createPlaceholder(); err != nil {
				t.Fatal(err)
			}
			Tidy(p, nil)
			if now := dirOf(t, work); !slices.Equal(now, was) {
				t.Fatalf("after %d: %q, want %q", n, now, was)
			}
		}
		living := new(placeholders) // of a session that runs
		if err := living.create(pl.missing); err != nil {
			t.Fatal(err)
		}
		with := dirOf(t, work)
		Tidy(p, nil)
		if now := dirOf(t, work); !slices.Equal(now, with) || len(with) == len(was) {
			t.Errorf("a living session has lost %q of %q", now, with)
		}
		living.remove()
		if now := dirOf(t, work); !slices.Equal(now, was) {
			t.Errorf("%q, want %q", now, was)
		}
	}
}
