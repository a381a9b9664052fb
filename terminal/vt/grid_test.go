package vt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sketch returns a grid in one line: rows behind a bar are of the grid, > and < stand for the two
// ends of a soft wrap.
func sketch(g *Grid) string {
	var b strings.Builder
	for i, r := range g.Tape {
		if i == g.History() {
			b.WriteByte('|')
		}
		if r.Continues {
			b.WriteByte('<')
		}
		for _, c := range r.Cells[:r.Used] {
			if c.HasText() {
				b.WriteRune(rune(c.content()))
			}
		}
		if r.Wrapped {
			b.WriteByte('>')
		}
		b.WriteByte('/')
	}
	fmt.Fprintf(&b, " %v", g.Cursor)
	if g.Saved != nil {
		fmt.Fprintf(&b, " saved %v", *g.Saved)
	}
	return b.String()
}

func TestALayoutOfAnothersIsAskedAndAdopted(t *testing.T) {
	var asked []string
	term := New(
		Config{Cols: 4, Rows: 2, Scrollback: 10, Personality: Personality{Relayout: func(g *Grid, cols, rows int) {
			asked = append(asked, fmt.Sprintf("%s alt %v active %v to %dx%d", sketch(g), g.Alt, g.Active, cols, rows))
			last := g.Tape[len(g.Tape)-1] // all but the last row goes
			cells := make([]TapeCell, cols)
			n := copy(cells, last.Cells)
			g.Tape = []*TapeRow{{Cells: cells, Used: min(n, last.Used), Wrapped: true, Continues: true, Ended: true,
				Prompt: PromptStart}}
			g.Cursor = Place{X: 99, Y: 99}
			g.Saved = &Place{X: 1}
			for _, m := range g.Marks {
				m.X, m.Y = 2, 0
			}
		}}})
	term.WriteString("one\r\n" + gfx("a=T,i=1,p=1,s=8,v=16,q=2,C=1", pixels(128)) + "twothree\x1b[?1049h")
	term.Resize(6, 3)
	if want := []string{
		"one/|twot>/<hree/ {3 1 true} saved {3 1 true} alt false active false to 6x3",
		"|// {3 1 true} alt true active true to 6x3",
	}; !slices.Equal(asked, want) {
		t.Errorf("asked was %q, want %q", asked, want)
	}
	if err := term.Check(); err != nil {
		t.Fatal(err)
	}
	term.WriteString("\x1b[?1049l")
	if got, want := strings.Join(term.Tape(), "/"), "hree"; got != want || term.Row(0).Prompt() != PromptStart {
		t.Errorf("the tape is %q, prompt %v, want %q", got, term.Row(0).Prompt(), want)
	}
	if r := term.active.row(0); !r.has(wrapped) || !r.has(continuation) || !r.has(lineEnded) {
		t.Errorf("the flags of the row are %b", r.flags)
	}
	if got, want := placements(term), "1/1 at 0,2 1x1"; got != want {
		t.Errorf("placements %q, want %q", got, want)
	}
	if c := term.Cursor(); c.Row != 0 || c.Col != 1 { // which leaving the alternate screen restores
		t.Errorf("the cursor is at %d,%d", c.Row, c.Col)
	}
	term.WriteString("\x1b[?2026h")
	term.Resize(6, 4)
	if c := term.Cursor(); c.Row != 3 || c.Col != 5 {
		t.Errorf("the cursor is at %d,%d, want the last cell", c.Row, c.Col)
	}
}

func TestARowOfAnotherWidthIsNotAdopted(t *testing.T) {
	term := New(Config{Cols: 4, Rows: 2, Personality: Personality{Relayout: func(*Grid, int, int) {}}})
	term.Resize(4, 3)
	defer func() {
		if recover() == nil {
			t.Error("rows of 4 cells are taken for rows of 5")
		}
	}()
	term.Resize(5, 3)
}
