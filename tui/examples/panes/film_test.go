package main

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestFilm(t *testing.T) {
	trial.Film(t, "panes", "Two panes side by side, the focus moves from one to the other, and a line is kept", 10,
		program(t), "<down>", "<down>", "s", "<tab>", "<tab>", "<up>", "s")
}

func program(t *testing.T, args ...string) func() *tui.App {
	return func() *tui.App {
		app, err := panes(args)
		if err != nil {
			t.Fatal(err)
		}
		return app
	}
}

func TestLinesAreKeptWhateverTheTerminalIs(t *testing.T) {
	trial.Run(t, program(t, "quit=ctrl+q"), trial.Play{Do: []string{"<down>", "<tab>", "s", "q", "<ctrl+q>"},
		Rows: []string{"INT Ctrl+C was pressed."}, PlainErr: terminal.ErrNotTerminal})
}
