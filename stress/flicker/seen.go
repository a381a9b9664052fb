package flicker

import "fmt"

// Seen is what could be seen within frames and is neither what was there before nor what is there
// after. A step is a sequence or a run of text.
type Seen struct {
	Frames int // of more than one step
	Steps  int

	Lost     int // cells by steps, in rows that stay
	Gone     int // cells by steps, in rows that are written elsewhere
	Worst    int // the most cells that were lost or gone at a time
	Flashed  int // cells by steps
	Needless int // of those lost or flashed: in rows that do not change, or hold nothing but ASCII
	// a row of the grid was wrapped into the next one, before or after: ending a wrap is a reason
	// to erase
	Wraps   bool
	Moved   int // rows by steps
	Detours int // cells by steps

	Unsteady int // frames in which something was lost or gone or flashed
	Shifting int // frames in which rows moved and came back
}

// Add adds the counts of other frames to s.
func (s *Seen) Add(o Seen) {
	s.Frames += o.Frames
	s.Steps += o.Steps
	s.Lost += o.Lost
	s.Gone += o.Gone
	s.Worst = max(s.Worst, o.Worst)
	s.Flashed += o.Flashed
	s.Needless += o.Needless
	s.Wraps = s.Wraps || o.Wraps
	s.Moved += o.Moved
	s.Detours += o.Detours
	s.Unsteady += o.Unsteady
	s.Shifting += o.Shifting
}

// Steady reports whether nothing was lost or gone and nothing flashed.
func (s Seen) Steady() bool { return s.Lost == 0 && s.Gone == 0 && s.Flashed == 0 }

// String returns what was counted, in one line.
func (s Seen) String() string {
	return fmt.Sprintf("%d frames of %d steps: lost %d, gone %d, at most %d at a time, flashed %d, needless %d,"+
		" in %d frames; moved %d in %d; detours %d",
		s.Frames, s.Steps, s.Lost, s.Gone, s.Worst, s.Flashed, s.Needless, s.Unsteady, s.Moved, s.Shifting, s.Detours)
}
