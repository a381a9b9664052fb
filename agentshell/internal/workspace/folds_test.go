//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// folding returns a file system that takes every spelling below one directory.
func folding(below string) caseProbe {
	return caseProbe{sameFile: os.SameFile, lstat: func(name string) (fs.FileInfo, error) {
		if info, err := os.Lstat(name); err == nil || !strings.HasPrefix(name, below+"/") {
			return info, err
		}
		entries, err := os.ReadDir(filepath.Dir(name))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.EqualFold(e.Name(), filepath.Base(name)) {
				return e.Info()
			}
		}
		return nil, fs.ErrNotExist
	}}
}

func TestWhereAFileSystemFolds(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, dir, "ws/plain/file", "ws/mnt/Secret/x", "ws/mnt/123/", "ws/mnt/empty/", "other/mnt/x")
	w := openWorkspace(t, Root{Dir: dir + "/ws"}, Root{Name: "other", Dir: dir + "/other"})
	for p, want := range map[string]bool{
		"plain/file": false, "plain/none": false, "none": false, "mnt": false, "mnt/none/yet/x": true,
		"mnt/secret/x": true, "mnt/Secret": true,
		"mnt/123/x": true, "mnt/empty/x": true, "mnt/SECRET/none": true, "other/mnt/x": false, "other/none": false,
	} {
		w.caseProbe = folding(dir + "/ws/mnt")
		if got := w.FoldsCase(p); got != want {
			t.Errorf("%s: %v", p, got)
		}
		if w.caseProbe = (caseProbe{}); w.FoldsCase(p) {
			t.Errorf("%s: the real file system folds", p)
		}
	}
}

// foldingMount mounts a file system that takes every spelling at dir/mnt, by any means that this
// machine has.
func foldingMount(t *testing.T, dir string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		need.Missing(t, "casefold", "only root can mount")
	}
	mnt, image := dir+"/mnt", dir+"/image"
	tree(t, dir, "mnt/")
	run := func(name string, args ...string) bool { return exec.Command(name, args...).Run() == nil }
	unmount := func() { exec.Command("umount", mnt).Run() }
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 32<<20); err != nil {
		t.Fatal(err)
	}
	switch {
	case run("mkfs.ext4", "-q", "-O", "casefold", "-E", "encoding=utf8", image) &&
		run("mount", "-o", "loop", image, mnt):
		if t.Cleanup(unmount); !run("mkdir", mnt+"/ws") || !run("chattr", "+F", mnt+"/ws") {
			need.Missing(t, "casefold", "chattr +F does not work here")
		}
	case run("mount", "-t", "tmpfs", "-o", "casefold", "tmpfs", mnt):
		if t.Cleanup(unmount); !run("mkdir", mnt+"/ws") || !run("chattr", "+F", mnt+"/ws") {
			need.Missing(t, "casefold", "chattr +F does not work here")
		}
	case run("mkfs.vfat", image) && run("mount", "-o", "loop", image, mnt),
		run("mkntfs", "-F", "-q", image) && run("lowntfs-3g", "-o", "ignore_case", image, mnt):
		t.Cleanup(unmount)
		tree(t, mnt, "ws/")
	default:
		need.Missing(t, "casefold", "no file system that folds can be mounted here")
	}
	return mnt + "/ws"
}

func TestARealFileSystemThatFolds(t *testing.T) {
	dir := foldingMount(t, t.TempDir())
	tree(t, dir, "secret/key", "123/")
	w := openWorkspace(t, Root{Dir: dir})
	for _, p := range []string{"secret/key", "SECRET/key", "Secret/none", "none", "123/x", "none/deep/x"} {
		if !w.FoldsCase(p) {
			t.Errorf("%s", p)
		}
	}
	f := snapshot(t, w, "SECRET/KEY")
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")})
	if err != nil || content(t, dir+"/secret/key") != "new" || len(leftovers(t, dir)) > 0 {
		t.Errorf("%v, %v", r, err)
	}
	for _, p := range []string{"MAKEFILE", ".GIT/config", "sub/.VSCODE/x"} {
		if w.RunsCode(resolve(t, w, p), p, 0) == "" {
			t.Errorf("%s is not flagged", p)
		}
	}
}
