package ignore_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// place is a directory with files, and a git in it.
type place struct {
	t    *testing.T
	dir  string
	prog string
}

func newPlace(t *testing.T, files map[string]string) *place {
	p := &place{t, t.TempDir(), need.Program(t, "git")}
	p.fill(files)
	return p
}

func (p *place) fill(files map[string]string) {
	p.t.Helper()
	for name, text := range files {
		full := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
}

// git runs git in a directory of the place.
func (p *place) git(dir string, args ...string) string {
	p.t.Helper()
	cmd := exec.Command(p.prog, args...)
	cmd.Dir = filepath.Join(p.dir, dir)
	cmd.Env = []string{"HOME=" + p.dir + "/none", "GIT_CONFIG_NOSYSTEM=1", "PATH=/usr/bin:/bin", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// files returns what a walk of dir meets.
func (p *place) files(dir, personal string) []string {
	p.t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Join(p.dir, dir)}},
		GitIgnore: personal})
	if err != nil {
		p.t.Fatal(err)
	}
	defer ws.Close()
	return walk(p.t, ws, ws.RootPath())
}

func (p *place) want(dir, personal string, want ...string) {
	p.t.Helper()
	slices.Sort(want)
	if got := p.files(dir, personal); !slices.Equal(got, want) {
		p.t.Errorf("in %q: got\n%q\nwant\n%q", dir, got, want)
	}
}

// Each form that an index may have is read, and what it tracks is no ignored file.
func TestWhatIsTrackedIsNotIgnored(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string
	}{
		{"version 2", []string{"init -q", "add -f out/a x.o sub/deep/y.o keep"}},
		{"version 3", []string{"init -q", "add -f out/a x.o sub/deep/y.o", "add -N keep"}},
		{"version 4", []string{"init -q", "update-index --index-version 4", "add -f keep out/a sub/deep/y.o x.o"}},
		{"split", []string{"init -q", "add -f out/a out/b sub/z.o x.o", "update-index --split-index",
			"rm -q --cached out/b sub/z.o", "add -f sub/deep/y.o keep"}},
		{"split, then changed", []string{"init -q", "add -f out/a out/b keep x.o", "update-index --split-index",
			"update-index --chmod=+x out/a", "rm -q --cached out/b", "add -f sub/deep/y.o"}},
		{"SHA-256", []string{"init -q --object-format=sha256", "add -f keep out/a sub/deep/y.o x.o"}},
		{"SHA-256, split", []string{"init -q --object-format=sha256", "add -f keep out/a sub/z.o sub/deep/y.o x.o",
			"update-index --split-index", "rm -q --cached sub/z.o"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, map[string]string{".gitignore": "out/\n*.o\n", "out/a": "", "out/b": "", "x.o": "",
				"y.o":          "",
				"sub/deep/y.o": "", "sub/z.o": "", "keep": "", "sub/deep/.gitignore": ""})
			for _, s := range c.steps {
				p.git("", strings.Fields(s)...)
			}
			p.want("", "", ".gitignore", "keep", "out/a", "sub/deep/.gitignore", "sub/deep/y.o", "x.o")
		})
	}
}

// A work tree of a repository elsewhere, a submodule and a repository in a repository have rules
// and an index of their own.
func TestEachRepositoryHasRulesOfItsOwn(t *testing.T) {
	p := newPlace(t, map[string]string{"main/.gitignore": "*.o\n!kept.o\n", "main/a.o": "", "main/f": "",
		"lib/.gitignore": "*.tmp\n",
		"lib/g.o":        "", "lib/x.tmp": ""})
	for _, dir := range []string{"lib", "main"} {
		p.git(dir, "init", "-q", "--template=")
		p.git(dir, "add", "-f", ".")
		p.git(dir, "commit", "-qm", "x")
	}
	p.git("main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../lib", "sub")
	p.git("main", "worktree", "add", "-q", "../linked", "-b", "other")
	more := map[string]string{"b.o": "", "kept.o": "", "c.tmp": "", "secret.txt": ""}
	for _, dir := range []string{"main/", "main/sub/", "main/nested/", "linked/"} {
		for name, text := range more {
			p.fill(map[string]string{dir + name: text})
		}
	}
	p.git("main/nested", "init", "-q", "--template=")
	p.fill(map[string]string{"main/.git/info/exclude": "secret.*\n", "main/.git/modules/sub/info/exclude": "kept.*\n",
		"main/nested/.git/info/exclude": "c.*\n"})
	p.want("main", "", ".gitignore", ".gitmodules", "a.o", "f", "kept.o", "c.tmp",
		"sub/.gitignore", "sub/g.o", "sub/x.tmp", "sub/b.o", "sub/secret.txt",
		"nested/b.o", "nested/kept.o", "nested/secret.txt")
	p.want("linked", "", ".gitignore", "a.o", "f", "kept.o", "c.tmp") // secret.txt is named in main
	p.want("main/sub", "", ".gitignore", "g.o", "x.tmp", "b.o", "secret.txt")
}

func TestThePersonsFileCounts(t *testing.T) {
	p := newPlace(t, map[string]string{"mine": "*.swp\nlog\n", "w/a.swp": "", "w/log": "", "w/b": "", "w/ours": "b\n",
		"w/.gitignore": "!log\n", "outside": "b\n"})
	mine := filepath.Join(p.dir, "mine")
	p.want("w", mine, ".gitignore", "b", "log", "ours")
	p.git("w", "init", "-q", "--template=")
	p.want("w", mine, ".gitignore", "b", "log", "ours")
	p.git("w", "config", "core.excludesFile", "ours") // instead of the person's
	p.want("w", mine, ".gitignore", "a.swp", "log", "ours")
	p.git("w", "config", "core.excludesFile", "") // none
	p.want("w", mine, ".gitignore", "a.swp", "b", "log", "ours")
	p.git("w", "config", "core.excludesFile", filepath.Join(p.dir, "outside")) // not the workspace's to name
	p.want("w", mine, ".gitignore", "a.swp", "b", "log", "ours")
	p.git("w", "config", "core.excludesFile", mine)
	p.want("w", mine, ".gitignore", "b", "log", "ours")
}

// What a workspace holds in the place of git's files leads nowhere and holds nothing up.
func TestNothingIsReadOutsideOrWaitedFor(t *testing.T) {
	names := map[string]string{"w/a": "", "w/b": "", "outside/list": "a\n", "outside/git/HEAD": "ref: refs/heads/x\n",
		"outside/git/info/exclude": "a\n", "outside/git/objects/x": "", "outside/git/refs/x": ""}
	for _, c := range []struct {
		name string
		make func(p *place) error
		all  []string // what is met
	}{
		{"a .gitignore that is a link", func(p *place) error {
			return os.Symlink("../outside/list", p.dir+"/w/.gitignore")
		}, []string{".gitignore", "a", "b"}},
		{"a .gitignore that is a pipe", func(p *place) error { return makeFIFO(p.dir + "/w/.gitignore") },
			[]string{".gitignore", "a", "b"}},
		{"info/exclude that is a link", func(p *place) error {
			p.git("w", "init", "-q", "--template=")
			_ = os.Mkdir(p.dir+"/w/.git/info", 0o755)
			return os.Symlink("../../../outside/list", p.dir+"/w/.git/info/exclude")
		}, []string{"a", "b"}},
		{"info/exclude that is a pipe", func(p *place) error {
			p.git("w", "init", "-q", "--template=")
			_ = os.Mkdir(p.dir+"/w/.git/info", 0o755)
			return makeFIFO(p.dir + "/w/.git/info/exclude")
		}, []string{"a", "b"}},
		{".git that is a link", func(p *place) error { return os.Symlink("../outside/git", p.dir+"/w/.git") },
			[]string{"a", "b"}},
		{".git that names a place outside", func(p *place) error {
			return os.WriteFile(p.dir+"/w/.git", []byte("gitdir: "+p.dir+"/outside/git\n"), 0o644)
		}, []string{"a", "b"}},
		{"the same inside", func(p *place) error {
			if err := os.Rename(p.dir+"/outside/git", p.dir+"/w/git"); err != nil {
				return err
			}
			return os.WriteFile(p.dir+"/w/.git", []byte("gitdir: git\n"), 0o644)
		}, []string{"b", "git/HEAD", "git/info/exclude", "git/objects/x", "git/refs/x"}},
		{".git that is a pipe", func(p *place) error { return makeFIFO(p.dir + "/w/.git") },
			[]string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, names)
			if err := c.make(p); errors.Is(err, errors.ErrUnsupported) {
				return // this system has no named pipes
			} else if err != nil {
				t.Fatal(err)
			}
			p.want("w", "", c.all...)
		})
	}
}
