package tui

const (
	liveRows = 12 // App.LiveRows
	paneRows = 12 // the least value of half of the window for App.PaneRows
	// The same in terminals that push the upper rows of a window that gets lower into history
	// (Quirks.PushesLive). lowPane also limits a pane there for a second after a change of size.
	// Nearly all windows have so many rows, and the shell asks for a change in so many at least.
	lowLive, lowPane = 8, 6
)

// liveLimit returns the most rows of the live region: [App.LiveRows], or [App.PaneRows] while an
// overlay stands in the footer's place. It is low in a careful frame, too: the window may be lower
// already, and rows above it would go into history.
func (l *loop) liveLimit() int {
	pushes := quirksOf(l.caps).PushesLive
	switch {
	case !l.footerReplaced():
		return l.footLimit()
	case l.frames.careful && pushes:
		return min(lowPane, l.clampRows(l.app.PaneRows, lowPane))
	case l.frames.careful:
		return min(paneRows, l.clampRows(l.app.PaneRows, paneRows))
	case pushes:
		return l.clampRows(l.app.PaneRows, min(paneRows, max(l.rows/2, lowPane)))
	}
	return l.clampRows(l.app.PaneRows, max(paneRows, l.rows/2))
}

// footLimit returns liveLimit without an overlay in the footer's place.
func (l *loop) footLimit() int { return l.clampRows(l.app.LiveRows, min(liveRows, max(l.rows/2, 1))) }

// tailLimit returns the most rows of the end of an answer and the footer together: footLimit, or
// less where a lower window pushes them into history.
func (l *loop) tailLimit() int {
	if quirksOf(l.caps).PushesLive {
		return min(l.footLimit(), l.clampRows(l.app.LiveRows, lowLive))
	}
	return l.footLimit()
}

// clampRows returns n, or the number in or if n is not set, but no more rows than the window has.
func (l *loop) clampRows(n, or int) int {
	if n <= 0 {
		n = or
	}
	return min(n, l.rows)
}

// updateLiveSize finds App.LiveSize after the first frame and the first one of a new size: the
// footer has just been laid out.
func (l *loop) updateLiveSize() {
	window := Pos{Col: l.cols, Row: l.rows}
	if l.term == nil || l.chrome.fullScreen != nil || l.measuredWindow == window {
		return
	}
	l.measuredWindow = window
	l.state.mu.Lock()
	l.state.liveSize = Pos{Col: l.cols, Row: max(l.tailLimit()-len(l.chrome.footer.view.Lines), 1)}
	l.state.mu.Unlock()
	if len(l.transcript.blocks) > 0 {
		l.transcript.markLiveDirty()
		l.requestFrame(ordinary, "room")
	}
}
