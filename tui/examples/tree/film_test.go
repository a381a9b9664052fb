package main

import (
	"errors"
	"os"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := errors.Join(os.MkdirAll("src/tides", 0o700),
		os.WriteFile("src/README.md", []byte("The tides of three harbours.\n"), 0o600),
		os.WriteFile("src/tides/moon.go", []byte("package tides\n\n// Moon is its age in days.\ntype Moon float64\n"),
			0o600)); err != nil {
		t.Fatal(err)
	}
	trial.Film(t, "tree", "A directory beside the text of the chosen file", 10,
		func() *tui.App { return tree("src") }, "~1s", "<right>", "<right>", "<down>", "<enter>")
}
