package tui

const (
	liveRows = 12 // App.LiveRows
	paneRows = 12 // the least that half of the window stands for in App.PaneRows
)

// liveLimit is the most rows of the live region in a window of this height: [App.LiveRows], or
// [App.PaneRows] while an overlay stands in the footer's place. That is low, too, in a careful
// frame: the next size may be there already, and what finds no room in it goes into history.
func (l *loop) liveLimit() int {
	switch {
	case !l.replaced():
		return l.most(l.app.LiveRows, min(liveRows, max(l.rows/2, 1)))
	case l.careful:
		return min(paneRows, l.most(l.app.PaneRows, paneRows))
	}
	return l.most(l.app.PaneRows, max(paneRows, l.rows/2))
}

// most is n, or another number if that is not set, and no more rows than there are.
func (l *loop) most(n, or int) int {
	if n <= 0 {
		n = or
	}
	return min(n, l.rows)
}

// measure finds App.Room, after the first frame and the first one of a new size: the footer was
// asked for it a moment ago.
func (l *loop) measure() {
	window := Pos{Col: l.cols, Row: l.rows}
	if l.term == nil || l.full != nil || l.measured == window {
		return
	}
	l.measured = window
	limit := l.most(l.app.LiveRows, min(liveRows, max(l.rows/2, 1)))
	l.state.mu.Lock()
	l.state.room = Pos{Col: l.cols, Row: max(limit-len(l.footer.view.Lines), 1)}
	l.state.mu.Unlock()
	if len(l.t.blocks) > 0 {
		l.t.touch()
		l.want(ordinary, "room")
	}
}
