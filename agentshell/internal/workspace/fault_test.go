//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// failing is how a call of the system fails with EIO.
type failing struct {
	name string
	made bool // it is made, and fails nevertheless
	on   bool // all calls of that name behind it fail, too
}

var failings = []failing{{name: "once"}, {name: "made nevertheless", made: true}, {name: "from now on", on: true}}

// faulty makes the commit of a situation in which the call number n fails, -1: none. It gives the
// calls by name and what came of the commit.
func faulty(t *testing.T, i int, dir, journal string, n int, how failing) (calls []string, r Receipt, err error) {
	t.Helper()
	k := killed[i]
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: journal})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := snapshot(t, w, k.file)
	l := w.backend.(*local)
	l.noExchange = k.noExchange
	l.onPoint = func(point string) {
		if point == k.at {
			k.act(dir)
		}
	}
	failed := ""
	l.intercept = func(op string, call func() error) error {
		calls = append(calls, op)
		if len(calls)-1 != n && !(how.on && failed == op) {
			return call()
		}
		failed = op
		if how.made {
			if err := call(); err != nil {
				return err
			}
		}
		return syscall.EIO
	}
	r, err = w.Commit(context.Background(),
		Change{Path: f.Path, Base: f.Print, Data: []byte(k.new), InPlace: k.inPlace, Remove: k.remove,
			Prune: []string{"x", "x/y"}})
	return calls, r, err
}

// A disk that fails at any call of a commit, once or from then on, also if the call was made: the
// commit fails and the file is the old one, or it succeeds and the file is the new one. What stays
// behind is named, and the next start tidies it.
func TestADiskThatFailsLeavesTheOldFileOrTheNewOne(t *testing.T) {
	faults, notes := 0, 0
	for i, k := range killed {
		dir, journal := k.place(t)
		calls, _, _ := faulty(t, i, dir, journal, -1, failing{})
		for n := range calls {
			for _, how := range failings {
				faults++
				dir, journal := k.place(t)
				_, r, err := faulty(t, i, dir, journal, n, how)
				notes += len(r.Notes)
				what := fmt.Sprintf("%s: %s (call %d) fails %s: notes %q, error %v:", k.name, calls[n], n, how.name,
					r.Notes, err)
				text := func() string {
					b, err := os.ReadFile(filepath.Join(dir, k.file))
					if err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Error(err)
					}
					return string(b)
				}
				told := err != nil && (strings.Contains(err.Error(), "has the new content") ||
					strings.Contains(err.Error(), "is torn") || strings.Contains(err.Error(), "its content is at"))
				switch got := text(); {
				case k.act != nil && err == nil && k.at != "checked":
				case k.act != nil && !told && err != nil && !slices.Contains(k.want, got) && got != k.old:
					t.Errorf("%s theirs is lost: %q", what, got)
				case k.act != nil:
				case err == nil && got != k.new:
					t.Errorf("%s it is said to be written, but is %q", what, got)
				case err != nil && !told && got != k.old:
					t.Errorf("%s it is said to have failed, but is %q", what, got)
				case told && !how.on:
					t.Errorf("%s one fault is no reason for that", what)
				}
				for _, left := range leftovers(t, dir) {
					said := strings.Join(r.Notes, " ")
					if err != nil {
						said += err.Error()
					}
					if !strings.Contains(said, filepath.Base(left)) {
						t.Errorf("%s it does not say that %s stays", what, left)
					}
				}
				before := text()
				w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: journal})
				if err != nil {
					t.Fatal(err)
				}
				if left := leftovers(t, dir); len(left) > 0 {
					t.Errorf("%s the next start leaves %v (%v)", what, left, w.Recovered())
				}
				if left, _ := os.ReadDir(journal); len(left) > 0 {
					t.Errorf("%s the next start leaves notes", what)
				}
				if after := text(); after != before && after != k.old && after != k.new &&
					!slices.Contains(k.want, after) {
					t.Errorf("%s the next start makes %q of %q", what, after, before)
				}
				if _, err := os.Stat(dir + "/x"); err == nil && !k.remove && text() == "" {
					t.Errorf("%s a directory stays", what)
				}
				w.Close()
			}
		}
	}
	t.Logf("%d faults, %d notes", faults, notes)
	if faults < 200 || notes < 20 {
		t.Errorf("%d faults, %d notes: the test tests too little", faults, notes)
	}
}
