package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// fullScreen is the alternate screen while an overlay has it.
type fullScreen struct {
	screen  *renderer.Screen
	resized bool // the size has changed since it was entered
}

// updateFullScreen goes to the alternate screen, or back from it, as the overlay on top wants.
func (l *loop) updateFullScreen(now time.Time) {
	o := l.state.topOverlay()
	want := o != nil && o.place.Full && l.term != nil && alternates(l.caps)
	switch {
	case want && l.chrome.fullScreen == nil && l.resize.phase == steady:
		if quirksOf(l.caps).RedrawsPrompt {
			l.renderFrame(renderer.Frame{Base: l.frames.base}) // no live row, since kitty heeds no mark from there
		}
		l.term.SetAltScreen(true)
		l.dropScenes()
		l.chrome.mouse.beginFrame()
		l.chrome.fullScreen = &fullScreen{screen: renderer.NewScreen(renderer.Config{
			Out: counted{l.term, &l.frames.writes}, Cols: l.cols, Rows: l.rows, Model: l.widthModel(),
			Sync:      l.caps.Sync,
			Links:     l.caps.Links,
			AltScroll: l.caps.Name != "urxvt", // it keeps those rows in its history
		})}
		l.requestFrame(forced, "screen")
	case !want && l.chrome.fullScreen != nil:
		l.leaveFullScreen(now)
	}
}

// alternates reports whether the terminal has an alternate screen that leaves history alone. GNU
// screen has one only if its user has set that, and Emacs' term (28.2) has none.
func alternates(c Caps) bool { return c.Mux != "screen" && c.Name != "emacs" }

// leaveFullScreen goes back to the normal screen. If the size has changed there it begins a resize.
func (l *loop) leaveFullScreen(now time.Time) {
	f := l.chrome.fullScreen
	if f == nil {
		return
	}
	l.chrome.fullScreen = nil
	l.dropScenes()
	l.chrome.mouse.beginFrame()
	l.erasePictures(&l.pictures.alternate)
	l.term.SetAltScreen(false)
	if f.resized && l.pictures.protocol.floats {
		l.erasePictures(&l.pictures.normal)
	}
	l.markAllDirty()
	l.requestFrame(forced, "screen")
	if f.resized {
		l.canvas.Resize(l.cols, l.rows)
		l.resize = resizing{phase: settling, deadline: now} // it has settled long since
	}
}

// paintFullScreen shows the overlay on top on the alternate screen.
func (l *loop) paintFullScreen(now time.Time) {
	o := l.state.topOverlay()
	s := l.baseSpace(now)
	l.chrome.mouse.beginFrame()
	s.Height, s.Focused, s.Shown, s.surface = l.rows, o.armed, o.scene.shownSince, &l.pictures.alternate
	s.Unproven = l.proofFailure()
	v := o.currentView(s, l.queue)
	o.scene.noteFrame(v.Scene, len(v.Lines), len(v.Lines) <= l.rows, now)
	if l.settings.drawCaret && v.Cursor != nil {
		v.Lines, v.Cursor = l.chrome.drawnCarets[1].drawAt(v.Lines, *v.Cursor, s), nil
	}
	l.chrome.mouse.addArea(o, v, area{width: l.cols, rows: min(len(v.Lines), l.rows)})
	if err := l.chrome.fullScreen.screen.Render(v.Lines[:min(len(v.Lines), l.rows)], v.Cursor); err != nil {
		l.fatalErr = err
	}
	l.updateMouse()
}
