package tuitest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Whatever bytes come in, in whatever pieces, the program goes on, its live region stays where it
// is and history gets nothing.
func TestNoInputReachesHistoryOrStopsTheProgram(t *testing.T) {
	alphabet := []string{
		"\x1b", "[", "O", "\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\a", "200~", "\x1b[200~", "\x1b[201~", "a", "é", "日",
		"👩‍👩‍👧", "\xff", "\x9b", "\r", "\n", "\t", "\x7f",
		"\x01", "\x0b", "\x17", "\x19", ";", "1", "5", "u", "~", "R", "c", "n", "t", "M", "<", "?", "$y", "A", "B", "C",
		"D", "\x1b[1;1R", "\x1b[?1;2c", "\x1b[I", "\x1b[O",
		"\x1b[97;5u", "\x1b[27;2;13~", "\x1b]11;rgb:0000/0000/0000\x1b\\",
	}
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 7))
			ed := &tui.Editor{}
			app := &tui.App{Footer: tui.NewStack(&tui.Status{Text: "working", Still: true}, ed),
				OnEvent: func(tui.Event) bool { return true }}
			s := Start(t, app,
				Config{Cols: 30, Rows: 8, Before: "$ prog\n",
					Personality: vt.Personality{NoKittyKeyboard: seed%2 == 0}})
			for range 200 {
				var p []byte
				for range 1 + rnd.IntN(6) {
					p = append(p, alphabet[rnd.IntN(len(alphabet))]...)
				}
				for len(p) > 0 { // in pieces
					n := 1 + rnd.IntN(len(p))
					s.tty.send(p[:n])
					p = p[n:]
					if rnd.IntN(3) == 0 {
						s.Settle()
					}
				}
			}
			<-time.After(2 * time.Second) // what waits for the rest of a sequence
			s.tty.send([]byte("\x1b\\\x1b[201~"))
			<-time.After(2 * time.Second)
			s.Settle()
			app.Do(func() { ed.SetText("") })
			s.Type("alive")
			if got := s.Visible(); !strings.HasSuffix(got, "\n› alive") {
				t.Errorf("seed %d: typed text is not shown:\n%s", seed, got)
			}
			app.Quit(nil)
			if err := s.Wait(); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			if got := s.Visible(); got != "$ prog" && s.Scrollback() == "" {
				t.Errorf("seed %d: left on the screen:\n%s", seed, got)
			}
			for _, l := range s.Lines() {
				if l != "$ prog" && l != "" {
					t.Errorf("seed %d: %q is in history", seed, l)
				}
			}
		})
	}
}
