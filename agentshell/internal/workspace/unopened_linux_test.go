package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// openFiles returns how many descriptors of this process are of files below dir that have no name
// any more.
func openFiles(t *testing.T, dir string) (n int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if name, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			if in, _ := filepath.Match(dir+"/* (deleted)", name); in {
				n++
			}
		}
	}
	return n
}

// Of a long day few displaced files are held open: those that somebody else has open, and the
// newest ones. What is written to one of them late is found, however many came behind it.
func TestADisplacedFileIsHeldWhileSomebodyCanWriteToIt(t *testing.T) {
	base := t.TempDir()
	dir := base + "/ws"
	tree(t, dir, "f", "read", "written", "linked")
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: base + "/journal"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !leases(t, dir) {
		need.Missing(t, "leases", "this file system gives none")
	}
	commit := func(name, text string) Receipt {
		t.Helper()
		f := snapshot(t, w, name)
		r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	reader, err := os.Open(dir + "/read")
	if err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(dir+"/written", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	read, written := commit("read", "new"), commit("written", "new")
	for i := range 3 * uncheckedUndoFiles {
		commit("f", fmt.Sprint(i))
		if i%10 == 0 {
			w.LateWrites()
		}
	}
	// of those open here two are this test's
	if n := openFiles(t, dir) - 2; n != uncheckedUndoFiles+2 || len(w.Undos()) != n {
		t.Errorf("%d displaced files are open, and %d kept; the newest %d and two that others hold would do", n,
			len(w.Undos()), uncheckedUndoFiles)
	}
	if b, err := read.Undo.Bytes(); err != nil || string(b) != "read" {
		t.Errorf("what somebody reads is %q, %v", b, err)
	}
	if _, err := writer.WriteAt([]byte("theirs!"), 0); err != nil {
		t.Fatal(err)
	}
	writer.Close() // nobody can write any more, and nobody was told yet
	commit("f", "again")
	if said := w.LateWrites(); len(said) != 1 {
		t.Errorf("of the late write it says %q", said)
	}
	if b, err := written.Undo.Bytes(); err != nil || string(b) != "theirs!" {
		t.Errorf("what was written late is %q, %v", b, err)
	}
	reader.Close()
	commit("f", "and again")
	if n := openFiles(t, dir); n != uncheckedUndoFiles {
		t.Errorf("%d displaced files are open, want the newest %d", n, uncheckedUndoFiles)
	}
}

// A file that has another name can be opened anew: it is held, up to the bound.
func TestWhatHasANameIsHeldUpToTheBound(t *testing.T) {
	dir := t.TempDir()
	w := openWorkspace(t, Root{Dir: dir})
	for i := range maxUndoFiles + 30 {
		f, err := os.Create(fmt.Sprintf("%s/f%d", dir, i))
		if err != nil {
			t.Fatal(err)
		}
		w.keepUndo(&Undo{Before: Fingerprint{Sum: sum(nil)}, file: f})
	}
	if n := len(w.Undos()); n != maxUndoFiles {
		t.Errorf("%d are held, want %d", n, maxUndoFiles)
	}
}

// leases reports whether the file system of dir gives leases.
func leases(t *testing.T, dir string) bool {
	t.Helper()
	f, err := os.Create(dir + "/probe")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Remove(dir + "/probe"); err != nil {
		t.Fatal(err)
	}
	return unopened(f)
}
