//go:build unix

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Another process swaps a directory on the path for links, outside and to a place inside that
// nobody approved, as fast as it can. Nothing may be read or written through them.
func TestNothingGoesThroughADirectoryThatIsBeingSwapped(t *testing.T) {
	base := fastDir(t)
	tree(t, base, "outside/f", "outside/sub/f", "root/d/e/f", "root/d/e/sub/f", "root/.git/f", "root/.git/sub/f")
	dir := base + "/root"
	w := openWorkspace(t, Root{Dir: dir})
	paths := []Path{resolve(t, w, "d/e/f"), resolve(t, w, "d/e/sub/f"), resolve(t, w, "d/e/new"),
		resolve(t, w, "d/e/sub/x/new")}
	rounds := 2000
	if testing.Short() {
		rounds = 300
	}
	stop := make(chan struct{})
	var attacker sync.WaitGroup
	attacker.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			target := []string{"../../outside", "../.git", "real"}[i%3]
			if os.Rename(dir+"/d/e", dir+"/d/real") != nil {
				os.RemoveAll(dir + "/d/e") // made anew by a commit while it was away, rightly
			}
			os.Symlink(target, dir+"/d/e")
			os.Remove(dir + "/d/e")
			os.Rename(dir+"/d/real", dir+"/d/e")
		}
	})
	reads, commits := 0, 0
	for i := range rounds {
		p := paths[i%len(paths)]
		f, err := w.Snapshot(context.Background(), p, 1000)
		if err != nil {
			continue
		}
		reads++
		if s := string(f.Data); strings.HasPrefix(s, "outside/") || strings.HasPrefix(s, "root/.git/") {
			t.Fatalf("round %d: read %q as %s", i, s, p)
		}
		if _, err := w.Commit(context.Background(), Change{Path: p, Base: f.Print, Data: []byte("ours")}); err == nil {
			commits++
		}
	}
	close(stop)
	attacker.Wait()
	t.Logf("%d rounds, %d reads, %d commits", rounds, reads, commits)
	if reads == 0 || reads == rounds {
		t.Errorf("%d of %d reads: no race took place", reads, rounds)
	}
	for _, name := range []string{"outside/f", "outside/sub/f", "root/.git/f", "root/.git/sub/f"} {
		if got := content(t, base+"/"+name); got != name {
			t.Errorf("%s is %q", name, got)
		}
	}
	for _, name := range []string{"outside", "outside/sub", "root/.git", "root/.git/sub"} {
		entries, err := os.ReadDir(base + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "f" && e.Name() != "sub" {
				t.Errorf("%s/%s was made", name, e.Name())
			}
		}
	}
	if l := leftovers(t, base); len(l) > 0 {
		t.Errorf("left behind: %v", l)
	}
}

// Several writers count in one file, each by snapshot and commit. A commit that succeeds is one
// step of the count: none is lost, none is counted twice.
func TestCommitsOfSeveralWritersAreSteps(t *testing.T) {
	dir := fastDir(t)
	put(t, dir+"/n", "0")
	sessions := []*Workspace{openWorkspace(t, Root{Dir: dir}), openWorkspace(t, Root{Dir: dir})}
	p := resolve(t, sessions[0], "n")
	const writers, each = 4, 150
	var wg sync.WaitGroup
	var steps, conflicts atomic.Int64
	for i := range writers {
		w := sessions[i%len(sessions)]
		wg.Go(func() {
			for range each {
				f, err := w.Snapshot(context.Background(), p, 100)
				if err != nil {
					if KindOf(err) == Failed {
						t.Error(err)
					}
					continue
				}
				n, err := strconv.Atoi(string(f.Data))
				if err != nil {
					t.Errorf("%q", f.Data)
					return
				}
				_, err = w.Commit(context.Background(),
					Change{Path: p, Base: f.Print, Data: []byte(strconv.Itoa(n + 1))})
				switch {
				case err == nil:
					steps.Add(1)
				case KindOf(err) == Conflict:
					conflicts.Add(1)
				default:
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d steps, %d conflicts", steps.Load(), conflicts.Load())
	if got := content(t, dir+"/n"); got != strconv.FormatInt(steps.Load(), 10) {
		t.Errorf("counted %s in %d steps", got, steps.Load())
	}
	if l := leftovers(t, dir); len(l) > 0 {
		t.Errorf("left behind: %v", l)
	}
	if conflicts.Load() == 0 {
		t.Error("no two writers met")
	}
}

// fastDir returns a directory without a disk behind it, where there is one: more rounds.
func fastDir(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "scrollkeep")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func TestOfTwoCreatorsOneWins(t *testing.T) {
	dir := t.TempDir()
	w := openWorkspace(t, Root{Dir: dir})
	for i := range 200 {
		name := fmt.Sprintf("n%d", i)
		f := snapshot(t, w, name)
		var wg sync.WaitGroup
		var errs [2]error
		for k := range 2 {
			wg.Go(func() {
				_, errs[k] = w.Commit(context.Background(),
					Change{Path: f.Path, Base: f.Print, Data: []byte(fmt.Sprint(k))})
			})
		}
		wg.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("%v, %v", errs[0], errs[1])
		}
		winner := 0
		if errs[1] == nil {
			winner = 1
		}
		if got := content(t, dir+"/"+name); got != fmt.Sprint(winner) {
			t.Fatalf("%d won, the file is %q", winner, got)
		}
	}
}

func TestAWriteThroughAnOldDescriptorIsKeptAndTold(t *testing.T) {
	dir, journal := t.TempDir(), t.TempDir()
	tree(t, dir, "f")
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: journal})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	old, err := os.OpenFile(dir+"/f", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f := snapshot(t, w, "f")
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("ours")})
	if err != nil {
		t.Fatal(err)
	}
	if said := w.LateWrites(); len(said) != 0 {
		t.Errorf("said %q", said)
	}
	old.WriteString("theirs")
	if late, err := r.Undo.WrittenLate(); !late || err != nil {
		t.Errorf("late %v, %v", late, err)
	}
	if b, _ := r.Undo.Bytes(); string(b) != "theirs" {
		t.Errorf("%q", b)
	}
	said := w.LateWrites()
	if len(said) != 1 || !strings.HasPrefix(said[0], "workspace/f: another program wrote") || len(w.LateWrites()) != 0 {
		t.Errorf("said %q", said)
	}
	saved, _ := filepath.Glob(journal + "/late-*")
	if len(saved) != 1 || content(t, saved[0]) != "theirs" || !strings.Contains(said[0], saved[0]) {
		t.Errorf("saved %q", saved)
	}
}
