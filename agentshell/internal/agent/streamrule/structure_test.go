package streamrule

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// asked finds what contains a pattern, and keeps what it was asked.
type asked struct{ list []string }

func (a *asked) Find(_ context.Context, pattern, language string, text []byte) (bool, error) {
	a.list = append(a.list, language+" "+pattern)
	if pattern == "broken" {
		return false, errors.New("no pattern")
	}
	return strings.Contains(string(text), pattern), nil
}

func TestAStructureIsLookedForInTheLanguageOfTheFile(t *testing.T) {
	text := func(path, data string) Text { return Text{path, []byte(data)} }
	for _, c := range []struct {
		head  string
		texts []Text
		want  string
		found bool
		err   bool
	}{
		{"astCondition: foo", []Text{text("a.go", "foo")}, "go foo", true, false},
		{"astCondition: foo", []Text{text("a.TSX", "bar")}, "tsx foo", false, false},
		{"astCondition: foo", []Text{text("a.txt", "foo"), text("Makefile", "foo")}, "", false, false},
		{"astCondition: foo", []Text{text("a.py", ""), text("b.rs", "foo")}, "python foo,rust foo", true, false},
		{"astCondition: foo\nastCondition: bar", []Text{text("a.js", "bar")}, "js foo,js bar", true, false},
		{"astCondition: foo\nglobs: 'src/**'", []Text{text("a.go", "foo"), text("src/b.go", "x")}, "go foo",
			false, false},
		{"astCondition: broken\nastCondition: foo", []Text{text("a.go", "foo")}, "go broken,go foo", true, false},
		{"astCondition: broken\nastCondition: foo", []Text{text("a.go", "")}, "go broken,go foo", false, true},
	} {
		in := &asked{}
		found, err := rule(t, c.head).FindIn(t.Context(), in, c.texts)
		if got := strings.Join(in.list, ","); got != c.want || found != c.found || (err != nil) != c.err {
			t.Errorf("%q: asked %q, found %v, %v", c.head, got, found, err)
		}
	}
	w := &Watch{Rules: []Rule{rule(t, "astCondition: x"), rule(t, "astCondition: y\nscope: tool:edit"),
		rule(t, "astCondition: z\nscope: text"), rule(t, "condition: x")}}
	for i := range w.Rules {
		w.Rules[i].Name = string(rune('a' + i))
	}
	if got := names(w.Structural("edit")); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("for an edit: %q", got)
	}
	w.Found("a")
	if got := names(w.Structural("edit")); !slices.Equal(got, []string{"b"}) {
		t.Errorf("after the first was found: %q", got)
	}
}

// withPrograms returns a Program that finds scripts of these names.
func withPrograms(t *testing.T, scripts map[string]string) *Program {
	t.Helper()
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	family := new(child.Family)
	t.Cleanup(func() { family.Close(time.Second) })
	return &Program{Programs: child.NewPrograms(dir), Env: os.Environ(), TempDir: t.TempDir(), Run: family.Run}
}

const version = `[ "$1" = --version ] && { echo ast-grep 0.40.0; exit; }
`

func TestAProgramThatIsNotAstGrepIsNotUsed(t *testing.T) {
	found := version + "cat >/dev/null; echo '{\"text\":\"\"}'\n"
	for name, c := range map[string]struct {
		scripts map[string]string
		want    string
	}{
		"none":           {nil, "ast-grep is not installed (npm install --global @ast-grep/cli)"},
		"it":             {map[string]string{"ast-grep": found}, ""},
		"its short name": {map[string]string{"sg": found}, ""},
		"the sg that changes groups": {map[string]string{"sg": "echo Usage: sg group >&2; exit 1"},
			"ast-grep is not installed"},
		"the other sg first": {map[string]string{"sg": "echo sg 1", "ast-grep": found}, ""},
	} {
		p := withPrograms(t, c.scripts)
		is, err := p.Find(t.Context(), "x", "go", []byte("x"))
		if c.want == "" && (!is || err != nil) || c.want != "" && (is || err == nil ||
			!strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v", name, is, err)
		}
	}
}

func TestWhatAstGrepSays(t *testing.T) {
	for script, want := range map[string]string{
		"cat >/dev/null; echo '{}'": "found", "cat >/dev/null; exit 1": "nothing", "cat >/dev/null": "nothing",
		"echo hm >&2; exit 2": "ast-grep: hm", "exit 3": "ast-grep: exit status 3",
		`[ "$(cat)" = text ] && [ "$5 $6 $8" = "--lang go --pattern=-x" ] && echo '{}'`: "found",
		`[ "$(ls -A)$(pwd | grep -c /d\$)" = 1 ] && echo '{}'`:                          "found",
		"echo '{'; head -c 9000000 /dev/zero":                                           "found",
		"echo 'Warning: Pattern contains an ERROR node and may cause unexpected results.' >&2": "ast-grep: Warning: " +
			"Pattern contains an ERROR node and may cause unexpected results.",
	} {
		is, err := withPrograms(t, map[string]string{"ast-grep": version + script}).Find(t.Context(), "-x", "go",
			[]byte("text"))
		got := map[bool]string{true: "found", false: "nothing"}[is]
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	p := withPrograms(t, map[string]string{"ast-grep": version + "sleep 100"})
	if _, err := p.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if is, err := p.Find(ctx, "x", "go", nil); is || err == nil || !strings.Contains(err.Error(), "took too long") {
		t.Errorf("it hangs: %v, %v", is, err)
	}
	if left, _ := os.ReadDir(p.TempDir); len(left) > 0 {
		t.Errorf("%d folders are left", len(left))
	}
}

// The real program: a name that occurs twice means the same text.
func TestTheRealAstGrep(t *testing.T) {
	real := need.Program(t, "ast-grep")
	family := new(child.Family)
	t.Cleanup(func() { family.Close(time.Second) })
	p := &Program{Programs: child.NewPrograms(filepath.Dir(real)), Env: os.Environ(), TempDir: t.TempDir(),
		Run: func(ctx context.Context, cmd *exec.Cmd) error { return family.Run(ctx, cmd) }}
	for _, c := range []struct {
		pattern, language, text string
		want                    bool
	}{
		{"if ($X) clearTimeout($X)", "ts", "if (a) clearTimeout(a);", true},
		{"if ($X) clearTimeout($X)", "ts", "if (a) clearTimeout(b);", false},
		{"func $F() error { return nil }", "go", "package p\n\nfunc f() error {\n\treturn nil\n}\n", true},
		{"print($A)", "python", "x = 'print(1)'\n", false},
		{"print($A)", "python", "print(1)\n", true},
	} {
		if is, err := p.Find(t.Context(), c.pattern, c.language, []byte(c.text)); is != c.want || err != nil {
			t.Errorf("%s in %q: %v, %v", c.pattern, c.text, is, err)
		}
	}
	for pattern, language := range map[string]string{"x": "nolang", "": "ts"} {
		if is, err := p.Find(t.Context(), pattern, language, []byte("x")); is || err == nil {
			t.Errorf("%q in %s: %v, %v", pattern, language, is, err)
		}
	}
}
