package stress

import (
	"fmt"
	"slices"
)

// scroll takes the reader n rows up, or to the end.
func (w *world) scroll(n int) {
	w.term.ScrollUp(-1 << 30)
	w.view = nil
	if n <= 0 || w.fresh || !w.l.known {
		return
	}
	if w.term.ScrollUp(n); w.term.ScrollbackLen() == 0 {
		return
	}
	w.viewTop = w.term.Scrolled() - min(n, w.term.ScrollbackLen())
	rows := w.term.Rows()
	final := w.term.Scrolled() + w.l.b - w.l.t - w.viewTop // of the rows in view
	w.view = slices.Clone(rows[:max(0, min(final, len(rows)))])
}

// stillInView compares what a scrolled reader sees with what there was.
func (w *world) stillInView() error {
	if w.view == nil || w.profile.OutputJumps || w.term.Scrolled()-w.term.ScrollbackLen() > w.viewTop {
		return nil
	}
	if rows := w.term.Rows(); !slices.Equal(rows[:len(w.view)], w.view) {
		return fmt.Errorf("a scrolled reader sees %.40q instead of %.40q", rows[:len(w.view)], w.view)
	}
	return nil
}
