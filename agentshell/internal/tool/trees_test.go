package tool

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// treesOfOthers returns directories of modules that this one needs, which nobody writes in, and how
// often each is to be asked: few times in one, or SCROLLKEEP_SEARCHES times in each of three.
func treesOfOthers(t *testing.T, few int) (queries int, dirs []string) {
	t.Helper()
	queries, modules := few, []string{"mvdan.cc/sh/v3"}
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_SEARCHES")); err == nil {
		queries, modules = n, append(modules, "golang.org/x/text", "golang.org/x/sys")
	}
	for _, module := range modules {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		dir := strings.TrimSpace(string(out))
		if err != nil || dir == "" {
			t.Fatalf("%s: %q, %v", module, out, err)
		}
		dirs = append(dirs, dir)
	}
	return queries, dirs
}

// benchIn returns a bench in a directory that is there.
func benchIn(t *testing.T, dir string) *bench {
	t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	b := &bench{t: t, dir: dir, ws: ws, env: Env{Workspace: ws}}
	b.reg = Builtin(b.env)
	return b
}
