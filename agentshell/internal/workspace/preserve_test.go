//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestModeOwnerAndAttributesAreKept(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f")
	modes := []fs.FileMode{0o600, 0o644, 0o755, 0o640 | fs.ModeSetgid, 0o755 | fs.ModeSetuid}
	if os.Geteuid() == 0 {
		modes = append(modes, 0o200) // which only root reads
	}
	for _, mode := range modes {
		if err := os.Chmod(dir+"/f", mode); err != nil {
			t.Fatal(err)
		}
		if os.Geteuid() == 0 {
			os.Chown(dir+"/f", 1234, 4321)
			os.Chmod(dir+"/f", mode)
		}
		want, _ := os.Stat(dir + "/f")
		xattr := setAttribute(dir+"/f", "user.scrollkeep", "kept")
		w := openWorkspace(t, Root{Dir: dir})
		f := snapshot(t, w, "f")
		if _, err := w.Commit(t.Context(),
			Change{Path: f.Path, Base: f.Print, Data: []byte(fmt.Sprint(mode)), MayLose: f.Loses}); err != nil {
			t.Fatal(err)
		}
		got, err := os.Stat(dir + "/f")
		if err != nil {
			t.Fatal(err)
		}
		a, b := got.Sys().(*syscall.Stat_t), want.Sys().(*syscall.Stat_t)
		if got.Mode() != want.Mode() || a.Uid != b.Uid || a.Gid != b.Gid {
			t.Errorf("mode %v owner %d:%d, want %v %d:%d", got.Mode(), a.Uid, a.Gid, want.Mode(), b.Uid, b.Gid)
		}
		if xattr && getAttribute(dir+"/f", "user.scrollkeep") != "kept" {
			t.Error("the attribute is lost")
		}
		if !xattr {
			t.Log("this file system has no attributes")
		}
	}
}

func TestAccessControlListsAreKept(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f")
	acl, ok := setACL(dir + "/f")
	if !ok {
		need.Missing(t, "acl", "this file system has no access control lists")
	}
	want, err := os.Stat(dir + "/f")
	if err != nil {
		t.Fatal(err)
	}
	w := openWorkspace(t, Root{Dir: dir})
	f := snapshot(t, w, "f")
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")}); err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(dir + "/f")
	if err != nil || got.Mode() != want.Mode() || getAttribute(dir+"/f", "system.posix_acl_access") != acl {
		t.Errorf("mode %v, want %v, list %q", got.Mode(), want.Mode(),
			getAttribute(dir+"/f", "system.posix_acl_access"))
	}
}

// An owner that cannot be kept is foretold, and a loss that was not shown fails the commit (FS-63).
func TestALossThatWasNotForetoldFails(t *testing.T) {
	if dir := os.Getenv("WORKSPACE_TEST_LOSS_DIR"); dir != "" { // as another user
		w := openWorkspace(t, Root{Dir: dir})
		// What cannot be read is not taken for a new file (HARN-6).
		if _, err := w.Snapshot(context.Background(), resolve(t, w, "closed"), 100); KindOf(err) != NotPermitted {
			t.Fatalf("a file without rights: %v", err)
		}
		if _, err := w.Resolve("shut/new"); KindOf(err) != NotPermitted {
			t.Fatalf("below a directory without rights: %v", err)
		}
		n := snapshot(t, w, "locked/new")
		if _, err := w.Commit(context.Background(),
			Change{Path: n.Path, Base: n.Print, Data: []byte("ours")}); KindOf(err) != NotPermitted {
			t.Fatalf("a directory without rights: %v", err)
		}
		// EDIT-5: the directory would let us replace it, the file says no.
		theirs := snapshot(t, w, "theirs")
		if _, err := w.Commit(context.Background(),
			Change{Path: theirs.Path, Base: theirs.Print, MayLose: theirs.Loses}); KindOf(err) != NotPermitted ||
			!strings.Contains(err.Error(),
				"theirs is not writable for you (mode 0644). The user can allow it with chmod.") {
			t.Fatalf("a file without the right to write: %v", err)
		}
		if _, err := w.Resolve("locked/new"); err != nil {
			t.Fatal(err)
		}
		if err := w.Writable(n.Path); err == nil ||
			!strings.Contains(err.Error(),
				"the directory workspace/locked, in which workspace/locked/new is written, is not writable for you "+
					"(mode 0555).") {
			t.Fatalf("a directory without the right to write: %v", err)
		}
		f := snapshot(t, w, "f")
		if len(f.Loses) != 1 || f.Loses[0] != "owner" {
			t.Fatalf("foretold: %q", f.Loses)
		}
		if _, err := w.Commit(context.Background(),
			Change{Path: f.Path, Base: f.Print, Data: []byte("ours")}); KindOf(err) != NotPermitted {
			t.Fatalf("not shown: %v", err)
		}
		if content(t, dir+"/f") != "f" || len(leftovers(t, dir)) > 0 {
			t.Fatal("it wrote")
		}
		if _, err := w.Commit(context.Background(),
			Change{Path: f.Path, Base: f.Print, Data: []byte("ours"), MayLose: f.Loses}); err != nil {
			t.Fatalf("shown: %v", err)
		}
		return
	}
	if os.Geteuid() != 0 {
		need.Missing(t, "owner", "only root can give a file another owner")
	}
	dir, err := os.MkdirTemp("", "loss")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	tree(t, dir, "f", "closed", "shut/x", "locked/x")
	if err := errors.Join(os.Chmod(dir+"/closed", 0), os.Chmod(dir+"/shut", 0),
		os.Chmod(dir+"/locked", 0o555)); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "test.exe")
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(exe, self, 0o755), os.Chmod(dir, 0o777), os.Chown(dir+"/f", 1234, 4321),
		os.Chmod(dir+"/f", 0o666),
		os.WriteFile(dir+"/theirs", []byte("theirs"), 0o644)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestALossThatWasNotForetoldFails$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_LOSS_DIR="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 2345, Gid: 2345}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if content(t, dir+"/f") != "ours" {
		t.Errorf("%q", content(t, dir+"/f"))
	}
}

func TestAHardLinkIsReplacedOrWrittenInPlace(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "g = f")
	w := openWorkspace(t, Root{Dir: dir})
	f := snapshot(t, w, "f")
	if f.Print.Links != 2 {
		t.Errorf("%d links", f.Print.Links)
	}
	if _, err := w.Commit(t.Context(),
		Change{Path: f.Path, Base: f.Print, Data: []byte("longer text"), InPlace: true}); err != nil {
		t.Fatal(err)
	}
	if content(t, dir+"/f") != "longer text" || content(t, dir+"/g") != "longer text" {
		t.Error("not in place")
	}
	f = snapshot(t, w, "f")
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")}); err != nil {
		t.Fatal(err)
	}
	if content(t, dir+"/f") != "new" || content(t, dir+"/g") != "longer text" {
		t.Error("not replaced")
	}
	f = snapshot(t, w, "g")
	put(t, dir+"/g", "theirs")
	if _, err := w.Commit(t.Context(),
		Change{Path: f.Path, Base: f.Print, Data: []byte("ours"), InPlace: true}); KindOf(err) != Conflict ||
		content(t, dir+"/g") != "theirs" {
		t.Errorf("%v %q", err, content(t, dir+"/g"))
	}
}

func TestWithoutExchangeACommitSaysUnguarded(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f")
	w := openWorkspace(t, Root{Dir: dir})
	w.backend.(*local).noExchange = true
	f := snapshot(t, w, "f")
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("ours")})
	if err != nil || r.Guard != Unguarded || content(t, dir+"/f") != "ours" || len(leftovers(t, dir)) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	f = snapshot(t, w, "f")
	during(w, "checked", func() { put(t, dir+"/f", "theirs") })
	if _, err := w.Commit(t.Context(),
		Change{Path: f.Path, Base: f.Print, Data: []byte("x")}); KindOf(err) != Conflict ||
		content(t, dir+"/f") != "theirs" {
		t.Errorf("%v", err)
	}
}
