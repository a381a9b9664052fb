package tool

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

const torn = "one\n<<<<<<< HEAD\nours 1\nours 2\n=======\ntheirs\n>>>>>>> side\ntwo\n" +
	"<<<<<<< HEAD\nA\n||||||| base\nO\n=======\nB\n>>>>>>> side\nend\n"

func TestConflictsAreShownAndResolved(t *testing.T) {
	b := newBench(t, map[string]string{"f": torn, "crlf": "<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n",
		"none": "=======\n<<<<<<< a\nno end\n"})
	want := "[2 conflicts in workspace/f. To resolve one, call write_file with its address as path and the lines " +
		"that go " +
		"in its place as content, or @ours, @theirs, @base or @both.]\n" +
		"conflict://1, lines 2-7:\n2\t<<<<<<< HEAD\n3\tours 1\n4\tours 2\n5\t=======\n6\ttheirs\n7\t>>>>>>> side\n" +
		"conflict://2, lines 9-15:\n9\t<<<<<<< HEAD\n10\tA\n11\t||||||| " +
		"base\n12\tO\n13\t=======\n14\tB\n15\t>>>>>>> side\n"
	for range 2 { // the numbers stay
		if r := b.run("read_file", args{"path": "f:conflicts"}); r.Text != want {
			t.Errorf("got\n%s\nwant\n%s", r.Text, want)
		}
	}
	if r := b.run("read_file", args{"path": "none:conflicts"}); r.Text != "workspace/none has no merge conflicts\n" {
		t.Errorf("%q", r.Text)
	}
	for address, want := range map[string]string{"conflict://1/theirs": "1\ttheirs\n", "conflict://2/base": "1\tO\n",
		"conflict://2/both": "1\tA\n2\tB\n"} {
		if r := b.run("read_file", args{"path": address}); r.Text != want {
			t.Errorf("%s: %q", address, r.Text)
		}
	}
	for address, want := range map[string]string{"conflict://1": "# conflict://1\n 2:ours 1\n*3:ours 2\n",
		"conflict://1/ours":   "# conflict://1/ours\n 1:ours 1\n*2:ours 2\n",
		"conflict://1/theirs": "no line matches\n"} {
		c := b.must("search", args{"pattern": "2$", "path": address, "context_after": 0})
		if r, err := c.Run(t.Context(), nil); err != nil || r.Text != want || c.Path != "f" {
			t.Errorf("%s of %q: %q, %v", address, c.Path, r.Text, err)
		}
	}
	b.fails("search", args{"pattern": "x", "path": "conflict://9"}, "not_found")
	c := b.must("write_file", args{"path": "conflict://1", "content": "merged"})
	if c.Path != "f" || c.Title != "write_file workspace/f" || c.Proposal.Diff.Stats.Removed != 6 ||
		c.Proposal.Diff.Stats.Added != 1 {
		t.Errorf("%+v", c)
	}
	r := b.run("write_file", args{"path": "conflict://1", "content": "merged"})
	if !strings.Contains(r.Text, "conflict 1 resolved; 1 conflict left in the file.") {
		t.Errorf("%q", r.Text)
	}
	b.fails("write_file", args{"path": "conflict://1", "content": "again"}, "conflict")
	b.run("write_file", args{"path": "conflict://2", "content": "@both"})
	if got := b.read("f"); got != "one\nmerged\ntwo\nA\nB\nend\n" {
		t.Errorf("%q", got)
	}
	b.run("read_file", args{"path": "crlf:conflicts"})
	b.run("write_file", args{"path": "conflict://3", "content": "x\nz"})
	if got := b.read("crlf"); got != "x\r\nz\r\n" {
		t.Errorf("%q", got)
	}
	for path, want := range map[string][2]string{"conflict://9": {"not_found", "no conflict 9 was shown"},
		"conflict://x":      {"invalid_args", "is not the address of a conflict"},
		"conflict://2/ours": {"invalid_args", "is read-only; write to conflict://2"}} {
		err := b.fails("write_file", args{"path": path, "content": ""}, want[0])
		if !strings.Contains(err.Error(), want[1]) {
			t.Errorf("%s: %v", path, err)
		}
	}
	b.fails("read_file", args{"path": "conflict://2/mine"}, "invalid_args")
}

// A resolution gives the tag of the file as it is then, as each write does.
func TestAResolutionGivesTheTagOfItsFile(t *testing.T) {
	b := newTagged(t, map[string]string{"f": torn})
	b.run("read_file", args{"path": "f:conflicts"})
	r := b.run("write_file", args{"path": "conflict://1", "content": "@ours"})
	if !strings.HasPrefix(r.Text, b.head("f")+"\n") ||
		!strings.HasPrefix(b.read("f"), "one\nours 1\nours 2\ntwo\n") {
		t.Errorf("%q, the file has %q", r.Text, b.read("f"))
	}
}

// What git leaves in a file are conflicts, in each of its styles.
func TestConflictsOfGitAreFound(t *testing.T) {
	git := need.Program(t, "git")
	for _, style := range []string{"merge", "diff3", "zdiff3"} {
		dir := t.TempDir()
		run := func(fails bool, args ...string) {
			cmd := exec.Command(git, append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b", "-c",
				"merge.conflictStyle=" + style}, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
			if out, err := cmd.CombinedOutput(); (err != nil) != fails {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
		}
		write := func(text string) {
			if err := os.WriteFile(filepath.Join(dir, "f"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run(false, "init", "-q", "-b", "main")
		write("a\nb\nc\n")
		run(false, "add", "f")
		run(false, "commit", "-qm", "1")
		run(false, "checkout", "-qb", "side")
		write("a\ntheirs\nc\n")
		run(false, "commit", "-qam", "2")
		run(false, "checkout", "-q", "main")
		write("a\nours\nc\n")
		run(false, "commit", "-qam", "3")
		run(true, "merge", "-q", "side")
		text, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil {
			t.Fatal(err)
		}
		found := conflictsIn(string(text))
		if len(found) != 1 || found[0].ours != "ours\n" || found[0].theirs != "theirs\n" ||
			style != "merge" && found[0].base != "b\n" {
			t.Errorf("%s: %+v in\n%s", style, found, text)
		}
	}
}
