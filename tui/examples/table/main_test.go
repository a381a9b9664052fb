package main

import (
	"os"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func program(t *testing.T) func() *tui.App {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"rivers.csv": "Name,km\nRhine,1230\nPo,652\nDanube,2850\n", "empty.csv": "",
		"lakes.csv": "Lake,depth\nComo,425\n\"Ev\x1b[2Jil\",1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func() *tui.App { return table("rivers.csv", "lakes.csv", "empty.csv", "none.csv") }
}

const text = `rivers.csv
  Name    km
1 Rhine   1230
2 Po      652
3 Danube  2850

lakes.csv
  Lake      depth
1 Como      425
2 Ev␛[2Jil  1

empty.csv
no table: unexpected EOF

none.csv
open none.csv: no such file or directory
`

func TestARowIsSortedForAndChosen(t *testing.T) {
	trial.Run(t, program(t), trial.Play{Do: []string{"<right>", "s", "s", "<home>", "<enter>"},
		Rows: []string{"Danube, 2850"}, Lines: "po\n", Text: text + "Po, 652\n"})
}

func TestTabsAreGoneThroughAndNamesAreHarmless(t *testing.T) {
	trial.Run(t, program(t), trial.Play{Do: []string{"<tab>", "<down>", "<enter>"},
		Rows: []string{"Ev␛[2Jil, 1"}, Text: text})
}

func TestCtrlCLeaves(t *testing.T) {
	trial.Run(t, program(t), trial.Play{Do: []string{"<ctrl+c>"}, Err: tui.ErrInterrupted, Text: text})
}
