package shell

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/tui"
)

// big returns a program of n lines, and another version of it in which each line changed with the
// probability p.
func big(n int, p float64) (before, after []byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	var a, b bytes.Buffer
	for i := range n {
		line := fmt.Sprintf("\tif value%d := table[%d]; value%d != nil { // case %d\n", i%977, i, i%977, rng.IntN(n))
		a.WriteString(line)
		if rng.Float64() < p {
			line = fmt.Sprintf("\tif value%d := table[%d]; value%d == nil { // case %d\n", i%977, i, i%977, rng.IntN(n))
		}
		b.WriteString(line)
	}
	return a.Bytes(), b.Bytes()
}

// BenchmarkOpening compares opening the pane of a large change, up to its first rows, with reading
// the file and comparing it. The figure that counts is the ratio.
func BenchmarkOpening(b *testing.B) {
	for _, c := range []struct {
		name  string
		lines int
		part  float64
		fresh bool
	}{{"new", 100_000, 0, true}, {"1%", 100_000, 0.01, false}, {"half", 67_000, 0.5, false},
		{"all", 50_000, 1, false}} {
		b.Run(c.name, func(b *testing.B) {
			before, after := big(c.lines, c.part)
			name := filepath.Join(b.TempDir(), "big.go")
			if err := os.WriteFile(name, before, 0o644); err != nil {
				b.Fatal(err)
			}
			if c.fresh {
				before = nil
			}
			var reading, opening time.Duration
			for b.Loop() {
				start := time.Now()
				if _, err := os.ReadFile(name); err != nil {
					b.Fatal(err)
				}
				d := diff.Make(before, after, diff.Context)
				reading += time.Since(start)
				p := &approval.Proposal{ID: "p", Tool: "edit_file", Path: "workspace/big.go", Payload: approval.Edit{},
					Before: before, After: after, Diff: d}
				start = time.Now()
				n := newPane(p, &fakeDraft{}, func(approval.Answer) {})
				n.View(tui.Space{Width: 80, Height: 24, Now: start, Focused: true})
				opening += time.Since(start)
			}
			b.ReportMetric(float64(reading.Microseconds())/1000/float64(b.N), "reading-ms")
			b.ReportMetric(float64(opening.Microseconds())/1000/float64(b.N), "opening-ms")
			b.ReportMetric(float64(opening)/float64(reading), "ratio")
		})
	}
}
