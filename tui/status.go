package tui

import "time"

// Status is one row that tells what runs: a spinner, Text, the time since Since, Hint. It has no rows while Text is empty.
type Status struct {
	Text, Hint string
	Since      time.Time // zero: no time is shown
	Still      bool      // no spinner
}

// View is one row or none.
func (st *Status) View(s Space) View { return View{} }
