package renderer

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// The answer comes some frames later; at the end the size changes.
func TestTopIsTheRowOfTheFirstLiveRowWheneverItIsKnown(t *testing.T) {
	knew, steps := 0, 0
	eachSeed(t, func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(t, seed, 40, 6+rng.IntN(30), rng.IntN(8), false)
		var answers [][]string // of requests
		for i := range 60 {
			if w.step(); i == 59 {
				w.overlay, answers = nil, nil
				w.resize(20+rng.IntN(60), 4+rng.IntN(30), rng.IntN(4) == 0)
				if _, err := w.r.Render(Frame{Base: w.handed, Live: w.live}); err != nil {
					t.Fatal(err)
				}
			}
			w.term.TakeReplies()
			if _, err := w.r.Locate(); err != nil {
				t.Fatal(err)
			}
			answers = append(answers, cpr.FindAllStringSubmatch(string(w.term.TakeReplies()), -1)...)
			for len(answers) > 0 && rng.IntN(3) > 0 {
				row, _ := strconv.Atoi(answers[0][1])
				col, _ := strconv.Atoi(answers[0][2])
				w.r.Anchor(col-1, row-1)
				answers = answers[1:]
			}
			steps++
			if top, known := w.r.Top(); known {
				knew++
				if got := w.term.Cursor().Row - w.r.ledger.cursor.Row; got != top {
					w.fail("the live region begins on row %d, not on %d; %+v", got, top, w.r.topReport)
				}
			}
		}
	})
	if t.Logf("known after %d of %d frames", knew, steps); knew < steps/2 {
		t.Error("it is seldom known")
	}
}
