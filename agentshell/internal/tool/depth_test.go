//go:build linux

package tool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// nest makes levels directories in one another, each with two files and, at the top and in the
// middle, rules for git.
func nest(t *testing.T, dir string, levels int) {
	t.Helper()
	for i := range levels {
		for name, text := range map[string]string{"a.txt": "needle\n", "z.txt": "nothing\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if i == 0 || i == levels/2 {
			if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*.o\n/build\n**/x/**/y\n"),
				0o644); err != nil {
				t.Fatal(err)
			}
		}
		dir = filepath.Join(dir, "d")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// The calls of the tools for each level must be as many in a tree of twice the depth. The test runs
// itself under strace.
func TestTheCallsOfToolsGrowWithEntriesNotWithDepth(t *testing.T) {
	if levels, err := strconv.Atoi(os.Getenv("SCROLLKEEP_TEST_LEVELS")); err == nil {
		b := newBench(t, nil)
		b.env.Commands.LookTime = time.Minute // strace is slow
		b.reg = Builtin(b.env)
		nest(t, b.dir, levels)
		for _, c := range []struct {
			tool string
			a    args
		}{
			{"find", args{"paths": []string{"**/z.*"}}}, {"search", args{"pattern": "^nothing at all$"}},
			{"search", args{"pattern": "needle", "glob": "**/d/*.txt"}}, {"bash", args{"command": "true"}},
		} {
			if r := b.run(c.tool, c.a); strings.Contains(r.Text, "left out") || strings.Contains(r.Text, "too large") {
				t.Errorf("%s: %s", c.tool, r.Text)
			}
		}
		return
	}
	strace := need.Program(t, "strace")
	count := func(levels int) float64 {
		out := filepath.Join(t.TempDir(), "calls")
		cmd := exec.Command(strace, "--seccomp-bpf", "-f", "-c", "-o", out,
			"-e", "trace=openat,newfstatat,fstat,readlinkat,getdents64", os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("SCROLLKEEP_TEST_LEVELS=%d", levels))
		if said, err := cmd.CombinedOutput(); err != nil {
			if strings.Contains(string(said), "ptrace") {
				need.Missing(t, "strace", string(said))
			}
			t.Fatalf("%v\n%s", err, said)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, m := range regexp.MustCompile(`(?m)^ *[\d.]+ +[\d.]+ +\d+ +(\d+) .*(?:at|fstat|getdents64)$`).
			FindAllStringSubmatch(string(text), -1) {
			k, _ := strconv.Atoi(m[1])
			n += k
		}
		if n < levels {
			t.Fatalf("%d calls?\n%s", n, text)
		}
		return float64(n)
	}
	// What the process takes by itself falls out of the differences.
	base, once, twice := count(40), count(80), count(120)
	first, second := (once-base)/40, (twice-once)/40
	t.Logf("%.1f calls a level up to 80 levels, %.1f up to 120", first, second)
	if second > first*1.15 || second > 60 {
		t.Errorf("%.1f calls a level up to 80 levels, %.1f up to 120", first, second)
	}
}
