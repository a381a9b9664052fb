package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// handleEvent handles one terminal event, which was read at the time at.
func (l *loop) handleEvent(ev Event, at time.Time) {
	switch ev := ev.(type) {
	case Resize:
		if l.sizeSeenEarly && ev.Cols == l.cols && ev.Rows == l.rows && at.Sub(l.clocks.lastResize) < maxSignalDelay {
			l.sizeSeenEarly = false // its news has been taken at a frame
		} else {
			l.beginResize(ev, at)
		}
		l.offerToApp(ev)
		return
	case terminal.StatusReport:
		l.frames.unreadFrames = max(0, l.frames.unreadFrames-1)
		return
	case terminal.SizeReport:
		if ev.Cols != l.cols || ev.Rows != l.rows || l.resize.phase != steady {
			l.sizeRaced = l.sizeRaced || l.frames.unreadFrames > 0
		}
		return
	case terminal.CursorReport:
		if l.takeMeasureReport(ev, at) || l.takeProofReport(ev, at) {
			return
		}
		if l.resize.phase == asking {
			if cols, rows := l.term.Size(); cols != l.cols || rows != l.rows {
				// It is of a size that we have not heard of.
				l.checkSize(at)
				return
			}
			l.noteOvertaken()
		}
		if l.canvas.Anchor(ev.Col, ev.Row) && l.resize.phase == asking {
			l.endResize()
		}
		return
	case terminal.PictureError:
		l.pictures.takeError(image.ID(ev.ID))
		return
	case Focus:
		l.pictures.setFocus(ev.In)
		l.input.unfocused = !ev.In
		l.dropScenes()
	case terminal.Drained:
		l.backlogged = false
		return
	case terminal.Changed:
		l.updateCaps()
		l.markAllDirty()
		l.requestFrame(ordinary, "terminal")
		return
	case terminal.Resumed:
		l.reclaimScreen()
		return
	case Appearance:
		l.updateCaps()
		l.markAllDirty()
		l.requestFrame(ordinary, "appearance")
		l.offerToApp(ev)
		return
	}
	if m, ok := ev.(Mouse); ok {
		if l.handleMouse(m, at) {
			l.markAllDirty()
			l.requestFrame(echo, "mouse")
		}
		return
	}
	if r, ok := ev.(KeyRelease); ok {
		if of := l.keySlot(); of != nil && of.viewed && of.view.Releases && of.offerEvent(r, of.space, l.queue) {
			l.markAllDirty()
			l.requestFrame(echo, "event")
		}
		return
	}
	switch ev.(type) {
	case Key, Paste:
		if l.input.unfocused { // it has the keyboard, whatever it has told of that
			l.input.unfocused = false
			l.dropScenes()
		}
		defer func() { l.input.lastKey = at }() // after the overlay was asked whether it was quiet before this one
		if k, ok := ev.(Key); ok && k.Code == terminal.KeyEnter && k.Mods == 0 {
			l.input.lastTyping = time.Time{} // the text is complete
		} else {
			l.input.lastTyping = at
		}
	}
	if !l.routeEvent(ev, at) {
		l.handleDefaultKey(ev, at)
		return
	}
	l.markAllDirty()
	l.requestFrame(echo, "event")
}

// routeEvent offers ev to the overlay that gets the keys, then to the footer, then to App.OnEvent.
// It returns true if one of them has handled it.
func (l *loop) routeEvent(ev Event, at time.Time) bool {
	if top := l.state.topOverlay(); top != nil && top.viewed {
		top.takesKey(at, l.input.lastKey) // arms it, or not
	}
	if o := l.keyOverlay(true); o != nil {
		if o.offerEvent(ev, l.spaceWithShown(o, at), l.queue) {
			return true
		}
		if o.place.Modal && isInput(ev) {
			return false
		}
	}
	if l.chrome.footer.comp != nil && l.chrome.footer.viewed &&
		l.chrome.footer.offerEvent(ev, l.chrome.footer.space, l.queue) {
		return true
	}
	return l.offerToApp(ev)
}

// isInput reports whether ev is a key or a paste.
func isInput(ev Event) bool {
	switch ev.(type) {
	case Key, Paste:
		return true
	}
	return false
}

// spaceWithShown returns the Space of the last View of o, with Shown updated to the time at.
func (l *loop) spaceWithShown(o *overlay, at time.Time) Space {
	s := o.space
	if o.scene.name != "" {
		// A size that is not known yet, or a frame on its way, counts now, and not at the next
		// frame.
		l.checkSize(at)
		l.updateScene(at)
	}
	if s.Shown = o.scene.shownSince; l.term != nil && (l.term.Backlog() > 0 || !l.isProven()) {
		s.Shown = time.Time{}
	}
	return s
}

// offerToApp passes ev to App.OnEvent.
func (l *loop) offerToApp(ev Event) (handled bool) {
	if l.app.OnEvent == nil {
		return false
	}
	l.runCallback(func() { handled = l.app.OnEvent(ev) })
	if handled {
		l.markAllDirty()
		l.requestFrame(ordinary, "event")
	}
	return handled
}

// closeLayer closes the topmost overlay if it is a layer that gets the keys.
func (l *loop) closeLayer() {
	if o := l.keyOverlay(true); o != nil && o == l.state.topOverlay() && o.place.isLayer() {
		l.runCallback(o.close)
		l.markAllDirty()
		l.requestFrame(echo, "closed")
	}
}

// handleDefaultKey handles keys that no component has handled: Ctrl+C and Ctrl+D end the run,
// Ctrl+Z stops the process, Ctrl+L redraws, Esc closes a layer.
func (l *loop) handleDefaultKey(ev Event, at time.Time) {
	k, ok := ev.(Key)
	if ok && k.Code == terminal.KeyEscape && k.Mods == 0 {
		l.closeLayer()
	}
	if !ok || k.Mods != terminal.Ctrl {
		return
	}
	switch k.Code {
	case 'c':
		l.state.quitWith(ErrInterrupted)
	case 'd':
		l.state.quitWith(nil)
	case 'l':
		l.handleRedraw(at)
	case 'z':
		if !l.lent {
			l.releaseScreen()
			if err := l.term.Stop(); err != nil {
				l.reclaimScreen()
			}
		}
	}
}

// releaseScreen prepares the screen for another program. Final rows stay, and the live region is
// erased.
func (l *loop) releaseScreen() {
	if l.lent {
		return
	}
	l.leaveFullScreen(time.Now())
	if l.resize.phase != steady {
		l.resize.stop()
		l.predictPlace()
	}
	l.lent = true
	l.dropScenes()
	_ = l.canvas.Release(false) // an error shows at the next Render
}

// reclaimScreen continues after another program had the terminal. The live region is painted again
// at the cursor's current position.
func (l *loop) reclaimScreen() {
	l.lent = false
	l.dropScenes()
	l.proof.pendingAnswers = 0 // what was on its way was drained
	l.dropMeasuring()
	l.resize.stop()
	l.sizeRaced, l.frames.unreadFrames = false, 0
	l.canvas.Restart()
	l.markAllDirty()
	l.requestFrame(forced, "resume")
}
