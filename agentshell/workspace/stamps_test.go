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

// stat is what one look at a tree by other means sees of each file.
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

// Random trees and random changes: what is told is what two other looks differ in; with bounds, a part of that.
func TestChangesAreWhatTwoLooksDifferIn(t *testing.T) {
	for seed := range uint64(150) {
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
		stamps := w.Stamps(t.Context(), 1000)
		entries := len(walkAllOf(t, w))
		short := w.Stamps(t.Context(), r.IntN(entries+1))
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
		if !slices.Equal(words(got), want) || !got.Whole || got.More != 0 {
			t.Fatalf("seed %d: got %v and %d more, whole %v\nwant %v", seed, words(got), got.More, got.Whole, want)
		}
		few := w.Changes(t.Context(), stamps, 2)
		if len(few.Files) != min(2, len(want)) || len(few.Files)+few.More != len(want) {
			t.Fatalf("seed %d: %d and %d more of %d", seed, len(few.Files), few.More, len(want))
		}
		part := w.Changes(t.Context(), short, 1000)
		if part.Whole != short.Whole {
			t.Fatalf("seed %d: whole %v after %v", seed, part.Whole, short.Whole)
		}
		for _, s := range words(part) {
			if !slices.Contains(want, s) {
				t.Fatalf("seed %d: %s is told, which is not so", seed, s)
			}
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
	s := w.Stamps(t.Context(), 100)
	for _, name := range []string{".git/objects/ab/x", ".git/HEAD", "objects/x", "sub/.git/objects/y", "sub/.git/z/objects/y"} {
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
	none := w.Stamps(t.Context(), 1_000_000)
	const levels = 3000
	os.Mkdir(dir+"/d", 0o755)
	chain(t, dir+"/d", levels)
	got := w.Changes(t.Context(), none, 1_000_000)
	if want := (MaxPath - 1) / 2 * 2; !got.Whole || len(got.Files) != want || got.More != 2*levels-want {
		t.Errorf("%d named and %d more of %d, whole %v", len(got.Files), got.More, 2*levels, got.Whole)
	}
	all := w.Stamps(t.Context(), 1_000_000)
	if got := w.Changes(t.Context(), all, 10); !got.Whole || len(got.Files)+got.More != 0 {
		t.Errorf("%v and %d more", words(got), got.More)
	}
	os.Chmod(dir+strings.Repeat("/d", 1000)+"/z", 0o600)
	if got := words(w.Changes(t.Context(), all, 10)); len(got) != 1 || len(got[0]) != 2001 {
		t.Errorf("%v", got)
	}
	unchain(dir + "/d")
	os.RemoveAll(dir + "/d")
	if got := w.Changes(t.Context(), all, 5); !got.Whole || len(got.Files) != 5 || got.More != 2*levels-5 {
		t.Errorf("%d removed and %d more", len(got.Files), got.More)
	}
}
