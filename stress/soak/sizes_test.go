package soak

import (
	"testing"
	"time"
)

func TestSizesKeepTheirMannerAndEndWhereTheyBegan(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		manner        string
		fewest, most  int           // steps of 50 sizes
		least, widest time.Duration // between two steps
	}{
		{"still", 0, 0, 0, 0},
		{"random", 50, 50, 30 * ms, 450 * ms},
		{"bursts", 50, 50, 4 * ms, 1200 * ms},
		{"drags", 60, 250, 20 * ms, 1200 * ms},
		{"single", 10, 10, 1600 * ms, 1600 * ms},
		{"pane", 8, 8, 200 * ms, 1700 * ms},
		{"unlucky", 50, 50, 30 * ms, 450 * ms},
	} {
		t.Run(c.manner, func(t *testing.T) {
			for seed := range uint64(50) {
				steps, err := Sizes(c.manner, seed, 50)
				if err != nil {
					t.Fatal(err)
				}
				if len(steps) < c.fewest || len(steps) > c.most {
					t.Fatalf("seed %d: %d steps, want %d to %d", seed, len(steps), c.fewest, c.most)
				}
				for i, s := range steps {
					if s.After < c.least || s.After > c.widest {
						t.Errorf("seed %d: step %d comes after %v", seed, i, s.After)
					}
					least := minCols
					if c.manner == "unlucky" {
						least = 10
					}
					if s.Cols < least || s.Cols > maxCols || s.Rows < minRows || s.Rows > maxRows {
						t.Errorf("seed %d: step %d is %dx%d", seed, i, s.Cols, s.Rows)
					}
				}
				if n := len(steps); n > 0 && (steps[n-1].Cols != Cols || steps[n-1].Rows != Rows) {
					t.Errorf("seed %d: the last size is %dx%d", seed, steps[n-1].Cols, steps[n-1].Rows)
				}
			}
		})
	}
}

func TestABurstLastsNoLongerThan50Milliseconds(t *testing.T) {
	for seed := range uint64(50) {
		steps, err := Sizes("bursts", seed, 50)
		if err != nil {
			t.Fatal(err)
		}
		burst := time.Duration(0)
		for i, s := range steps {
			if burst += s.After; s.After >= 400*time.Millisecond {
				burst = 0
			}
			if burst > 50*time.Millisecond {
				t.Errorf("seed %d: the burst of step %d lasts %v", seed, i, burst)
			}
		}
	}
}

func TestAnUnknownMannerIsNamed(t *testing.T) {
	if _, err := Sizes("wild", 1, 50); err == nil {
		t.Error("no error")
	}
}
