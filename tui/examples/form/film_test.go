package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	trial.Film(t, "form", "A form with texts, a secret, choices and a yes or no is filled", 12, account,
		"Ada", "<enter>", "ada", "<enter>", "@example.org", "<enter>", "hunter22", "<enter>", "tm", "<enter>",
		"<space>", "<down>", "<down>", "<space>", "<tab>", "<right>", "<enter>")
}
