package trial

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// Film compares docs/pictures/<name>.svg with a film of the program that the function program
// returns, in a window of 60 columns. An example has the name of its directory. shows describes the
// film in words. do is as in [Play]; it sends a key each second, and a letter each tenth of a
// second; "~3s" waits. At the end the film continues for two seconds.
func Film(t *testing.T, name, shows string, rows int, program func() *tui.App, do ...string) {
	t.Helper()
	var svg []byte
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, program(), tuitest.Config{Cols: 60, Rows: rows, Before: "$ " + name + "\n"})
		film := s.Film(shows)
		for _, step := range do {
			if wait, ok := strings.CutPrefix(step, "~"); ok {
				d, err := time.ParseDuration(wait)
				if err != nil {
					t.Fatal(err)
				}
				s.Pass(d)
			} else if key, ok := strings.CutPrefix(step, "<"); ok {
				s.Pass(time.Second)
				s.Press(strings.TrimSuffix(key, ">"))
			} else {
				for _, r := range step {
					s.Pass(100 * time.Millisecond)
					s.Type(string(r))
				}
			}
		}
		s.Pass(2 * time.Second)
		svg = film.SVG()
	})
	tuitest.Golden(t, "../../../docs/pictures/example-"+name+".svg", svg)
}
