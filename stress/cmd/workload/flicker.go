package main

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/stress/flicker"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// between is what could be seen within the frames of a log, on a terminal that shows each sequence as it comes.
func between(p profile.Profile, log []workload.Record) (flicker.Seen, error) {
	var all flicker.Seen
	p.Differs.HoldSync = 0
	t := p.New(log[0].Cols, log[0].Rows, 1000)
	for i := range shellRows {
		fmt.Fprintf(t, "shell %04d\r\n", i)
	}
	w := flicker.New(t)
	for _, r := range log[1:] {
		if r.Cols > 0 {
			show(t, r)
			continue
		}
		s, err := w.Frame(r.Data)
		if err != nil {
			return all, err
		}
		all.Add(s)
	}
	return all, nil
}

// flickers prints what can be seen within the frames of workloads.
func flickers(bubble func(func())) error {
	const row = "%-9s %-7s %-6s %-12s %7v %8v  %8v %8v %8v %6v %8v %8v  %8v %8v  %8v\n"
	fmt.Printf(row, "workload", "size", "policy", "profile", "frames", "steps", "unsteady", "lost", "gone", "worst", "flashed", "needless", "shifting", "moved", "detours")
	names := list(*making)
	if len(names) == 0 {
		names = []string{"w1", "w2-1000", "w3", "w4", "w4s", "w5", "w5s", "w6", "w7"}
	}
	for _, size := range list(*size) {
		cols, rows, err := dimensions(size)
		if err != nil {
			return err
		}
		for _, w := range names {
			s, err := workload.Make(w, cols, rows, *seed)
			if err != nil {
				return err
			}
			s.Expect = nil
			for _, policy := range list(*policy) {
				for _, terminal := range list(*name) {
					var r *result
					bubble(func() { r, err = play(s, options{Policy: policy, Resize: *mode, Profile: terminal, Between: true}) })
					if err != nil {
						return err
					}
					g := r.Seen
					fmt.Printf(row, w, size, policy, terminal, g.Frames, g.Steps, g.Unsteady, g.Lost, g.Gone, g.Worst, g.Flashed, g.Needless, g.Shifting, g.Moved, g.Detours)
				}
			}
		}
	}
	return nil
}
