//go:build unix

package workspace

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree makes a directory from names: "a/b" a file with its name as content, "d/" a directory, "l ->
// t" a link, "p |" a named pipe, "h = f" a hard link.
func tree(t testing.TB, dir string, names ...string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range names {
		link, target, isLink := strings.Cut(n, " -> ")
		hard, of, isHard := strings.Cut(n, " = ")
		full := filepath.Join(dir, strings.TrimSuffix(n, " |"))
		switch {
		case isLink:
			full = filepath.Join(dir, link)
			must(os.MkdirAll(filepath.Dir(full), 0o755))
			must(os.Symlink(strings.ReplaceAll(target, "DIR", dir), full))
		case isHard:
			must(os.Link(filepath.Join(dir, of), filepath.Join(dir, hard)))
		case strings.HasSuffix(n, "/"):
			must(os.MkdirAll(full, 0o755))
		case strings.HasSuffix(n, " |"):
			must(os.MkdirAll(filepath.Dir(full), 0o755))
			must(syscall.Mkfifo(full, 0o644))
		default:
			must(os.MkdirAll(filepath.Dir(full), 0o755))
			must(os.WriteFile(full, []byte(n), 0o644))
		}
	}
}

func openWorkspace(t testing.TB, roots ...Root) *Workspace {
	t.Helper()
	w, err := Open(Config{Roots: roots})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestResolve(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, dir,
		"root/a.txt", "root/sub/b.txt", "root/sub/deep/c.txt", "root/.git/config", "root/file.txt",
		"root-evil/x", "outside/secret", "outside/empty/",
		"root/out -> ../outside", "root/outfile -> ../outside/secret", "root/outabs -> DIR/outside/secret",
		"root/in -> sub/b.txt", "root/inabs -> DIR/root/sub/b.txt", "root/indir -> sub",
		"root/indirabs -> DIR/root/sub",
		"root/dangling -> nowhere", "root/danglingdeep -> sub/nowhere/x", "root/danglingout -> ../outside/new",
		"root/loop -> loop", "root/loop1 -> loop2", "root/loop2 -> loop1",
		"root/chain -> chain1", "root/chain1 -> indir/deep/c.txt", "root/chainout -> chainout1",
		"root/chainout1 -> out/secret",
		"root/up -> ..", "root/self -> .", "root/dotdot -> sub/../../outside/secret", "root/roundtrip -> ../root/a.txt",
		"root/pipe |", "root/sub/pipe |", "root/topipe -> pipe", "root/null -> /dev/null",
		"root/proc -> /proc/self/root",
		"rootlink -> root", "root/throughfile -> a.txt/x",
	)
	root := filepath.Join(dir, "root")
	if l, err := net.Listen("unix", filepath.Join(root, "sock")); err == nil {
		defer l.Close()
	}
	w := openWorkspace(t, Root{Dir: filepath.Join(dir, "rootlink")})
	long := strings.Repeat("x", 256)
	for _, c := range []struct {
		name, request string
		want          string // the path as shown, or
		kind          Kind
		text          string // part of the error
	}{
		{"a file", "a.txt", "workspace/a.txt", 0, ""},
		{"a file below", "sub/deep/c.txt", "workspace/sub/deep/c.txt", 0, ""},
		{"a new file", "new.txt", "workspace/new.txt", 0, ""},
		{"a new file in missing directories", "x/y/z.txt", "workspace/x/y/z.txt", 0, ""},
		{"doubled and dotted separators", ".//sub/./b.txt", "workspace/sub/b.txt", 0, ""},
		{"up and down again inside", "sub/../a.txt", "workspace/a.txt", 0, ""},
		{"out and in again by the real name", "../root/a.txt", "workspace/a.txt", 0, ""},
		{"an absolute path", root + "/a.txt", "workspace/a.txt", 0, ""},
		{"an absolute path through a link to the root", dir + "/rootlink/a.txt", "workspace/a.txt", 0, ""},
		{"an absolute new path", root + "/x/y", "workspace/x/y", 0, ""},
		{"the named root", "workspace/a.txt", "workspace/a.txt", 0, ""},
		{"a new file in the named root", "workspace/q/new", "workspace/q/new", 0, ""},
		{"a link inside", "in", "workspace/sub/b.txt", 0, ""},
		{"an absolute link inside", "inabs", "workspace/sub/b.txt", 0, ""},
		{"a linked directory inside", "indir/b.txt", "workspace/sub/b.txt", 0, ""},
		{"an absolute linked directory inside", "indirabs/deep/c.txt", "workspace/sub/deep/c.txt", 0, ""},
		{"a new file through a linked directory", "indir/new/x", "workspace/sub/new/x", 0, ""},
		{"up from a linked directory is up from its target", "indir/../a.txt", "workspace/a.txt", 0, ""},
		{"a chain of links", "chain", "workspace/sub/deep/c.txt", 0, ""},
		{"a link to the directory itself", "self/self/a.txt", "workspace/a.txt", 0, ""},
		{"a link that leaves and comes back", "roundtrip", "workspace/a.txt", 0, ""},
		{"a name with controls is a name", "a\x1b[31m\n", "workspace/a\x1b[31m\n", 0, ""},
		{"three dots are a name", "...", "workspace/...", 0, ""},
		{"a backslash is a name", `..\x`, `workspace/..\x`, 0, ""},
		{"a tilde is a name behind a dot", "./~/x", "workspace/~/x", 0, ""},
		{"a tilde is a name behind the root", "workspace/~/x", "workspace/~/x", 0, ""},
		{"a tilde in a name is a part of it", "~x/~", "workspace/~x/~", 0, ""},
		{"a home directory that is not known", "~/x", "", InvalidArgs, "write ./~/x for a folder"},

		{"up", "../x", "", NotPermitted, "escapes workspace root " + root},
		{"up to a sibling with the same prefix", "../root-evil/x", "", NotPermitted, "escapes"},
		{"an absolute sibling with the same prefix", root + "-evil/x", "", NotPermitted, "escapes"},
		{"far up", strings.Repeat("../", 60) + "etc/passwd", "", NotPermitted, "escapes"},
		{"absolute outside", "/etc/passwd", "", NotPermitted, "path /etc/passwd escapes workspace root " + root},
		{"absolute outside that does not exist", "/nonexistent/x/y", "", NotPermitted, "escapes"},
		{"absolute with dots", root + "/../outside/secret", "", NotPermitted, "escapes"},
		{"up behind a directory", "sub/../../outside/secret", "", NotPermitted, "escapes"},
		{"a linked directory outside", "out/secret", "", NotPermitted, "escapes"},
		{"a new file in a linked directory outside", "out/empty/new", "", NotPermitted, "escapes"},
		{"a new file in missing directories outside", "out/no/such/new", "", NotPermitted, "escapes"},
		{"a link outside as the last component", "outfile", "", NotPermitted, "escapes"},
		{"an absolute link outside as the last component", "outabs", "", NotPermitted, "escapes"},
		{"a chain that ends outside", "chainout", "", NotPermitted, "escapes"},
		{"a link upwards", "up/outside/secret", "", NotPermitted, "escapes"},
		{"a link with dots", "dotdot", "", NotPermitted, "escapes"},
		{"a link to the system root through proc", "proc/etc/passwd", "", NotPermitted, "escapes"},
		{"a link to a device outside", "null", "", NotPermitted, "escapes"},
		{"a dangling link", "dangling", "", NotPermitted, "dangling link"},
		{"a dangling link in the middle", "dangling/x", "", NotPermitted, "dangling link"},
		{"a dangling link to a missing directory", "danglingdeep", "", NotPermitted, "dangling link"},
		{"a dangling link outside", "danglingout", "", NotPermitted, ""},
		{"dots in the missing part", "no/such/../x", "", NotPermitted, ".. after a missing directory"},
		{"dots in the missing part that would leave", "no/../../outside/secret", "", NotPermitted, ""},
		{"a loop", "loop", "", NotPermitted, "too many links"},
		{"a loop of two", "loop1/x", "", NotPermitted, "too many links"},
		{"through a file", "a.txt/x", "", NotPermitted, "goes through a file"},
		{"through a file and up", "a.txt/../file.txt", "", NotPermitted, ""},
		{"a link through a file", "throughfile", "", NotPermitted, "goes through a file"},
		{"a named pipe", "pipe", "", NotPermitted, "workspace/pipe is a named pipe"},
		{"a link to a named pipe", "topipe", "", NotPermitted, "is a named pipe"},
		{"a socket", "sock", "", NotPermitted, "is a socket"},
		{"nothing", "", "", InvalidArgs, "empty"},
		{"a NUL", "a\x00b", "", InvalidArgs, "NUL"},
		{"a long component", "x/" + long, "", InvalidArgs, "256 bytes > 255"},
		{"a long path", strings.Repeat("x/", 2100), "", InvalidArgs, "too long"},
		{"the root", ".", "", NotPermitted, "path has no file component: ."},
		{"the root by name", "workspace", "", NotPermitted, "path has no file component: workspace"},
		{"a directory with a slash", "sub/", "", NotPermitted, "path has no file component: sub/"},
		{"a new name with a slash", "new/", "", NotPermitted, "no file component"},
		{"a directory by dots", "sub/deep/..", "", NotPermitted, "no file component"},
		{"the system root", "/", "", NotPermitted, "path has no parent: /"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := w.Resolve(c.request)
			if c.want != "" {
				if err != nil || p.String() != c.want {
					t.Fatalf("got %q, %v; want %q", p, err, c.want)
				}
				return
			}
			if err == nil {
				t.Fatalf("resolved to %q", p)
			}
			if KindOf(err) != c.kind || !strings.Contains(err.Error(), c.text) {
				t.Errorf("kind %d, %v", KindOf(err), err)
			}
			if strings.Contains(err.Error(), "secret") && !strings.Contains(c.request, "secret") {
				t.Errorf("the error tells what is outside: %v", err)
			}
		})
	}
}

func TestNamedRoots(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	tree(t, dir, "main/a", "main/both/x", "lib/a", "lib/sub/b", "both/y", "main/tolib -> ../lib/a", "main/nested/z")
	w := openWorkspace(t, Root{Dir: dir + "/main"}, Root{Name: "lib", Dir: dir + "/lib", ReadOnly: true},
		Root{Name: "both", Dir: dir + "/both"}, Root{Name: "inner", Dir: dir + "/main/nested"})
	for request, want := range map[string]string{
		"a": "workspace/a", "lib/a": "lib/a", "lib/new": "lib/new", "workspace/a": "workspace/a",
		"workspace/lib": "workspace/lib", "tolib": "lib/a",
		dir + "/lib/sub/b": "lib/sub/b", "./lib": "workspace/lib", "./both/x": "workspace/both/x",
		dir + "/both/y": "both/y", "nested/z": "inner/z",
	} {
		if p, err := w.Resolve(request); err != nil || p.String() != want {
			t.Errorf("%s: got %q, %v; want %q", request, p, err, want)
		}
	}
	_, err := w.Resolve("both/y")
	if KindOf(err) != InvalidArgs || !strings.Contains(err.Error(), "./both/y in root workspace") ||
		!strings.Contains(err.Error(), "y in root both") {
		t.Errorf("an ambiguous name: %v", err)
	}
	p, _ := w.Resolve("lib/a")
	if err := w.Writable(p); KindOf(err) != NotPermitted {
		t.Errorf("a read-only root: %v", err)
	}
	if _, err := w.Commit(context.Background(), Change{Path: p}); KindOf(err) != NotPermitted {
		t.Errorf("a commit in a read-only root: %v", err)
	}
	if p.Match() != "lib/a" {
		t.Errorf("rules see %q", p.Match())
	}
	if p, _ := w.Resolve("a"); p.Match() != "a" {
		t.Errorf("rules see %q", p.Match())
	}
}

func TestARootThatCannotBeResolvedIsAnError(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "file", "dangling -> nowhere")
	for _, bad := range []string{"missing", "file", "dangling"} {
		if w, err := Open(Config{Roots: []Root{{Dir: filepath.Join(dir, bad)}}}); err == nil {
			w.Close()
			t.Errorf("%s was opened", bad)
		}
	}
}

func TestARootThatWasMovedOrReplacedIsAnError(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "root/a")
	w := openWorkspace(t, Root{Dir: dir + "/root"})
	p, err := w.Resolve("a")
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Snapshot(t.Context(), p, 100)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+"/root", dir+"/moved"); err != nil {
		t.Fatal(err)
	}
	tree(t, dir, "root/a")
	if _, err := w.Snapshot(t.Context(), p, 100); KindOf(err) != NotPermitted {
		t.Errorf("read: %v", err)
	}
	if _, err := w.Commit(t.Context(), Change{Path: p, Base: f.Print, Data: []byte("x")}); KindOf(err) != NotPermitted {
		t.Errorf("write: %v", err)
	}
	for _, name := range []string{"root/a", "moved/a"} {
		if b, _ := os.ReadFile(dir + "/" + name); string(b) != "root/a" {
			t.Errorf("%s is %q", name, b)
		}
	}
}

func TestOurDirectoriesAreNeverWritten(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	tree(t, dir, "home/.config/agentshell/config.toml", "home/x", "home/link -> .config/agentshell")
	w, err := Open(Config{Roots: []Root{{Dir: dir + "/home"}},
		Protected: []string{dir + "/home/.config/agentshell", dir + "/home/.local/state/agentshell"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, request := range []string{".config/agentshell/config.toml", ".config/agentshell/new", "link/config.toml",
		".local/state/agentshell/sessions/x.jsonl", ".local/state/agentshell"} {
		p, err := w.Resolve(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Writable(p); KindOf(err) != NotPermitted {
			t.Errorf("%s is writable: %v", request, err)
		}
	}
	for _, request := range []string{"x", ".config/scrollkeep2/x", ".local/state/other"} {
		if p, _ := w.Resolve(request); w.Writable(p) != nil {
			t.Errorf("%s is not writable", request)
		}
	}
	// The same directory under another name.
	if err := os.Rename(dir+"/home/.config/agentshell", dir+"/home/renamed"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../renamed", dir+"/home/.config/agentshell"); err != nil {
		t.Fatal(err)
	}
	if p, _ := w.Resolve("renamed/config.toml"); w.Writable(p) == nil {
		t.Error("our directory is writable under another name")
	}
}

func TestWhatRunsCode(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	tree(t, dir, "w/a", "w/.git/hooks/")
	if err := os.WriteFile(dir+"/w/.git/config", []byte("[core]\n\tbare = false\n\thooksPath = tools/hooks ; ours\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/gitconfig", []byte("[user]\nname=x\n[core] hookspath=\""+dir+"/w/global\"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Open(Config{Roots: []Root{{Dir: dir + "/w"}}, GitConfigs: []string{dir + "/gitconfig", dir + "/missing"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for name, want := range map[string]bool{
		".git/hooks/pre-commit": true, ".git/config": true, "vendor/x/.git/config": true, ".GIT/config": true,
		".git": true, ".envrc": true, "sub/.envrc": true,
		".vscode/tasks.json": true, ".github/workflows/ci.yml": true, ".gitlab-ci.yml": true, "Jenkinsfile": true,
		"tools/hooks/pre-push": true, "global/pre-push": true,
		".husky/pre-commit": true, ".pre-commit-config.yaml": true, ".idea/runConfigurations/x.xml": true,
		"a": false, ".gitignore": false, "tools/hooksx": false, "git/config": false, "docs/.github.md": true,
		"docs/github.md": false, "main.go": false, "envrc": false,
	} {
		p, err := w.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.RunsCode(p, "", 0o644); (got != "") != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A root below the top of the repository: the value is relative to the top.
	tree(t, dir, "w/tools/hooks/x", "w/sub/a")
	sub, err := Open(Config{Roots: []Root{{Dir: dir + "/w/tools"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if q, _ := sub.Resolve("hooks/x"); sub.RunsCode(q, "", 0o644) == "" {
		t.Error("a hook is not flagged from below the top")
	}
	put(t, dir+"/w/.git/config", "[core]\n\thooksPath = elsewhere\n")
	if q, _ := w.Resolve("elsewhere/pre-push"); w.RunsCode(q, "", 0o644) == "" {
		t.Error("a changed configuration is not seen")
	}
	p, _ := w.Resolve("a")
	if w.RunsCode(p, "", 0o755) == "" {
		t.Error("an executable file is not flagged")
	}
}

func TestBroadWorkspaces(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "home/me/project/")
	for at, want := range map[string]bool{"home/me": true, "home": true, "home/me/project": false} {
		w, err := Open(Config{Roots: []Root{{Dir: filepath.Join(dir, at)}}, Home: dir + "/home/me"})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.WhyBroad() != ""; got != want {
			t.Errorf("%s: %q", at, w.WhyBroad())
		}
		w.Close()
	}
	w := openWorkspace(t, Root{Dir: "/"})
	if w.WhyBroad() == "" {
		t.Error("the whole file system is not too broad")
	}
}

func TestErrorTexts(t *testing.T) { // FS-40 to 44
	cause := errors.New("disk on fire")
	for _, c := range []struct {
		err  *Error
		want string
	}{
		{&Error{Kind: NotFound, Path: "workspace/a"}, "file not found: workspace/a"},
		{&Error{Kind: NotPermitted, Reason: "because"}, "operation not permitted: because"},
		{&Error{Kind: Conflict, Path: "workspace/a"}, "file changed since last read: workspace/a"},
		{&Error{Kind: TooLarge, Bytes: 12, Limit: 10}, "file too large: 12 bytes > 10"},
		{&Error{Kind: Failed, Cause: cause}, "backend failure: disk on fire"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("got %q, want %q", c.err, c.want)
		}
		if !errors.Is(error(c.err), &Error{Kind: c.err.Kind}) || errors.Is(error(c.err), &Error{Kind: InvalidArgs}) {
			t.Errorf("%v: errors.Is does not tell the kind", c.err)
		}
	}
	if !errors.Is(&Error{Kind: Failed, Cause: cause}, cause) {
		t.Error("the cause is not unwrapped")
	}
}

func FuzzTheResolverNeverLeavesTheRoot(f *testing.F) {
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	tree(f, dir, "root/a", "root/d/b", "outside/s", "root/out -> ../outside", "root/abs -> DIR/outside", "root/in -> d",
		"root/up -> ../..", "root/dang -> x/y", "root/d/back -> ../../root")
	w := openWorkspace(f, Root{Dir: dir + "/root"})
	for _, s := range []string{"a", "../a", "out/s", "in/../..", "d/back/out/s", "/etc/passwd", "x/../../y", "up/..",
		"workspace/../x", "a/..", "in//./b", "dang", "workspace/workspace"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, request string) {
		p, err := w.Resolve(request)
		if err != nil {
			return
		}
		full := w.Abs(p)
		if rel, ok := relativeTo(dir+"/root", full); !ok || rel != p.Rel() {
			t.Fatalf("%q became %q", request, full)
		}
		// As the system sees it: the nearest existing ancestor is below the root and free of links.
		for at := full; ; at = filepath.Dir(at) {
			real, err := filepath.EvalSymlinks(at)
			if err != nil {
				continue
			}
			if real != at {
				t.Fatalf("%q became %q, which is %q", request, at, real)
			}
			break
		}
		if _, err := w.Snapshot(t.Context(), p, 1000); err != nil && KindOf(err) != IsDirectory {
			t.Fatalf("%q resolved to %q but: %v", request, p, err)
		}
	})
}

// A path that begins with ~/ is in the home directory, also beside a folder of that name.
func TestATildeIsTheHomeDirectory(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tree(t, home, "work/~/x", "notes/a")
	w, err := Open(Config{Roots: []Root{{Dir: filepath.Join(home, "work")}}, Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for request, want := range map[string]string{"~/x": "", "~/notes/a": "", "~": "", "~/": "", "~/new": "",
		"~/../x": "", "~/work/x": "workspace/x", "~/work/~/x": "workspace/~/x", "./~/x": "workspace/~/x"} {
		p, err := w.Resolve(request)
		if want == "" && KindOf(err) != NotPermitted || want != "" && (err != nil || p.String() != want) {
			t.Errorf("%s: %v, %v", request, p, err)
		}
	}
}
