package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// guess shows views one after the other to an inferred component and returns what it takes for
// final after each.
func guess(n *inferred, c *rows, views ...string) (stable []int) {
	for _, v := range views {
		c.lines = strings.Fields(v)
		stable = append(stable, n.View(Space{Width: 40}).Stable)
	}
	return stable
}

func newInferred() (*inferred, *rows) {
	c := &rows{}
	return Infer(c).(*inferred), c
}

func TestInferTrustsABlockThatOnlyGrows(t *testing.T) {
	n, c := newInferred()
	got := guess(n, c, "a spin1", "a b spin2", "a b c spin3", "a b c d spin4")
	if fmt.Sprint(got) != "[0 1 2 3]" {
		t.Errorf("RC-22: %v", got)
	}
}

func TestInferSuspendsGrowthAfterARewrite(t *testing.T) {
	n, c := newInferred()
	guess(n, c, "a b c d e f", "a X c d e f") // above the tail
	if n.untrustedViews != inferCleanViews {
		t.Fatalf("RC-22: a rewrite does not suspend: wait %d", n.untrustedViews)
	}
	view := "a X c d e f"
	for i := range inferCleanViews - 1 {
		view += fmt.Sprint(" g", i)
		if got := guess(n, c, view)[0]; got != 0 {
			t.Fatalf("RC-22: after %d clean views %d rows are taken for final", i+1, got)
		}
	}
	if got := guess(n, c, view+" h")[0]; got == 0 {
		t.Error("RC-22: growth is never trusted again")
	}
}

func TestInferTrustsRowsThatHaveStoodAlthoughTheTailChanges(t *testing.T) {
	n, c := newInferred()
	for i := range inferSameViews + 1 {
		tail := ""
		for k := range 5 { // more than the tail that may always change
			tail += fmt.Sprintf(" t%d.%d", k, i)
		}
		got := guess(n, c, "a b c"+tail)[0]
		if want := 0; i < inferSameViews && got != want {
			t.Fatalf("RC-23: after %d views %d rows are taken for final", i+1, got)
		} else if i == inferSameViews && got != 3 {
			t.Fatalf("RC-23: after the window %d rows are taken for final, want 3", got)
		}
	}
}

func TestInferNeverTrustsAgainWhereItWasWrong(t *testing.T) {
	n, c := newInferred()
	if got := guess(n, c, "a b c d e", "a b c d e")[1]; got != 3 {
		t.Fatalf("%d rows are taken for final", got)
	}
	view := "a B c d e"
	for i := range 3 * inferSameViews {
		if got := guess(n, c, view)[0]; got > 1 {
			t.Fatalf("RC-24: in view %d %d rows are taken for final", i, got)
		}
	}
	if n.noGuessFrom != 1 {
		t.Errorf("RC-24: the floor is %d", n.noGuessFrom)
	}
}

func TestInferFloorMovesWithInsertionsAboveIt(t *testing.T) {
	n, c := newInferred()
	guess(n, c, "a b c d e f g h", "a b c d e f g h", "a b c D e f g h") // wrong at 3
	if n.noGuessFrom != 3 || n.stable != 3 {
		t.Fatalf("floor %d, stable %d", n.noGuessFrom, n.stable)
	}
	n.stable = 1 // rows 1 and 2 were not taken for final
	guess(n, c, "a x y b c D e f g h")
	if n.noGuessFrom != 5 {
		t.Errorf("RC-24: the floor is %d, want 5", n.noGuessFrom)
	}
}

func TestInferDoesNotArmTheFloorByALayoutAnew(t *testing.T) {
	n, c := newInferred()
	guess(n, c, "a b c d e")
	n.View(Space{Width: 20})
	c.lines = strings.Fields("A B C D E F")
	n.View(Space{Width: 10})
	if n.noGuessFrom != -1 {
		t.Errorf("RC-24: the floor is %d", n.noGuessFrom)
	}
}

func TestInferredBlockDuplicatesAndNeverLoses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 20, 12)
		c := &rows{}
		b := app.Transcript().Append(Infer(c))
		for i := 1; i <= 6; i++ {
			b.Update(func() { c.lines = append(numbered("row %d", 1, i), "tail") })
			r.settle()
		}
		b.Update(func() { c.lines[1] = "ROW 2" }) // it is in history
		r.settle()
		b.Done()
		r.settle()
		r.want("row 1", "--", "row 2", "row 3", "row 4", "row 5", "(written again)", "ROW 2", "row 3", "row 4", "row 5",
			"row 6", "tail", "f")
		r.quit()
	})
}

// Each rule on the tape of a block that is taller than the screen: what it brings into history, and
// what it spares of copies.
func TestInferenceOnTheTape(t *testing.T) {
	for _, c := range []struct {
		name  string
		views int
		view  func(i int) []string
		least int // rows in history before the end
		marks int // guesses that were taken back
	}{
		{"RC-22 a block that grows", 20, func(i int) []string {
			return append(numbered("row %d", 1, i), fmt.Sprint("spin ", i))
		}, 12, 0},
		{"RC-22 a row that is rewritten now and then", 40, func(i int) []string {
			rows := numbered("row %d", 1, i)
			if i >= 3 {
				rows[2] = fmt.Sprint("step ", i/5)
				if i < 6 {
					rows[2] = fmt.Sprint("begin ", i)
				}
			}
			return append(rows, "spin")
		}, 2, 0},
		{"RC-23 a tail that never rests", 25, func(i int) []string {
			rows := numbered("head %d", 1, 6)
			for k := range 9 {
				rows = append(rows, fmt.Sprintf("tail %d.%d", k, i))
			}
			return rows
		}, 6, 0},
		{"RC-24 a row that changes after a long rest", 120, func(i int) []string {
			rows := numbered("row %d", 1, 12)
			rows[1] = fmt.Sprint("state ", i/20)
			return rows
		}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				app := &App{Footer: NewText("f"), LiveRows: 8}
				r := start(t, app, 30, 8)
				comp := &rows{}
				b := app.Transcript().Append(Infer(comp))
				for i := range c.views {
					b.Update(func() { comp.lines = c.view(i + 1) })
					r.settle()
				}
				if n := strings.Count(r.tape(), "\n--\n"); n == 0 ||
					strings.Count(strings.SplitN(r.tape(), "\n--\n", 2)[0], "\n")+1 < c.least {
					t.Errorf("fewer than %d rows are in history:\n%s", c.least, r.tape())
				}
				b.Done()
				r.settle()
				tape := strings.ReplaceAll(r.tape(), "--\n", "")
				if n := strings.Count(tape, "(written again)"); n != c.marks {
					t.Errorf("%d guesses were taken back, want %d:\n%s", n, c.marks, tape)
				}
				rest := tape
				for _, row := range c.view(c.views) {
					_, after, ok := strings.Cut(rest, row+"\n")
					if !ok {
						t.Fatalf("%q is lost:\n%s", row, tape)
					}
					rest = after
				}
				r.quit()
			})
		})
	}
}
