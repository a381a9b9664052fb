package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/attach"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// reader returns a reader for a workspace with these files.
func reader(t *testing.T, files map[string]string) attach.Reader {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return attach.Reader{Workspace: ws, MayRead: func(path string) approval.Action {
		if path == "denied.md" {
			return approval.Deny
		}
		return approval.Allow
	}}
}

func TestWhatAMessageNamesGoesWithIt(t *testing.T) {
	long := strings.Repeat("a line of the long file\n", 2000)
	r := reader(t, map[string]string{"notes.md": "one\ntwo\n", "long.txt": long, "one.txt": strings.Repeat("x", 1<<20),
		"src/a.go": "package a\n", "src/b/c.go": "",
		"denied.md": "hidden", "bin": "\x00\x01", "fence.md": "```\ncode\n```\n",
		"my file.md": "mine\n", "esc\x1b[31m.md": "red\n"})
	for i := range 120 {
		file := filepath.Join(r.Workspace.Dir(), "src", "b", fmt.Sprintf("f%03d", i))
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text     string
		sent     []string // parts of the text, in order
		files    string
		problems string
	}{
		{"no file at all, a@b.c", nil, "[]", "[]"},
		{"see @notes.md.", []string{"\nnotes.md, 2 lines:\n```\none\ntwo\n```\n"}, "[{notes.md 2 lines}]", "[]"},
		{"@notes.md and @notes.md", []string{"one\ntwo"}, "[{notes.md 2 lines}]", "[]"},
		{"@missing.md stays", nil, "[]", "[@missing.md is not attached: there is no such file]"},
		{"@none, @none and @notes.md and (@nothing)", []string{"one\ntwo"}, "[{notes.md 2 lines}]",
			"[@none is not attached: there is no such file]"},
		{"@a @b @c @d @e", nil, "[]", "[@a, @b, @c and 2 more are not attached: there are no such files]"},
		{"@notes.md:2.", []string{"\nnotes.md:2, 1 line of 2:\n```\ntwo\n```\n"},
			"[{notes.md:2 1 line of 2}]", "[]"},
		{"@notes.md:1-9 @notes.md#L1-L1", []string{"notes.md:1-9, 2 lines of 2", "one\ntwo\n",
			"notes.md:1, 1 line of 2"},
			"[{notes.md:1-9 2 lines of 2} {notes.md:1 1 line of 2}]", "[]"},
		{"@long.txt:3-1000", []string{"400 lines of 2000", "reads it from line 403 on"},
			"[{long.txt:3-1000 400 lines of 2000}]", "[]"},
		{"@notes.md:3", nil, "[]", "[notes.md:3 is not attached: the file has 2 lines]"},
		{"@notes.md:2-1 @none:1 @src:1", nil, "[]",
			"[src is not attached: a directory has no lines @notes.md:2-1 and @none:1 are not attached: " +
				"there are no such files]"},
		{"@a @b", nil, "[]", "[@a and @b are not attached: there are no such files]"},
		{`what is in @"src/`, []string{"a.go\nb/\n"}, "[{src/ directory, 2 entries}]", "[]"},
		{"@long.txt", []string{"the first 400 lines of 2000", "reads it from line 401 on"},
			"[{long.txt the first 400 lines of 2000}]", "[]"},
		{"@one.txt", []string{"the first 0 lines of 1", "xxx"}, "[{one.txt the first 0 lines of 1}]", "[]"},
		{"@src", []string{"\nsrc, directory, 2 entries:\n```\na.go\nb/\n```\n"}, "[{src directory, 2 entries}]", "[]"},
		{"@src/b/", []string{"c.go\nf000\n", "21 more are not listed"}, "[{src/b/ directory, 121 entries}]", "[]"},
		{"@denied.md", nil, "[]", "[denied.md is not attached: a rule denies reading it]"},
		{"@bin", nil, "[]", "[bin is not attached: it is not text]"},
		{"@fence.md", []string{"````\n```\ncode\n```\n````\n"}, "[{fence.md 3 lines}]", "[]"},
		{`@"my file.md"`, []string{"mine"}, "[{my file.md 1 line}]", "[]"},
		{`@"esc\x1b[31m.md"`, []string{"red"}, `[{esc\x1b[31m.md 1 line}]`, "[]"},
		{"@plot.png", nil, "[]", "[]"},
	} {
		a := r.Read(t.Context(), c.text)
		rest := a.Text
		for _, part := range c.sent {
			_, after, ok := strings.Cut(rest, part)
			if !ok {
				t.Errorf("%q: %q is not in %.300q", c.text, part, rest)
			}
			rest = after
		}
		if (a.Text == "") != (len(c.sent) == 0) || len(a.Text) > 30<<10 || strings.Contains(a.Text, "\x1b") {
			t.Errorf("%q sends %d bytes: %.100q", c.text, len(a.Text), a.Text)
		}
		if got := fmt.Sprint(a.Files); got != c.files {
			t.Errorf("%q: files %s, want %s", c.text, got, c.files)
		}
		if got := fmt.Sprint(attach.Files(a.Text)); got != c.files { // of a resumed session
			t.Errorf("%q: in what was sent are %s, want %s", c.text, got, c.files)
		}
		if got := fmt.Sprint(a.Problems); got != c.problems {
			t.Errorf("%q: problems %s, want %s", c.text, got, c.problems)
		}
	}
}

func TestNothingOutsideOfTheWorkspaceIsAttached(t *testing.T) {
	out := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(out, []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := reader(t, map[string]string{"a": "a"})
	for _, link := range [][2]string{{"link.txt", out}, {"dir", filepath.Dir(out)}} {
		if err := os.Symlink(link[1], filepath.Join(r.Workspace.Dir(), link[0])); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{out, "../" + filepath.Base(filepath.Dir(out)) + "/secret.txt", "link.txt", "dir",
		"dir/secret.txt", "..", "/", "/etc/hostname"} {
		if a := r.Read(t.Context(), "see @"+path); a.Text != "" || len(a.Files) > 0 {
			t.Errorf("@%s attaches %q", path, a.Text)
		}
	}
}

func TestAMessageHoldsABoundedAmount(t *testing.T) {
	files := map[string]string{}
	text := "all of"
	for i := range 40 {
		name := fmt.Sprintf("f%d.txt", i)
		files[name] = strings.Repeat("0123456789\n", 1500)
		text += " @" + name
	}
	a := reader(t, files).Read(t.Context(), text)
	if len(a.Text) > 97<<10 || len(a.Files) == 0 || len(a.Problems)+len(a.Files) != 40 {
		t.Errorf("%d bytes, %d files, %d problems", len(a.Text), len(a.Files), len(a.Problems))
	}
}

// What a server has is attached by its name; a name that no server has is a file's.
func TestWhatAServerHasIsAttached(t *testing.T) {
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	r := attach.Reader{Workspace: ws, Resource: func(_ context.Context, words string) (string, bool, error) {
		switch words {
		case "notes:notes://a":
			return "of the note\nsecond", true, nil
		case "notes:notes://b":
			return "", true, errors.New("no such note")
		}
		return "", false, nil
	}}
	a := r.Read(t.Context(), "look at @notes:notes://a, @notes:notes://b and @other:x://y")
	if len(a.Files) != 1 || a.Files[0].Name != "notes:notes://a" ||
		a.Files[0].About != "of an MCP server, 2 lines" || !strings.Contains(a.Text, "of the note\nsecond") {
		t.Errorf("%+v", a)
	}
	if got := attach.Files(a.Text); !slices.Equal(got, a.Files) {
		t.Errorf("in what was sent is %+v", got)
	}
	if len(a.Problems) != 2 || !strings.Contains(a.Problems[0], "notes:notes://b is not attached: no such note") ||
		a.Problems[1] != "@other:x://y is not attached: there is no such file" {
		t.Errorf("%q", a.Problems)
	}
}

func TestANameThatLooksAlikeIsAttached(t *testing.T) {
	r := reader(t, map[string]string{"shot\u202fAM.txt": "mine\n", "q\u2018": "1\n", "q\u2019": "2\n"})
	a := r.Read(context.Background(), `see @"shot AM.txt" and @"q'"`)
	if len(a.Files) != 1 || !strings.Contains(a.Text, "mine\n") {
		t.Errorf("%+v", a)
	}
	if len(a.Problems) != 1 || !strings.Contains(a.Problems[0], "did you mean") {
		t.Errorf("%q", a.Problems)
	}
}
