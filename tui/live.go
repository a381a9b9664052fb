package tui

const (
	liveRows = 12 // App.LiveRows
	paneRows = 12 // the least that half of the window stands for in App.PaneRows
)

// liveLimit is the most rows of the live region in a window of this height: [App.LiveRows], or
// [App.PaneRows] while an overlay stands in the footer's place.
func (l *loop) liveLimit() int {
	half := max(l.rows/2, 1)
	n, or := l.app.LiveRows, min(liveRows, half)
	if l.replaced() {
		n, or = l.app.PaneRows, max(paneRows, half)
	}
	if n <= 0 {
		n = or
	}
	return min(n, l.rows)
}
