package layout

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Text that is measured at once has one column a character in each model, and is shown as it is.
func TestDrawnCharactersHaveOneColumn(t *testing.T) {
	counted := 0
	for _, m := range []width.Model{{}, {Method: width.Grapheme}, {Method: width.Leading}, {MarksWrap: true},
		{Ambiguous: true}} {
		for r := rune(1); r < 0x30000; r++ {
			text := string(r)
			cols, ok := drawnColumns(m, text)
			if !ok {
				continue
			}
			counted++
			_, rest, w := m.Next(text)
			if shown, _ := visible.Line(text); cols != 1 || w != 1 || rest != "" || shown != text {
				t.Errorf("%U in %+v: %d columns, and %d; shown as %q", r, m, cols, w, shown)
			}
		}
	}
	if counted < 4*500 {
		t.Errorf("only %d characters", counted)
	}
}
