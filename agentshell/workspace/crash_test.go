//go:build unix

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

func TestNothingChangesBeforeACommitOrByACancelledOne(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "d/g", "l -> f")
	w := openWorkspace(t, Root{Dir: dir})
	was := fingerprintTree(t, dir)
	f, n := snapshot(t, w, "l"), snapshot(t, w, "x/y/new")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, x := range []File{f, n} {
		if _, err := w.Commit(ctx, Change{Path: x.Path, Base: x.Print, Data: []byte("ours")}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		w.Check(t.Context(), x.Path, x.Print)
	}
	if fingerprintTree(t, dir) != was {
		t.Error("the tree changed")
	}
}

func TestAFullDiskLeavesNothingBehind(t *testing.T) {
	if dir := os.Getenv("WORKSPACE_TEST_FULL_DIR"); dir != "" {
		// In a process of its own: the limit holds for every file that it writes.
		w := openWorkspace(t, Root{Dir: dir})
		f, n := snapshot(t, w, "f"), snapshot(t, w, "x/n")
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
			os.Exit(9)
		}
		for _, x := range []File{f, n} {
			if _, err := w.Commit(context.Background(), Change{Path: x.Path, Base: x.Print, Data: make([]byte, 100_000)}); !errors.Is(err, syscall.EFBIG) {
				os.Exit(8)
			}
		}
		os.Exit(0)
	}
	dir := t.TempDir()
	tree(t, dir, "f")
	was := fingerprintTree(t, dir+"/f")
	cmd := exec.Command(os.Args[0], "-test.run=^TestAFullDiskLeavesNothingBehind$")
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_FULL_DIR="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if fingerprintTree(t, dir+"/f") != was || len(leftovers(t, dir)) > 0 {
		t.Error("left behind")
	}
	if _, err := os.Stat(dir + "/x"); err == nil {
		t.Error("a directory was left behind")
	}
}

// A kill at any point leaves the old file or the new one, whole; a temporary file may stay.
func TestAKillInTheMiddleLeavesAWholeFile(t *testing.T) {
	if dir := os.Getenv("WORKSPACE_TEST_KILL_DIR"); dir != "" {
		w := openWorkspace(t, Root{Dir: dir})
		f := snapshot(t, w, os.Getenv("WORKSPACE_TEST_KILL_FILE"))
		during(w, os.Getenv("WORKSPACE_TEST_KILL_AT"), func() {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			<-make(chan int)
		})
		w.Commit(context.Background(), Change{Path: f.Path, Base: f.Print, Data: []byte("ours")})
		return
	}
	for _, c := range []struct{ file, point, want string }{
		{"f", "opened", "f"}, {"f", "written", "f"}, {"f", "checked", "f"}, {"f", "exchanged", "ours"}, {"f", "synced", "ours"}, {"f", "settled", "ours"},
		{"d/n", "opened", ""}, {"d/n", "written", ""}, {"d/n", "checked", ""}, {"d/n", "linked", "ours"},
	} {
		t.Run(c.file+" "+c.point, func(t *testing.T) {
			dir := t.TempDir()
			tree(t, dir, "f")
			cmd := exec.Command(os.Args[0], "-test.run=^TestAKillInTheMiddleLeavesAWholeFile$")
			cmd.Env = append(os.Environ(), "WORKSPACE_TEST_KILL_DIR="+dir, "WORKSPACE_TEST_KILL_FILE="+c.file, "WORKSPACE_TEST_KILL_AT="+c.point)
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("it was not killed: %v", err)
			}
			got, err := os.ReadFile(filepath.Join(dir, c.file))
			if c.want == "" && !errors.Is(err, fs.ErrNotExist) || c.want != "" && string(got) != c.want {
				t.Errorf("%q, %v", got, err)
			}
			if c.want == "ours" && c.file == "f" { // the displaced file is whole, too
				for _, n := range leftovers(t, dir) {
					if content(t, n) != "f" {
						t.Errorf("%s is %q", n, content(t, n))
					}
				}
			}
		})
	}
}
