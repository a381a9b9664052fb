package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "chat", "An answer is streamed above the prompt while the next line is typed", 8, chat,
		"hello there", "<enter>", "and what do you say now?", "<enter>", "~2s")
}
