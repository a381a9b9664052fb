package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// files returns every file of the workspace, with its mode.
func (b *bench) files() map[string]string {
	b.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(b.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(b.dir, name)
		if d.IsDir() {
			all[rel] = info.Mode().String()
			return nil
		}
		data, err := os.ReadFile(name)
		all[rel] = info.Mode().String() + "\n" + string(data)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

func newHistory(t *testing.T, files map[string]string) *bench {
	b := newBench(t, files)
	b.env.History = &undo.History{}
	b.reg = Builtin(b.env)
	return b
}

// undo takes change n back, with a yes.
func (b *bench) undo(n int) (Result, error) {
	b.t.Helper()
	call, err := Undo(context.Background(), b.env, "own", n)
	if err != nil {
		return Result{}, err
	}
	if call.Proposal != nil && call.Proposal.Changed(context.Background()) != nil {
		b.t.Fatal("a fresh proposal is stale")
	}
	return call.Run(context.Background(), nil)
}

func TestUndo(t *testing.T) {
	b := newHistory(t, map[string]string{"notes.md": "one\r\ntwo\r\n", "run.sh": "#!/bin/sh\n"})
	if err := os.Chmod(filepath.Join(b.dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	states := []map[string]string{b.files()}
	done := func(tool string, a args) {
		t.Helper()
		b.run(tool, a)
		states = append(states, b.files())
	}
	done("write_file", args{"path": "a/b/new.txt", "content": "x\ny"})                           // 1
	done("edit_file", args{"path": "notes.md", "old_string": "two", "new_string": "2"})          // 2
	done("write_file", args{"path": "run.sh", "content": "#!/bin/sh\nexit\n"})                   // 3
	done("edit_file", args{"path": "notes.md", "old_string": "one", "new_string": "1\r\nand 2"}) // 4
	is := func(what string, want map[string]string) {
		t.Helper()
		if now := b.files(); !maps.Equal(now, want) {
			t.Fatalf("%s:\n%q\nwant\n%q", what, now, want)
		}
	}
	for i := 4; i > 0; i-- { // the last one each time
		if _, err := b.undo(0); err != nil {
			t.Fatal(err)
		}
		is(fmt.Sprintf("without change %d", i), states[i-1])
	}
	if _, err := b.undo(0); err == nil || err.Error() != "every change of this session is undone already" {
		t.Errorf("%v", err)
	}
	for i := 8; i > 4; i-- { // and what took them back, in their order
		if _, err := b.undo(i); err != nil {
			t.Fatal(err)
		}
		is(fmt.Sprintf("change %d taken back", i), states[9-i])
	}
	if _, err := b.undo(2); err != nil { // and with it 4
		t.Fatal(err)
	}
	if b.read("notes.md") != "one\r\ntwo\r\n" {
		t.Errorf("%q", b.read("notes.md"))
	}
}

// What a person sees before a change is taken back.
func TestUndoProposals(t *testing.T) {
	b := newHistory(t, map[string]string{"notes.md": "one\ntwo\n", ".envrc": "export A=1\n"})
	b.run("edit_file", args{"path": "notes.md", "old_string": "two", "new_string": "2"})       // 1
	b.run("edit_file", args{"path": "notes.md", "old_string": "one\n", "new_string": ""})      // 2
	b.run("write_file", args{"path": "d/new.txt", "content": "x\ny\n"})                        // 3
	b.run("write_file", args{"path": "empty", "content": ""})                                  // 4
	b.run("write_file", args{"path": "bin", "content": "\x00"})                                // 5
	b.run("edit_file", args{"path": ".envrc", "old_string": "1", "new_string": "2"})           // 6
	b.run("edit_file", args{"path": ".envrc", "old_string": "2", "new_string": "\u202e3"})     // 7
	b.run("edit_file", args{"path": ".envrc", "old_string": "\u202e3", "new_string": "three"}) // 8
	removal := map[int]string{3: "This removes the file and what is empty then of d", 4: "This removes the file",
		5: "This removes the file"}
	for _, c := range []struct {
		n                   int
		line, diff          string
		removes             bool
		notes, flags, title string
	}{
		{1, "Undo change 1: change workspace/notes.md, 2 lines added, 1 line removed",
			"--- notes.md (current)\n+++ notes.md (proposed)\n@@ -1 +1,2 @@\n-2\n+one\n+two\n", false,
			"change 2 goes with it", "", "undo workspace/notes.md"},
		{2, "Undo change 2: change workspace/notes.md, 1 line added, 0 lines removed",
			"--- notes.md (current)\n+++ notes.md (proposed)\n@@ -1 +1,2 @@\n+one\n 2\n", false, "", "",
			"undo workspace/notes.md"},
		{3, "Undo change 3: remove workspace/d/new.txt, 0 lines added, 2 lines removed",
			"--- d/new.txt (current)\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n", true, "", "",
			"undo workspace/d/new.txt"},
		{4, "Undo change 4: remove workspace/empty", "--- empty (current)\n+++ /dev/null\n(empty file)\n", true, "", "",
			"undo workspace/empty"},
		{5, "Undo change 5: remove workspace/bin",
			"Binary files differ\n- application/octet-stream, 1 byte, sha256 " +
				"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d\n+ no file\n", true, "", "binary",
			"undo workspace/bin"},
		{8, "Undo change 8: change workspace/.envrc, 1 line added, 1 line removed",
			"--- .envrc (current)\n+++ .envrc (proposed)\n@@ -1 +1 @@\n-export A=three\n+export A=\u202e3\n", false, "",
			"hidden runs code", "undo workspace/.envrc"},
	} {
		call, err := Undo(t.Context(), b.env, "own", c.n)
		if err != nil {
			t.Fatal(err)
		}
		p := call.Proposal
		pay := p.Payload.(approval.Undo)
		var flags []string
		for _, f := range p.Flags {
			flags = append(flags, f.Name)
		}
		if pay.Description != c.line || pay.UnifiedDiff != c.diff || pay.Removes != c.removes ||
			p.Remove != c.removes || (p.After == nil) != c.removes ||
			strings.Join(p.Notes, "; ") != c.notes || pay.Removal() != removal[c.n] ||
			strings.Join(flags, " ") != c.flags || call.Title != c.title || pay.Kind != "undo" || p.Tool != "undo" {
			t.Errorf("change %d: %q\n%q\nremoves %v, notes %q, flags %q, title %q", c.n, pay.Description,
				pay.UnifiedDiff, pay.Removes, p.Notes, flags, call.Title)
		}
	}
	if was := b.read("notes.md"); was != "2\n" {
		t.Errorf("something was written: %q", was)
	}
}

// A file that is not what the session left is not touched, and the error says in what it differs.
func TestWhatOthersChangedIsNotTakenBack(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(b *bench)
		n    int
		want string
	}{
		{"edited", func(b *bench) {
			b.write("f", "theirs")
		}, 2, "workspace/f is not what change 2 left: it was changed since, by a command or another program. Nothing " +
			"was undone, so that the newer content is not lost."},
		{"its mode", func(b *bench) {
			os.Chmod(filepath.Join(b.dir, "f"), 0o600)
		}, 0, "workspace/f is not what change 2 left: its mode was changed since, from 0644 to 0600. Nothing was " +
			"undone, so that the newer content is not lost."},
		{"removed", func(b *bench) {
			os.Remove(filepath.Join(b.dir, "f"))
		}, 2, "workspace/f is not what change 2 left: it was removed since. Nothing was undone, so that the newer " +
			"content is not lost."},
		{"a link in its place", func(b *bench) {
			os.Remove(filepath.Join(b.dir, "f"))
			b.write("g", "2\n")
			os.Symlink("g", filepath.Join(b.dir, "f"))
		}, 2, "operation not permitted: workspace/f leads to workspace/g now"},
		{"a link that leads out", func(b *bench) {
			os.Remove(filepath.Join(b.dir, "f"))
			os.Symlink("/etc/passwd", filepath.Join(b.dir, "f"))
		}, 2, "operation not permitted: path DIR/f escapes workspace root DIR; /add-dir, or --add-dir at " +
			"the start, adds a directory"},
		{"between two changes", func(b *bench) {
			b.write("f", "theirs\n")
			b.run("write_file", args{"path": "f", "content": "3\n"})
		}, 1, "workspace/f was changed by others between change 2 and change 3; undo change 3 first"},
		{"twice", func(b *bench) {
			if _, err := b.undo(2); err != nil {
				b.t.Fatal(err)
			}
		}, 2, "change 2 is undone already"},
		{"no such change", func(*bench) {}, 7, "there is no change 7 in this session"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newHistory(t, map[string]string{"f": "0\n"})
			b.run("write_file", args{"path": "f", "content": "1\n"})
			b.run("write_file", args{"path": "f", "content": "2\n"})
			c.act(b)
			was := b.files()
			real, err := filepath.EvalSymlinks(b.dir)
			if err != nil {
				t.Fatal(err)
			}
			_, err = b.undo(c.n)
			if err == nil || strings.ReplaceAll(err.Error(), real, "DIR") != c.want {
				t.Errorf("%v", err)
			}
			if !maps.Equal(b.files(), was) {
				t.Error("something was touched")
			}
		})
	}
}

// A yes to an undo is worth nothing once the file is another one.
func TestAStaleUndoWritesNothing(t *testing.T) {
	for _, created := range []bool{false, true} {
		b := newHistory(t, map[string]string{"other": ""})
		if !created {
			b.write("f", "old\n")
		}
		b.run("write_file", args{"path": "f", "content": "new\n"})
		call, err := Undo(t.Context(), b.env, "own", 1)
		if err != nil {
			t.Fatal(err)
		}
		b.write("f", "theirs\n")
		if call.Proposal.Changed(t.Context()) == nil {
			t.Error("it does not say that it is stale")
		}
		if _, err := call.Run(t.Context(), nil); Kind(err) != "conflict" || b.read("f") != "theirs\n" {
			t.Errorf("%v, %q", err, b.read("f"))
		}
		if n := len(b.env.History.Changes()); n != 1 {
			t.Errorf("%d changes", n)
		}
	}
}

// Random sessions: tools and others change files, and changes are taken back in any order. What an
// undo leaves is what stood there before that change, byte for byte and with its mode; what it
// refuses changes nothing; and it never touches what others wrote.
func TestRandomUndos(t *testing.T) {
	seed := rand.Uint64()
	undone, refused := 0, 0
	rounds := 12
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_UNDOS")); err == nil {
		rounds = n
	}
	for round := range rounds {
		r := rand.New(rand.NewPCG(seed, uint64(round)))
		b := newHistory(t, map[string]string{"f": "start\n", "d/g": "a\r\nb\r\n"})
		paths := []string{"f", "d/g", "new", "x/y/z"}
		before := map[int]map[string]string{} // all files, before each change
		of := map[int]string{}
		left := map[string]string{} // what the session left
		fail := func(format string, a ...any) {
			t.Helper()
			t.Fatalf("seed %d round %d: %s", seed, round, fmt.Sprintf(format, a...))
		}
		for step := range 40 {
			was := b.files()
			path := paths[r.IntN(len(paths))]
			last := 0
			if all := b.env.History.Changes(); len(all) > 0 {
				last = all[len(all)-1].N
			}
			switch what := r.IntN(10); {
			case what < 5:
				content := strings.Repeat(fmt.Sprintf("%d %d\r\n", step, r.IntN(3)), r.IntN(4))
				b.run("write_file", args{"path": path, "content": content})
				if n := len(b.env.History.Changes()); n > last {
					before[last+1], of[last+1], left[path] = was, path, b.files()[path]
				}
			case what < 6: // somebody else
				if _, there := was[path]; !there {
					continue
				}
				switch r.IntN(3) {
				case 0:
					b.write(path, fmt.Sprintf("theirs %d\n", step))
				case 1:
					os.Chmod(filepath.Join(b.dir, path), []fs.FileMode{0o600, 0o644, 0o755}[r.IntN(3)])
				case 2:
					os.Remove(filepath.Join(b.dir, path))
				}
			default:
				n := r.IntN(last + 1)
				if n == 0 && r.IntN(2) == 0 {
					n = last
				}
				_, err := b.undo(n)
				now := b.files()
				if err != nil {
					if refused++; !maps.Equal(now, was) {
						fail("step %d: a refused undo of %d changed something: %v", step, n, err)
					}
					continue
				}
				undone++
				all := b.env.History.Changes()
				done := all[len(all)-1]
				if done.N == last { // nothing to do
					continue
				}
				n = done.Undoes
				before[done.N], of[done.N] = was, of[n]
				path = of[n]
				if now[path] != before[n][path] {
					fail("step %d: undo of %d left %q, want %q", step, n, now[path], before[n][path])
				}
				if was[path] != left[path] {
					fail("step %d: undo of %d took away what others wrote: %q", step, n, was[path])
				}
				left[path] = now[path]
				for name, text := range was {
					if strings.Contains(text, "\n") && name != path && now[name] != text {
						fail("step %d: undo of %d touched %s", step, n, name)
					}
				}
			}
		}
	}
	t.Logf("%d undone, %d refused", undone, refused)
	if undone < 30 || refused < 30 {
		t.Errorf("seed %d: %d undone, %d refused: too few to prove anything", seed, undone, refused)
	}
}

// A partial undo is a change of its own: what it took back is not gone.
func TestAPartOfAChangeIsTakenBack(t *testing.T) {
	b := newHistory(t, map[string]string{"f": strings.Repeat("a\n", 10) + strings.Repeat("b\n", 10)})
	b.run("write_file",
		args{"path": "f", "content": "A\n" + strings.Repeat("a\n", 9) + strings.Repeat("b\n", 9) + "B\n"})
	call, err := Undo(t.Context(), b.env, "own", 0)
	if err != nil {
		t.Fatal(err)
	}
	part := call.Proposal.Diff.Apply(call.Proposal.Before, func(i int) bool { return i == 0 })
	if call, err = call.Revise(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	res, err := call.Run(t.Context(), nil)
	if err != nil || !strings.Contains(res.Text, "Undid a part of change 1 of f.") {
		t.Fatalf("%v %q", err, res.Text)
	}
	if want := strings.Repeat("a\n", 10) + strings.Repeat("b\n", 9) + "B\n"; b.read("f") != want {
		t.Errorf("%q", b.read("f"))
	}
	if got := b.env.History.InEffect(); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("%v", got)
	}
}

// shelf is a store that keeps nothing.
type shelf struct{ kept [][]byte }

func (s *shelf) KeepChange(_ undo.Change, displaced []byte) error {
	s.kept = append(s.kept, displaced)
	return nil
}
func (*shelf) BeginChange(*undo.Change, []byte) error { return nil }
func (*shelf) Displaced(string) ([]byte, error)       { return nil, errors.New("gone") }

func TestWhatIsNotKeptIsNotPromised(t *testing.T) {
	b := newHistory(t, map[string]string{"f": "old\n", "secret": "old\n"})
	b.env.MayRead = func(path string) approval.Action {
		if path == "secret" {
			return approval.Deny
		}
		return approval.Allow
	}
	s := &shelf{}
	b.env.History.Load(s, nil)
	b.reg = Builtin(b.env)
	b.run("write_file", args{"path": "f", "content": "new\n"})
	if _, err := b.undo(1); !errors.Is(err, undo.ErrGone) &&
		(err == nil || !strings.Contains(err.Error(), undo.ErrGone.Error())) {
		t.Errorf("%v", err)
	}
	b.run("write_file", args{"path": "secret", "content": "new\n"})
	if len(s.kept) != 2 || s.kept[0] == nil || s.kept[1] != nil {
		t.Errorf("kept %q: what the model may not read does not reach the disk", s.kept)
	}
	if _, err := b.undo(2); err != nil || b.read("secret") != "old\n" { // it was in memory
		t.Errorf("%v", err)
	}
}
