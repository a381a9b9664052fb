//go:build unix

package tool

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// BenchmarkKnowingWhatACommandChanged compares what is looked at around a command with
// `git status`, by turns, in a repository of that many files. The bar is 1.
func BenchmarkKnowingWhatACommandChanged(b *testing.B) {
	git := need.Program(b, "git")
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := newBench(b, nil)
			for i := range n {
				w.write(fmt.Sprintf("d%d/e%d/f%d.txt", i/10_000, i/100%100, i), fmt.Sprintf("file %d\n", i))
			}
			run := func(args ...string) {
				b.Helper()
				args = append([]string{"-c", "user.name=x", "-c", "user.email=x", "-C", w.dir}, args...)
				cmd := exec.Command(git, args...)
				cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %v\n%s", args, err, out)
				}
			}
			run("init", "-q")
			run("add", "-A")
			run("commit", "-qm", "x")
			w.env.History, w.env.Past = new(undo.History), new(Past)
			t := &bash{env: w.env}
			ctx := context.Background()
			w.env.Past.look(ctx, w.ws) // the first one reads all files
			name := filepath.Join(w.dir, "d0/e0/f0.txt")
			var ours, gits time.Duration
			for i := 0; b.Loop(); i++ {
				at := time.Now()
				past, told := w.env.Past.look(ctx, w.ws), len(w.env.History.Changes())
				before := t.stamps(ctx)
				ours += time.Since(at)
				if err := os.WriteFile(name, fmt.Appendf(nil, "change %d\n", i), 0o644); err != nil {
					b.Fatal(err)
				}
				at = time.Now()
				changed := t.changes(ctx, before)
				t.edits(ctx, past, told, changed.Changes)
				ours += time.Since(at)
				at = time.Now()
				run("status", "--porcelain")
				gits += time.Since(at)
			}
			b.ReportMetric(float64(ours.Milliseconds())/float64(b.N), "ms")
			b.ReportMetric(float64(gits.Milliseconds())/float64(b.N), "ms-git-status")
			b.ReportMetric(float64(ours)/float64(gits), "ratio")
		})
	}
}
