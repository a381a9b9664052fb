package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// Step is one change of the window's size: the time After the change before it, and the new size in
// columns and rows.
type Step struct {
	After      time.Duration
	Cols, Rows int
}

// Cols and Rows are the size of the window before the first change and after the last one.
const Cols, Rows = 100, 30

// The smallest and largest sizes that a window gets, in columns and rows.
const minCols, maxCols, minRows, maxRows = 20, 200, 6, 60

// Manners lists the names of all ways in which a window changes its size:
//
//   - still: not at all
//   - random: at random times, less than half a second apart
//   - bursts: several changes within 50 ms
//   - drags: as a hand drags a window, in steps of 20 ms
//   - single: one at a time, 1.6 s apart, when everything has come to rest
//   - pane: eight while a question waits in the pane
//   - unlucky: like random, but from a narrow window to one two or three times as wide (tmux)
var Manners = []string{"still", "random", "bursts", "drags", "single", "pane", "unlucky"}

// paneSizes is the number of changes of size while the pane with a question is open.
const paneSizes = 8

// Sizes returns n random changes of the window's size in one of the [Manners]; the last one leads
// to Cols x Rows. In the manner drags there are n/5 drags, each by many sizes to a random one. In
// the manner single there are n/5 changes, since they take long.
func Sizes(manner string, seed uint64, n int) ([]Step, error) {
	rng := rand.New(rand.NewPCG(seed, 3))
	between := func(from, to time.Duration) time.Duration { return from + time.Duration(rng.Int64N(int64(to-from))) }
	const ms = time.Millisecond
	var steps []Step
	size := func(after time.Duration) {
		steps = append(steps, Step{after, minCols + rng.IntN(maxCols-minCols+1), minRows + rng.IntN(maxRows-minRows+1)})
	}
	switch manner {
	case "still":
		return nil, nil
	case "random":
		for range n {
			size(between(30*ms, 450*ms))
		}
	case "bursts":
		for len(steps) < n {
			size(between(400*ms, 1200*ms))
			for range min(1+rng.IntN(5), n-len(steps)) {
				size(between(4*ms, 10*ms)) // five of them at most
			}
		}
	case "drags":
		cols, rows := Cols, Rows
		for range max(n/5, 1) {
			to := Step{0, minCols + rng.IntN(maxCols-minCols+1), minRows + rng.IntN(maxRows-minRows+1)}
			wait := between(300*ms, 1200*ms)
			for cols != to.Cols || rows != to.Rows {
				cols, rows = stepTowards(cols, to.Cols, 8), stepTowards(rows, to.Rows, 3)
				steps = append(steps, Step{wait, cols, rows})
				wait = 20 * ms
			}
		}
	case "single":
		for range max(n/5, 1) {
			size(1600 * ms)
		}
	case "pane":
		for range paneSizes {
			size(between(200*ms, 1700*ms))
		}
	case "unlucky":
		for len(steps) < n {
			cols, rows := 10+rng.IntN(12), minRows+rng.IntN(maxRows-minRows+1)
			for _, to := range []int{cols, []int{2 * cols, 2*cols + 1, 3*cols + 1}[rng.IntN(3)]} {
				steps = append(steps, Step{between(30*ms, 450*ms), to, rows})
			}
		}
	default:
		return nil, fmt.Errorf("no manner is called %q, but %s", manner, strings.Join(Manners, ", "))
	}
	if manner == "drags" {
		steps = append(steps, Step{400 * ms, Cols, Rows})
	}
	if manner == "unlucky" {
		steps = steps[:n]
	}
	steps = slices.Clip(steps)
	steps[len(steps)-1].Cols, steps[len(steps)-1].Rows = Cols, Rows
	return steps, nil
}

// stepTowards returns a number between n and the number to, at most the step by away from n.
func stepTowards(n, to, by int) int {
	if n < to {
		return min(n+by, to)
	}
	return max(n-by, to)
}

// Duration returns the time that all steps take together.
func Duration(steps []Step) time.Duration {
	var d time.Duration
	for _, s := range steps {
		d += s.After
	}
	return d
}
