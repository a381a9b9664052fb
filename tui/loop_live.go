package tui

const (
	defaultLiveRows    = 12 // default of App.LiveRows
	minDefaultPaneRows = 12 // lower limit for the default of App.PaneRows
	// The same limits for terminals that push the top rows into history when the window gets lower
	// (Quirks.PushesLive). lowPaneRows also limits an overlay in the footer's place for a second
	// after a change of size. Nearly all windows have that many rows, and the agent shell needs
	// them to ask about a change.
	lowLiveRows, lowPaneRows = 8, 6
)

// liveLimit returns the maximum number of rows of the live region: [App.LiveRows], or
// [App.PaneRows] while an overlay replaces the footer. In a careful frame the limit is low, since
// the window may be lower already and would push rows above it into history.
func (l *loop) liveLimit() int {
	pushes := quirksOf(l.caps).PushesLive
	switch {
	case !l.footerReplaced():
		return l.footLimit()
	case l.frames.careful && pushes:
		return min(lowPaneRows, l.clampRows(l.app.PaneRows, lowPaneRows))
	case l.frames.careful:
		return min(minDefaultPaneRows, l.clampRows(l.app.PaneRows, minDefaultPaneRows))
	case pushes:
		return l.clampRows(l.app.PaneRows, min(minDefaultPaneRows, max(l.rows/2, lowPaneRows)))
	}
	return l.clampRows(l.app.PaneRows, max(minDefaultPaneRows, l.rows/2))
}

// footLimit returns the limit that liveLimit has while no overlay replaces the footer.
func (l *loop) footLimit() int {
	return l.clampRows(l.app.LiveRows, min(defaultLiveRows, max(l.rows/2, 1)))
}

// tailLimit returns the maximum number of rows of the end of an answer together with the footer. It
// is the footLimit, or less if the terminal pushes rows into history when the window gets lower.
func (l *loop) tailLimit() int {
	if quirksOf(l.caps).PushesLive {
		return min(l.footLimit(), l.clampRows(l.app.LiveRows, lowLiveRows))
	}
	return l.footLimit()
}

// clampRows returns n, or the default or if n is not set, limited to the rows of the window.
func (l *loop) clampRows(n, or int) int {
	if n <= 0 {
		n = or
	}
	return min(n, l.rows)
}

// updateLiveSize computes the result of App.LiveSize, once the footer was laid out for a new window
// size.
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
