package stress

import (
	"encoding/json"
	"errors"
	"flag"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/program"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var xtermjsSessions = flag.Int("xtermjs", 6, "sessions on the real xterm.js core, a multiple of 3")

// What is judged on the emulator holds on the real xterm.js core if the same bytes and sizes leave
// the same lines there, soft-wrapped rows joined.
func TestTheXtermJSCoreHasTheSameLines(t *testing.T) {
	natures := map[program.Nature]int{}
	for seed, n := uint64(1), 0; n < *xtermjsSessions; seed++ {
		p := program.Generate(seed, "xtermjs", 40)
		if natures[p.Nature()] == *xtermjsSessions/3 || p.Terminal.Scrollback < 1000 || slim(p) {
			continue
		}
		natures[p.Nature()]++
		n++
		events, term, err := Record(p)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		log := []workload.Record{{Cols: p.Terminal.Cols, Rows: p.Terminal.Rows}}
		for _, e := range events {
			log = append(log, workload.Record{Cols: e.Cols, Rows: e.Rows, Data: e.Bytes})
		}
		out, err := oracle.Tape("oracle", "xtermjs", workload.EncodeLog(log), 0, false)
		if errors.Is(err, oracle.ErrMissing) {
			need.Missing(t, "ghostty", err) // both cores are installed together
		}
		if err != nil {
			t.Fatal(err)
		}
		var real struct{ Tape []string }
		if err := json.Unmarshal(out, &real); err != nil {
			t.Fatal(err)
		}
		got, want := unmarked(squeezed(real.Tape)), unmarked(squeezed(term.Lines()))
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Errorf("seed %d, %v: %d lines, want %d; line %d differs\n got  %.300q\n want %.300q",
					seed, p.Nature(), len(got), len(want), i, got[min(i, len(got)):min(i+2, len(got))],
					want[min(i, len(want)):min(i+2, len(want))])
				break
			}
		}
	}
	t.Logf("%v", natures)
}

// slim reports whether a window is ever one column wide, which xterm.js does not have.
func slim(p program.Program) bool {
	return p.Terminal.Cols < 2 || slices.ContainsFunc(p.Ops, func(o program.Op) bool { return o.Cols == 1 })
}

// unmarked leaves lines with marks out: xterm.js 6 mixes them up when it wraps anew (BufferLine.ts
// copyCellsFrom).
func unmarked(lines []string) []string {
	return slices.DeleteFunc(lines, func(l string) bool {
		return strings.ContainsFunc(l, func(r rune) bool { return unicode.Is(unicode.M, r) })
	})
}
