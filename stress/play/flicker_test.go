package play

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/stress/workload"
)

// everything says that all workloads are played in all terminals, which `make stress` does. Else
// each workload has its turn in one of them, and each terminal in some.
var everything = os.Getenv("SCROLLKEEP_WORKLOADS") == "all"

// What may be seen within frames, at most, on a terminal that shows each sequence as it comes:
// nothing but this. A message that is final only at its end is taller than the screen. Those of its
// rows that stand nowhere have to leave the screen by the topmost rows, and what stands there is
// gone meanwhile. A change of size leaves rows of which nothing is known: each is erased before it
// is written, since a wrap may have to be ended. A character whose width is in doubt takes along
// another one close behind it.
func TestNothingFlickers(t *testing.T) {
	const cols, rows = 80, 24
	type most struct{ unsteady, worst, needless int } // frames, cells at a time, cells by steps
	for i, c := range []struct {
		name, policy string
		ops          int // so many of the script
		most         func(ends, sizes int) most
	}{
		{"w1", "para", 1200, nil},
		{"w2-1000", "para", 300, nil},
		{"w3", "para", 600, nil},
		{"w4", "para", 300, nil},
		{"w4s", "para", 300, nil},
		{"w5", "para", 300, func(_, sizes int) most { return most{sizes + 1, cols, 5500} }},
		{"w6", "para", 500, nil},
		{"w7", "para", 1500, func(int, int) most { return most{unsteady: 3, worst: 45} }},
		{"w1", "msg", 1200, func(ends, _ int) most { return most{unsteady: ends, worst: 3 * cols} }},
		// The rows of a message that is taller than the live region are scrolled in it, and those
		// with a cluster in doubt written anew.
		{"w7", "msg", 1500, func(ends, _ int) most { return most{unsteady: ends + 20, worst: 45} }},
	} {
		s, err := workload.Make(c.name, cols, rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		ops := c.ops
		if !everything {
			ops /= 2
		}
		s.Ops, s.Expect = s.Ops[:min(ops, len(s.Ops))], nil
		for i := len(s.Ops) - 1; i >= 0 && s.Ops[i].K != "end"; i-- { // a window that was cut off is still to be closed
			if s.Ops[i].K == "begin" {
				s.Ops = append(s.Ops, workload.Op{K: "end"})
				break
			}
		}
		// One row of the footer gives way to final text when that comes first.
		ends, sizes, m := 0, 0, most{unsteady: 1, worst: 40}
		for _, o := range s.Ops {
			switch o.K {
			case "msgend":
				ends++
			case "resize":
				sizes++
			}
		}
		if c.most != nil {
			m = c.most(ends, sizes)
		}
		terminals := []string{"tmux", "ghostty"}
		if !everything {
			terminals = terminals[i%2 : i%2+1]
		}
		for _, terminal := range terminals {
			t.Run(c.name+"/"+c.policy+"/"+terminal, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r, err := play(s, options{Policy: c.policy, Resize: "preserve", Profile: terminal, Between: true})
					if err != nil {
						t.Fatal(err)
					}
					g := r.Seen
					t.Log(g)
					if g.Frames < 100 || g.Unsteady > m.unsteady || g.Worst > m.worst || g.Flashed > 0 ||
						g.Needless > m.needless {
						t.Errorf("%s, want at most %+v", g, m)
					}
				})
			})
		}
	}
}

// TestFlicker prints what can be seen within the frames of workloads. What may be seen there is
// judged by TestNothingFlickers.
func TestFlicker(t *testing.T) {
	if !*flickers {
		return
	}
	const row = "%-9s %-7s %-6s %-12s %7v %8v  %8v %8v %8v %6v %8v %8v  %8v %8v  %8v\n"
	fmt.Printf(row, "workload", "size", "policy", "profile", "frames", "steps", "unsteady", "lost", "gone", "worst",
		"flashed", "needless", "shifting", "moved", "detours")
	names := list(*workloads)
	if len(names) == 0 {
		names = []string{"w1", "w2-1000", "w3", "w4", "w4s", "w5", "w5s", "w6", "w7"}
	}
	for _, size := range list(*size) {
		cols, rows, err := Dimensions(size)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range names {
			s, err := workload.Make(w, cols, rows, *seed)
			if err != nil {
				t.Fatal(err)
			}
			s.Expect = nil
			for _, policy := range list(*policy) {
				for _, terminal := range list(*name) {
					var r *result
					synctest.Test(t, func(t *testing.T) {
						if r, err = play(s, options{Policy: policy, Resize: *mode, Profile: terminal,
							Between: true}); err != nil {
							t.Fatal(err)
						}
					})
					g := r.Seen
					fmt.Printf(row, w, size, policy, terminal, g.Frames, g.Steps, g.Unsteady, g.Lost, g.Gone, g.Worst,
						g.Flashed, g.Needless, g.Shifting, g.Moved, g.Detours)
				}
			}
		}
	}
}
