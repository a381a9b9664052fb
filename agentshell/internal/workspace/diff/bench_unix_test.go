//go:build unix

package diff

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// corpus returns pairs of texts of 100,000 lines with one line in a hundred changed, removed, added
// or moved.
func corpus() map[string][2][]byte {
	all := map[string][2][]byte{}
	for _, c := range []struct {
		name string
		line func(r *rand.Rand, i int) string
	}{
		{"unique", func(_ *rand.Rand, i int) string { return fmt.Sprintf("line %d of a long file", i) }},
		{"code", func(r *rand.Rand, i int) string { // a third of the lines occurs often
			if r.IntN(3) == 0 {
				return []string{"}", "", "\treturn nil", "\t}", "\t\treturn err"}[r.IntN(5)]
			}
			return fmt.Sprintf("\tx%d := f(%d)", r.IntN(20000), r.IntN(100))
		}},
		{"repeated", func(r *rand.Rand, i int) string { return fmt.Sprintf("value %d", r.IntN(1000)) }},
		{"very repeated", func(r *rand.Rand, i int) string { return fmt.Sprintf("%d", r.IntN(50)) }},
		{"periodic", func(_ *rand.Rand, i int) string { return fmt.Sprintf("step %d", i%500) }},
	} {
		r := rand.New(rand.NewPCG(7, uint64(len(c.name))))
		var a, b strings.Builder
		for i := range 100_000 {
			l := c.line(r, i) + "\n"
			a.WriteString(l)
			switch r.IntN(400) {
			case 0:
				fmt.Fprintf(&b, "changed %d\n", r.IntN(1_000_000))
			case 1:
			case 2:
				b.WriteString(l + c.line(r, r.IntN(100_000)) + "\n")
			case 3:
				b.WriteString(c.line(r, r.IntN(100_000)) + "\n")
			default:
				b.WriteString(l)
			}
		}
		all[c.name] = [2][]byte{[]byte(a.String()), []byte(b.String())}
	}
	return all
}

// gitDiff runs `git diff --histogram` on two files and gives its output and its processor time.
type gitDiff struct{ git, dir string }

func newGitDiff(t testing.TB) gitDiff {
	return gitDiff{need.Program(t, "git"), t.TempDir()}
}

func (g gitDiff) run(t testing.TB, x, y []byte) (out string, took time.Duration) {
	for name, data := range map[string][]byte{"x": x, "y": y} {
		if err := os.WriteFile(filepath.Join(g.dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(g.git, "--no-pager", "diff", "--no-index", "--no-color", "--no-ext-diff", "--no-textconv",
		"--histogram", "x", "y")
	cmd.Dir, cmd.Env = g.dir, append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
	b, _ := cmd.Output() // the exit code is 1 where they differ
	return string(b), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func TestNoMoreChangedRowsThanGit(t *testing.T) {
	g := newGitDiff(t)
	for name, texts := range corpus() {
		out, _ := g.run(t, texts[0], texts[1])
		want := changedRows(out)
		d := Make(texts[0], texts[1], Context)
		got := d.Stats.Added + d.Stats.Removed
		t.Logf("%s: %d rows, git %d", name, got, want)
		if want == 0 || float64(got) > 1.1*float64(want) || d.Coarse {
			t.Errorf("%s: %d changed rows, git has %d", name, got, want)
		}
	}
}

// BenchmarkAgainstGit compares texts of 100,000 lines as `git diff --histogram` does, and prints
// two ratios: of the time, and of the rows that are shown as changed. Git's time is the processor
// time of `git diff --no-index` of the two files less that of two files of one line, which is the
// start of the process; ours is the processor time of Make and Unified, collection of garbage
// included. The least of several runs of each, taken in turns.
func BenchmarkAgainstGit(b *testing.B) {
	g := newGitDiff(b)
	all := corpus()
	for _, name := range []string{"unique", "code", "repeated", "very repeated", "periodic"} {
		x, y := all[name][0], all[name][1]
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			theirs, ours, empty := time.Hour, time.Hour, time.Hour
			var rows, want int
			for i := 0; i < max(b.N, 5); i++ {
				out, took := g.run(b, x, y)
				theirs = min(theirs, took)
				if want = changedRows(out); want == 0 {
					b.Fatal("git shows nothing")
				}
				_, took = g.run(b, []byte("x\n"), []byte("y\n"))
				empty = min(empty, took)
				start := processor(b)
				d := Make(x, y, Context)
				d.Unified(GitLabels("f"), 0)
				ours = min(ours, processor(b)-start)
				rows = d.Stats.Added + d.Stats.Removed
			}
			b.ReportMetric(float64(ours)/float64(max(theirs-empty, time.Microsecond)), "time/git")
			b.ReportMetric(float64(rows)/float64(want), "rows/git")
			b.ReportMetric(float64(ours.Microseconds())/1000, "ms-ours")
			b.ReportMetric(float64((theirs-empty).Microseconds())/1000, "ms-git")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processor returns the processor time of this process so far.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// changedRows counts the added and removed lines of a unified text.
func changedRows(text string) (n int) {
	rows := strings.Split(text, "\n")
	at := slices.IndexFunc(rows, func(l string) bool { return strings.HasPrefix(l, "@@") })
	for _, l := range rows[max(at, 0):] {
		if strings.HasPrefix(l, "+") || strings.HasPrefix(l, "-") {
			n++
		}
	}
	return n
}
