package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	net(t)
	trial.Film(t, "downloads", "Files are fetched, a row with a bar for each", 5,
		func() *tui.App { return downloads("http://example.org/tides.zip", "http://example.org/moon.zip") }, "~1s")
}
