package harness

import (
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/stress/program"
)

// A spoiled renderer has a bug that is put between it and the program, where no text has to be
// changed.
type spoiled struct {
	engine
	cols, rows  int // that it was told
	skips       bool
	showsHidden bool
	deaf        bool // to the size that it knows
}

func (s *spoiled) Render(f renderer.Frame) (renderer.Seam, error) {
	if s.skips && len(f.Commit) > 7 {
		f.Commit = f.Commit[1:]
	}
	if s.showsHidden && len(f.Live) > s.rows+3 && f.Overlay == nil {
		f.Commit = append(slices.Clip(f.Commit), f.Live[0])
	}
	return s.engine.Render(f)
}

func (s *spoiled) Resize(cols, rows int) {
	if s.deaf && s.cols == cols && s.rows == rows {
		return
	}
	s.cols, s.rows = cols, rows
	s.engine.Resize(cols, rows)
}

func TestABugBeforeTheRendererIsFound(t *testing.T) {
	for name, bug := range map[string]spoiled{
		"a final row is skipped when several come": {skips: true},
		"hidden rows become final":                 {showsHidden: true},
		"a size that came and went is no news":     {deaf: true},
		"":                                         {},
	} {
		var found error
		for seed := uint64(1); found == nil && seed <= 2000; seed++ {
			p := program.Burst(seed, "ghostty")
			h, err := startSpoiled(p, false, func(r engine) engine {
				s := bug
				s.engine, s.cols, s.rows = r, p.Terminal.Cols, p.Terminal.Rows
				return &s
			})
			if err != nil {
				t.Fatal(err)
			}
			found = h.play(p)
		}
		if (found == nil) != (name == "") {
			t.Errorf("%s: %v", name, found)
		}
		t.Logf("%s: %.100v", name, found)
	}
}
