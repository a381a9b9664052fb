package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "wizard", "Four questions one after the other; the answers stay", 10, program,
		"ti de", "<enter>", "<backspace>", "<backspace>", "<backspace>", "de", "<enter>", "<down>", "<enter>", "~1s",
		"y", "~1s", "y")
}
