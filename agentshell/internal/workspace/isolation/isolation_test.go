//go:build unix

package isolation_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/isolation"
)

// site is a workspace with a repository, and a store of copies.
type site struct {
	t     *testing.T
	dir   string
	store isolation.Store
}

func newSite(t *testing.T) site {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	family := &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
	t.Cleanup(func() { family.Close(0) })
	return site{t, dir, isolation.Store{Dir: filepath.Join(t.TempDir(), "copies"), Family: family,
		Environ: os.Environ()}}
}

// git runs the person's git.
func (s site) git(dir string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=p",
		"GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// write writes a file below dir.
func (s site) write(dir, name, text string) {
	s.t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}

func (s site) open() *workspace.Workspace {
	s.t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: s.dir}}})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { ws.Close() })
	return ws
}

func (s site) prepare() *isolation.Copy {
	s.t.Helper()
	c, err := s.store.Prepare(s.t.Context(), s.open(), isolation.Note{Agent: "Lexer"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Release)
	return c
}

// tree returns everything below dir: names, modes, targets and sums.
func (s site) tree(dir string, without ...string) string {
	s.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel := strings.TrimPrefix(path, dir+"/")
		if slices.Contains(without, rel) {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		what := info.Mode().String()
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			what += " " + to
		case d.Type().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			what += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		fmt.Fprintf(&b, "%q %s\n", rel, what)
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String()
}

// changes returns the changes of a copy in short.
func (s site) changes(c *isolation.Copy) (short []string) {
	s.t.Helper()
	list, err := c.Changes(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	state := func(s *isolation.State) string {
		if s == nil {
			return "none"
		}
		return fmt.Sprintf("%v %q", s.Mode, s.Data)
	}
	for _, change := range list {
		short = append(short, fmt.Sprintf("%s: %s -> %s", change.Path, state(change.Before), state(change.After)))
	}
	return short
}

// repository makes a repository with everything that is awkward.
func (s site) repository() {
	s.t.Helper()
	s.git(s.dir, "init", "-q", "-b", "main")
	for name, text := range map[string]string{
		"a.txt": "one\n", "crlf.txt": "one\r\ntwo\r\n", "bin": "\x00\x01\xff", "with blank": "b\n",
		"new\nline": "n\n",
		`quo"te\`:   "q\n", "sub/deep/c.go": "package c\n", "gone.txt": "gone\n", ".gitignore": "*.log\nbuild/\n",
		".gitattributes": "*.txt text=auto eol=lf filter=evil\n", "kept.log": "tracked\n", "run.sh": "#!/bin/sh\n",
	} {
		s.write(s.dir, name, text)
	}
	if err := errors.Join(os.Chmod(filepath.Join(s.dir, "run.sh"), 0o755),
		os.Symlink("a.txt", filepath.Join(s.dir, "link")),
		os.Symlink("/etc", filepath.Join(s.dir, "out"))); err != nil {
		s.t.Fatal(err)
	}
	s.git(s.dir, "add", "-f", ".")
	s.git(s.dir, "commit", "-qm", "first")
	s.write(s.dir, "a.txt", "one, not committed\n")
	s.write(s.dir, "untracked.txt", "new\n")
	s.write(s.dir, "x.log", "ignored\n")
	s.write(s.dir, "build/out", "ignored\n")
	s.write(s.dir, "staged.txt", "staged\n")
	s.git(s.dir, "add", "staged.txt")
	if err := os.Remove(filepath.Join(s.dir, "gone.txt")); err != nil {
		s.t.Fatal(err)
	}
}

func TestACopyHoldsWhatIsThereAndLeavesTheRepositoryAlone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	before, status := s.tree(s.dir), s.git(s.dir, "status", "--porcelain", "-z")
	c := s.prepare()
	if got := s.git(s.dir, "worktree", "list"); strings.Count(got, "\n") != 1 {
		t.Errorf("the work trees are %s", got)
	}
	want := s.tree(s.dir, ".git", "build")
	want = strings.Join(slices.DeleteFunc(strings.SplitAfter(want, "\n"), func(line string) bool {
		return strings.HasPrefix(line, `"x.log"`)
	}), "")
	dirs := strings.NewReplacer("drwxr-xr-x", "drwx------")
	if got := s.tree(c.Dir(), ".git"); got != dirs.Replace(want) {
		t.Errorf("the copy holds\n%s\nwant\n%s", got, dirs.Replace(want))
	}
	if got := s.git(c.Dir(), "status", "--porcelain"); got != "" {
		t.Errorf("git in the copy says\n%s", got)
	}
	if got := s.git(c.Dir(), "log", "--format=%s"); got != "the workspace as it was\nfirst\n" {
		t.Errorf("its history is %q", got)
	}
	if got := s.changes(c); got != nil {
		t.Errorf("without a change: %q", got)
	}
	if err := c.Remove(); err != nil {
		t.Error(err)
	}
	if got := s.tree(s.dir); got != before {
		t.Errorf("the workspace was\n%s\nand is\n%s", before, got)
	}
	if got := s.git(s.dir, "status", "--porcelain", "-z"); got != status {
		t.Errorf("the status was %q and is %q", status, got)
	}
	if left, err := os.ReadDir(s.store.Dir); err != nil || len(left) != 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

func TestChangesAreFoundByTheirBytes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	c := s.prepare()
	at := func(name string) string { return filepath.Join(c.Dir(), name) }
	s.write(c.Dir(), "a.txt", "two\n")
	s.write(c.Dir(), "crlf.txt", "one\ntwo\n") // a filter would see no difference
	s.write(c.Dir(), "bin", "\x00\x02")
	s.write(c.Dir(), "new\nline", "N\n")
	s.write(c.Dir(), "dir \"x\"/né w", "w\n")
	s.write(c.Dir(), "y.log", "ignored\n")
	s.write(c.Dir(), "kept.log", "changed\n")
	if err := errors.Join(os.Remove(at("with blank")), os.Rename(at("run.sh"), at("ran.sh")), os.Remove(at("link")),
		os.Symlink("bin", at("link")), os.Chmod(at("untracked.txt"), 0o755), os.RemoveAll(at("sub")),
		os.Symlink("/etc", at("sub")), syscall.Mkfifo(at("pipe"), 0o644)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`a.txt: -rw-r--r-- "one, not committed\n" -> -rw-r--r-- "two\n"`,
		`bin: -rw-r--r-- "\x00\x01\xff" -> -rw-r--r-- "\x00\x02"`,
		`crlf.txt: -rw-r--r-- "one\r\ntwo\r\n" -> -rw-r--r-- "one\ntwo\n"`,
		`dir "x"/né w: none -> -rw-r--r-- "w\n"`,
		`kept.log: -rw-r--r-- "tracked\n" -> -rw-r--r-- "changed\n"`,
		`link: L--------- "a.txt" -> L--------- "bin"`,
		"new\nline: " + `-rw-r--r-- "n\n" -> -rw-r--r-- "N\n"`,
		`ran.sh: none -> -rwxr-xr-x "#!/bin/sh\n"`,
		`run.sh: -rwxr-xr-x "#!/bin/sh\n" -> none`,
		`sub: none -> L--------- "/etc"`,
		`sub/deep/c.go: -rw-r--r-- "package c\n" -> none`,
		`untracked.txt: -rw-r--r-- "new\n" -> -rwxr-xr-x "new\n"`,
		`with blank: -rw-r--r-- "b\n" -> none`,
	}
	if got := s.changes(c); !slices.Equal(got, want) {
		t.Errorf("the changes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	list, err := c.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // it can be asked for again
		patch, err := c.Patch(t.Context(), list)
		if err != nil {
			t.Fatal(err)
		}
		s.write(s.store.Dir, "p", string(patch))
	}
	s.write(s.dir, "gone.txt", "gone\n") // as git knows it, so that the rest is compared alone
	s.git(s.dir, "apply", "--check", filepath.Join(s.store.Dir, "p"))
	s.git(s.dir, "apply", filepath.Join(s.store.Dir, "p"))
	if got, err := os.ReadFile(filepath.Join(s.dir, "crlf.txt")); string(got) != "one\ntwo\n" {
		t.Errorf("the patch makes %q: %v", got, err)
	}
}

func TestWhatAnAgentDoesToTheRepositoryOfItsCopyDoesNotCount(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	c := s.prepare()
	ran := filepath.Join(s.store.Dir, "ran")
	s.write(c.Dir(), "a.txt", "two\n")
	s.git(c.Dir(), "add", ".")
	s.git(c.Dir(), "commit", "-qm", "mine")
	program := "#!/bin/sh\ntouch " + ran + "\ncat\n"
	for _, name := range []string{"fsmonitor-watchman", "post-index-change", "pre-commit", "reference-transaction"} {
		s.write(c.Dir(), ".git/hooks/"+name, program)
		if err := os.Chmod(filepath.Join(c.Dir(), ".git/hooks", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(c.Dir(), "evil", program)
	if err := os.Chmod(filepath.Join(c.Dir(), "evil"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write(c.Dir(), ".git/config", "[core]\nfsmonitor=./evil\nworktree=/etc\n[filter \"evil\"]\nclean=./evil\n"+
		"smudge=./evil\nrequired\n[diff \"evil\"]\ncommand=./evil\ntextconv=./evil\n"+
		"[uploadpack]\npackObjectsHook=./evil\n")
	s.write(c.Dir(), ".git/objects/info/alternates", "/nowhere\n")
	s.write(c.Dir(), ".gitattributes", "* filter=evil diff=evil\n")
	got := s.changes(c)
	list, err := c.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Patch(t.Context(), list); err != nil {
		t.Error(err)
	}
	if len(got) != 3 || !strings.HasPrefix(got[1], "a.txt: ") {
		t.Errorf("the changes are %q", got)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the copy has run")
	}
}

func TestNothingThatTheRepositoryNamesRunsForACopy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	ran := filepath.Join(t.TempDir(), "ran")
	s.write(s.dir, "evil", "#!/bin/sh\ntouch "+ran+"\ncat\n")
	for _, name := range []string{"evil", ".git/hooks"} {
		if err := os.Chmod(filepath.Join(s.dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"} {
		s.write(s.dir, ".git/hooks/"+hook, "#!/bin/sh\ntouch "+ran+"\n")
		if err := os.Chmod(filepath.Join(s.dir, ".git/hooks", hook), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config, err := os.ReadFile(filepath.Join(s.dir, ".git/config"))
	if err != nil {
		t.Fatal(err)
	}
	s.write(s.dir, ".git/config", string(config)+"[core]\nfsmonitor=./evil\nhooksPath=.git/hooks\n"+
		"alternateRefsCommand=./evil\n[filter \"evil\"]\nclean=./evil\nsmudge=./evil\nprocess=./evil\nrequired\n")
	c := s.prepare()
	s.write(c.Dir(), "a.txt", "two\n")
	if got := s.changes(c); len(got) != 1 {
		t.Errorf("the changes are %q", got)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program of the repository has run")
	}
	if got, err := os.ReadFile(filepath.Join(c.Dir(), "crlf.txt")); string(got) != "one\r\ntwo\r\n" {
		t.Errorf("a filter was applied: %q, %v", got, err)
	}
}

func TestNestedRepositoriesAndSubmodulesAreCopied(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	lib := filepath.Join(t.TempDir(), "lib")
	s.write(lib, "lib.c", "int x;\n")
	s.git(lib, "init", "-q")
	s.git(lib, "add", ".")
	s.git(lib, "commit", "-qm", "lib")
	s.write(s.dir, "main.c", "int main;\n")
	s.git(s.dir, "init", "-q")
	s.git(s.dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib, "third/lib")
	s.git(s.dir, "add", ".")
	s.git(s.dir, "commit", "-qm", "main")
	s.write(s.dir, "nested/.gitignore", "*.o\n")
	s.write(s.dir, "nested/n.c", "int n;\n")
	s.write(s.dir, "nested/n.o", "object\n")
	s.git(filepath.Join(s.dir, "nested"), "init", "-q")
	before := s.tree(s.dir)
	c := s.prepare()
	for _, name := range []string{"main.c", "third/lib/lib.c", "nested/n.c"} {
		s.write(c.Dir(), name, "changed\n")
	}
	want := []string{`main.c: -rw-r--r-- "int main;\n" -> -rw-r--r-- "changed\n"`,
		`nested/n.c: -rw-r--r-- "int n;\n" -> -rw-r--r-- "changed\n"`,
		`third/lib/lib.c: -rw-r--r-- "int x;\n" -> -rw-r--r-- "changed\n"`}
	if got := s.changes(c); !slices.Equal(got, want) {
		t.Errorf("the changes are %q", got)
	}
	if _, err := os.Stat(filepath.Join(c.Dir(), "nested/n.o")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an ignored file was copied: %v", err)
	}
	if got := s.tree(s.dir); got != before {
		t.Errorf("the workspace was\n%s\nand is\n%s", before, got)
	}
}

func TestAWorkspaceBelowTheTopAndOneWithoutACommitAreCopied(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	top := s.dir
	s.write(top, "sub/a.txt", "a\n")
	s.write(top, "other.txt", "o\n")
	s.git(top, "init", "-q")
	s.dir = filepath.Join(top, "sub")
	for _, committed := range []bool{false, true} {
		if committed {
			s.git(top, "add", ".")
			s.git(top, "commit", "-qm", "first")
		}
		c := s.prepare()
		s.write(c.Dir(), "a.txt", "b\n")
		if got := s.changes(c); !slices.Equal(got, []string{`a.txt: -rw-r--r-- "a\n" -> -rw-r--r-- "b\n"`}) {
			t.Errorf("%v: the changes are %q", committed, got)
		}
	}
}

func TestWithoutARepositoryThereIsNoCopy(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	other := newSite(t)
	other.repository()
	s.write(s.dir, "a.txt", "a\n")
	for _, git := range []string{"", "gitdir: " + filepath.Join(other.dir, ".git"), "gitdir: /nowhere"} {
		if git != "" {
			s.write(s.dir, ".git", git)
		}
		_, err := s.store.Prepare(t.Context(), s.open(), isolation.Note{Agent: "A"})
		if !errors.Is(err, isolation.ErrNoRepository) ||
			!strings.HasPrefix(err.Error(), "Isolated task execution requires a git repository. ") {
			t.Errorf("%q: %v", git, err)
		}
	}
	if left, _ := os.ReadDir(s.store.Dir); len(left) > 0 {
		t.Errorf("left is %v", left)
	}
}

func TestACopyThatWasLeftIsFoundOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	c := s.prepare()
	s.write(c.Dir(), "a.txt", "two\n")
	if left := s.store.Left(s.dir); len(left) != 0 {
		t.Errorf("a copy in use is found: %+v", left)
	}
	c.Release()
	if left := s.store.Left(t.TempDir()); len(left) != 0 {
		t.Errorf("that of another workspace is found: %+v", left)
	}
	// What a kill leaves while a copy is made: a torn note, one alone, one with a part of it.
	for name, text := range map[string]string{"copy-1.json": "", "copy-2.json": `{"workspace":"` + s.dir + `"}`,
		"copy-3.json": `{"workspace":"` + s.dir + `"}`, "copy-3/tree/a": "x", "copy-3/tree/shut/b": "x"} {
		s.write(s.store.Dir, name, text)
	}
	if err := os.Chmod(filepath.Join(s.store.Dir, "copy-3/tree/shut"), 0o500); err != nil {
		t.Fatal(err)
	}
	left := s.store.Left(s.dir)
	if len(left) != 1 || left[0].Agent != "Lexer" {
		t.Fatalf("found are %+v", left)
	}
	if again := s.store.Left(s.dir); len(again) != 0 {
		t.Errorf("it is found by a second process: %+v", again)
	}
	if got := s.changes(left[0]); len(got) != 1 {
		t.Errorf("its changes are %q", got)
	}
	if err := left[0].Remove(); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(s.store.Dir); err != nil || len(entries) != 0 {
		t.Errorf("left is %v, %v", entries, err)
	}
}

// Other programs replace, create and remove files while a copy is made. It has each file whole, as
// it was before or after.
func TestACopyIsMadeWhileFilesAreReplaced(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	ended := make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			temp := filepath.Join(s.dir, fmt.Sprintf(".temp-%d", n%7))
			_ = os.WriteFile(temp, []byte(strings.Repeat(fmt.Sprint(n%10), 5000)), 0o644)
			_ = os.Rename(temp, filepath.Join(s.dir, "a.txt"))
			_ = os.Remove(filepath.Join(s.dir, "gone.txt"))
			_ = os.WriteFile(filepath.Join(s.dir, "gone.txt"), []byte("x"), 0o644)
			_ = os.RemoveAll(filepath.Join(s.dir, "dir"))
			_ = os.MkdirAll(filepath.Join(s.dir, "dir", "deep"), 0o755)
			_ = os.WriteFile(filepath.Join(s.dir, "dir", "deep", "f"), []byte("x"), 0o644)
		}
	}()
	for range 4 {
		c := s.prepare()
		text, err := os.ReadFile(filepath.Join(c.Dir(), "a.txt"))
		whole := len(text) == 5000 && strings.Trim(string(text), string(text[:1])) == ""
		if err == nil && !whole && !strings.HasPrefix(string(text), "one") {
			t.Errorf("a.txt is torn: %d bytes", len(text))
		}
		if err := c.Remove(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-ended
}

func TestADirectoryWithoutANoteIsRemoved(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.repository()
	c := s.prepare() // somebody works with it
	s.write(s.store.Dir, "copy-OLD/tree/x", "left\n")
	if left := s.store.Left(s.dir); len(left) > 0 {
		t.Errorf("left is %v", left)
	}
	if _, err := os.Lstat(filepath.Join(s.store.Dir, "copy-OLD")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if _, err := os.Lstat(c.Dir()); err != nil {
		t.Errorf("the copy of another is gone: %v", err)
	}
}
