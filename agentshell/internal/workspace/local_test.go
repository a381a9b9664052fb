//go:build unix

package workspace

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestPipesAndDevicesAreRefusedWithoutBlocking(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "d/f")
	w := openWorkspace(t, Root{Dir: dir})
	p, q := resolve(t, w, "f"), resolve(t, w, "d/f")
	for _, p := range []Path{p, q} {
		if s, err := w.Snapshot(context.Background(), p, 100); err != nil || len(s.Data) == 0 {
			t.Fatalf("%s while it is a file: %+v, %v", p, s, err)
		}
		if _, err := w.ReadText(context.Background(), p, 1, 1); err != nil {
			t.Fatalf("%s while it is a file: %v", p, err)
		}
	}
	os.Remove(dir + "/f")
	tree(t, dir, "f |")
	os.RemoveAll(dir + "/d")
	tree(t, dir, "d |")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, p := range []Path{p, q} {
			if _, err := w.Snapshot(context.Background(), p, 100); KindOf(err) != NotPermitted {
				t.Errorf("%s: %v", p, err)
			}
			if _, err := w.ReadText(context.Background(), p, 1, 1); KindOf(err) != NotPermitted {
				t.Errorf("%s: %v", p, err)
			}
			if _, err := w.Commit(context.Background(), Change{Path: p, Base: Fingerprint{Exists: true}}); err == nil {
				t.Errorf("%s was written", p)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("it blocks")
	}
}

func TestReadText(t *testing.T) {
	dir := t.TempDir()
	put(t, dir+"/f", "one\ntwo\r\nthree")
	put(t, dir+"/bin", "a\x00b")
	put(t, dir+"/latin", "caf\xe9\n")
	big := strings.Repeat("0123456789abcde\n", 400_000) // 6.4 MB
	put(t, dir+"/big", big)
	w := openWorkspace(t, Root{Dir: dir})
	for _, c := range []struct {
		file        string
		line, limit int
		want        string
		kind        Kind
		fails       bool
	}{
		{"f", 0, 0, "one\ntwo\r\nthree", 0, false},
		{"f", 2, 0, "two\r\nthree", 0, false},
		{"f", 1, 1, "one\n", 0, false},
		{"f", 2, 1, "two\r\n", 0, false},
		{"f", 3, 5, "three", 0, false},
		{"f", 4, 1, "", 0, false},
		{"f", 99, 0, "", 0, false},
		{"f", 0, 1, "", InvalidArgs, true},
		{"f", -1, 0, "", InvalidArgs, true},
		{"f", 1, -1, "", InvalidArgs, true},
		{"none", 0, 0, "", NotFound, true},
		{"bin", 0, 0, "", NotPermitted, true},
		{"bin", 1, 1, "", NotPermitted, true},
		{"latin", 0, 0, "", NotPermitted, true},
		{"big", 0, 0, "", TooLarge, true},
		{"big", 1, 0, "", TooLarge, true},
		{"big", 399_999, 2, "0123456789abcde\n0123456789abcde\n", 0, false},
	} {
		got, err := w.ReadText(t.Context(), resolve(t, w, c.file), c.line, c.limit)
		if got != c.want || (err != nil) != c.fails || err != nil && KindOf(err) != c.kind {
			t.Errorf("%s %d %d: %.40q, %v", c.file, c.line, c.limit, got, err)
		}
		if c.file == "f" && !c.fails {
			if mem, err := cutLines("one\ntwo\r\nthree", c.line, c.limit); mem != c.want || err != nil {
				t.Errorf("in memory %d %d: %q, %v", c.line, c.limit, mem, err)
			}
		}
	}
	_, err := w.Snapshot(t.Context(), resolve(t, w, "big"), 1000)
	if err == nil || err.Error() != "file too large: 6400000 bytes > 1000" {
		t.Errorf("%v", err)
	}
}
