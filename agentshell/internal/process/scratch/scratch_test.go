package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// there reports whether something is at a path.
func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// killed returns the folder of a process that was killed while it used it.
func killed(t *testing.T, dir string) (outer string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SCRATCH_HOLDS="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := bufio.NewScanner(out)
	if !line.Scan() || !there(line.Text()) {
		t.Fatalf("%q is no folder", line.Text())
	}
	outer = filepath.Dir(line.Text())
	f, err := New(dir, "other")
	if err != nil {
		t.Fatal(err)
	}
	if f.Remove(); !there(outer) {
		t.Error("a folder that is used was removed")
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return outer
}

// TestMain is also the process of killed: it makes a folder, and waits.
func TestMain(m *testing.M) {
	dir := os.Getenv("SCRATCH_HOLDS")
	if dir == "" {
		os.Exit(m.Run())
	}
	f, err := New(dir, "held")
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Path, "file"), []byte("x"), 0o400)
	}
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(f.Path + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// What a kill has left is removed when the next folder is made. What another process uses is not,
// nor what is none of ours.
func TestWhatAKillHasLeftIsRemoved(t *testing.T) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	left := killed(t, dir)
	used, err := New(dir, "used")
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	stays := []string{used.Path, outside}
	make := func(name string, entries ...string) {
		t.Helper()
		stays = append(stays, filepath.Join(dir, name))
		for _, e := range append([]string{"d/"}, entries...) {
			path := filepath.Join(dir, name, e)
			err := os.MkdirAll(filepath.Dir(path), 0o700)
			if e != "d/" && err == nil {
				err = os.WriteFile(path, nil, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	make("scrollkeep-without-lock", "file")
	make("other-1", lockName)
	make("outside-target", lockName)
	make("scrollkeep-lock-is-a-folder", lockName+"/x")
	make("scrollkeep-lock-is-a-link")
	for link, to := range map[string]string{"scrollkeep-link": filepath.Join(dir, "outside-target"),
		"scrollkeep-lock-is-a-link/" + lockName: outside} {
		if err := os.WriteFile(outside, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if os.Getuid() == 0 { // a folder of another person, which root could remove
		make("scrollkeep-of-another", lockName)
		if err := os.Chown(filepath.Join(dir, "scrollkeep-of-another"), 12345, 12345); err != nil {
			t.Fatal(err)
		}
	}
	next, err := New(dir, "next")
	if err != nil {
		t.Fatal(err)
	}
	if there(left) {
		t.Errorf("%s is left", left)
	}
	for _, path := range append(stays, next.Path) {
		if !there(path) {
			t.Errorf("%s was removed", path)
		}
	}
	if entries, err := os.ReadDir(next.Path); err != nil || len(entries) > 0 {
		t.Errorf("a new folder has %v, %v", entries, err)
	}
	if info, err := os.Stat(next.outer); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	next.Remove()
	used.Remove()
	if there(next.outer) || there(used.outer) {
		t.Error("a folder is there after its end")
	}
}
