package tui

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// caretIn returns the text of a buffer with a mark where the caret is.
func caretIn(b *buffer) string {
	return joinText(b.units[:b.caret]) + "|" + joinText(b.units[b.caret:])
}

// Undo and redo lead through the states that there were, whatever was done between two of them.
func TestUndoLeadsThroughTheStatesThatThereWere(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var b buffer
		var before []string // of each change that undo takes back
		changed := func(ok bool, was string) {
			if ok {
				before = append(before, was)
			}
		}
		for range rng.IntN(200) {
			was, last := caretIn(&b), b.lastEdit
			switch i, j := rng.IntN(len(b.units)+1), rng.IntN(len(b.units)+1); rng.IntN(9) {
			case 0:
				b.caret, b.lastEdit = i, editNone
			case 1:
				changed(b.kill(min(i, j), max(i, j)), was)
			case 2:
				changed(b.erase(max(b.caret-1, 0), b.caret), was)
			case 3:
				changed(b.yank(rng.IntN(2) == 0), was)
			case 4:
				changed(b.transpose(), was)
			case 5:
				b.beginChange(editNone)
				b.insert("日\n" + strings.Repeat("x", rng.IntN(4)))
				changed(true, was)
			default:
				text := []string{"a", "b", " ", "e", "\u0301", "\u200d", "👩"}[rng.IntN(7)]
				b.typeText(text)
				changed(last != editType || text == " ", was)
			}
		}
		end := caretIn(&b)
		var after []string
		for i := len(before) - 1; i >= 0; i-- {
			after = append(after, caretIn(&b))
			if !b.undoChange() {
				t.Fatalf("seed %d: nothing to undo at change %d", seed, i)
			}
			if got := caretIn(&b); got != before[i] {
				t.Fatalf("seed %d: undoing change %d gives %q, it was %q", seed, i, got, before[i])
			}
		}
		if b.undoChange() {
			t.Fatalf("seed %d: more to undo than was changed", seed)
		}
		for i := len(after) - 1; i >= 0; i-- {
			if !b.redoChange() {
				t.Fatalf("seed %d: nothing to redo", seed)
			}
			if got := caretIn(&b); got != after[i] {
				t.Fatalf("seed %d: redo %d gives %q, it was %q", seed, i, got, after[i])
			}
		}
		if caretIn(&b) != end {
			t.Fatalf("seed %d: the end is %q, was %q", seed, caretIn(&b), end)
		}
	}
}

func TestUndoForgetsWhatIsOldAndKeepsLittle(t *testing.T) {
	e := &Editor{}
	s := Space{Width: 40, Height: 24}
	e.insertPaste(strings.Repeat("a line\n", 40_000))
	e.HandleEvent(Key{Code: 'o', Mods: terminal.Ctrl}, s)
	for range 2 * maxUndoSteps {
		e.buf.typeText(" ")
	}
	held := 0
	for _, c := range e.buf.undo {
		held += len(c.units)
	}
	if len(e.buf.undo) != maxUndoSteps || held > 3*maxUndoSteps {
		t.Errorf("%d changes hold %d units", len(e.buf.undo), held)
	}
	for range 10 { // each holds the whole text
		e.SetText(e.Text())
	}
	held = 0
	for _, c := range e.buf.undo {
		held += len(c.units)
	}
	if n := len(e.buf.units); held > maxUndoUnits+2*n || held < n {
		t.Errorf("%d changes hold %d units of a text of %d", len(e.buf.undo), held, n)
	}
}

// Rows that are kept from the last time are those that a new editor makes of the text.
func TestRowsAreKeptOnlyWhereTheyHold(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		e, s := &Editor{}, Space{Width: 3 + rng.IntN(12), Height: 24}
		for step := range 60 {
			switch b := &e.buf; rng.IntN(8) {
			case 0:
				i, j := rng.IntN(len(b.units)+1), rng.IntN(len(b.units)+1)
				b.kill(min(i, j), min(max(i, j), min(i, j)+10))
			case 1:
				b.undoChange()
			case 2:
				b.redoChange()
			case 3:
				s.Width = 3 + rng.IntN(12)
			case 4:
				b.yank(false)
			default:
				b.caret, b.lastEdit = rng.IntN(len(b.units)+1), editNone
				b.typeText([]string{"x", "word ", "日", "\n", strings.Repeat("long", 9), " "}[rng.IntN(6)])
			}
			if rng.IntN(3) == 0 {
				continue // several changes between two views
			}
			anew := &Editor{buf: buffer{units: e.buf.units}}
			if got, want := e.wrapText(s), anew.wrapText(s); !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d, width %d, %q: rows are %v, made anew %v", seed, step, s.Width,
					e.Text(), got, want)
			}
		}
	}
}
