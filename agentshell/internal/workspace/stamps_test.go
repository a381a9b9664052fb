//go:build unix

package workspace

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// statAll returns what one look at a tree by other means sees of each file.
func statAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e, _ := statEntry(info)
		rel, _ := filepath.Rel(dir, name)
		all[rel] = fmt.Sprint(info.Mode(), info.Size(), e.ino, info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func words(cs Changes) (said []string) {
	for _, c := range cs.Files {
		s := c.Path.Rel()
		switch {
		case c.New:
			s += " new"
		case c.Removed:
			s += " removed"
		}
		said = append(said, s)
	}
	slices.Sort(said)
	return said
}

// Random trees and random changes: what is told is what two other looks differ in; with bounds, a
// part of that.
func TestChangesAreWhatTwoLooksDifferIn(t *testing.T) {
	unlooked, seeds := 0, uint64(50)
	if os.Getenv("SCROLLKEEP_ROUNDS") != "" {
		seeds = 500 // `make fuzz`
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		dir := fastDir(t)
		w := openWorkspace(t, Root{Dir: dir})
		name := func() string { // of a file or a directory: one becomes the other now and then
			parts := make([]string, 1+r.IntN(4))
			for i := range parts {
				parts[i] = string("abc."[r.IntN(4)]) + "x"
			}
			return filepath.Join(parts...)
		}
		change := func(n int) {
			for range n {
				full := filepath.Join(dir, name())
				switch r.IntN(6) {
				case 0:
					os.RemoveAll(full)
				case 1:
					os.Rename(full, filepath.Join(dir, name()))
				case 2:
					os.MkdirAll(full, 0o755)
				case 3:
					os.Remove(full)
					os.Symlink("x", full)
				default:
					os.MkdirAll(filepath.Dir(full), 0o755)
					os.WriteFile(full, make([]byte, r.IntN(1000)), 0o644)
				}
			}
		}
		change(r.IntN(60))
		before := statAll(t, dir)
		stamps := w.Stamps(t.Context(), Watch{1000, 1000})
		for range r.IntN(3) {
			_, _ = w.Resolve(name())
		}
		bounded := w.Stamps(t.Context(), Watch{1000, r.IntN(10)})
		entries := len(walkAllOf(t, w))
		short := w.Stamps(t.Context(), Watch{r.IntN(entries + 1), 1000})
		change(r.IntN(20))
		after := statAll(t, dir)
		var want []string
		for name, s := range after {
			if old, was := before[name]; !was {
				want = append(want, name+" new")
			} else if old != s {
				want = append(want, name)
			}
		}
		for name := range before {
			if _, is := after[name]; !is {
				want = append(want, name+" removed")
			}
		}
		slices.Sort(want)
		got := w.Changes(t.Context(), stamps, 1000)
		if !slices.Equal(words(got), want) || !got.Complete || got.Omitted != 0 {
			t.Fatalf("seed %d: got %v and %d more, whole %v\nwant %v", seed, words(got), got.Omitted, got.Complete,
				want)
		}
		told := words(w.Changes(t.Context(), bounded, 1000))
		for _, s := range told {
			if !slices.Contains(want, s) {
				t.Fatalf("seed %d: %s is told, which is not so", seed, s)
			}
		}
		missed := 0
		for _, s := range want {
			if slices.Contains(told, s) {
				continue
			}
			missed++
			was, is := strings.Fields(before[s]), strings.Fields(after[s])
			if len(was) == 0 || len(is) == 0 || was[2] != is[2] {
				t.Fatalf("seed %d: %s is not told: %v, now %v", seed, s, was, is)
			}
		}
		if missed > bounded.NamesOnly {
			t.Fatalf("seed %d: %d are not told, but only %d files were not looked at", seed, missed, bounded.NamesOnly)
		}
		if bounded.NamesOnly > 0 {
			unlooked++
		}
		few := w.Changes(t.Context(), stamps, 2)
		if len(few.Files) != min(2, len(want)) || len(few.Files)+few.Omitted != len(want) {
			t.Fatalf("seed %d: %d and %d more of %d", seed, len(few.Files), few.Omitted, len(want))
		}
		part := w.Changes(t.Context(), short, 1000)
		if part.Complete != short.Complete {
			t.Fatalf("seed %d: whole %v after %v", seed, part.Complete, short.Complete)
		}
		for _, s := range words(part) {
			if !slices.Contains(want, s) {
				t.Fatalf("seed %d: %s is told, which is not so", seed, s)
			}
		}
	}
	if unlooked < int(seeds/3) {
		t.Errorf("only %d bounds were met", unlooked)
	}
}

// Beyond the bound only content that is written in place goes unseen, and not in what was resolved.
func TestFilesThatWereResolvedAreLookedAtFirst(t *testing.T) {
	dir := fastDir(t)
	for _, d := range []string{"a", "b", "c"} {
		for i := range 6 {
			tree(t, dir, fmt.Sprintf("%s/%d", d, i))
		}
	}
	w := openWorkspace(t, Root{Dir: dir})
	resolve(t, w, "b/5")
	resolve(t, w, "c/none")
	s := w.Stamps(t.Context(), Watch{100, 2})
	if s.NamesOnly != 6-2+5-2+6 {
		t.Errorf("of %d files only the names were looked at", s.NamesOnly)
	}
	for _, d := range []string{"a", "b", "c"} {
		for i := range 6 {
			put(t, fmt.Sprintf("%s/%s/%d", dir, d, i), "changed now")
		}
	}
	if got, want := words(w.Changes(t.Context(), s, 100)),
		[]string{"a/0", "a/1", "b/0", "b/1", "b/5"}; !slices.Equal(got, want) {
		t.Errorf("written: %v, want %v", got, want)
	}
	s = w.Stamps(t.Context(), Watch{100, 0})
	put(t, dir+"/new", "x")
	put(t, dir+"/a/new", "x")
	for _, err := range []error{os.Rename(dir+"/new", dir+"/a/5"), os.Remove(dir + "/c/1"),
		os.Rename(dir+"/c/2", dir+"/c/6")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"a/5", "a/new new", "c/1 removed", "c/2 removed", "c/6 new"}
	if got := w.Changes(t.Context(), s, 100); !slices.Equal(words(got), want) || !got.Complete {
		t.Errorf("moved: %v, want %v", words(got), want)
	}
}

func TestTheOldestKnownPathsAreForgotten(t *testing.T) {
	var k knownPaths
	name := func(i int) string { return fmt.Sprintf("%098d", i) }
	k.add(Path{root: "r", rel: "."})
	for i := range 10_000 {
		k.add(Path{root: "r", rel: name(i)})
		k.add(Path{root: "r", rel: name(i)})
	}
	size := 0
	for _, p := range k.oldestFirst {
		size += len(p)
	}
	first, last := k.oldestFirst[0], k.oldestFirst[len(k.oldestFirst)-1]
	if n := maxKnownBytes / 100; len(k.oldestFirst) != n || len(k.paths) != n || size != k.totalBytes ||
		first != "r/"+name(10_000-n) || last != "r/"+name(9999) {
		t.Errorf("%d paths, %d of %d bytes, from %s to %s", len(k.oldestFirst), k.totalBytes, size, first, last)
	}
	if top := k.tree("r"); len(top.children) != len(k.oldestFirst) || top.child([]byte(name(9999))) == nil ||
		top.child([]byte(".")) != nil {
		t.Errorf("%d trails", len(top.children))
	}
	if top := k.tree("other"); len(top.children) != 0 {
		t.Errorf("%d trails in a root where nothing is known", len(top.children))
	}
}

// Each root that may be written is looked at, within bounds for all of them.
func TestStampsOfSeveralRoots(t *testing.T) {
	dirs := []string{fastDir(t), fastDir(t), fastDir(t)}
	put := func(dir int, name, text string) {
		if err := os.WriteFile(filepath.Join(dirs[dir], name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range dirs {
		put(i, "a", "1")
		put(i, "b", "1")
	}
	w := openWorkspace(t, Root{Dir: dirs[0]}, Root{Name: "lib", Dir: dirs[1]},
		Root{Name: "fixed", Dir: dirs[2], ReadOnly: true})
	if _, err := w.Resolve("lib/b"); err != nil {
		t.Fatal(err)
	}
	all, known, short := w.Stamps(t.Context(), Watch{100, 100}), w.Stamps(t.Context(), Watch{100, 0}),
		w.Stamps(t.Context(), Watch{3, 100})
	for i := range dirs {
		put(i, "a", "22")
		put(i, "b", "22")
		put(i, "c", "3")
	}
	for _, c := range []struct {
		stamps *Stamps
		whole  bool
		want   []string
	}{
		{all, true, []string{"workspace/a", "workspace/b", "workspace/c new", "lib/a", "lib/b", "lib/c new"}},
		{known, true, []string{"workspace/c new", "lib/b", "lib/c new"}},
		{short, false, []string{"workspace/a", "workspace/b", "workspace/c new", "lib/a"}},
	} {
		got := w.Changes(t.Context(), c.stamps, 100)
		var told []string
		for _, f := range got.Files {
			text := f.Path.String()
			if f.New {
				text += " new"
			}
			told = append(told, text)
		}
		if !slices.Equal(told, c.want) || got.Complete != c.whole {
			t.Errorf("%q, whole %v, want %q", told, got.Complete, c.want)
		}
	}
}

func walkAllOf(t *testing.T, w *Workspace) []string {
	t.Helper()
	tr, err := w.Tree(t.Context(), w.RootPath(), "")
	return walkAll(t, tr, err)
}

func TestStampsLeaveOutTheObjectsOfGit(t *testing.T) {
	dir := fastDir(t)
	tree(t, dir, ".git/objects/ab/x", ".git/HEAD", "objects/x", "sub/.git/objects/y", "sub/.git/z/objects/y")
	w := openWorkspace(t, Root{Dir: dir})
	s := w.Stamps(t.Context(), Watch{100, 100})
	for _, name := range []string{".git/objects/ab/x", ".git/HEAD", "objects/x", "sub/.git/objects/y",
		"sub/.git/z/objects/y"} {
		put(t, filepath.Join(dir, name), "changed now")
	}
	want := []string{".git/HEAD", "objects/x", "sub/.git/z/objects/y"}
	if got := words(w.Changes(t.Context(), s, 100)); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// Of a tree that is deeper than a path can be long the changes are counted, not named.
func TestChangesDeepInATreeAreCounted(t *testing.T) {
	dir := fastDir(t)
	w := openWorkspace(t, Root{Dir: dir})
	none := w.Stamps(t.Context(), Watch{1_000_000, 1_000_000})
	const levels = 2200
	os.Mkdir(dir+"/d", 0o755)
	chain(t, dir+"/d", levels)
	got := w.Changes(t.Context(), none, 1_000_000)
	if want := (MaxPath - 1) / 2 * 2; !got.Complete || len(got.Files) != want || got.Omitted != 2*levels-want {
		t.Errorf("%d named and %d more of %d, whole %v", len(got.Files), got.Omitted, 2*levels, got.Complete)
	}
	all := w.Stamps(t.Context(), Watch{1_000_000, 1_000_000})
	if got := w.Changes(t.Context(), all, 10); !got.Complete || len(got.Files)+got.Omitted != 0 {
		t.Errorf("%v and %d more", words(got), got.Omitted)
	}
	os.Chmod(dir+strings.Repeat("/d", 1000)+"/z", 0o600)
	if got := words(w.Changes(t.Context(), all, 10)); len(got) != 1 || len(got[0]) != 2001 {
		t.Errorf("%v", got)
	}
	unchain(dir + "/d")
	os.RemoveAll(dir + "/d")
	if got := w.Changes(t.Context(), all, 5); !got.Complete || len(got.Files) != 5 || got.Omitted != 2*levels-5 {
		t.Errorf("%d removed and %d more", len(got.Files), got.Omitted)
	}
}
