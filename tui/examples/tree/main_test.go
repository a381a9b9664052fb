package main

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func program(t *testing.T) func() *tui.App {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"d/src/main.go": "package main\n\nfunc main() {\x1b[2J}\n", "d/notes.txt": "a note", "d/z\x1b[2J.txt": "evil",
	} {
		if err := os.MkdirAll(name[:strings.LastIndex(name, "/")], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return func() *tui.App { return tree("d") }
}

const text = `d
1 ▸ src/
2   notes.txt  6 B
3   z␛[2J.txt  4 B
`

func TestAFileIsChosenInAFolder(t *testing.T) {
	trial.Run(t, program(t), trial.Play{Do: []string{"<right>", "<down>", "<tab>", "<end>", "<shift+tab>", "<enter>"},
		Rows: []string{"src/main.go"}, Lines: "src\nsrc/main.go\n", Text: text + "src/main.go\n"})
}

func TestCtrlCLeaves(t *testing.T) {
	trial.Run(t, program(t), trial.Play{Do: []string{"<ctrl+c>"}, Err: tui.ErrInterrupted, Text: text})
}

func TestTheTextStandsBesideTheFiles(t *testing.T) {
	make := program(t)
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, make(), tuitest.Config{Cols: 40, Rows: 6})
		s.Press("right", "down")
		s.Want("d               src/main.go", "  ▾ src/        package main", "›     main.go …",
			"    notes.txt … func main() {␛[2J}", "    z␛[2J.txt … Enter chooses, Tab chan…")
		s.Click(6, 3)
		if got := s.Visible(); !strings.Contains(got, "a note") {
			t.Errorf("after a click:\n%s", got)
		}
	})
}
