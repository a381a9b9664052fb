package tool

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// attacked is a directory in which git is run, with the programs that make the marker.
type attacked struct {
	t           testing.TB
	git, marker string
	home        string
}

// gits are the commands of git that a person may have allowed.
var gits = [][]string{{"status"}, {"log", "-1"}, {"diff"}, {"st"}, {"add", "-A"},
	{"commit", "--allow-empty", "-m", "x"}}

// ran runs git in dir and reports whether a program of the model's ran.
func (a attacked) ran(dir string, environ ...string) bool {
	a.t.Helper()
	os.Remove(a.marker)
	for _, args := range gits {
		cmd := exec.Command(a.git, args...)
		cmd.Dir = dir
		cmd.Env = append([]string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + a.home, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x",
		}, environ...)
		cmd.Run() // it fails where there is no repository
	}
	_, err := os.Stat(a.marker)
	return err == nil
}

// config returns a git configuration by which nearly every command runs a program.
func (a attacked) config() string {
	return fmt.Sprintf(
		"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"+
			"\tfsmonitor = \"touch %[1]s; false\"\n\tpager = touch %[1]s\n[alias]\n\tst = !touch %[1]s\n",
		a.marker)
}

func newAttacked(t testing.TB) attacked {
	t.Helper()
	return attacked{t: t, git: need.Program(t, "git"), marker: filepath.Join(t.TempDir(), "marker"), home: t.TempDir()}
}

// plays writes files by write_file in mode edits with nobody there to say yes; after each that was
// written, look is called with all that were.
func plays(b *bench, policy *approval.Policy, files map[string]string, order []string, look func(written []string)) {
	b.t.Helper()
	var written []string
	for _, name := range order {
		call := b.must("write_file", args{"path": name, "content": files[name]})
		if policy.Decide(call.Subject("write_file")).Action != approval.Allow {
			continue
		}
		if _, err := call.Run(context.Background(), nil); err != nil {
			b.t.Fatalf("%s: %v", name, err)
		}
		written = append(written, name)
		look(slices.Sorted(slices.Values(written)))
	}
}

// orders returns all orders of a set; their beginnings are all of its subsets.
func orders(set []string) (all [][]string) {
	if len(set) == 0 {
		return [][]string{nil}
	}
	for i, first := range set {
		for _, rest := range orders(slices.Concat(set[:i], set[i+1:])) {
			all = append(all, append([]string{first}, rest...))
		}
	}
	return all
}

// A directory never becomes a repository, and a repository never gets a program, by files that were
// written unasked (FS-34): every subset of what makes a repository, in every order, beside what was
// there before; then git itself is asked. Of a situation in the directory and in one below it, one
// is tried in each run; both with SCROLLKEEP_READING set.
func TestNoDirectoryBecomesARepositoryUnasked(t *testing.T) {
	t.Parallel()
	need.Time(t)
	a := newAttacked(t)
	first, all := rand.IntN(2), os.Getenv("SCROLLKEEP_READING") != ""
	for i, before := range []struct {
		name  string
		files []string
	}{
		{"nothing", nil},
		{"a HEAD", []string{"HEAD"}},
		{"all but a HEAD", []string{"objects/", "refs/"}},
		{"a bare repository", []string{"HEAD", "objects/", "refs/"}},
	} {
		for k, prefix := range []string{"", "sub/"} {
			if (i+k)%2 != first && !all {
				continue
			}
			files := map[string]string{
				prefix + "HEAD": "ref: refs/heads/main\n", prefix + "config": a.config(), prefix + "objects/x": "x\n",
				prefix + "refs/x": "x\n",
			}
			setup := func(b *bench) {
				for _, name := range before.files {
					if strings.HasSuffix(name, "/") {
						if err := os.MkdirAll(filepath.Join(b.dir, prefix+name), 0o755); err != nil {
							t.Fatal(err)
						}
						continue
					}
					b.write(prefix+name, files[prefix+name])
				}
			}
			t.Run(before.name+" in ./"+prefix, func(t *testing.T) {
				a.t = t
				control := newBench(t, nil)
				setup(control)
				for name, text := range files {
					control.write(name, text)
				}
				if !a.ran(filepath.Join(control.dir, prefix)) {
					t.Fatal("git runs nothing here: the test tests nothing")
				}
				policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeEdits})
				if err != nil {
					t.Fatal(err)
				}
				seen, unasked := map[string]bool{}, 0
				for _, order := range orders(slices.Sorted(maps.Keys(files))) {
					b := newBench(t, nil)
					setup(b)
					plays(b, policy, files, order, func(written []string) {
						unasked++
						if key := strings.Join(written, " "); !seen[key] {
							seen[key] = true
							if a.ran(filepath.Join(b.dir, prefix)) {
								t.Errorf("git runs a program after %v", written)
							}
						}
					})
					b.ws.Close()
				}
				if len(before.files) == 0 && unasked == 0 {
					t.Error("ordinary files are asked for")
				}
			})
		}
	}
}

// What a repository that is there already reads and runs is asked for, wherever its configuration
// says that it is.
func TestARepositoryGetsNoProgramUnasked(t *testing.T) {
	for _, c := range []struct {
		name, config string
		file         string
		mode         os.FileMode // of the file, before it is written
		text         string      // MARKER stands for the marker
		before       []string    // links "a -> b"
	}{
		{name: "hook", file: ".git/hooks/pre-commit", mode: 0o755, text: "#!/bin/sh\ntouch MARKER\n"},
		{name: "configuration", file: ".git/config", text: "CONFIG"},
		{name: "hooks elsewhere", config: "[core]\nhooksPath = tools/hooks\n", file: "tools/hooks/pre-commit",
			mode: 0o755, text: "#!/bin/sh\ntouch MARKER\n"},
		{name: "hook by a link", file: "tools/check", mode: 0o755, text: "#!/bin/sh\ntouch MARKER\n",
			before: []string{".git/hooks/pre-commit -> ../../tools/check"}},
		{name: "included configuration", config: "[include]\npath = ../settings.txt\n", file: "settings.txt",
			text: "CONFIG"},
		{name: "conditional include", config: "[includeIf \"gitdir:**\"]\n\tpath = ../a/b\n", file: "a/b",
			text: "CONFIG"},
		{name: "include of an include", config: "[include]\npath = ../one\n", file: "two", text: "CONFIG",
			before: []string{"one = [include] path = two\n"}},
		{name: "monitor by its name", config: "[core]\nfsmonitor = sh tools/monitor\n", file: "tools/monitor",
			text: "touch MARKER; exit 1\n"},
		{name: "alias by its name", config: "[alias]\nst = \"!sh \\\n tools/st.txt\"\n", file: "tools/st.txt",
			text: "touch MARKER\n"},
		{name: "filter by its name", config: "[filter \"x]y\"]\nclean = \"sh 'tools/clean.txt'\"\n",
			file: "tools/clean.txt", text: "touch MARKER; cat\n",
			before: []string{".gitattributes = *.c filter=x]y\n", "a.c = x\n"}},
		{name: "attributes", config: "[filter \"x\"]\nclean = touch MARKER; cat\n", file: ".gitattributes",
			text: "*.c filter=x\n", before: []string{"a.c = x\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAttacked(t)
			fill := strings.NewReplacer("MARKER", a.marker, "CONFIG",
				"[core]\nfsmonitor = \"touch "+a.marker+"; false\"\n")
			setup := func(dir string) {
				if out, err := exec.Command(a.git, "init", "-q", dir).CombinedOutput(); err != nil {
					t.Fatalf("%v %s", err, out)
				}
				f, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
				if err != nil {
					t.Fatal(err)
				}
				f.WriteString(fill.Replace(c.config))
				f.Close()
				for _, line := range c.before {
					if link, to, ok := strings.Cut(line, " -> "); ok {
						os.Remove(filepath.Join(dir, link))
						os.MkdirAll(filepath.Join(dir, path.Dir(link), path.Dir(to)), 0o755)
						if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
							t.Fatal(err)
						}
						continue
					}
					name, text, _ := strings.Cut(line, " = ")
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			control := newBench(t, nil)
			setup(control.dir)
			control.write(c.file, fill.Replace(c.text))
			if c.mode != 0 {
				if err := os.Chmod(filepath.Join(control.dir, c.file), c.mode); err != nil {
					t.Fatal(err)
				}
			}
			if !a.ran(control.dir) {
				t.Fatal("git runs nothing here: the test tests nothing")
			}
			b := newBench(t, nil)
			setup(b.dir)
			call := b.must("write_file", args{"path": c.file, "content": fill.Replace(c.text)})
			if !call.Proposal.Flagged(approval.FlagRunsCode) {
				t.Errorf("%s is not flagged", c.file)
			}
			if p := b.must("write_file", args{"path": "src/other.c", "content": "x\n"}).
				Proposal; p.Flagged(approval.FlagRunsCode) {
				t.Errorf("an ordinary file is flagged: %v", p.Flags)
			}
		})
	}
}

// What became a file that git reads after it was shown as a text is not written by the answer to
// that.
func TestAFileThatBecameACommandIsAskedForAgain(t *testing.T) {
	b := newBench(t, nil)
	call := b.must("write_file", args{"path": "config", "content": "x\n"})
	if call.Proposal.Flagged(approval.FlagRunsCode) {
		t.Fatal("flagged before there is a HEAD")
	}
	b.write("HEAD", "ref: refs/heads/main\n")
	if _, err := call.Run(context.Background(), nil); Kind(err) != "fs_denied" ||
		!strings.Contains(err.Error(), "call again") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "config")); err == nil {
		t.Error("it was written")
	}
}

// A name that programs run is flagged also where it is a link to another file, whichever of the two
// names is written.
func TestLinksOfNamesThatAreRun(t *testing.T) {
	b := newBench(t, map[string]string{"parts/rules.txt": "x", "parts/editor/tasks.json": "x", "deep/other.txt": "x"})
	for link, to := range map[string]string{"Makefile": "parts/rules.txt", ".vscode": "parts/editor",
		"src/Makefile": "../deep/other.txt"} {
		os.MkdirAll(filepath.Join(b.dir, path.Dir(link)), 0o755)
		if err := os.Symlink(to, filepath.Join(b.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"Makefile", "parts/rules.txt", "parts/editor/tasks.json", ".vscode/tasks.json",
		"src/Makefile", b.dir + "/src/Makefile", "parts/editor/new.json"} {
		if p := b.must("write_file", args{"path": name, "content": "y"}).Proposal; !p.Flagged(approval.FlagRunsCode) {
			t.Errorf("%s is not flagged", name)
		}
	}
	if p := b.must("write_file", args{"path": "parts/other.txt", "content": "y"}).
		Proposal; p.Flagged(approval.FlagRunsCode) {
		t.Errorf("an ordinary file is flagged: %v", p.Flags)
	}
}
