package harness

import (
	"fmt"
	"slices"
)

// scrollView scrolls the view of the simulated user n rows up into history, or back to the end if n
// is 0, and stores the final rows in view for checkView.
func (h *harness) scrollView(n int) {
	h.term.ScrollUp(-1 << 30)
	h.view.rows = nil
	if n <= 0 || h.session.unwritten || !h.ledger.topKnown {
		return
	}
	if h.term.ScrollUp(n); h.term.ScrollbackLen() == 0 {
		return
	}
	h.view.top = h.term.Scrolled() - min(n, h.term.ScrollbackLen())
	rows := h.term.Rows()
	final := h.term.Scrolled() + h.ledger.liveTop() - h.view.top // of the rows in view
	h.view.rows = slices.Clone(rows[:max(0, min(final, len(rows)))])
}

// checkView returns an error if output has changed the final rows that a user sees who has scrolled
// up.
func (h *harness) checkView() error {
	if h.view.rows == nil || h.movesView() || h.term.Scrolled()-h.term.ScrollbackLen() > h.view.top {
		return nil
	}
	if rows := h.term.Rows(); !slices.Equal(rows[:len(h.view.rows)], h.view.rows) {
		return fmt.Errorf("a scrolled reader sees %.40q instead of %.40q", rows[:len(h.view.rows)], h.view.rows)
	}
	return nil
}
