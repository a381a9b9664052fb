// Command workload plays a benchmark script through the public API of package tui, as a program that keeps a chat would be written, and prints
// one line of JSON: bytes, writes, CPU time and allocations of each measured window.
//
//	workload --script w1-80x24.jsonl [--log OUT] [--policy para|msg] [--resize preserve|append|rebuild] [--profile NAME] [--expect FILE [--emulator xtermjs|ghostty|kitty]]
//	workload --tty --script w5-80x24.jsonl [--policy para|msg] [--pace 40ms] [--desk SOCKET]
//	workload --make w1 [--size 100x30] [--seed N] [--dir DIR]
//	workload --flicker [--make w1,w7] [--size 80x24,100x30] [--policy para,msg] [--profile tmux,ghostty] [--seed N]
//	workload --table [--make w1,w7] [--size 80x24,100x30,200x60] [--policy para,msg] [--profile ghostty,xtermjs] [--seed N] [--peers DIR] [--rounds N]
//
// Output goes into a sink that counts bytes and answers queries as the profile's terminal would; with --tty into the real terminal, where the one at the
// other end of --desk is asked, a line each ("size 60 24", "keys abc", "end"), and answers with a line when that is done. The clock is
// stepped by hand: the whole program runs in a bubble of testing/synctest, which only a test may open, so that main is one. With --expect the
// tape is judged, too: what the bytes leave behind in the emulator, or in the real core of another terminal, or
// what a real terminal has shown (--tape). --make writes the script and the expected rows of a workload; --table plays
// them all, with --peers in other libraries too (stress/peers), judges all tapes alike and prints what frames cost and the budgets of the rendering
// contract; --flicker prints what can be seen between the sequences of their frames; CPU times are the medians of so many rounds, in which the contestants take turns.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var (
	script  = flag.String("script", "", "the script to play")
	logFile = flag.String("log", "", "write the emitted bytes to this file")
	policy  = flag.String("policy", "para", "when rows become final: para or msg")
	mode    = flag.String("resize", "preserve", "what becomes of history at a new width: preserve, append or rebuild")
	name    = flag.String("profile", "xtermjs", "the terminal that the sink is")
	expect  = flag.String("expect", "", "judge the tape by this file")
	judges  = flag.String("emulator", "", "who shows the tape that is judged: xtermjs or ghostty (make oracle), or kitty; by default the profile")
	folder  = flag.String("oracle", "stress/oracle", "the folder of tape.mjs")
	tty     = flag.Bool("tty", false, "play in this terminal, in real time")
	pace    = flag.Duration("pace", settle, "the time between two ops with --tty")
	desk    = flag.String("desk", "", "with --tty: the socket of one who changes the window, types, and reads the tape")
	dump    = flag.String("tape", "", "judge the tape that a real terminal, that of the profile, has shown: a file of JSON like tape.mjs prints")
	making  = flag.String("make", "", "write the script of this workload")
	tables  = flag.Bool("table", false, "make the workloads, play them and print their costs beside the budgets")
	peers   = flag.String("peers", "", "the folder of the contestants that --table plays, too: stress/peers")
	flick   = flag.Bool("flicker", false, "make the workloads, play them and print what can be seen within their frames")
	rounds  = flag.Int("rounds", 3, "how often --table plays each script")
	size    = flag.String("size", "100x30", "the screen of a script that is made: columns x rows")
	seed    = flag.Uint64("seed", 1, "for the text of a script that is made")
	dir     = flag.String("dir", ".", "where a script that is made is written")
)

func main() {
	testing.Init()
	flag.Parse()
	if err := command(); err != nil {
		fail(err)
	}
}

// command does what the flags say. It does not return where a clock is stepped.
func command() error {
	switch {
	case *tables:
		return contest()
	case *flick:
		bubbles(flickers)
	case *making != "":
		cols, rows, err := dimensions(*size)
		if err != nil {
			return err
		}
		s, err := workload.Make(*making, cols, rows, *seed)
		if err != nil {
			return err
		}
		return save(s, *dir, *making)
	}
	s, err := load(*script, *expect)
	if err != nil {
		return err
	}
	if *tty {
		return onTerminal(s.Ops, *pace, *desk)
	}
	bubbles(func(bubble func(func())) error {
		var r *result
		var err error
		bubble(func() {
			r, err = play(s, options{Policy: *policy, Resize: *mode, Profile: *name, Log: *logFile, Emulator: *judges, Oracle: *folder, Tape: *dump})
		})
		if err != nil {
			return err
		}
		r.Script = *script
		return json.NewEncoder(os.Stdout).Encode(r)
	})
	return nil
}

// contest prints the table that the flags ask for.
func contest() error {
	tmp, err := os.MkdirTemp("", "workload")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	t := table{w: os.Stdout, who: []contestant{{name: ours, argv: []string{self}}}, names: list(*making), sizes: list(*size), policies: list(*policy),
		terminals: list(*name), seed: *seed, rounds: max(*rounds, 1), play: contestant.run, dir: tmp}
	if len(t.names) == 0 {
		t.names = workload.Names()
	}
	if *peers != "" {
		others, err := rivals(*peers, tmp)
		if err != nil {
			return err
		}
		t.who = append(t.who, others...)
	}
	return t.run(options{Resize: *mode, Emulator: *judges, Oracle: *folder})
}

// bubbles runs f, which may open bubbles one after the other, and exits. testing.Main never returns.
func bubbles(f func(bubble func(func())) error) {
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "workload", F: func(t *testing.T) {
		err := f(func(g func()) { synctest.Test(t, func(*testing.T) { g() }) })
		if err != nil {
			fail(err)
		}
		os.Exit(0)
	}}}, nil, nil)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "workload:", err)
	os.Exit(1)
}

func list(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// dimensions reads "100x30".
func dimensions(s string) (cols, rows int, err error) {
	if n, _ := fmt.Sscanf(s, "%dx%d", &cols, &rows); n != 2 {
		return 0, 0, fmt.Errorf("%q is not a size like 100x30", s)
	}
	return cols, rows, nil
}

// load reads a script and, unless expect is "", the rows that it expects.
func load(file, expect string) (workload.Script, error) {
	var s workload.Script
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	if s.Ops, err = workload.Read(f); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	if expect != "" {
		rows, err := os.ReadFile(expect)
		if err != nil {
			return s, err
		}
		s.Expect = strings.Split(strings.TrimRight(string(rows), "\n"), "\n")
	}
	return s, nil
}

// save writes a script and its expected rows to files in dir, named after the workload and the size.
func save(s workload.Script, dir, name string) error {
	file := filepath.Join(dir, fmt.Sprintf("%s-%dx%d", name, s.Ops[0].W, s.Ops[0].H))
	f, err := os.Create(file + ".jsonl")
	if err != nil {
		return err
	}
	if err := errors.Join(workload.Write(f, s.Ops), f.Close()); err != nil {
		return err
	}
	return os.WriteFile(file+".expect", []byte(strings.Join(s.Expect, "\n")+"\n"), 0o644)
}
