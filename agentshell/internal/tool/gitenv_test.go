package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/git"
)

// A command of the model's takes no directory for a repository that only looks like one, whoever
// wrote it; what a person set by the environment stays. A command of the person's own gets git as
// it is.
func TestACommandTakesNoDirectoryForARepository(t *testing.T) {
	a := newAttacked(t)
	b := newBench(t, map[string]string{"sub/HEAD": "ref: refs/heads/main\n", "sub/config": a.config(),
		"sub/objects/x": "", "sub/refs/x": ""})
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + a.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=kept",
	}
	b.env.Commands.Environ = environ
	b.reg = Builtin(b.env)
	runs := func(own bool, command string) (string, bool) {
		t.Helper()
		os.Remove(a.marker)
		call := b.must("bash", args{"command": command})
		run := call.Run
		if own {
			run = call.Own
		}
		r, err := run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(a.marker)
		return r.Text, err == nil
	}
	if text, ran := runs(true, "git -C sub status"); !ran {
		t.Fatalf("git runs nothing here for the person either, the test tests nothing: %s", text)
	}
	for _, command := range []string{"git -C sub status", "cd sub && git status", "cd sub/objects && git log",
		"git -C sub st"} {
		if text, ran := runs(false, command); ran ||
			!strings.Contains(text, "safe.bareRepository") && !strings.HasSuffix(command, " st") {
			t.Errorf("%s: ran %v: %s", command, ran, text)
		}
	}
	for _, own := range []bool{false, true} {
		if text, _ := runs(own, "git config user.name"); !strings.HasPrefix(text, "kept\n") {
			t.Errorf("the person's setting is lost: %q", text)
		}
	}
	// Ordinary work goes on: a repository, one without a work tree that is named, a clone of it and
	// a push to it.
	for _, own := range []bool{false, true} {
		text,
			_ := runs(
			own, `set -e; rm -rf w; mkdir w; cd w; export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x
git init -q --bare b.git; git clone -q b.git c 2>/dev/null; cd c; echo x > f; git add f; git commit -qm one; git push -q origin HEAD; git worktree add -q ../d -b two
git -C ../d log --format=%s; git --git-dir=../b.git log --format=%s HEAD; printf '#!/bin/sh\necho hook\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit
echo y > f; git commit -qam two`)
		if !strings.HasPrefix(text, "one\none\nhook\n[workspace files changed: ") {
			t.Errorf("own %v: %q", own, text)
		}
	}
}

// A git of our own runs nothing that a repository names.
func TestAGitOfOurOwnRunsNothingOfTheRepository(t *testing.T) {
	a := newAttacked(t)
	for _, c := range []struct{ name, config string }{
		{"monitor", "[core]\nfsmonitor = \"touch MARKER; false\"\n"},
		{"hooks", "[core]\nhooksPath = hooks\n"},
		{"pager", "[core]\npager = touch MARKER\n[pager]\nlog = touch MARKER\n"},
		{"external diff", "[diff]\nexternal = touch MARKER\n"},
		{"signature", "[log]\nshowSignature = true\n[gpg]\nprogram = hooks/gpg\n"},
		{"transport", "[remote \"x\"]\nurl = ext::touch MARKER\n[protocol \"ext\"]\nallow = always\n"},
		{"ssh", "[remote \"x\"]\nurl = ssh://host/x\n[core]\nsshCommand = touch MARKER\n"},
		{"helper", "[remote \"x\"]\nurl = http://127.0.0.1:1/x\n[credential]\nhelper = !touch MARKER\n"},
	} {
		dir := t.TempDir()
		run := func(env []string, args ...string) string {
			cmd := exec.Command(a.git, args...)
			cmd.Dir, cmd.Env = dir, env
			out, _ := cmd.CombinedOutput() // some of them must fail
			return string(out)
		}
		plain := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.home, "GIT_CONFIG_NOSYSTEM=1"}
		run(plain, "init", "-q")
		os.MkdirAll(filepath.Join(dir, "hooks"), 0o755)
		os.WriteFile(filepath.Join(dir, "f"), []byte("x\n"), 0o644)
		run(plain, "add", "f")
		tree := strings.TrimSpace(run(plain, "write-tree"))
		commit := exec.Command(a.git, "hash-object", "-t", "commit", "-w", "--stdin")
		commit.Dir, commit.Env = dir, plain
		commit.Stdin = strings.NewReader("tree " + tree +
			"\nauthor x <x@x> 1 +0000\ncommitter x <x@x> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n" +
			" -----END PGP SIGNATURE-----\n\none\n")
		id, err := commit.Output()
		if err != nil {
			t.Fatal(err)
		}
		run(plain, "update-ref", "HEAD", strings.TrimSpace(string(id)))
		for _, hook := range []string{"post-index-change", "gpg", "reference-transaction"} {
			os.WriteFile(filepath.Join(dir, "hooks", hook), []byte("#!/bin/sh\ntouch "+a.marker+"\n"), 0o755)
		}
		os.WriteFile(filepath.Join(dir, "f"), []byte("y\n"), 0o644)
		f, err := os.OpenFile(filepath.Join(dir, ".git/config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.WriteString(strings.ReplaceAll(c.config, "MARKER", a.marker))
		f.Close()
		ran := func(env []string, diffs ...string) bool {
			os.Remove(a.marker)
			for _, args := range [][]string{{"status"}, {"-p", "log", "-1"}, diffs, {"ls-remote", "x"},
				{"update-index", "--refresh"}, {"add", "f"}, {"reset", "-q"}} {
				run(env, args...)
			}
			_, err := os.Stat(a.marker)
			return err == nil
		}
		if c.name != "pager" && c.name != "helper" && !ran(plain, "diff") {
			// a pager runs on a terminal only, a helper when it is asked for a password
			t.Errorf("%s: git runs nothing here: the test tests nothing", c.name)
		}
		if ran(git.Environ(plain), "diff", "--no-ext-diff", "--no-textconv") {
			t.Errorf("%s: it ran", c.name)
		}
	}
}
