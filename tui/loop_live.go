package tui

const (
	liveRows = 12 // App.LiveRows
	paneRows = 12 // the least that half of the window stands for in App.PaneRows
	// The same where a window that gets lower takes what finds no room in it into history
	// (Quirks.PushesLive). lowPane is also what a pane takes there for a second after a change of
	// size: nearly all windows have it, and it is the least in which the shell asks for a change.
	lowLive, lowPane = 8, 6
)

// liveLimit returns the most rows of the live region in a window of this height: [App.LiveRows], or
// [App.PaneRows] while an overlay stands in the footer's place. That is low, too, in a careful
// frame: the next size may be there already, and what finds no room in it goes into history.
func (l *loop) liveLimit() int {
	pushes := quirksOf(l.caps).PushesLive
	switch {
	case !l.replaced():
		return l.footLimit()
	case l.frames.careful && pushes:
		return min(lowPane, l.most(l.app.PaneRows, lowPane))
	case l.frames.careful:
		return min(paneRows, l.most(l.app.PaneRows, paneRows))
	case pushes:
		return l.most(l.app.PaneRows, min(paneRows, max(l.rows/2, lowPane)))
	}
	return l.most(l.app.PaneRows, max(paneRows, l.rows/2))
}

// footLimit is liveLimit while no overlay stands in the footer's place.
func (l *loop) footLimit() int { return l.most(l.app.LiveRows, min(liveRows, max(l.rows/2, 1))) }

// tailLimit returns the most rows of the end of an answer and the footer together: footLimit, or
// less where a lower window pushes them.
func (l *loop) tailLimit() int {
	if quirksOf(l.caps).PushesLive {
		return min(l.footLimit(), l.most(l.app.LiveRows, lowLive))
	}
	return l.footLimit()
}

// most returns n, or another number if that is not set, and no more rows than there are.
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
	if l.term == nil || l.chrome.full != nil || l.measured == window {
		return
	}
	l.measured = window
	l.state.mu.Lock()
	l.state.room = Pos{Col: l.cols, Row: max(l.tailLimit()-len(l.chrome.footer.view.Lines), 1)}
	l.state.mu.Unlock()
	if len(l.t.blocks) > 0 {
		l.t.touch()
		l.want(ordinary, "room")
	}
}
