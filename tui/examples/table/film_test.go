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
	if err := errors.Join(
		os.WriteFile("rivers.csv", []byte("Name,km\nRhine,1230\nPo,652\nDanube,2850\n"), 0o600),
		os.WriteFile("lakes.csv", []byte("Lake,depth\nComo,425\nLadoga,230\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	trial.Film(t, "table", "CSV files in tabs are sorted, and a row is chosen", 8,
		func() *tui.App { return table("rivers.csv", "lakes.csv") }, "~1s", "<right>", "~1s", "s", "~1s", "s", "<tab>",
		"<down>", "<shift+tab>", "<home>", "<enter>")
}
