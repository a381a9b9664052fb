//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// remembering returns a bench that keeps changes.
func remembering(t *testing.T, files map[string]string) *bench {
	t.Helper()
	need.Program(t, "bash")
	b := newBench(t, files)
	b.env.History = new(undo.History)
	b.env.Past = new(Past)
	b.reg = Builtin(b.env)
	return b
}

// back takes change n back.
func (b *bench) back(n int) {
	b.t.Helper()
	call, err := Undo(b.t.Context(), b.env, "u", n)
	if err == nil {
		_, err = call.Run(b.t.Context(), func(string) {})
	}
	if err != nil {
		b.t.Errorf("undo %d: %v", n, err)
	}
}

func (b *bench) edited(command string) string {
	b.t.Helper()
	var parts []string
	for _, e := range b.run("bash", args{"command": command}).Edits {
		part := strings.TrimPrefix(e.Path, "workspace/")
		switch {
		case e.New:
			part += " new"
		case e.Removed:
			part += " removed"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func TestWhatACommandChangesCanBeTakenBack(t *testing.T) {
	b := remembering(t, map[string]string{"a": "one\ntwo\n", "d/b": "b\n", "c": "c\n", ".gitignore": "*.o\n",
		"x.o": "1\n"})
	for command, want := range map[string]string{
		"true": "", "touch a": "", "cat a": "", "echo y > x.o; echo z > y.o": "",
		"head -c 300000 /dev/urandom > bin": "",
		"printf 'a\\0b' > bin2":             "",
	} {
		if got := b.edited(command); got != want {
			t.Errorf("%s: %q", command, got)
		}
	}
	if got := b.edited("sed -i s/two/three/ a; rm d/b; mv c e; mkdir n; echo new > n/f"); got !=
		"a, c removed, d/b removed, e new, n/f new" {
		t.Error(got)
	}
	r := b.run("bash", args{"command": "echo four >> a"})
	if len(r.Edits) != 1 || r.Edits[0].N != 6 || r.Edits[0].Diff.Stats.Added != 1 {
		t.Errorf("%+v", r.Edits)
	}
	b.back(0)
	if b.read("a") != "one\nthree\n" {
		t.Error(b.read("a"))
	}
	for _, n := range []int{1, 2, 3, 4, 5} {
		b.back(n)
	}
	if b.read("a") != "one\ntwo\n" || b.read("d/b") != "b\n" || b.read("c") != "c\n" {
		t.Error(b.read("a"), b.read("d/b"), b.read("c"))
	}
	for _, name := range []string{"e", "n/f"} {
		if _, err := os.Lstat(filepath.Join(b.dir, name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
}

// A command may write into each directory of the session: it is told, shown and taken back there.
func TestWhatACommandChangesInAnotherRootCanBeTakenBack(t *testing.T) {
	b := remembering(t, map[string]string{"a": "one\n"})
	lib := t.TempDir()
	if err := os.WriteFile(filepath.Join(lib, "a"), []byte("lib\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: b.dir}, {Name: "lib", Dir: lib}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	b.ws, b.env.Workspace = ws, ws
	b.reg = Builtin(b.env)
	r := b.run("bash", args{"command": "echo more >> a; echo more >> '" + lib + "/a'; echo new > '" + lib + "/b'"})
	if want := "[workspace files changed: workspace/a, lib/a, lib/b (new)]"; !strings.Contains(r.Text, want) {
		t.Errorf("%s, want %s", r.Text, want)
	}
	if len(r.Edits) != 3 || r.Edits[1].Path != "lib/a" || r.Edits[1].Diff.Stats.Added != 1 {
		t.Fatalf("%+v", r.Edits)
	}
	b.back(2)
	b.back(3)
	left, err := os.ReadFile(filepath.Join(lib, "a"))
	if _, there := os.Lstat(filepath.Join(lib, "b")); err != nil || string(left) != "lib\n" || there == nil {
		t.Errorf("%q, %v, b there: %v", left, err, there == nil)
	}
	if b.read("a") != "one\nmore\n" {
		t.Errorf("%q", b.read("a"))
	}
}

// What somebody wrote since is not lost: the undo is refused.
func TestAnUndoOfACommandLeavesWhatCameAfterIt(t *testing.T) {
	b := remembering(t, map[string]string{"a": "one\n"})
	b.edited("echo two > a")
	b.write("a", "mine\n")
	if _, err := Undo(t.Context(), b.env, "u", 1); err == nil || Kind(err) != "conflict" {
		t.Error(err)
	}
}

// Two writes within one tick of the file system's clock are not mistaken for one.
func TestAFileThatWasJustWrittenIsReadAgain(t *testing.T) {
	b := remembering(t, map[string]string{"a": "1\n"})
	b.edited("true")
	for i := range 20 {
		b.edited("echo " + string(rune('a'+i)) + " > a")
		was := b.read("a")
		b.edited("echo " + string(rune('A'+i)) + " > a")
		b.back(0)
		if got := b.read("a"); got != was {
			t.Fatalf("%q, want %q", got, was)
		}
	}
}

// A change of a tool while a command runs in the background is told once.
func TestAChangeWhileAJobRunsIsToldOnce(t *testing.T) {
	b := remembering(t, map[string]string{"a": "one\n"})
	b.env.Commands.Jobs = job.New(time.Now, 0)
	b.reg = Builtin(b.env)
	open := b.gate("gate")
	b.run("bash", args{"command": "read x < gate", "async": true})
	b.run("write_file", args{"path": "a", "content": "two\n"})
	open()
	b.run("job", args{"poll": []string{"job-1"}})
	if list := b.env.History.Changes(); len(list) != 1 || list[0].Tool != "write_file" {
		t.Errorf("%+v", list)
	}
}

func TestALargeWorkspaceIsNotLookedAtBeforeEachCommand(t *testing.T) {
	b := remembering(t, nil)
	dir := filepath.Join(b.dir, "d")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	b.write("d/0", "")
	for i := range pastFiles { // names of one file take half the time of files
		if err := os.Link(filepath.Join(dir, "0"), filepath.Join(dir, strconv.Itoa(i+1))); err != nil {
			t.Fatal(err)
		}
	}
	_ = b.edited("true")
	if !b.env.Past.off {
		t.Error("it is looked at")
	}
}
