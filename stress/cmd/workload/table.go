package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// budgets are the most bytes that a frame of a workload may take at 100x30 (the rendering contract, section 10), by the beginning of its name.
var budgets = []struct {
	name  string
	bytes float64
}{{"w1scale", 64}, {"w1", 64}, {"w2", 20}, {"w3", 8}, {"w4s", 0}, {"w4", 1049}, {"w5s", 0}, {"w5", 250}, {"w6", 85}, {"w7", 66}}

// budget is 0 for none.
func budget(name string) float64 {
	for _, b := range budgets {
		if strings.HasPrefix(name, b.name) {
			return b.bytes
		}
	}
	return 0
}

// measure plays workloads, all if names is empty, and prints a line for each window: bytes a frame and their ratio to the budget, CPU time and
// allocations a frame, their ratio to the first window of the script, and what is wrong on the tape.
func measure(w io.Writer, bubble func(func()), names, sizes, policies, profiles []string, seed uint64, o options) error {
	if len(names) == 0 {
		names = workload.Names()
	}
	fmt.Fprintf(w, "%-10s %-7s %-6s %-13s %-10s %8s %7s %7s %7s %6s  %s\n", "workload", "size", "policy", "profile", "window", "B/frame", "/budget", "us", "allocs", "/first", "tape")
	for _, size := range sizes {
		cols, rows, err := dimensions(size)
		if err != nil {
			return err
		}
		for _, name := range names {
			s, err := workload.Make(name, cols, rows, seed)
			if err != nil {
				return err
			}
			for _, policy := range policies {
				for _, profile := range profiles {
					var r *result
					o.Policy, o.Profile = policy, profile
					bubble(func() { r, err = play(s, o) })
					if err != nil {
						return err
					}
					for i, x := range r.Windows {
						n := float64(max(x.Frames, 1))
						first := float64(max(r.Windows[0].Frames, 1))
						tape := ""
						if i == len(r.Windows)-1 {
							tape = r.Tape.String()
						}
						over := "-"
						if b := budget(name); b > 0 {
							if x.Name == "page down" { // the budget is for a line
								b *= float64(rows)
							}
							over = fmt.Sprintf("%.2f", float64(x.Bytes)/n/b)
						}
						fmt.Fprintf(w, "%-10s %-7s %-6s %-13s %-10s %8.1f %7s %7.1f %7.1f %6.2f  %s\n", name, size, policy, profile, x.Name,
							float64(x.Bytes)/n, over, float64(x.CPU)/n, float64(x.Allocs)/n, float64(x.Bytes)/n/(float64(r.Windows[0].Bytes)/first), tape)
					}
				}
			}
		}
	}
	return nil
}
