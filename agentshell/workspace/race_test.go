//go:build unix

package workspace

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
)

// Another process swaps a directory on the path for links, outside and to a place inside that nobody approved, as fast as it can. Nothing
// may be read or written through them.
func TestNothingGoesThroughADirectoryThatIsBeingSwapped(t *testing.T) {
	base := fastDir(t)
	tree(t, base, "outside/f", "outside/sub/f", "root/d/e/f", "root/d/e/sub/f", "root/.git/f", "root/.git/sub/f")
	dir := base + "/root"
	w := openWorkspace(t, Root{Dir: dir})
	paths := []Path{resolve(t, w, "d/e/f"), resolve(t, w, "d/e/sub/f"), resolve(t, w, "d/e/new"), resolve(t, w, "d/e/sub/x/new")}
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
