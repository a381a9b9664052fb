//go:build unix

package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// opened counts the folders of a walk that are open, also when several goroutines close them.
type opened struct {
	mu    sync.Mutex
	n     int
	most  int
	times int               // that were read
	on    func(name string) // nil or called before a time is read
}

func (o *opened) add(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.n += n
	o.most = max(o.most, o.n)
}

// countedFolder is a folder that counts itself while it is open.
type countedFolder struct {
	folder
	o *opened
}

func (f countedFolder) openSub(name string) (folder, error) {
	in, err := f.folder.openSub(name)
	if err != nil {
		return nil, err
	}
	f.o.add(1)
	return countedFolder{in, f.o}, nil
}

func (f countedFolder) modified(name string) (time.Time, error) {
	f.o.mu.Lock()
	f.o.times++
	if f.o.on != nil {
		f.o.on(name)
	}
	f.o.mu.Unlock()
	return f.folder.modified(name)
}

func (f countedFolder) close() {
	f.o.add(-1)
	f.folder.close()
}

// timesOf walks through a workspace and returns the times that it read by path, the zero time for
// what is gone. visit is called for each entry before. The bubble ends with an error if a goroutine
// is left.
func timesOf(t *testing.T, w *Workspace, o *opened, visit func(*Tree)) map[string]time.Time {
	t.Helper()
	got := map[string]time.Time{}
	synctest.Test(t, func(t *testing.T) {
		top, err := w.backend.(rootOpener).openRoot(w.Default())
		if err != nil {
			t.Fatal(err)
		}
		o.n = 1
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		tr, err := newTree(ctx, countedFolder{top, o}, w.RootPath(), "")
		if err != nil {
			t.Fatal(err)
		}
		tr.VisitTimes(func(e TimedEntry) {
			p := e.Path().Rel()
			if _, twice := got[p]; twice {
				t.Errorf("%s came twice", p)
			}
			got[p] = e.Modify
			if e.Gone != e.Modify.IsZero() {
				t.Errorf("%s: gone %v, %v", p, e.Gone, e.Modify)
			}
		})
		for tr.Next() {
			if visit != nil {
				visit(tr)
			}
			tr.ReadTime()
		}
		tr.Close()
		tr.Close()
	})
	if o.n != 0 {
		t.Errorf("%d folders are left open", o.n)
	}
	if o.most > maxOpenDirs+2+(maxQueuedGroups+2)*maxGroupDirs {
		t.Errorf("%d folders were open at once", o.most)
	}
	return got
}

// wantTimes compares with what the system says of all files now.
func wantTimes(t *testing.T, dir string, got map[string]time.Time) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		n++
		rel, _ := filepath.Rel(dir, name)
		if !got[rel].Equal(info.ModTime()) {
			t.Errorf("%s: %v, want %v", rel, got[rel], info.ModTime())
		}
		return nil
	})
	if err != nil || n != len(got) {
		t.Errorf("%d entries came, want %d; %v", len(got), n, err)
	}
}

func TestAWalkReadsTheTimeOfEachEntryOnce(t *testing.T) {
	old := time.Unix(1_000_000_000, 5)
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
	}{
		{"a full directory", func(t *testing.T, dir string) {
			for i := range 2*maxListEntries + 100 {
				put(t, fmt.Sprintf("%s/f%d", dir, i), "")
			}
		}},
		{"many levels", func(t *testing.T, dir string) { chain(t, dir, 3*maxOpenDirs) }},
		{"a random tree", func(t *testing.T, dir string) {
			r := rand.New(rand.NewPCG(7, 0))
			dirs := []string{dir}
			for i := range 1500 {
				name := fmt.Sprintf("%s/%c%d", dirs[r.IntN(len(dirs))], 'a'+r.IntN(20), i)
				if r.IntN(4) > 0 {
					put(t, name, "")
					continue
				}
				if err := os.Mkdir(name, 0o755); err != nil {
					t.Fatal(err)
				}
				dirs = append(dirs, name)
			}
		}},
		{"times of all ages", func(t *testing.T, dir string) {
			tree(t, dir, "d/f", "d/g", "d/link -> g", "none -> nowhere")
			for i, at := range []time.Time{time.Unix(-5, 1), old, time.Unix(9_000_000_000, 0)} {
				name := fmt.Sprintf("%s/t%d", dir, i)
				put(t, name, "")
				if err := os.Chtimes(name, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := fastDir(t)
			c.make(t, dir)
			w := openWorkspace(t, Root{Dir: dir})
			wantTimes(t, dir, timesOf(t, w, &opened{}, nil))
		})
	}
}

// A file that is removed before its time is read has none, and what is beside it has its own.
func TestAFileThatIsRemovedBeforeItsTimeIsReadIsGone(t *testing.T) {
	dir := fastDir(t)
	tree(t, dir, "d/a", "d/b", "d/c")
	w := openWorkspace(t, Root{Dir: dir})
	o := &opened{}
	o.on = func(name string) {
		if name == "b" {
			os.Remove(dir + "/d/b")
		}
	}
	got := timesOf(t, w, o, nil)
	if at, ok := got["d/b"]; !ok || !at.IsZero() || len(got) != 4 {
		t.Errorf("%v", got)
	}
	delete(got, "d/b")
	if at := got["d"]; at.IsZero() {
		t.Error("d has no time")
	}
	delete(got, "d") // its time is another one now
	for _, name := range []string{"d/a", "d/c"} {
		if info, err := os.Lstat(dir + "/" + name); err != nil || !got[name].Equal(info.ModTime()) {
			t.Errorf("%s: %v, %v", name, got[name], err)
		}
	}
}

// What is swapped for a link, while the walk is in it or when times are read, leads nowhere.
func TestNoTimeIsReadOutsideOfARootWhateverIsSwapped(t *testing.T) {
	const levels = 2 * maxOpenDirs
	outside := fastDir(t)
	marked := time.Unix(1_234_567_890, 0)
	at := outside
	for range levels {
		tree(t, at, "a", "z")
		for _, name := range []string{at + "/a", at + "/z"} {
			if err := os.Chtimes(name, marked, marked); err != nil {
				t.Fatal(err)
			}
		}
		at += "/d"
	}
	for _, swapped := range []int{1, levels / 3, levels - 1} {
		for _, late := range []bool{false, true} {
			dir := fastDir(t)
			chain(t, dir, levels)
			w := openWorkspace(t, Root{Dir: dir})
			done := false
			swap := func() {
				if done {
					return
				}
				done = true
				way := strings.Repeat("/d", swapped)
				if os.Rename(dir+way, dir+"/moved") != nil || os.Symlink(outside+way, dir+way) != nil {
					t.Error("no swap")
				}
			}
			o := &opened{}
			visit := func(tr *Tree) {
				if tr.Depth() == levels {
					swap()
				}
			}
			if late {
				o.on, visit = func(string) { swap() }, nil
			}
			got := timesOf(t, w, o, visit)
			for name, at := range got {
				if at.Equal(marked) {
					t.Errorf("level %d swapped: the time of %s is that of a file outside", swapped, name)
				}
			}
			if !done || len(got) < levels {
				t.Errorf("level %d swapped: %v, %d times", swapped, done, len(got))
			}
			os.RemoveAll(dir + "/moved")
		}
	}
}

// A walk whose context ends reads no more times, and leaves nothing open and nobody running.
func TestAWalkThatIsStoppedReadsNoMoreTimes(t *testing.T) {
	dir := fastDir(t)
	for d := range 40 {
		for i := range 20 {
			tree(t, dir, fmt.Sprintf("d%d/f%d", d, i))
		}
	}
	w := openWorkspace(t, Root{Dir: dir})
	o := &opened{n: 1}
	synctest.Test(t, func(t *testing.T) {
		top, err := w.backend.(rootOpener).openRoot(w.Default())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		tr, err := newTree(ctx, countedFolder{top, o}, w.RootPath(), "")
		if err != nil {
			t.Fatal(err)
		}
		asked, gone, passed := 0, 0, 0
		tr.VisitTimes(func(e TimedEntry) {
			passed++
			if e.Gone {
				gone++
			}
		})
		o.on = func(string) {
			if o.times == 30 {
				cancel()
			}
		}
		for tr.Next() {
			if tr.ReadTime() == nil {
				asked++
			}
		}
		tr.Close()
		// The walk may be at its end by then. Each goroutine may be about to read one time when the
		// context ends.
		if tr.Err() == nil && asked < 840 || passed != asked || o.times > 31 || gone != passed-o.times {
			t.Errorf("%v; %d asked, %d passed on, %d read, %d gone", tr.Err(), asked, passed, o.times, gone)
		}
	})
	if o.n != 0 {
		t.Errorf("%d folders are left open", o.n)
	}
}
