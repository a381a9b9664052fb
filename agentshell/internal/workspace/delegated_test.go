//go:build unix

package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// editor holds texts by their absolute path. save writes them to the disk, too.
type editor struct {
	texts  map[string]string
	save   bool
	change func(text string) string // what it makes of a text that it is given; nil: nothing
	fault  error
	writes int
}

func (*editor) Name() string { return "the test editor" }

func (e *editor) ReadText(_ context.Context, name string) (string, error) {
	if e.fault != nil {
		return "", e.fault
	}
	if text, open := e.texts[name]; open {
		return text, nil
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

func (e *editor) WriteText(_ context.Context, name, text string) error {
	e.writes++
	if e.fault != nil {
		return e.fault
	}
	if e.change != nil {
		text = e.change(text)
	}
	if e.save {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, []byte(text), 0o666)
	}
	e.texts[name] = text
	return nil
}

func edited(t *testing.T, e *editor, files map[string]string) *Workspace {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Editor: e})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if e.texts == nil {
		e.texts = map[string]string{}
	}
	return w
}

// What is open in the editor and not saved is what the file is; what it never opened is on the
// disk.
func TestAnEditorsTextIsTheFile(t *testing.T) {
	e := &editor{}
	w := edited(t, e, map[string]string{"a": "on the disk\n", "b": "there\n"})
	e.texts[filepath.Join(w.Dir(), "a")] = "not saved\nsecond\n"
	for name, want := range map[string]string{"a": "not saved\nsecond\n", "b": "there\n"} {
		if f := snapshot(t, w, name); string(f.Data) != want {
			t.Errorf("%s is %q", name, f.Data)
		}
	}
	p, err := w.Resolve("a")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := w.ReadText(t.Context(), p, 2, 1); err != nil || text != "second\n" {
		t.Errorf("%q, %v", text, err)
	}
	f := snapshot(t, w, "a")
	r, err := w.Commit(t.Context(), Change{Path: p, Base: f.Print, Data: []byte("new\n")})
	if err != nil || r.Guard != Client || len(r.Notes) > 0 || r.Created {
		t.Errorf("%+v, %v", r, err)
	}
	if got := e.texts[filepath.Join(w.Dir(), "a")]; got != "new\n" {
		t.Errorf("the editor has %q", got)
	}
	if b, _ := os.ReadFile(filepath.Join(w.Dir(), "a")); string(b) != "on the disk\n" {
		t.Errorf("the disk has %q", b)
	}
}

// Whoever typed into the editor meanwhile loses nothing.
func TestAnEditByTheEditorIsAConflict(t *testing.T) {
	e := &editor{}
	w := edited(t, e, map[string]string{"a": "one\n"})
	f := snapshot(t, w, "a")
	e.texts[filepath.Join(w.Dir(), "a")] = "typed\n"
	if err := w.Check(t.Context(), f.Path, f.Print); KindOf(err) != Conflict {
		t.Errorf("the check: %v", err)
	}
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print,
		Data: []byte("x")}); KindOf(err) != Conflict {
		t.Errorf("the commit: %v", err)
	}
	if e.writes > 0 {
		t.Errorf("it was written %d times", e.writes)
	}
}

// A new file, in a new directory; an editor that does not say in our words that there is none.
func TestAnEditorMakesAFile(t *testing.T) {
	e := &editor{save: true}
	w := edited(t, e, nil)
	p, err := w.Resolve("d/n")
	if err != nil {
		t.Fatal(err)
	}
	e.fault = errors.New("internal error")
	f, err := w.Snapshot(t.Context(), p, MaxProposal)
	if err != nil || f.Print.Exists || f.Data != nil {
		t.Fatalf("%+v, %v", f, err)
	}
	// Another failure may be that of a file that is there: nothing is written over it.
	e.fault = errors.New("busy")
	if _, err := w.Commit(t.Context(), Change{Path: p, Base: f.Print, Data: []byte("x")}); KindOf(err) != Conflict {
		t.Errorf("other words: %v", err)
	}
	e.fault = nil
	if f, err = w.Snapshot(t.Context(), p, MaxProposal); err != nil || f.Print.Exists {
		t.Fatalf("%+v, %v", f, err)
	}
	e.writes = 0
	r, err := w.Commit(t.Context(), Change{Path: p, Base: f.Print, Data: []byte("new\n")})
	if err != nil || !r.Created || len(r.Notes) > 0 || e.writes != 1 {
		t.Errorf("%+v, %v, %d writes", r, err, e.writes)
	}
	// and takes it back: the editor has no way to remove one
	g := snapshot(t, w, "d/n")
	if r, err := w.Commit(t.Context(), Change{Path: p, Base: g.Print, Remove: true}); err != nil || !r.Removed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(w.Abs(p)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// A file that somebody has typed into since is not removed either.
func TestARemovalOfWhatAnEditorHasChangedIsAConflict(t *testing.T) {
	e := &editor{save: true}
	w := edited(t, e, map[string]string{"a": "one\n"})
	f := snapshot(t, w, "a")
	if err := os.WriteFile(w.Abs(f.Path), []byte("two\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Remove: true}); KindOf(err) != Conflict {
		t.Error(err)
	}
}

// A file with changes that are not saved is not removed.
func TestWhatAnEditorHasNotSavedIsNotRemoved(t *testing.T) {
	e := &editor{}
	w := edited(t, e, map[string]string{"a": "one\n"})
	e.texts[filepath.Join(w.Dir(), "a")] = "typed\n"
	f := snapshot(t, w, "a")
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print,
		Remove: true}); KindOf(err) != NotPermitted {
		t.Error(err)
	}
}

// A text that an editor formats when it saves is not what was shown, and the receipt says so.
func TestAnEditorThatWritesSomethingElseIsFound(t *testing.T) {
	e := &editor{change: func(text string) string { return text + "// formatted\n" }}
	w := edited(t, e, map[string]string{"a": "one\n"})
	f := snapshot(t, w, "a")
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("two\n")})
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "something else") {
		t.Errorf("%+v, %v", r, err)
	}
}

// What is no text goes by the disk, read and written.
func TestWhatIsNoTextIsNotAnEditors(t *testing.T) {
	e := &editor{}
	w := edited(t, e, map[string]string{"a.bin": "\x00\x01"})
	f := snapshot(t, w, "a.bin")
	if string(f.Data) != "\x00\x01" {
		t.Errorf("%q", f.Data)
	}
	r, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("\x00\x02")})
	if b, _ := os.ReadFile(w.Abs(f.Path)); err != nil || r.Guard == Client || string(b) != "\x00\x02" || e.writes > 0 {
		t.Errorf("%+v, %v, %q, %d writes", r, err, b, e.writes)
	}
	text := edited(t, e, map[string]string{"t": "text\n"})
	g := snapshot(t, text, "t")
	if _, err := text.Commit(t.Context(), Change{Path: g.Path, Base: g.Print,
		Data: []byte("\x00")}); KindOf(err) != NotPermitted {
		t.Errorf("a text became none: %v", err)
	}
}

// The path rules are ours, whatever the editor would do (FS-11).
func TestAnEditorGetsNoPathOutside(t *testing.T) {
	e := &editor{save: true}
	w := edited(t, e, map[string]string{"locked": "x\n"})
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(w.Dir(), "out")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../x", filepath.Join(outside, "x"), "out/x"} {
		if _, err := w.Resolve(name); KindOf(err) != NotPermitted {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A directory becomes a link between the question and the write.
	p, err := w.Resolve("d/x")
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Snapshot(t.Context(), p, MaxProposal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(w.Dir(), "d")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(t.Context(), Change{Path: p, Base: f.Print, Data: []byte("x")}); err == nil || e.writes > 0 {
		t.Errorf("%v, %d writes", err, e.writes)
	}
	locked := snapshot(t, w, "locked")
	if err := os.Chmod(w.Abs(locked.Path), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := w.Writable(locked.Path); KindOf(err) != NotPermitted {
		t.Errorf("a write-protected file: %v", err)
	}
}

// An editor that fails leaves nothing behind, and says what it said.
func TestAnEditorThatFailsIsNamed(t *testing.T) {
	e := &editor{}
	w := edited(t, e, map[string]string{"a": "one\n"})
	f := snapshot(t, w, "a")
	e.fault = errors.New("no")
	if _, err := w.Snapshot(t.Context(), f.Path, 100); err == nil ||
		!strings.Contains(err.Error(), "the test editor cannot read it: no") {
		t.Error(err)
	}
}
