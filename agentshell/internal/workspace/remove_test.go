//go:build unix

package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommitRemovesAFileAndTheDirectoriesThatAreNamed(t *testing.T) {
	for _, c := range []struct {
		name, beside, prune, gone, stays string
	}{
		{"all of them", "", "x x/y", "x", "."},
		{"none is named", "", "", "x/y/f", "x/y"},
		{"only the deepest", "", "x/y", "x/y", "x"},
		{"one that is not the parent", "", "x", "x/y/f", "x/y"},
		{"one that is in use", "x/other", "x x/y", "x/y", "x/other"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			tree(t, dir, "x/y/f", "keep/")
			if c.beside != "" {
				tree(t, dir, c.beside)
			}
			w := openWorkspace(t, Root{Dir: dir})
			f := snapshot(t, w, "x/y/f")
			r, err := w.Commit(t.Context(),
				Change{Path: f.Path, Base: f.Print, Remove: true,
					Prune: append(strings.Fields(c.prune), "keep", "../outside")})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Lstat(filepath.Join(dir, c.gone)); err == nil {
				t.Errorf("%s is there", c.gone)
			}
			for _, name := range []string{c.stays, "keep"} {
				if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
			if b, err := r.Undo.Bytes(); err != nil || string(b) != "x/y/f" || !r.Removed || r.Print.Exists {
				t.Errorf("%q %v %+v", b, err, r)
			}
			if l := leftovers(t, dir); len(l) > 0 {
				t.Errorf("left behind: %v", l)
			}
		})
	}
}

func TestRemovalConflicts(t *testing.T) {
	for _, c := range []struct {
		name   string
		act    func(t *testing.T, dir string)
		points string
		want   map[string]string
	}{
		{"an edit by rename", func(t *testing.T, d string) { put(t, d+"/t", "theirs"); os.Rename(d+"/t", d+"/d/f") },
			"before located opened noted checked", map[string]string{"d/f": "theirs"}},
		{"an edit in place", func(t *testing.T, d string) {
			put(t, d+"/d/f", "theirs")
		}, "before located opened noted checked", map[string]string{"d/f": "theirs"}},
		{"a change of mode", func(t *testing.T, d string) {
			os.Chmod(d+"/d/f", 0o600)
		}, "before located opened noted checked", map[string]string{"d/f": "d/f"}},
		{"another name", func(t *testing.T, d string) {
			os.Link(d+"/d/f", d+"/other")
		}, "before located opened noted checked", map[string]string{"d/f": "d/f", "other": "d/f"}},
		{"a removal", func(t *testing.T, d string) { os.Remove(d + "/d/f") }, "before located opened noted checked",
			map[string]string{"d/f": ""}},
		{"a link in its place", func(t *testing.T, d string) {
			os.Remove(d + "/d/f")
			tree(t, d, "other", "d/f -> ../other")
		}, "before located opened noted checked", map[string]string{"other": "other"}},
		{"an edit through an old descriptor", func(t *testing.T, d string) {
			for _, n := range leftovers(t, d) {
				put(t, n, "theirs")
			}
		}, "taken examined synced", map[string]string{"d/f": "theirs"}},
		{"the parent swapped for a link", func(t *testing.T, d string) {
			os.Rename(d+"/d", d+"/moved")
			tree(t, d, "d -> .git")
		}, "before located opened noted checked taken", map[string]string{".git/f": ".git/f", "moved/f": "d/f"}},
		{"the parent moved out of the root", func(t *testing.T, d string) { os.Rename(d+"/d", d+"/../outside/d") },
			"before located opened noted checked taken", map[string]string{"../outside/d/f": "d/f"}},
	} {
		for point := range strings.FieldsSeq(c.points) {
			t.Run(c.name+" "+point, func(t *testing.T) {
				base := t.TempDir()
				dir := base + "/root"
				tree(t, base, "outside/")
				tree(t, dir, "d/f", ".git/f")
				w := openWorkspace(t, Root{Dir: dir})
				f := snapshot(t, w, "d/f")
				if point == "before" {
					c.act(t, dir)
				} else {
					during(w, point, func() { c.act(t, dir) })
				}
				r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Remove: true, Prune: []string{"d"}})
				if err == nil {
					t.Fatalf("removed: %+v", r)
				}
				if k := KindOf(err); k != Conflict && k != NotPermitted && k != NotFound {
					t.Errorf("kind %d: %v", k, err)
				}
				for name, want := range c.want {
					if b, _ := os.ReadFile(filepath.Join(dir, name)); string(b) != want {
						t.Errorf("%s is %q, want %q", name, b, want)
					}
				}
				if l := leftovers(t, base); len(l) > 0 {
					t.Errorf("left behind: %v", l)
				}
			})
		}
	}
}

// Somebody who makes the file anew while the old one is being removed has the last word; and what
// they did to the old one is not lost either.
func TestAFileThatIsMadeAnewDuringItsRemovalStays(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "g")
	w := openWorkspace(t, Root{Dir: dir})
	f := snapshot(t, w, "f")
	during(w, "taken", func() { put(t, dir+"/f", "theirs") })
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Remove: true}); err != nil ||
		content(t, dir+"/f") != "theirs" {
		t.Errorf("%v, %q", err, content(t, dir+"/f"))
	}
	g := snapshot(t, w, "g")
	during(w, "taken", func() { put(t, leftovers(t, dir)[0], "edited"); put(t, dir+"/g", "theirs") })
	_, err := w.Commit(t.Context(), Change{Path: g.Path, Base: g.Print, Remove: true})
	left := leftovers(t, dir)
	if err == nil || content(t, dir+"/g") != "theirs" || len(left) != 1 || content(t, left[0]) != "edited" ||
		!strings.Contains(err.Error(), filepath.Base(left[0])) {
		t.Errorf("%v, %v", err, left)
	}
}

func TestANewFileGetsTheModeThatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	w := openWorkspace(t, Root{Dir: dir})
	for _, mode := range []fs.FileMode{0o600, 0o666, 0o755} {
		f := snapshot(t, w, "n")
		r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new"), Mode: mode})
		if err != nil || r.Print.Mode != mode {
			t.Fatalf("%v, %v, want %v", r.Print.Mode, err, mode)
		}
		if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: r.Print, Remove: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Remove: true}); KindOf(err) != NotFound {
			t.Errorf("what is not there: %v", err)
		}
	}
}

// A backend that knows no removal refuses it.
func TestAClientIsNotAskedToRemove(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f")
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Backend: None{}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Commit(t.Context(), Change{Path: resolve(t, w, "f"), Remove: true}); KindOf(err) != NotPermitted ||
		content(t, dir+"/f") != "f" {
		t.Errorf("%v", err)
	}
}
