package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "overlay", "A question stands over a log that goes on", 8, overlay, "~3s", "y")
}
