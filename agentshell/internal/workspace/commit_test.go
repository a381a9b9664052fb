//go:build unix

package workspace

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func resolve(t testing.TB, w *Workspace, request string) Path {
	t.Helper()
	p, err := w.Resolve(request)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func snapshot(t testing.TB, w *Workspace, request string) File {
	t.Helper()
	f, err := w.Snapshot(context.Background(), resolve(t, w, request), MaxProposal)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func content(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fingerprintTree returns a hash over everything below dir: names, types, modes, contents, link
// targets, inodes.
func fingerprintTree(t testing.TB, dir string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, name, info.Mode(), info.Sys().(*syscall.Stat_t).Ino, info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			h.Write(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// leftovers returns temporary files of ours below dir.
func leftovers(t testing.TB, dir string) (names []string) {
	t.Helper()
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), ".scrollkeep-") {
			names = append(names, name)
		}
		return nil
	})
	return names
}

// during runs act at a named point of the next commit.
func during(w *Workspace, point string, act func()) {
	done := false
	w.backend.(*local).onPoint = func(at string) {
		if at == point && !done {
			done = true
			act()
		}
	}
}

func TestCommitReplacesAFile(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "a")
	w := openWorkspace(t, Root{Dir: dir})
	f := snapshot(t, w, "a")
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")})
	if err != nil {
		t.Fatal(err)
	}
	if content(t, dir+"/a") != "new" || r.Created || r.Guard != Exchanged || len(leftovers(t, dir)) > 0 {
		t.Errorf("%+v %q %v", r, content(t, dir+"/a"), leftovers(t, dir))
	}
	if now := snapshot(t, w, "a"); now.Print != r.Print {
		t.Errorf("the receipt has %v, the file is %v", r.Print, now.Print)
	}
	if b, err := r.Undo.Bytes(); err != nil || string(b) != "a" {
		t.Errorf("undo copy %q, %v", b, err)
	}
	if late, err := r.Undo.WrittenLate(); late || err != nil {
		t.Errorf("late %v, %v", late, err)
	}
}

func TestCommitCreatesAFileAndItsDirectories(t *testing.T) {
	dir := t.TempDir()
	w := openWorkspace(t, Root{Dir: dir})
	f := snapshot(t, w, "x/y/z")
	if f.Data != nil || f.Print.Exists || f.Print.Dir.Rel != "." {
		t.Errorf("%+v", f)
	}
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")})
	if err != nil {
		t.Fatal(err)
	}
	if content(t, dir+"/x/y/z") != "new" || !r.Created || r.Guard != Linked ||
		strings.Join(r.Dirs, " ") != "workspace/x workspace/x/y" {
		t.Errorf("%+v", r)
	}
	info, err := os.Stat(dir + "/x/y/z")
	if err != nil {
		t.Fatal(err)
	}
	old := syscall.Umask(0)
	syscall.Umask(old)
	if want := fs.FileMode(0o666 &^ old); info.Mode() != want || info.Sys().(*syscall.Stat_t).Nlink != 1 {
		t.Errorf("mode %v, want %v", info.Mode(), want)
	}
	if now := snapshot(t, w, "x/y/z"); now.Print != r.Print {
		t.Errorf("the receipt has %v, the file is %v", r.Print, now.Print)
	}
}

// Every way in which the world can change between the snapshot and the end of the commit. Nothing
// of the other process may be lost, nothing of ours may appear elsewhere.
func TestConflicts(t *testing.T) {
	for _, c := range []struct {
		name, target string // the target is "f" (exists) or "new/sub/n" or "n" (do not)
		act          func(t *testing.T, dir string)
		points       string // when it happens; "before" is before the commit
		want         map[string]string
	}{
		{"an edit by rename", "f", func(t *testing.T, d string) { put(t, d+"/t", "theirs"); os.Rename(d+"/t", d+"/f") },
			"before located opened written checked", map[string]string{"f": "theirs"}},
		{"an edit in place", "f", func(t *testing.T, d string) { put(t, d+"/f", "theirs") },
			"before located opened written checked", map[string]string{"f": "theirs"}},
		{"an edit of the same size in the same tick", "f", func(t *testing.T, d string) {
			info, _ := os.Stat(d + "/f")
			put(t, d+"/f", "g")
			os.Chtimes(d+"/f", info.ModTime(), info.ModTime())
		}, "before located opened written checked", map[string]string{"f": "g"}},
		{"the same content in a new file", "f", func(t *testing.T, d string) {
			put(t, d+"/t", "f")
			os.Rename(d+"/t", d+"/f")
		}, "before located opened written checked", map[string]string{"f": "f"}},
		{"a change of mode", "f", func(t *testing.T, d string) { os.Chmod(d+"/f", 0o600) },
			"before located opened written checked", map[string]string{"f": "f"}},
		{"another name", "f", func(t *testing.T, d string) { os.Link(d+"/f", d+"/other") },
			"before located opened written checked", map[string]string{"f": "f", "other": "f"}},
		{"a removal", "f", func(t *testing.T, d string) {
			os.Remove(d + "/f")
		}, "before located opened written checked", map[string]string{"f": ""}},
		{"a directory in its place", "f", func(t *testing.T, d string) { os.Remove(d + "/f"); tree(t, d, "f/x") },
			"before located opened written checked", map[string]string{"f/x": "f/x"}},
		{"a link in its place", "f", func(t *testing.T, d string) {
			os.Remove(d + "/f")
			tree(t, d, "other", "f -> other")
		}, "before located opened written checked", map[string]string{"other": "other"}},
		{"a link outside in its place", "f", func(t *testing.T, d string) {
			os.Remove(d + "/f")
			tree(t, d, "../outside/o", "f -> ../outside/o")
		}, "before located opened written checked", map[string]string{"../outside/o": "../outside/o"}},
		{"a named pipe in its place", "f", func(t *testing.T, d string) { os.Remove(d + "/f"); tree(t, d, "f |") },
			"before located opened written checked", nil},
		{"an edit in place between exchange and check", "f", func(t *testing.T, d string) {
			// Through the temporary name, as an old descriptor would.
			for _, n := range leftovers(t, d) {
				put(t, n, "theirs")
			}
		}, "exchanged synced", map[string]string{"f": "theirs"}},
		{"a new edit on top of an edit", "f", func(t *testing.T, d string) {
			for _, n := range leftovers(t, d) {
				put(t, n, "older")
			}
			put(t, d+"/t", "newest")
			os.Rename(d+"/t", d+"/f")
		}, "exchanged", map[string]string{"f": "newest"}},
		{"a new edit in place on top of an edit", "f", func(t *testing.T, d string) {
			for _, n := range leftovers(t, d) {
				put(t, n, "older")
			}
			put(t, d+"/f", "newest")
		}, "exchanged", map[string]string{"f": "newest"}},
		{"a removal on top of an edit", "f", func(t *testing.T, d string) {
			for _, n := range leftovers(t, d) {
				put(t, n, "older")
			}
			os.Remove(d + "/f")
		}, "exchanged", map[string]string{"f": "older"}},
		{"creation by another", "n", func(t *testing.T, d string) { put(t, d+"/n", "theirs") },
			"before located opened written checked", map[string]string{"n": "theirs"}},
		{"a dangling link by another", "n", func(t *testing.T, d string) { os.Symlink("../outside/x", d+"/n") },
			"before located opened written checked", map[string]string{"../outside/x": ""}},
		{"a directory by another", "n", func(t *testing.T, d string) { tree(t, d, "n/x") },
			"before located opened written checked", map[string]string{"n/x": "n/x"}},
		{"a parent by another", "new/sub/n", func(t *testing.T, d string) { tree(t, d, "new/other") },
			"before located opened", map[string]string{"new/other": "new/other", "new/sub/n": ""}},
		{"a linked parent by another", "new/sub/n", func(t *testing.T, d string) {
			tree(t, d, "../outside/sub/", "new -> ../outside")
		}, "before located opened", map[string]string{"../outside/sub/n": ""}},
		{"the parent swapped for a link inside", "d/e/f", func(t *testing.T, d string) {
			os.Rename(d+"/d/e", d+"/d/moved")
			tree(t, d, "d/e -> ../.git")
		}, "before located opened written checked exchanged settled", map[string]string{".git/f": ".git/f",
			"d/moved/f": "d/e/f"}},
		{"a parent of the parent swapped for a link outside", "d/e/f", func(t *testing.T, d string) {
			tree(t, d, "../outside/e/f")
			os.Rename(d+"/d", d+"/moved")
			tree(t, d, "d -> ../outside")
		}, "before located opened written checked exchanged", map[string]string{"../outside/e/f": "../outside/e/f",
			"moved/e/f": "d/e/f"}},
		{"the parent moved out of the root", "d/e/f", func(t *testing.T, d string) {
			os.Rename(d+"/d/e", d+"/../outside/e")
		}, "before located opened written checked exchanged", map[string]string{"../outside/e/f": "d/e/f"}},
		{"the parent replaced by another directory", "d/e/f", func(t *testing.T, d string) {
			os.Rename(d+"/d/e", d+"/d/moved")
			tree(t, d, "d/e/")
			put(t, d+"/d/e/f", "d/e/f")
		}, "before located opened written checked exchanged", map[string]string{"d/moved/f": "d/e/f",
			"d/e/f": "d/e/f"}},
		{"the parent of a new file moved out of the root", "d/e/n", func(t *testing.T, d string) {
			os.Rename(d+"/d/e", d+"/../outside/e")
		}, "before located opened written checked linked", map[string]string{"../outside/e/n": ""}},
		{"the parent of a new file swapped for a link", "d/e/n", func(t *testing.T, d string) {
			os.Rename(d+"/d/e", d+"/d/moved")
			tree(t, d, "d/e -> ../.git")
		}, "before located opened written checked linked", map[string]string{".git/n": "", "d/moved/n": ""}},
		{"a made parent swapped for a link", "new/sub/n", func(t *testing.T, d string) {
			os.Rename(d+"/new", d+"/moved")
			tree(t, d, "../outside/sub/", "new -> ../outside")
		}, "written checked linked", map[string]string{"../outside/sub/n": "", "moved/sub/n": ""}},
		{"the root moved", "f", func(t *testing.T, d string) { os.Rename(d, d+"2"); tree(t, d, "f") },
			"before located opened written checked exchanged", map[string]string{"../root2/f": "f", "f": "f"}},
	} {
		for point := range strings.FieldsSeq(c.points) {
			t.Run(c.name+" "+point, func(t *testing.T) {
				base := t.TempDir()
				dir := base + "/root"
				tree(t, base, "outside/")
				tree(t, dir, "f", "d/e/f", ".git/f")
				w := openWorkspace(t, Root{Dir: dir})
				f := snapshot(t, w, c.target)
				acted := false
				act := func() { acted = true; c.act(t, dir) }
				if point == "before" {
					act()
				} else {
					during(w, point, act)
				}
				r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("ours")})
				if !acted {
					t.Fatalf("the point %s was not reached: %v", point, err)
				}
				if point == "settled" {
					return // decided already; the case shows only that nothing breaks
				}
				if err == nil {
					t.Fatalf("committed: %+v", r)
				}
				if k := KindOf(err); k != Conflict && k != NotPermitted && k != NotFound {
					t.Errorf("kind %d: %v", k, err)
				}
				for name, want := range c.want {
					got, err := os.ReadFile(filepath.Join(dir, name))
					if want == "" && !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%s exists: %q", name, got)
					}
					if want != "" && string(got) != want {
						t.Errorf("%s is %q, want %q (%v)", name, got, want, err)
					}
				}
				filepath.WalkDir(base, func(name string, d fs.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() {
						if b, _ := os.ReadFile(name); string(b) == "ours" {
							t.Errorf("our bytes are at %s", name)
						}
					}
					return nil
				})
				if l := leftovers(t, base); len(l) > 0 {
					t.Errorf("left behind: %v", l)
				}
				if strings.HasPrefix(c.target, "new/") && c.name != "a parent by another" &&
					c.name != "a linked parent by another" && !strings.HasPrefix(c.name, "a made parent") {
					if _, err := os.Stat(dir + "/new"); err == nil {
						t.Error("a directory was left behind")
					}
				}
			})
		}
	}
}

// A name that the file got between the last look and the end keeps the old content, and the receipt
// says so.
func TestALateNameIsTold(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "g", "h = g")
	w := openWorkspace(t, Root{Dir: dir})
	for _, c := range []struct {
		file string
		late bool
	}{{"f", true}, {"f", false}, {"g", false}} {
		f := snapshot(t, w, c.file)
		during(w, "settled", func() {
			if c.late {
				os.Link(leftovers(t, dir)[0], dir+"/late")
			}
		})
		r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")})
		if err != nil || r.Split != c.late {
			t.Errorf("%s: split is %v, want %v (%v)", c.file, r.Split, c.late, err)
		}
	}
	if content(t, dir+"/late") != "f" || content(t, dir+"/h") != "g" {
		t.Error("the old content is lost")
	}
}
