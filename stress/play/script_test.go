package play

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var (
	script  = flag.String("script", "", "the script that TestScript plays")
	logFile = flag.String("log", "", "write the emitted bytes to this file")
	policy  = flag.String("policy", "para", "when rows become final: para or msg")
	mode    = flag.String("resize", "preserve", "what becomes of history at a new width: preserve, append or rebuild")
	name    = flag.String("profile", "xtermjs", "the terminal that the sink is")
	expect  = flag.String("expect", "", "judge the tape by this file")
	judges  = flag.String("emulator", "", "who shows the tape: xtermjs or ghostty (make oracle), or kitty;"+
		" \"\": the profile")
	dump = flag.String("tape", "", "judge the tape that a real terminal has shown: a file of JSON like"+
		" tape.mjs prints")
	costs     = flag.Bool("costs", false, "TestCosts prints what frames cost beside the budgets")
	flickers  = flag.Bool("flicker", false, "TestFlicker prints what can be seen within frames")
	workloads = flag.String("workloads", "", "those that TestCosts and TestFlicker play; \"\": all")
	peers     = flag.String("peers", "", "the folder of the contestants that TestCosts plays, too: ../peers")
	rounds    = flag.Int("rounds", 3, "how often TestCosts plays each script; CPU times are medians")
	size      = flag.String("size", "100x30", "the screens: columns x rows")
	seed      = flag.Uint64("seed", 1, "for the text of scripts")
)

// TestScript plays a script and prints one line of JSON: bytes, writes, CPU time and allocations of
// each measured window, and the verdict on the tape. Without -script it plays one that is short.
func TestScript(t *testing.T) {
	s := workload.Script{Ops: []workload.Op{{K: "size", W: 80, H: 24}, {K: "begin", T: "keys"}, {K: "key", T: "a"},
		{K: "end"}}}
	if *script != "" {
		var err error
		if s, err = Load(*script, *expect); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		r, err := play(s, options{Policy: *policy, Resize: *mode, Profile: *name, Log: *logFile, Emulator: *judges,
			Oracle: oracleDir, Tape: *dump})
		if err != nil {
			t.Fatal(err)
		}
		if r.Script = *script; r.Script == "" && (len(r.Windows) != 1 || r.Windows[0].Bytes == 0) {
			t.Errorf("a key is %+v", r.Windows)
		}
		if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
			t.Fatal(err)
		}
	})
}

// TestCosts prints the table that the flags ask for. Its judges are tested by
// TestTheTableNamesTheBudgets.
func TestCosts(t *testing.T) {
	if !*costs {
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ourselves := contestant{name: ours, argv: []string{self, "-test.run", "^TestScript$"}}
	tb := table{w: os.Stdout, who: []contestant{ourselves}, names: list(*workloads), sizes: list(*size),
		policies: list(*policy), terminals: list(*name), seed: *seed, rounds: max(*rounds, 1), play: contestant.run,
		dir: t.TempDir()}
	if len(tb.names) == 0 {
		tb.names = workload.Names()
	}
	if *peers != "" {
		others, err := rivals(*peers, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		tb.who = append(tb.who, others...)
	}
	if err := tb.run(options{Resize: *mode, Emulator: *judges, Oracle: oracleDir}); err != nil {
		t.Fatal(err)
	}
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}
