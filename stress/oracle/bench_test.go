package oracle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/screen"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

const benchBytes = 16 << 20

// workloads are what the emulator's speed is measured on: the four kinds of the specification.
var workloads = []struct {
	name string
	line func(*rand.Rand, *bytes.Buffer)
}{
	{"ascii", func(r *rand.Rand, b *bytes.Buffer) {
		for range 20 + r.IntN(100) {
			b.WriteByte(byte(' ' + r.IntN(95)))
		}
		b.WriteString("\r\n")
	}},
	{"styled", func(r *rand.Rand, b *bytes.Buffer) {
		for range 4 + r.IntN(6) {
			switch r.IntN(4) {
			case 0:
				fmt.Fprintf(b, "\x1b[%dm", 30+r.IntN(8))
			case 1:
				fmt.Fprintf(b, "\x1b[1;38;5;%dm", r.IntN(256))
			case 2:
				fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm", r.IntN(256), r.IntN(256), r.IntN(256))
			case 3:
				fmt.Fprintf(b, "\x1b[4;48;5;%dm", r.IntN(256))
			}
			for range 3 + r.IntN(12) {
				b.WriteByte(byte('a' + r.IntN(26)))
			}
			b.WriteString("\x1b[0m ")
		}
		b.WriteString("\r\n")
	}},
	{"unicode", func(r *rand.Rand, b *bytes.Buffer) {
		for range 20 + r.IntN(30) {
			switch r.IntN(8) {
			case 0, 1, 2:
				b.WriteRune(rune(0x4e00 + r.IntN(0x5000)))
			case 3:
				b.WriteRune(rune(0x430 + r.IntN(32)))
			case 4:
				b.WriteRune(rune(0x3b1 + r.IntN(24)))
			case 5:
				b.WriteString([]string{"🙂", "👩\u200d💻", "👍🏽", "❤\ufe0f", "🇩🇪"}[r.IntN(5)])
			case 6:
				b.WriteString("e\u0301")
			case 7:
				b.WriteByte(byte('a' + r.IntN(26)))
			}
		}
		b.WriteString("\r\n")
	}},
	{"motion", func(r *rand.Rand, b *bytes.Buffer) {
		switch r.IntN(6) {
		case 0, 1, 2:
			fmt.Fprintf(b, "\x1b[%d;%dH", 1+r.IntN(24), 1+r.IntN(80))
		case 3:
			fmt.Fprintf(b, "\x1b[%d%c", 1+r.IntN(5), "ABCD"[r.IntN(4)])
		case 4:
			b.WriteString("\x1b[K")
		case 5:
			fmt.Fprintf(b, "\x1b[%dG", 1+r.IntN(80))
		}
		for range r.IntN(8) {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
	}},
}

func workload(line func(*rand.Rand, *bytes.Buffer), n int) []byte {
	var buf bytes.Buffer
	for r := rand.New(rand.NewPCG(1, 2)); buf.Len() < n; {
		line(r, &buf)
	}
	return buf.Bytes()[:n]
}

func TestWorkloadsLeaveTheSameTerminalAsTheGhosttyCore(t *testing.T) {
	d := start(t)
	for _, w := range workloads {
		p := Program{Size: screen.Size{Cols: 80, Rows: 24, Scrollback: 2000}}
		for chunk := range slices.Chunk(workload(w.line, 400_000), 50_000) {
			p.Ops = append(p.Ops, Op{Name: w.name, Bytes: string(chunk)})
		}
		for v, err := range d.Judge([]Program{p}, emulator) {
			if err != nil {
				t.Fatal(err)
			}
			if !v.OK() {
				t.Errorf("%s: %v", w.name, v.Differences[:min(5, len(v.Differences))])
			}
		}
	}
}

// BenchmarkAgainstTheCore feeds the same 16 MB to terminal/vt and to the ghostty core, turn by turn, and reports the best of each and their
// ratio: `go test ./stress/oracle -run - -bench Core -benchtime 3x`.
func BenchmarkAgainstTheCore(b *testing.B) {
	node, err := exec.LookPath("node")
	if err != nil {
		need.Missing(b, "ghostty", ErrMissing)
	}
	if _, err := os.Stat("node_modules"); errors.Is(err, os.ErrNotExist) {
		need.Missing(b, "ghostty", ErrMissing)
	}
	for _, w := range workloads {
		b.Run(w.name, func(b *testing.B) {
			data := workload(w.line, benchBytes)
			file := filepath.Join(b.TempDir(), "data")
			if err := os.WriteFile(file, data, 0o600); err != nil {
				b.Fatal(err)
			}
			var ours, core float64
			for b.Loop() {
				from := time.Now()
				t := vt.New(vt.Config{Cols: 80, Rows: 24, Scrollback: 10_000})
				for rest := data; len(rest) > 0; {
					n := min(len(rest), 64<<10)
					t.Write(rest[:n])
					rest = rest[n:]
				}
				ours = max(ours, float64(len(data))/time.Since(from).Seconds()/1e6)
				out, err := exec.Command(node, "driver.mjs", "--bench", file, "--cols", "80", "--rows", "24", "--scrollback", "10000").Output()
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
