package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "dashboard", "Two panes with charts that stream, and a dialog over them", 16,
		program, "~3s", "<down>", "<enter>", "~1s", "y", "q")
}
