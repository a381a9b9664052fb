package app

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// A pane that is scrolled in a real tmux, on the whole screen and above the transcript, shows what
// it shows when all of it is painted anew, looks included, and puts nothing into the history.
func TestScrollingInTmuxLeavesExactScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 10}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			p := newPane(t, size[0], size[1])
			var before, after strings.Builder
			for i := range 300 {
				fmt.Fprintf(&before, "\tif value%d == table[%d] { // %s\n", i, i*i, strings.Repeat("x", i%37))
				if i%3 == 0 {
					fmt.Fprintf(&after, "\tif other%d != table[%d] {\\n", i, i*i)
					continue
				}
				fmt.Fprintf(&after, "\tif value%d == table[%d] { // %s\\n", i, i*i, strings.Repeat("x", i%37))
			}
			p.write("big.go", before.String())
			p.start(`{"say":"Now.","tool_calls":[{"id":"c","name":"write_file","input":{"path":"big.go","content":"` +
				strings.ReplaceAll(after.String(), "\t", `\t`) + `"}}]}`)
			p.line("go")
			p.armed()
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 1))
			rest := func() (screen string) { // once nothing moves
				calm := 0
				p.wait("a screen that rests", func() bool {
					was := screen
					if screen = p.tmux("capture-pane", "-p", "-e"); screen != was {
						calm = 0
					}
					calm++
					return calm > 3
				})
				return screen
			}
			// A letter acts after a pause.
			toggle := func() (screen string) {
				was := rest()
				p.keys("f")
				p.wait("the other screen", func() bool { return p.tmux("capture-pane", "-p", "-e") != was })
				return rest()
			}
			saved := p.tmux("display-message", "-p", "#{history_size}")
			for round := range 2 {
				if round == 1 {
					toggle()
					p.armed()
				}
				var keys []string
				for range 8 {
					k := []string{"j", "j", "j", "k", "k", "C-d", "C-u", "Space", "b", "w"}[rng.IntN(10)]
					keys = append(keys, k)
					p.keys(k)
					rest() // keys that come together are one frame
				}
				got := rest()
				toggle()
				toggle()
				p.armed()
				for i, want := range looks(rest(), size[0]) {
					if was := looks(got, size[0])[i]; was != want {
						t.Errorf("seed %d, round %d, after %v: row %d is\n%s\npainted anew\n%s", seed, round, keys,
							i, was, want)
					}
				}
				if n := p.tmux("display-message", "-p", "#{history_size}"); round == 0 && n != saved {
					t.Fatalf("seed %d, round %d, after %v: %s rows in history, there were %s", seed, round,
						keys, n, saved)
				}
			}
		})
	}
}

// looks returns each row of what tmux has captured, cell by cell; blanks at its end that show
// nothing are cut.
func looks(captured string, cols int) (rows []string) {
	captured = strings.TrimSuffix(captured, "\n")
	term := vt.New(vt.Config{Cols: cols + 1, Rows: strings.Count(captured, "\n") + 1})
	term.WriteString(strings.ReplaceAll(captured, "\n", "\r\n"))
	_, n := term.Size()
	for y := range n {
		var b strings.Builder
		seen := 0
		for _, c := range term.Row(y).Cells() {
			fmt.Fprintf(&b, "%q %+v; ", c.Text, c.Style)
			if c.Text != "" && c.Text != " " || c.Style.Bg != 0 || c.Style.Attr&vt.Inverse != 0 ||
				c.Style.Underline != 0 {
				seen = b.Len()
			}
		}
		rows = append(rows, b.String()[:seen])
	}
	return rows
}
