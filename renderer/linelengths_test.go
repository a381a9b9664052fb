package renderer

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
)

// tmux, 40 columns: some final lines, two live rows, and a cursor that rests behind the first one.
func behindInTmux(t *testing.T, final ...string) *Renderer {
	t.Helper()
	p, _ := profile.ByName("tmux")
	term := p.New(40, 10, 100)
	r := New(Config{Out: term, Cols: 40, Rows: 10, Quirks: Known("tmux")})
	if _, err := r.Render(Frame{Commit: lines(final...), Live: lines("twelve chars", "footer")}); err != nil {
		t.Fatal(err)
	}
	if c := term.Cursor(); c.Row != min(len(final), 8) || c.Col != r.ledger.restColumn() || c.Visible {
		t.Fatalf("the cursor is at %+v", c)
	}
	return r
}

func TestTheCursorRestsBehindARowInTmuxIfNoFinalLineNearItIsAsLong(t *testing.T) {
	for _, c := range []struct {
		want  int
		final []string
	}{
		{12, []string{"a"}},
		{0, []string{"twelve chars"}},
		{12, append([]string{"twelve chars"}, make([]string, 16)...)},
	} {
		if got := behindInTmux(t, c.final...).ledger.restColumn(); got != c.want {
			t.Errorf("%q: %d columns, want %d", c.final, got, c.want)
		}
	}
}

func TestABlankFirstLiveRowInTmuxIsLongerThanBlankFinalLines(t *testing.T) {
	r := New(Config{Cols: 40, Rows: 10, Quirks: Known("tmux")})
	if _, err := r.Render(Frame{Commit: lines("a", ""), Live: lines("", "footer")}); err != nil {
		t.Fatal(err)
	}
	if got := r.ledger.restColumn(); got != 2 {
		t.Errorf("%d columns, want 2: a line of one stands above", got)
	}
}

// Where it is not known how many rows stand above the live region, the column alone decides.
func TestTheColumnInTmuxSaysWhetherTheCursorIsOnItsText(t *testing.T) {
	for _, c := range []struct{ cols, col, row, want int }{
		{60, 12, 3, 3},
		{60, 5, 1, 9},    // behind another line
		{60, 0, 0, 9},    // at the beginning of history
		{5, 2, 4, 2},     // its third piece
		{6, 6, 4, 3},     // the last piece is full
		{6, 5, 4, 3},     // as other versions may say it
		{5, 3, 4, 9},     // a piece of another line
		{60, -1, 3, 9},   // nothing was said
		{60, 12, 0, 0},   // at the top
		{5, 2, 0, 0 - 2}, // its first pieces are in history
	} {
		r := behindInTmux(t, "a", "bb", "ccc")
		r.Resize(c.cols, 10)
		r.resize.floor.known = false
		if got := r.liveTop(c.col, c.row); got != c.want {
			t.Errorf("%+v: row %d", c, got)
		}
	}
}
