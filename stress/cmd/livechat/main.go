// Command livechat plays a benchmark script in the terminal that it runs in, in real time, as a
// program that keeps a chat would. Whoever is at the other end of --desk is asked, a line each
// ("size 60 24", "keys abc", "end"), and answers with a line when that is done.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/scrollkeep/scrollkeep/stress/play"
)

func main() {
	script := flag.String("script", "", "the script to play")
	policy := flag.String("policy", "para", "when rows become final: para or msg")
	pace := flag.Duration("pace", 40*time.Millisecond, "the time between two ops")
	desk := flag.String("desk", "", "the socket of one who changes the window, types, and reads the tape")
	flag.Parse()
	s, err := play.Load(*script, "")
	if err == nil {
		err = play.OnTerminal(s.Ops, *policy == "msg", *pace, *desk)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "livechat:", err)
		os.Exit(1)
	}
}
