// Command workload plays a benchmark script through the public API of package tui, as a program that keeps a chat would be written, and prints
// one line of JSON: bytes, writes, CPU time and allocations of each measured window.
//
//	workload --script w1-80x24.jsonl [--log OUT] [--policy para|msg] [--resize preserve|append|rebuild] [--profile NAME] [--expect FILE] [--tty]
//
// Output goes into a sink that counts bytes and answers queries as the profile's terminal would; with --tty into the real terminal. The clock is
// stepped by hand: the whole program runs in a bubble of testing/synctest, which only a test may open, so that main is one. With --expect the
// tape is judged, too: what the bytes leave behind in the emulator.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/tui"
)

// An op is one line of a script.
type op struct {
	K    string   `json:"k"`
	T    string   `json:"t"`
	W, H int      // size, resize
	N    int      `json:"n"`
	Rows []string `json:"rows"`
}

// A window is what was measured between begin and end.
type window struct {
	Name   string  `json:"name"`
	Frames int     `json:"frames"`
	Bytes  int     `json:"bytes"`
	Writes int     `json:"writes"`
	CPU    int64   `json:"cpu_us"`
	Allocs uint64  `json:"allocs"`
	Alloc  uint64  `json:"alloc_bytes"`
	Heap   float64 `json:"heap_mb"`
}

// A result is the line that is printed.
type result struct {
	Contestant string   `json:"contestant"`
	Script     string   `json:"script"`
	Windows    []window `json:"windows"`
	Tape       *verdict `json:"tape,omitempty"`
}

var (
	script  = flag.String("script", "", "the script to play")
	logFile = flag.String("log", "", "write the emitted bytes to this file")
	policy  = flag.String("policy", "para", "when rows become final: para or msg")
	mode    = flag.String("resize", "preserve", "what becomes of history at a new width: preserve, append or rebuild")
	name    = flag.String("profile", "xtermjs", "the terminal that the sink is")
	expect  = flag.String("expect", "", "judge the tape by this file")
	tty     = flag.Bool("tty", false, "play in this terminal, in real time")
)

func main() {
	testing.Init()
	flag.Parse()
	ops, err := read(*script)
	if err != nil {
		fail(err)
	}
	if *tty {
		if err := onTerminal(ops); err != nil {
			fail(err)
		}
		return
	}
	// testing.Main never returns.
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "workload", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			r, err := play(ops, options{Policy: *policy, Resize: *mode, Profile: *name, Expect: *expect, Log: *logFile})
			if err != nil {
				fail(err)
			}
			r.Script = *script
			line, _ := json.Marshal(r)
			fmt.Println(string(line))
			os.Exit(0)
		})
	}}}, nil, nil)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "workload:", err)
	os.Exit(1)
}

// read reads a script; the first line is the size.
func read(file string) ([]op, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var ops []op
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var o op
		if err := json.Unmarshal(s.Bytes(), &o); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(ops)+1, err)
		}
		ops = append(ops, o)
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(ops) == 0 || ops[0].K != "size" {
		return nil, fmt.Errorf("%s: the first line is not a size", file)
	}
	return ops, nil
}

// options are the flags.
type options struct{ Policy, Resize, Profile, Expect, Log string }

// play runs ops in the caller's bubble.
func play(ops []op, o options) (*result, error) {
	p, ok := profile.ByName(o.Profile)
	if !ok {
		return nil, fmt.Errorf("no profile is called %q", o.Profile)
	}
	modes := map[string]tui.ResizeMode{"preserve": tui.ResizePreserve, "append": tui.ResizeAppend, "rebuild": tui.ResizeRebuild}
	resize, ok := modes[o.Resize]
	if !ok {
		return nil, fmt.Errorf("no resize mode is called %q", o.Resize)
	}
	if o.Policy != "para" && o.Policy != "msg" {
		return nil, fmt.Errorf("no policy is called %q", o.Policy)
	}
	s := newSink(p, ops[0].W, ops[0].H)
	c := newChat(o.Policy == "msg")
	c.app.Resize = resize
	windows, err := run(c, s, ops[1:])
	if err != nil {
		return nil, err
	}
	log := s.records()
	if o.Log != "" {
		if err := os.WriteFile(o.Log, encode(log), 0o644); err != nil {
			return nil, err
		}
	}
	r := &result{Contestant: "scrollkeep", Windows: windows}
	if o.Expect != "" {
		if r.Tape, err = judge(p, log, o.Expect); err != nil {
			return nil, err
		}
	}
	return r, nil
}
