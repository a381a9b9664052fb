package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "progress", "A row for each step moves until the step is done", 6,
		func() *tui.App { return progress("fetch", "build", "test") }, "~3s")
}
