//go:build unix

package tool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap/daptest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp/lsptest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// readingPlace returns a workspace with a repository, links out of it, and a program x that makes
// M. Each is a copy of one that was made once, without the samples of hooks.
func readingPlace(t *testing.T) *bench {
	t.Helper()
	need.Program(t, "git")
	need.Program(t, "bash")
	top := t.TempDir()
	original, err := readingOriginal()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", original+"/w", original+"/out", top).CombinedOutput(); err != nil {
		t.Fatalf("cp: %s", out)
	}
	b := &bench{t: t, dir: filepath.Join(top, "w")}
	b.open()
	b.env.Commands.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_NOSYSTEM=1"}
	b.reg = Builtin(b.env)
	return b
}

var readingTop string

func TestMain(m *testing.M) {
	sandbox.Stage(os.Args)
	daptest.Main()
	lsptest.Main()
	code := m.Run()
	os.RemoveAll(readingTop)
	os.Exit(code)
}

var readingOriginal = sync.OnceValues(func() (string, error) {
	top, err := os.MkdirTemp("", "reading") // for the whole process, see TestMain
	if err != nil {
		return "", err
	}
	readingTop = top
	script := `set -e; mkdir -p w/sub w/d out; cd w
printf 'one\nthree\n' > f; printf 'one\ntwo\n' > sub/g; echo x > sub/secret; echo plain > d/secret
echo '{"a":1}' > j.json; echo 'w M' > s.sed; echo . > prog.jq; printf '#!/bin/sh\necho ran > M\n' > x; chmod +x x
i=0; while [ $i -lt 3000 ]; do echo "z $i"; i=$((i+1)); done > big
git init -q --template= -b main; mkdir .git/hooks .git/info; git add f sub d; g='git -c user.name=x -c user.email=x@x'; $g commit -qm one
$g commit -qm two --allow-empty; git branch topic; echo four >> f; rm -r d
echo SECRET > ../out/secret; ln -s ../out d; ln -s ../out/secret link; ln -s ../out dirlink
ln -s ../out/secret '[ab]'; ln -s ../out '[id]'`
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir, cmd.Env = top, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_NOSYSTEM=1"}
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return top, nil
})

// readingTable returns the lines of the table: the mark, and the command.
func readingTable(t *testing.T) (table [][2]string) {
	t.Helper()
	data, err := os.ReadFile("testdata/reading.txt")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		mark, command, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		if len(mark) != 1 || mark == "#" {
			continue
		}
		command = strings.NewReplacer(`\\\n`, "\\\n", `\n`, "\n", `\t`, "\t", `\r`, "\r", `\x00`, "\x00",
			`\u200b`, "\u200b", `\u00a0`, "\u00a0").Replace(command)
		table = append(table, [2]string{mark, command})
	}
	return table
}

// What the table calls reading runs and changes nothing, and nothing else passes. A third of those
// that pass is run, others each time; all with SCROLLKEEP_READING set.
func TestOnlyWhatIsKnownToReadCounts(t *testing.T) {
	t.Parallel()
	b := readingPlace(t)
	if err := syscall.Mkfifo(filepath.Join(b.dir, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	reads, refused, first, all := 0, 0, rand.IntN(3), os.Getenv("SCROLLKEEP_READING") != ""
	for _, c := range readingTable(t) {
		why := b.env.reads(context.Background(), c[1])
		if c[0] != "+" {
			if refused++; why == "" {
				t.Errorf("%q counts as reading", c[1])
			}
			continue
		}
		if reads++; why != "" {
			t.Errorf("%q is refused: %s", c[1], why)
			continue
		}
		if reads%3 != first && !all {
			continue
		}
		before := tape(t, b.dir)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		r, err := b.must("bash", args{"command": c[1]}).Reading(ctx, nil)
		cancel()
		if err != nil || strings.Contains(r.Text, "SECRET") {
			t.Errorf("%q: %v: %s", c[1], err, r.Text)
		}
		if after := tape(t, b.dir); after != before {
			t.Errorf("%q changed something:\n%s\n%s", c[1], before, after)
		}
	}
	if reads < 90 || refused < 250 {
		t.Errorf("%d and %d lines", reads, refused)
	}
}

// tape returns every file of a tree with its size and time.
func tape(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		all.WriteString(p + " " + info.Mode().String() + " " + info.ModTime().Format(time.RFC3339Nano) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// What env prints is not the whole environment, and the model is told so.
func TestEnvSaysThatItIsNotWhole(t *testing.T) {
	b := readingPlace(t)
	b.env.Commands.Environ = append(b.env.Commands.Environ, "NODE_ENV=test")
	b.reg = Builtin(b.env)
	r, err := b.must("bash", args{"command": "env | sort"}).Reading(context.Background(), nil)
	if err != nil || strings.Contains(r.Text, "NODE_ENV") || !strings.Contains(r.Text, "PATH=") ||
		!strings.HasSuffix(r.Text, "[a command that only reads gets the basic variables only]\n") {
		t.Errorf("%v %q", err, r.Text)
	}
}

// The refused commands with a star do what they are refused for: else the table proves nothing. A
// sixth of them is tried, all with SCROLLKEEP_READING set.
func TestAttacksOnReadingAreReal(t *testing.T) {
	need.Program(t, "bash")
	for i, c := range readingTable(t) {
		if c[0] != "*" || i%6 != 0 && os.Getenv("SCROLLKEEP_READING") == "" {
			continue
		}
		if name, _, _ := strings.Cut(c[1], " "); name == "rg" || name == "fd" || name == "xxd" || name == "jq" {
			if _, err := exec.LookPath(name); err != nil {
				continue
			}
		}
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			b := readingPlace(t)
			if out, did := b.harm(c[1]); !did {
				t.Errorf("%q does nothing: %s", c[1], out)
			}
		})
	}
}

// harm runs a line with bash and reports whether it makes M, changes f, or prints the secret.
func (b *bench) harm(line string) (out string, did bool) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-c", line)
	cmd.Dir, cmd.Env = b.dir, b.env.Commands.Environ
	printed, _ := cmd.CombinedOutput() // some fail after they have done it
	_, made := os.Lstat(filepath.Join(b.dir, "M"))
	f, gone := os.ReadFile(filepath.Join(b.dir, "f"))
	return string(printed), made == nil || gone != nil || string(f) != "one\nthree\nfour\n" ||
		strings.Contains(strings.ReplaceAll(string(printed), " ", ""), "SECRET")
}

// A repository whose own settings name programs, and one that is not the workspace's, is not looked
// at; neither is a program from the workspace run.
func TestReadingRunsNothingOfTheWorkspace(t *testing.T) {
	for _, c := range []struct{ name, config, file, command string }{
		{"text converter", "[diff \"x\"]\ntextconv = touch M; cat\n", ".gitattributes", "git diff"},
		{"diff driver", "[DIFF \"x\"]\ncommand = touch M\n", ".gitattributes", "git diff"},
		{"filter", "[filter \"x\"]clean = touch M; cat\n", ".gitattributes", "git status"},
		{"old subsection", "[diff.x]\ntextconv = touch M; cat\n", ".gitattributes", "git log -p"},
		{"worktree", "[core]\nworktree = ../..\n", "", "git ls-files -o"},
		{"include", "[include]\npath = ../more\n", "more", "git diff"},
		{"byte order mark", "\ufeff[diff \"x\"]\ntextconv = touch M; cat\n", ".gitattributes", "git diff"},
		{"revisions to ignore", "[blame]\nignoreRevsFile = ../out/secret\n", "", "git blame f"},
		{"submodules", "", ".gitmodules", "git status"},
		{"external diff", "[diff]\nexternal = touch M\n", "", "git diff"},
		{"signatures", "[log]\nshowSignature = true\n", "", "git log"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := readingPlace(t)
			if why := b.env.reads(context.Background(), c.command); why != "" {
				t.Fatalf("it does not count as reading in a plain repository either: %s", why)
			}
			at := filepath.Join(b.dir, ".git/config")
			old, err := os.ReadFile(at)
			if err != nil {
				t.Fatal(err)
			}
			text := string(old) + c.config
			if strings.HasPrefix(c.config, "\ufeff") {
				text = c.config + string(old)
			}
			if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			switch c.file {
			case ".gitattributes":
				b.write(c.file, "* diff=x filter=x\n")
			case "more":
				b.write(c.file, "[diff \"x\"]\ntextconv = touch M; cat\n")
			case ".gitmodules":
				b.write(c.file, "[submodule \"s\"]\npath = s\nignore = none\n")
			}
			if why := b.env.reads(context.Background(), c.command); why == "" {
				t.Error("it counts as reading")
			}
			if why := b.env.reads(context.Background(), "cat f"); why != "" {
				t.Errorf("what has nothing to do with git is refused: %s", why)
			}
		})
	}
	b := readingPlace(t)
	for _, hook := range []string{"[core]\nfsmonitor = touch M; false\n",
		"[core]\npager = touch M\n[pager]\nlog = touch M\n",
		"[alias]\nlog = !touch M\n"} {
		f, err := os.OpenFile(filepath.Join(b.dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(hook)
		f.Close()
	}
	b.write("ls", "#!/bin/sh\ntouch M\n")
	if err := os.Chmod(filepath.Join(b.dir, "ls"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.env.Commands.Environ = append(b.env.Commands.Environ, "PATH="+b.dir+":.::"+os.Getenv("PATH"),
		"BASH_FUNC_cat%%=() { touch M; }", "BASH_ENV=ls", "RIPGREP_CONFIG_PATH=ls", "GIT_PAGER=touch M", "LD_PRELOAD=x")
	b.reg = Builtin(b.env)
	for _, command := range []string{"ls", "cat f", "git status", "git diff", "git log -1", "git show"} {
		r, err := b.must("bash", args{"command": command}).Reading(context.Background(), nil)
		if err != nil || strings.Contains(r.Text, "not found") || strings.Contains(r.Text, "[exit") {
			t.Errorf("%s: %v %s", command, err, r.Text)
		}
		if _, err := os.Lstat(filepath.Join(b.dir, "M")); err == nil {
			t.Fatalf("%s has run something of the workspace", command)
		}
	}
	// Below the top of a repository git would show what lies beside the workspace.
	below, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Join(b.dir, "sub")}}})
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	env := b.env
	env.Workspace = below
	if env.reads(context.Background(), "git log -p") == "" {
		t.Error("git reads beside the workspace")
	}
	// A link that comes after the call was prepared is seen when it runs.
	call := b.must("bash", args{"command": "cat later"})
	if call.Reads() != "" {
		t.Fatal(call.Reads())
	}
	if err := os.Symlink("../out/secret", filepath.Join(b.dir, "later")); err != nil {
		t.Fatal(err)
	}
	if r, err := call.Reading(context.Background(), nil); err == nil {
		t.Errorf("it read %q", r.Text)
	}
}
