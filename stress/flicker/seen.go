package flicker

import "fmt"

// Seen counts what a user could see during frames that was neither there before nor is there after
// them. A step is one escape sequence or one run of text. "Cells by steps" adds up cells over all
// steps during which they were wrong.
type Seen struct {
	Frames int // number of frames with more than one step
	Steps  int

	Lost     int // cells by steps, missing in rows that stay where they are
	Gone     int // cells by steps, missing from rows that were written at another place
	Worst    int // the most cells that were missing at the same time
	Flashed  int // cells by steps, blank before and after the frame, but not in between
	Needless int // the part of Lost and Flashed in rows that do not change, or have only ASCII
	// Before or after the frame a row was soft-wrapped into the next one. The end of a wrap is a
	// reason to erase.
	Wraps   bool
	Moved   int // rows by steps, above or below both their places
	Detours int // cells by steps, that showed neither their old nor their new content

	Unsteady int // frames in which something was lost, gone or flashed
	Shifting int // frames in which rows moved away and came back
}

// Add adds the counts of o, which are those of other frames, to s. Worst becomes the larger value
// of both.
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

// Steady reports whether nothing was lost, gone or flashed.
func (s Seen) Steady() bool { return s.Lost == 0 && s.Gone == 0 && s.Flashed == 0 }

// String returns all counts in one line.
func (s Seen) String() string {
	return fmt.Sprintf("%d frames of %d steps: lost %d, gone %d, at most %d at a time, flashed %d, needless %d,"+
		" in %d frames; moved %d in %d; detours %d",
		s.Frames, s.Steps, s.Lost, s.Gone, s.Worst, s.Flashed, s.Needless, s.Unsteady, s.Moved, s.Shifting, s.Detours)
}
