//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestNothingChangesBeforeACommitOrByACancelledOne(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "d/g", "l -> f")
	w := openWorkspace(t, Root{Dir: dir})
	was := fingerprintTree(t, dir)
	f, n := snapshot(t, w, "l"), snapshot(t, w, "x/y/new")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, x := range []File{f, n} {
		if _, err := w.Commit(ctx,
			Change{Path: x.Path, Base: x.Print, Data: []byte("ours")}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		w.Check(t.Context(), x.Path, x.Print)
	}
	if fingerprintTree(t, dir) != was {
		t.Error("the tree changed")
	}
}

func TestAFullDiskLeavesNothingBehind(t *testing.T) {
	if dir := os.Getenv("WORKSPACE_TEST_FULL_DIR"); dir != "" {
		// In a process of its own: the limit holds for every file that it writes.
		w := openWorkspace(t, Root{Dir: dir})
		f, n := snapshot(t, w, "f"), snapshot(t, w, "x/n")
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
			os.Exit(9)
		}
		for _, x := range []File{f, n} {
			if _, err := w.Commit(context.Background(),
				Change{Path: x.Path, Base: x.Print, Data: make([]byte, 100_000)}); !errors.Is(err, syscall.EFBIG) {
				os.Exit(8)
			}
		}
		os.Exit(0)
	}
	dir := t.TempDir()
	tree(t, dir, "f")
	was := fingerprintTree(t, dir+"/f")
	cmd := exec.Command(os.Args[0], "-test.run=^TestAFullDiskLeavesNothingBehind$")
	cmd.Env = append(os.Environ(), "WORKSPACE_TEST_FULL_DIR="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if fingerprintTree(t, dir+"/f") != was || len(leftovers(t, dir)) > 0 {
		t.Error("left behind")
	}
	if _, err := os.Stat(dir + "/x"); err == nil {
		t.Error("a directory was left behind")
	}
}

// situation is a commit, with what is there before.
type situation struct {
	name, file string
	inPlace    bool
	remove     bool
	noExchange bool
	old, new   string // "" for old: the file does not exist
	at         string // somebody else acts at that point
	act        func(dir string)
	// want are the contents that a restart may leave; nil: old or new.
	want []string
}

// place makes a workspace with what is there before the commit, and a directory for its journal.
func (s situation) place(t *testing.T) (dir, journal string) {
	base := t.TempDir()
	dir, journal = base+"/ws", base+"/journal"
	tree(t, dir, "other")
	if s.old != "" {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, s.file)), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, s.file), s.old)
	}
	if s.inPlace {
		tree(t, dir, "second = f")
	}
	return dir, journal
}

// killed are the situations in which a commit is killed before each of its steps.
var killed = []situation{
	{name: "replace", file: "f", old: "old text\n", new: "new"},
	{name: "create", file: "n", new: "new"},
	{name: "create in new directories", file: "x/y/n", new: "new"},
	{name: "without exchange", file: "f", old: "old", new: "new", noExchange: true},
	{name: "in place, shorter", file: "f", old: "a long old text\n", new: "new", inPlace: true},
	{name: "in place, longer", file: "f", old: "old", new: "a long new text\n", inPlace: true},
	{name: "in place, torn", file: "f", old: "a long old text\n", new: "A LONG NEW TEXT, LONGER", inPlace: true,
		at:  "checked",
		act: func(dir string) { os.WriteFile(dir+"/f", []byte("A LONG NEd text\n"), 0) }},
	{name: "an edit in place before the exchange", file: "f", old: "old", new: "new", at: "checked",
		act: func(dir string) { os.WriteFile(dir+"/f", []byte("theirs"), 0) }, want: []string{"theirs", "old"}},
	{name: "an edit by rename before the exchange", file: "f", old: "old", new: "new", at: "checked",
		act:  func(dir string) { os.WriteFile(dir+"/t", []byte("theirs"), 0o644); os.Rename(dir+"/t", dir+"/f") },
		want: []string{"theirs", "old"}},
	{name: "remove", file: "f", remove: true, old: "old text\n"},
	{name: "remove, with its directories", file: "x/y/f", remove: true, old: "old text\n"},
	{name: "an edit by rename before the removal", file: "f", remove: true, old: "old", at: "checked",
		act:  func(dir string) { os.WriteFile(dir+"/t", []byte("theirs"), 0o644); os.Rename(dir+"/t", dir+"/f") },
		want: []string{"theirs", "old"}},
	{name: "an edit in place after the removal", file: "f", remove: true, old: "old", at: "taken",
		act: func(dir string) { os.WriteFile(dir+"/f", []byte("theirs"), 0o644) }, want: []string{"theirs", "old"}},
}

// commitKilled makes the commit of a situation; at is called at its points.
func commitKilled(t *testing.T, i int, dir, journal string, at func(point string)) {
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
		at(point)
	}
	w.Commit(context.Background(),
		Change{Path: f.Path, Base: f.Print, Data: []byte(k.new), InPlace: k.inPlace, Remove: k.remove,
			Prune: []string{"x", "x/y"}})
}

// The writer is a list of steps. A process that is killed before any of them leaves the old file or
// the new one, never a mixture; after the workspace was opened again there is no temporary file, no
// directory and no note of it. A third of the kills is played (SomeKills).
func TestAKillBeforeEachStepLeavesAWholeFile(t *testing.T) {
	if env := os.Getenv("WORKSPACE_TEST_KILL"); env != "" {
		parts := strings.Split(env, "|")
		i, _ := strconv.Atoi(parts[0])
		commitKilled(t, i, parts[1], parts[2], func(point string) {
			if point == parts[3] {
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				<-make(chan int)
			}
		})
		return
	}
	kills, plays := 0, SomeKills(t)
	for i, k := range killed {
		var steps []string
		dir, journal := k.place(t)
		commitKilled(t, i, dir, journal, func(point string) { steps = append(steps, point) })
		if notes, _ := os.ReadDir(journal); len(notes) > 0 || len(leftovers(t, dir)) > 0 {
			t.Fatalf("%s: a whole commit leaves %v %v", k.name, notes, leftovers(t, dir))
		}
		for _, step := range steps {
			if kills++; !plays(kills) {
				continue
			}
			t.Run(k.name+" "+step, func(t *testing.T) {
				dir, journal := k.place(t)
				cmd := exec.Command(os.Args[0], "-test.run=^TestAKillBeforeEachStepLeavesAWholeFile$")
				cmd.Env = append(os.Environ(), fmt.Sprintf("WORKSPACE_TEST_KILL=%d|%s|%s|%s", i, dir, journal, step))
				err := cmd.Run()
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("it was not killed: %v", err)
				}
				w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: journal})
				if err != nil {
					t.Fatal(err)
				}
				defer w.Close()
				want := k.want
				if want == nil {
					want = []string{k.old, k.new}
				}
				got, err := os.ReadFile(filepath.Join(dir, k.file))
				if err != nil && !errors.Is(err, fs.ErrNotExist) || !slices.Contains(want, string(got)) {
					t.Errorf("%q, %v, want one of %q (%v)", got, err, want, w.Recovered())
				}
				if l := leftovers(t, dir); len(l) > 0 {
					t.Errorf("left behind: %v", l)
				}
				if _, err := os.Stat(dir + "/x"); !k.remove &&
					(err == nil) != (len(got) > 0 && strings.HasPrefix(k.file, "x/")) {
					t.Errorf("the directory: %v", err)
				}
				if notes, _ := os.ReadDir(journal); len(notes) > 0 {
					t.Errorf("notes: %v", notes)
				}
				f := snapshot(t, w, k.file) // and it goes on
				if _, err := w.Commit(t.Context(),
					Change{Path: f.Path, Base: f.Print, Data: []byte("again")}); err != nil ||
					content(t, filepath.Join(dir, k.file)) != "again" {
					t.Errorf("the next commit: %v", err)
				}
			})
		}
	}
	t.Logf("of %d kills", kills)
}

// SomeKills says of each kill by its number whether it is played: one in three, others in each run;
// all with SCROLLKEEP_KILLS set (`make fuzz`).
func SomeKills(t *testing.T) func(n int) bool {
	first := rand.IntN(3)
	if os.Getenv("SCROLLKEEP_KILLS") != "" {
		return func(int) bool { return true }
	}
	t.Logf("of three kills number %d is played", first)
	return func(n int) bool { return n%3 == first }
}

// A note of a living process is not touched, and one of another workspace is left for it.
func TestNotesOfOthersStay(t *testing.T) {
	base := t.TempDir()
	tree(t, base, "ws/f", "other/g")
	cfg := Config{Roots: []Root{{Dir: base + "/ws"}}, Journal: base + "/journal"}
	w, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := snapshot(t, w, "f")
	during(w, "checked", func() {
		second, err := Open(cfg)
		if err != nil {
			t.Error(err)
			return
		}
		second.Close()
		if len(leftovers(t, base)) != 1 {
			t.Error("the temporary file of a living commit was removed")
		}
	})
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")}); err != nil ||
		content(t, base+"/ws/f") != "new" {
		t.Fatal(err)
	}
	note := `{"Root":"` + base + `/ws","Dir":".","Name":"f","Temp":".scrollkeep-x.tmp"}` + "\n"
	put(t, base+"/journal/a.json", note)
	elsewhere, err := Open(Config{Roots: []Root{{Dir: base + "/other"}}, Journal: base + "/journal"})
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Close()
	if content(t, base+"/journal/a.json") != note {
		t.Error("the note of another workspace was touched")
	}
	put(t, base+"/journal/a.json", strings.Replace(note, ".scrollkeep-x.tmp", "f", 1)) // a forged one removes nothing
	again, err := Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if content(t, base+"/ws/f") != "new" || len(again.Recovered()) != 1 {
		t.Errorf("%v", again.Recovered())
	}
}

func TestAJournalInsideAWorkspaceIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f", "journal/")
	w, err := Open(Config{Roots: []Root{{Dir: dir}}, Journal: dir + "/journal"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := snapshot(t, w, "f")
	during(w, "checked", func() {
		if notes, _ := os.ReadDir(dir + "/journal"); len(notes) > 0 {
			t.Error("it writes into the workspace")
		}
	})
	if _, err := w.Commit(t.Context(), Change{Path: f.Path, Base: f.Print, Data: []byte("new")}); err != nil {
		t.Fatal(err)
	}
}
