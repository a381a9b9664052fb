package format

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func newRunner(t *testing.T, script string, files ...string) Runner {
	t.Helper()
	family := new(child.Family)
	t.Cleanup(func() { family.Close(time.Second) })
	return Runner{Dir: t.TempDir(), Env: os.Environ(), Run: family.Run,
		Formatters: []Formatter{{files, []string{"sh", "-c", script, "sh", "{path}"}, 10 * time.Second}}}
}

func TestATextIsPutInOrder(t *testing.T) {
	r := newRunner(t, `printf '%s ' "$1"; tr a-z A-Z`, "*.x", "docs/**/*.md")
	for file, want := range map[string]string{
		"a.x": "a.x TEXT\n", "dir/b.x": "dir/b.x TEXT\n", "docs/c.md": "docs/c.md TEXT\n",
		"docs/d/e.md": "docs/d/e.md TEXT\n", "c.md": "", "a.xy": "", ".x": ".x TEXT\n",
	} {
		out, by, err := r.Format(t.Context(), file, []byte("text\n"))
		if want == "" {
			if string(out) != "text\n" || by != "" || err != nil {
				t.Errorf("%s: %q by %q, %v", file, out, by, err)
			}
			continue
		}
		if string(out) != want || by != "sh" || err != nil {
			t.Errorf("%s: %q by %q, %v", file, out, by, err)
		}
	}
	if out, by, err := r.Format(t.Context(), "a.x", nil); len(out) > 0 || by != "" || err != nil {
		t.Errorf("nothing: %q by %q, %v", out, by, err)
	}
	// A name is a word and no option, whatever is in it.
	for file, want := range map[string]string{"-a.x": "./-a.x T", "--plugin=./evil.x": "./--plugin=./evil.x T",
		"d/-b.x": "d/-b.x T", "./-c.x": "./-c.x T"} {
		if out, _, err := r.Format(t.Context(), file, []byte("t")); string(out) != want || err != nil {
			t.Errorf("%s: %q, %v", file, out, err)
		}
	}
	if out, _, err := r.Format(t.Context(), "$(id);'.x", []byte("t")); string(out) != "$(id);'.x T" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

// A module of Python is not taken from the workspace.
func TestPythonImportsNothingFromTheWorkspace(t *testing.T) {
	r := newRunner(t, "", "*")
	python := filepath.Join(t.TempDir(), "python3")
	if err := os.WriteFile(python, []byte("#!/bin/sh\necho $PYTHONSAFEPATH.\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"-m": "1.\n", "/x/black.py": ".\n"} {
		r.Formatters[0].Command = []string{python, word, "black"}
		if out, _, err := r.Format(t.Context(), "a.py", []byte("t")); string(out) != want || err != nil {
			t.Errorf("%s: %q, %v", word, out, err)
		}
	}
}

// A formatter that fails leaves the text; one that does not, asked in the same way, changes it.
func TestAFormatterThatFailsLeavesTheText(t *testing.T) {
	for script, want := range map[string]string{
		"tr a-z A-Z": "", "cat >/dev/null; head -c 4000000 /dev/zero | tr '\\0' y": "",
		"echo hm >&2; cat; echo more":       "",
		"echo 3:1 what is this >&2; exit 2": "3:1 what is this", "exit 3": "exit status 3",
		"cat >/dev/null": "it printed nothing", `printf '\377'`: "it printed what is no UTF-8",
		"head -c 5000000 /dev/zero | tr '\\0' y": "it printed more than 4 MiB", "sleep 100": "it took longer than " +
			"100ms",
	} {
		r := newRunner(t, script, "*")
		if script == "sleep 100" {
			r.Formatters[0].Timeout = 100 * time.Millisecond
		}
		out, by, err := r.Format(t.Context(), "f", []byte("text\n"))
		if want == "" {
			if err != nil || len(out) == 0 || string(out) == "text\n" || by != "sh" {
				t.Errorf("%s: %d bytes by %q, %v, want another text", script, len(out), by, err)
			}
			continue
		}
		if err == nil || err.Error() != want || string(out) != "text\n" || by != "sh" {
			t.Errorf("%s: %q by %q, %v, want %s", script, out, by, err, want)
		}
	}
}

func TestAFormatterInTheWorkspaceDoesNotRun(t *testing.T) {
	r := newRunner(t, "cat", "*")
	r.Inside = func(p string) bool { return strings.HasPrefix(p, r.Dir+"/") }
	own, outside := filepath.Join(r.Dir, "fmt.sh"), filepath.Join(t.TempDir(), "fmt.sh")
	for _, name := range []string{own, outside} {
		if err := os.WriteFile(name, []byte("#!/bin/sh\necho other\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range [][]string{{outside}, {"sh", outside}} {
		r.Formatters[0].Command = command
		if out, _, err := r.Format(t.Context(), "f", []byte("text\n")); err != nil || string(out) != "other\n" {
			t.Errorf("outside of the workspace %q: %q, %v", command, out, err)
		}
	}
	for _, command := range [][]string{{own}, {"sh", own}, {"sh", "fmt.sh"}} {
		r.Formatters[0].Command = command
		out, _, err := r.Format(context.Background(), "f", []byte("text\n"))
		if err == nil || !strings.Contains(err.Error(), "lies in the workspace") || string(out) != "text\n" {
			t.Errorf("%q: %q, %v", command, out, err)
		}
	}
	need.Program(t, "gofmt")
	r.Formatters[0].Command = []string{"gofmt"}
	if out, _, err := r.Format(t.Context(), "f.go", []byte("package  f\n")); string(out) != "package f\n" ||
		err != nil {
		t.Errorf("%q, %v", out, err)
	}
}
