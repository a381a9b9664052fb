package tui

import "time"

// armOverlay gives the keys to the topmost overlay if its FocusDelay is over.
func (l *loop) armOverlay(now time.Time) {
	o := l.state.topOverlay()
	if o == nil || o.armed || !o.viewed {
		return
	}
	if o.paintedAt.IsZero() && (l.term == nil || l.term.Backlog() == 0) {
		o.paintedAt = now
	}
	if o.armIfDue(now, l.input.lastKey) {
		l.requestFrame(forced, "armed") // it may show that it is armed
	}
}

// updateScene determines since when the terminal has shown the scene of the topmost overlay. It
// returns true if that has changed. A window without the focus shows no scene.
func (l *loop) updateScene(now time.Time) bool {
	o := l.state.topOverlay()
	if o == nil || l.input.unfocused {
		return false
	}
	drainedAt, lastSlow := now, o.scene.sentAt
	switch {
	case l.term == nil:
	case l.proofFailure() != "":
		return o.scene.clear()
	case !l.isProven():
		return false
	default:
		drainedAt, lastSlow = l.term.CaughtUp()
	}
	return o.scene.update(drainedAt, lastSlow)
}

// dropScenes records that rows of the window may be hidden, so that no scene counts as shown.
func (l *loop) dropScenes() {
	for _, o := range l.state.overlays {
		if o.scene.name != "" {
			l.requestFrame(ordinary, "unseen")
		}
		o.scene = sceneState{}
	}
	l.dropProof()
}
