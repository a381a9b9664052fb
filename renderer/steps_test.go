package renderer

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Where CHA leads elsewhere no column is named by it, and the screen is the same.
func TestColumnsAreReachedFromTheFirstWhereCHALeadsElsewhere(t *testing.T) {
	named := regexp.MustCompile(`\x1b\[\d*G`)
	play := func(q Quirks) (screen string, cha int) {
		term := vt.New(vt.Config{Cols: 60, Rows: 12, Scrollback: 100})
		s := newSession(Config{Cols: 60, Rows: 12, Quirks: q})
		show := func() {
			cha += len(named.FindAll(s.out.Bytes(), -1))
			_, _ = term.Write(s.out.Bytes())
			s.out.Reset()
		}
		for i := range 12 {
			text := fmt.Sprintf("row %d \u2764\ufe0f and \U0001F468\u200d\U0001F469 end, a longer one %d", i, i*i)
			live := []Line{{Spans: []Span{{Text: text}}}, {Spans: []Span{{Text: "a prompt that is there"}}}}
			commit := []Line{{Spans: []Span{{Text: text}}}}
			f := Frame{Base: i, Commit: commit, Live: live, Cursor: &Pos{Row: 1, Col: (i * 17) % 60}}
			if _, err := s.r.Render(f); err != nil {
				t.Fatal(err)
			}
			show()
		}
		s.r.Resize(50, 12)
		term.Resize(50, 12)
		if err := s.r.Ask(); err != nil {
			t.Fatal(err)
		}
		show()
		return term.String(), cha
	}
	screen, cha := play(Quirks{})
	if cha == 0 {
		t.Error("no column is named at all: this says nothing")
	}
	other, cha := play(Known("emacs"))
	if cha > 0 || other != screen {
		t.Errorf("%d columns are named; the screen is\n%s\nand should be\n%s", cha, other, screen)
	}
}
