// Command peers plays a benchmark script in a program of another library, bubbletea 1 or 2, as its
// user would write it, and prints what its frames cost: the same JSON as stress/play, whose
// TestCosts starts it. It is a module of its own, so that nobody who imports scrollkeep inherits
// the library.
//
//	cd stress/peers && go run . --peer NAME --script w1-100x30.jsonl [--log OUT] \
//	    [--policy para|msg]
//
// With the suffix -text a peer draws its input itself, as wrapped text; without it has the editor
// of the bubbles beside it, as the definition of the workloads asks. What is final goes to the
// scrollback by Println, the rest is the view. Keys come as bytes. The clock is that of
// testing/synctest: the library's frame ticker costs no time, and each op is followed by one frame.
// The log is for a judge of the tape.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

var (
	script  = flag.String("script", "", "the script to play")
	peer    = flag.String("peer", "bubbletea1", "bubbletea1 or bubbletea2, or one of them with -text")
	policy  = flag.String("policy", "para", "when rows become final: para or msg")
	logFile = flag.String("log", "", "write the emitted bytes to this file")
)

func main() {
	testing.Init()
	flag.Parse()
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "peers", F: func(t *testing.T) {
		synctest.Test(t, func(*testing.T) {
			if err := command(); err != nil {
				fmt.Fprintln(os.Stderr, "peers:", err)
				os.Exit(1)
			}
			os.Exit(0)
		})
	}}}, nil, nil)
}

// starter starts a program for c on out, whose keys it reads from in; what it returns gives the
// program a message.
type starter func(c *chat, in io.Reader, out io.Writer, cols, rows int) (send func(any))

// peers and the editors that they have.
var peers = map[string]struct {
	start starter
	box   func() box
}{
	"bubbletea1":      {start1, newArea1},
	"bubbletea1-text": {start1, func() box { return &text1{} }},
	"bubbletea2":      {start2, newArea2},
	"bubbletea2-text": {start2, func() box { return &text2{} }},
}

func command() error {
	f, err := os.Open(*script)
	if err != nil {
		return err
	}
	defer f.Close()
	ops, err := workload.Read(f)
	if err != nil {
		return err
	}
	p, ok := peers[*peer]
	if !ok {
		return fmt.Errorf("no peer is called %q", *peer)
	}
	t := newTerminal(ops[0].W, ops[0].H)
	c := &chat{width: ops[0].W, height: ops[0].H, whole: *policy == "msg", box: p.box()}
	c.box.resize(c.width)
	windows, err := play(p.start(c, t, t, c.width, c.height), t, ops[1:])
	if err != nil {
		return err
	}
	if *logFile != "" {
		if err := os.WriteFile(*logFile, workload.EncodeLog(t.log), 0o644); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"contestant": *peer, "script": *script, "windows": windows})
}
