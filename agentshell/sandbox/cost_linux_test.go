package sandbox

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/child"
)

// BenchmarkTrue runs `bash -c true` with and without a sandbox, by turns, and reports what the
// sandbox costs on top. The bar is 15 ms.
func BenchmarkTrue(b *testing.B) {
	for _, way := range []string{Bubblewrap, Direct} {
		b.Run(way, func(b *testing.B) {
			family := new(child.Family)
			r := Find(b.Context(), family.Run, b.TempDir(), way)
			if r.Box == nil {
				b.Fatal(r.Why)
			}
			dir, err := filepath.EvalSymlinks(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			s := &site{workspace: dir, environ: os.Environ()}
			s.policy = Policy{Workspace: dir, Home: os.Getenv("HOME"), Environ: s.environ}
			var plain, confined time.Duration
			for b.Loop() {
				at := time.Now()
				if err := family.Run(b.Context(), s.command("true")); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				c, err := r.Box.Cell(s.policy, s.command("true"), nil)
				if err != nil {
					b.Fatal(err)
				}
				err = family.Run(b.Context(), c.Cmd)
				if end, ok := c.End(); err != nil || !ok || end.Exit != 0 {
					b.Fatal(err, end)
				}
				plain, confined = plain+middle.Sub(at), confined+time.Since(middle)
			}
			n := float64(b.N) * float64(time.Millisecond)
			b.ReportMetric(float64(plain)/n, "ms-plain")
			b.ReportMetric(float64(confined)/n, "ms-confined")
			b.ReportMetric(float64(confined-plain)/n, "ms-more")
		})
	}
}
