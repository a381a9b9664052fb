package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	log(t)
	trial.Film(t, "tail", "The lines of a log are history, and a pane searches them", 14, program, "~2s", "/", "slow",
		"<enter>", "~1s", "q")
}
