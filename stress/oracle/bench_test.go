package oracle

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/internal/work"
	"github.com/scrollkeep/scrollkeep/stress/screen"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/terminal/vt/load"
)

const benchBytes = 16 << 20

func TestWorkloadsLeaveTheSameTerminalAsTheGhosttyCore(t *testing.T) {
	d := start(t)
	for _, w := range load.Kinds() {
		p := Program{Size: screen.Size{Cols: 80, Rows: 24, Scrollback: 2000}}
		for chunk := range slices.Chunk(w.Bytes(400_000), 50_000) {
			p.Ops = append(p.Ops, Op{Name: w.Name, Bytes: string(chunk)})
		}
		for v, err := range d.Compare([]Program{p}, emulator) {
			if err != nil {
				t.Fatal(err)
			}
			if !v.OK() {
				t.Errorf("%s: %v", w.Name, v.Differences[:min(5, len(v.Differences))])
			}
		}
	}
}

// BenchmarkAgainstTheCore feeds the same 16 MB to terminal/vt and to the ghostty core, turn by
// turn, and reports the best of each, in bytes for a second of a processor, and their ratio: `go
// test ./stress/oracle -run - -bench Core -benchtime 3x`.
func BenchmarkAgainstTheCore(b *testing.B) {
	node, err := exec.LookPath("node")
	if err != nil {
		need.Missing(b, "ghostty", ErrMissing)
	}
	if _, err := os.Stat("node_modules"); errors.Is(err, os.ErrNotExist) {
		need.Missing(b, "ghostty", ErrMissing)
	}
	for _, w := range load.Kinds() {
		b.Run(w.Name, func(b *testing.B) {
			data := w.Bytes(benchBytes)
			file := filepath.Join(b.TempDir(), "data")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				b.Fatal(err)
			}
			var ours, core float64
			for b.Loop() {
				took := work.Of(b, func() {
					t := vt.New(vt.Config{Cols: 80, Rows: 24, Scrollback: 10_000})
					for chunk := range slices.Chunk(data, 64<<10) {
						t.Write(chunk)
					}
				})
				ours = max(ours, float64(len(data))/took.Seconds()/1e6)
				out, err := exec.Command(node, "driver.mjs", "--bench", file, "--cols", "80", "--rows", "24",
					"--scrollback", "10000").Output()
				var result struct {
					Speed float64 `json:"mb_s"`
				}
				if err == nil {
					err = json.Unmarshal(out, &result)
				}
				if err != nil {
					b.Fatalf("driver.mjs --bench: %v", err)
				}
				core = max(core, result.Speed)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours, "MB/s-vt")
			b.ReportMetric(core, "MB/s-core")
			b.ReportMetric(ours/core, "ratio")
		})
	}
}
