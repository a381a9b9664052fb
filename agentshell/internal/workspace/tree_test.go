//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// calls counts what a walk asks of the system.
type calls struct {
	sub, stat, open, most int // most: folders open at once
	on                    func(call, name string)
}

// counted is a folder whose calls are counted.
type counted struct {
	folder
	c *calls
}

func (c counted) openSub(name string) (folder, error) {
	if c.c.on != nil {
		c.c.on("sub", name)
	}
	c.c.sub++
	in, err := c.folder.openSub(name)
	if err != nil {
		return nil, err
	}
	c.c.open++
	c.c.most = max(c.c.most, c.c.open)
	return counted{in, c.c}, nil
}

func (c counted) stat(name string) (Entry, error) {
	c.c.stat++
	return c.folder.stat(name)
}

func (c counted) close() {
	c.c.open--
	c.folder.close()
}

// blind is a folder of a file system that tells no types with the names.
type blind struct{ folder }

func (b blind) readNames(ctx context.Context, add func([]byte, entryKind, uint64) error) error {
	return b.folder.readNames(ctx, func(name []byte, _ entryKind,
		ino uint64) error {
		return add(name, unknownKind, ino)
	})
}

func (b blind) openSub(name string) (folder, error) {
	in, err := b.folder.openSub(name)
	return blind{in}, err
}

// countedTop opens the root of w so that calls are counted.
func countedTop(t testing.TB, w *Workspace, c *calls) folder {
	t.Helper()
	top, err := w.backend.(rootOpener).openRoot(w.Default())
	if err != nil {
		t.Fatal(err)
	}
	c.open, c.most = 1, 1
	return counted{top, c}
}

// chain makes directories d in one another, each with the files a and z, and removes them at the
// end without holding a descriptor for each.
func chain(t testing.TB, dir string, levels int) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	must(err)
	for range levels {
		for _, name := range []string{"a", "z"} {
			f, err := unix.Openat(fd, name, unix.O_CREAT|unix.O_WRONLY, 0o644)
			must(err)
			unix.Write(f, []byte("needle\n"))
			unix.Close(f)
		}
		must(unix.Mkdirat(fd, "d", 0o755))
		next, err := unix.Openat(fd, "d", unix.O_RDONLY|unix.O_DIRECTORY, 0)
		must(err)
		unix.Close(fd)
		fd = next
	}
	unix.Close(fd)
	t.Cleanup(func() { unchain(dir) })
}

// unchain removes a chain from its top: what is left of it becomes the top.
func unchain(dir string) {
	for i := 0; ; i++ {
		rest := fmt.Sprintf("%s.%d", dir, i)
		if os.Rename(dir+"/d", rest) != nil {
			return
		}
		os.RemoveAll(dir)
		if os.Rename(rest, dir) != nil {
			return
		}
	}
}

// walkAll returns what a walk met, directories with a slash behind them.
func walkAll(t testing.TB, tree *Tree, err error) (met []string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for tree.Next() {
		p := tree.RelativePath()
		if want := tree.startPath.Join(p); tree.Path() != want || tree.PathLength() != len(want.rel) ||
			tree.Depth() != strings.Count(p, "/")+1 || filepath.Base(p) != tree.Name() {
			t.Fatalf("%s: path %s, size %d, depth %d, name %s", p, tree.Path(), tree.PathLength(), tree.Depth(),
				tree.Name())
		}
		if tree.Mode().IsDir() {
			p += "/"
		}
		met = append(met, p)
	}
	if err := tree.Err(); err != nil {
		t.Fatal(err)
	}
	return met
}

func TestAWalkMeetsEverythingOnceInOrder(t *testing.T) {
	outside := fastDir(t)
	tree(t, outside, "secret/x")
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 0))
		dir := fastDir(t)
		dirs := []string{dir}
		for i := range 1 + r.IntN(300) {
			at := dirs[r.IntN(len(dirs))]
			if r.IntN(3) == 0 {
				at = dirs[len(dirs)-1] // deep, too
			}
			name := fmt.Sprintf("%s/%s%d", at, []string{".", " ", "-", "A", "a", "~", "\xff"}[r.IntN(7)], i)
			var err error
			switch r.IntN(4) {
			case 0, 1:
				err = os.Mkdir(name, 0o755)
				dirs = append(dirs, name)
			case 2:
				err = os.WriteFile(name, nil, 0o644)
			case 3:
				err = os.Symlink([]string{outside, dir, "..", "none"}[r.IntN(4)], name)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		var want []string
		filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				t.Fatal(err)
			}
			if name == dir {
				return nil
			}
			rel, _ := filepath.Rel(dir, name)
			if d.IsDir() {
				rel += "/"
			}
			want = append(want, rel)
			return nil
		})
		w := openWorkspace(t, Root{Dir: dir})
		tr, err := w.Tree(t.Context(), w.RootPath(), "")
		if got := walkAll(t, tr, err); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got\n%q\nwant\n%q", seed, got, want)
		}
		c := &calls{}
		tr, err = newTree(t.Context(), blind{countedTop(t, w, c)}, w.RootPath(), "")
		if got := walkAll(t, tr, err); !slices.Equal(got, want) || c.stat != len(want) {
			t.Fatalf("seed %d, without types: %d looks, got\n%q\nwant\n%q", seed, c.stat, got, want)
		}
		from := dirs[r.IntN(len(dirs))]
		rel, _ := filepath.Rel(dir, from)
		var below []string
		for _, name := range want {
			if rest, ok := strings.CutPrefix(name, rel+"/"); ok && rest != "" {
				below = append(below, rest)
			}
		}
		if rel == "." {
			below = want
		}
		tr, err = w.Tree(t.Context(), Path{root: w.Default(), rel: rel, isDefault: true}, "")
		if got := walkAll(t, tr, err); !slices.Equal(got, below) {
			t.Fatalf("seed %d, below %s: got\n%q\nwant\n%q", seed, rel, got, below)
		}
	}
}

// Names of every kind, more of them than are ordered by comparing: alike for long, each the
// beginning of the next, short ones.
func TestNamesAreInTheOrderOfTheirBytes(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		kinds := []func() string{
			func() string { return fmt.Sprintf("file%07d.txt", r.IntN(1e7)) },
			func() string { return strings.Repeat("a", 1+r.IntN(40)) },
			func() string { return fmt.Sprintf("alike-for-%d-bytes", r.IntN(20)) },
			func() string { return string(byte(1 + r.IntN(255))) },
			func() string { return fmt.Sprintf("%x", r.Uint64()) },
		}
		from, to := r.IntN(len(kinds)), 1+r.IntN(len(kinds))
		var text []byte
		var all []treeName
		var want []string
		for range r.IntN(8 * maxComparedNames) {
			s := kinds[from%to]()
			if r.IntN(2) == 0 {
				s = kinds[r.IntN(to)]()
			}
			all = append(all, treeName{offset: uint32(len(text)), size: uint16(len(s))})
			text = append(text, s...)
			want = append(want, s)
		}
		slices.Sort(want)
		is := func(n treeName) []byte { return text[n.offset : n.offset+uint32(n.size)] }
		sortNames(all, is)
		for i, n := range all {
			if string(is(n)) != want[i] {
				t.Fatalf("seed %d: name %d of %d is %q, want %q", seed, i, len(all), is(n), want[i])
			}
		}
	}
}

func TestAWalkReadsWhatItMeets(t *testing.T) {
	dir := fastDir(t)
	tree(t, dir, ".mark", "a/.mark", "a/b/f", "a/b/c/.mark", "a/b/c/f", "a/b/l -> ../../.mark", "a/b/p |",
		"a/b/.mark -> c/.mark")
	put(t, dir+"/a/b/big", strings.Repeat("x", 100))
	w := openWorkspace(t, Root{Dir: dir})
	tr, err := w.Tree(t.Context(), resolve(t, w, "a/b"), ".mark")
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	var above, met []string
	for dir, name := range tr.Ancestors() {
		text := dir.Text
		above = append(above, text+" "+name)
	}
	if want := []string{".mark a", "a/.mark b"}; !slices.Equal(above, want) {
		t.Errorf("above %q, want %q", above, want)
	}
	for tr.Next() {
		data, err := tr.Read(50)
		to, _ := tr.Link()
		e, statErr := tr.Stat()
		if statErr != nil || e.Mode.Type() != tr.Mode() && !tr.Mode().IsRegular() && tr.Name() != "p" {
			t.Errorf("%s: %v, %v %v", tr.Name(), statErr, e.Mode, tr.Mode())
		}
		met = append(met, fmt.Sprintf("%s %q %q %q %v", tr.Name(), tr.Dir().Text, data, to, err != nil))
	}
	want := []string{
		`.mark "" "" "c/.mark" true`, `big "" "" "" true`, `c "" "" "" true`,
		`.mark "a/b/c/.mark" "a/b/c/.mark" "" false`, `f "a/b/c/.mark" "a/b/c/f" "" false`,
		`f "" "a/b/f" "" false`, `l "" "" "../../.mark" true`, `p "" "" "" true`,
	}
	if !slices.Equal(met, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(met, "\n"), strings.Join(want, "\n"))
	}
}

// The calls for each level must not depend on the number of levels, and few directories are open at
// once.
func TestAWalkTakesCallsByEntryNotByDepth(t *testing.T) {
	per := func(levels int, look func(*Tree)) (sub, stat float64) {
		dir := fastDir(t)
		chain(t, dir, levels)
		w := openWorkspace(t, Root{Dir: dir})
		c := &calls{}
		tr, err := newTree(t.Context(), countedTop(t, w, c), w.RootPath(), ".none")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for tr.Next() {
			n++
			look(tr)
		}
		tr.Close()
		if n != 3*levels || tr.Err() != nil {
			t.Fatalf("%d entries in %d levels, %v", n, levels, tr.Err())
		}
		if c.most > maxOpenDirs+2 || c.open != 0 {
			t.Errorf("%d levels: %d directories open at once, %d at the end", levels, c.most, c.open)
		}
		return float64(c.sub) / float64(levels), float64(c.stat) / float64(levels)
	}
	for _, levels := range []int{50, 700, 1400} {
		if sub, stat := per(levels, func(*Tree) {}); sub != 1 || stat != 0 {
			t.Errorf("%d levels: %.2f opens and %.2f looks a level", levels, sub, stat)
		}
	}
	look := func(tr *Tree) {
		if !tr.Mode().IsDir() {
			if _, err := tr.Stat(); err != nil {
				t.Fatal(err)
			}
		}
	}
	once, stat := per(700, look)
	twice, stat2 := per(1400, look)
	if stat != 2 || stat2 != 2 {
		t.Errorf("%.2f and %.2f looks a level, want 2", stat, stat2)
	}
	if twice > 2.5 || twice > once*1.2 {
		t.Errorf("%.2f opens a level in 700, %.2f in 1,400", once, twice)
	}
}

// What is swapped for a link while a walk is in it or below it leads nowhere.
func TestAWalkDoesNotFollowWhatIsSwapped(t *testing.T) {
	const levels = 3 * maxOpenDirs
	outside := fastDir(t)
	at := outside
	for range levels {
		tree(t, at, "a", "z", "secret")
		at += "/d"
	}
	for _, swapped := range []int{1, 2, levels / 3, levels - maxOpenDirs, levels - 2, levels - 1} {
		for _, when := range []int{swapped, levels} { // when the walk is about to go in, and when it is at the bottom
			dir := fastDir(t)
			chain(t, dir, levels)
			w := openWorkspace(t, Root{Dir: dir})
			tr, err := w.Tree(t.Context(), w.RootPath(), "secret")
			if err != nil {
				t.Fatal(err)
			}
			done, after := false, 0
			for tr.Next() {
				if done {
					after++
				}
				if tr.Name() == "d" && tr.Depth() == when && !done {
					done = true
					name := dir + strings.Repeat("/d", swapped)
					if err := errors.Join(os.Rename(name, dir+"/moved"),
						os.Symlink(outside+strings.Repeat("/d", swapped), name)); err != nil {
						t.Fatal(err)
					}
				}
				if tr.Name() == "secret" || tr.Dir().Text != "" {
					t.Fatalf("level %d swapped at %d: met %s with %q", swapped, when, tr.Path(), tr.Dir().Text)
				}
				if data, err := tr.Read(100); err == nil && string(data) != "needle\n" {
					t.Fatalf("level %d swapped at %d: read %q as %s", swapped, when, data, tr.Path())
				}
			}
			if tr.Close(); !done || tr.Err() != nil || after == 0 {
				t.Errorf("level %d swapped at %d: swapped %v, met %d entries behind it, %v", swapped, when, done,
					after, tr.Err())
			}
			os.RemoveAll(dir + "/moved")
		}
	}
}

// Another process swaps a directory for links as fast as it can.
func TestAWalkThroughADirectoryThatIsBeingSwappedStaysInside(t *testing.T) {
	base := fastDir(t)
	tree(t, base, "outside/f", "outside/sub/f", "root/d/e/f", "root/d/e/sub/f", "root/d/z")
	dir := base + "/root"
	w := openWorkspace(t, Root{Dir: dir})
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(dir+"/d/e", dir+"/d/real")
			os.Symlink("../../outside", dir+"/d/e")
			os.Remove(dir + "/d/e")
			os.Rename(dir+"/d/real", dir+"/d/e")
		}
	}()
	whole, partly := 0, 0
	for range 1000 {
		tr, err := w.Tree(t.Context(), w.RootPath(), "")
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for tr.Next() {
			if data, err := tr.Read(100); err == nil {
				if read++; strings.HasPrefix(string(data), "outside") {
					t.Fatalf("read %q as %s", data, tr.Path())
				}
			}
		}
		if tr.Close(); tr.Err() != nil {
			t.Fatal(tr.Err())
		}
		if read == 3 {
			whole++
		} else {
			partly++
		}
	}
	close(stop)
	<-stopped
	t.Logf("%d walks were whole, %d not", whole, partly)
	if whole == 0 || partly == 0 {
		t.Error("no race took place")
	}
}

func TestAWalkLeavesOutWhatItMayNotSee(t *testing.T) {
	dir := fastDir(t)
	tree(t, dir, "a/f", "b/f", "c/f")
	w := openWorkspace(t, Root{Dir: dir})
	c := &calls{}
	c.on = func(call, name string) {
		if name == "b" {
			os.RemoveAll(dir + "/b")
		}
	}
	tr, err := newTree(t.Context(), countedTop(t, w, c), w.RootPath(), "")
	if got := strings.Join(walkAll(t, tr, err), " "); got != "a/ a/f b/ c/ c/f" {
		t.Errorf("met %s", got)
	}
	os.Chmod(dir+"/a", 0)
	defer os.Chmod(dir+"/a", 0o755)
	want := "a/ c/ c/f"
	if os.Geteuid() == 0 {
		want = "a/ a/f c/ c/f"
	}
	tr, err = w.Tree(t.Context(), w.RootPath(), "")
	if got := strings.Join(walkAll(t, tr, err), " "); got != want {
		t.Errorf("met %s, want %s", got, want)
	}
}

func TestAWalkEndsWithItsContext(t *testing.T) {
	dir := fastDir(t)
	tree(t, dir, "a", "b", "c")
	w := openWorkspace(t, Root{Dir: dir})
	ctx, cancel := context.WithCancel(t.Context())
	tr, err := w.Tree(ctx, w.RootPath(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	tr.Next()
	cancel()
	if tr.Next() || !errors.Is(tr.Err(), context.Canceled) {
		t.Errorf("at %s, %v", tr.Name(), tr.Err())
	}
	if _, err := w.Tree(ctx, w.RootPath(), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
