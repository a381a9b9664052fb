package sandbox

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

// think is how long a model takes at least between two commands.
// A spare stage is started meanwhile.
const think = 200 * time.Millisecond

// BenchmarkTrue runs `bash -c true` with and without a sandbox, by turns, and reports what the
// sandbox costs on top. The bar is 15 ms, and the way that ships is "spare".
func BenchmarkTrue(b *testing.B) {
	for _, way := range []string{Bubblewrap, Direct, "spare"} {
		b.Run(way, func(b *testing.B) {
			spare := way == "spare"
			if spare {
				way = Direct
			}
			family := new(child.Family)
			r := Find(b.Context(), family, b.TempDir(), way)
			if r.Box == nil {
				b.Fatal(r.Reason)
			}
			dir, err := filepath.EvalSymlinks(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			s := &site{workspace: dir, environ: os.Environ()}
			s.policy = Policy{Workspace: dir, Home: os.Getenv("HOME"), Environ: s.environ}
			if spare {
				out := proxy.Proxy{Hosts: new(proxy.Hosts)}
				s.policy.Proxy = func(l net.Listener) { out.Serve(b.Context(), l) }
				r.Box.KeepSpare()
				defer family.Close(0)
			}
			command := func() *exec.Cmd { // as the tool runs it: one pipe for its output
				cmd, out := s.command("true"), new(bytes.Buffer)
				cmd.Stdout, cmd.Stderr = out, out
				return cmd
			}
			var plain, confined time.Duration
			for b.Loop() {
				<-time.After(think)
				at := time.Now()
				if err := family.Run(b.Context(), command()); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				c, err := r.Box.Cell(s.policy, command(), nil)
				if err != nil {
					b.Fatal(err)
				}
				err = c.run(b.Context())
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
