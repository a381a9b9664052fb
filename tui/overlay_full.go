package tui

import (
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// fullScreen is the state of the alternate screen while an overlay uses it.
type fullScreen struct {
	screen  *renderer.Screen
	resized bool // the size has changed since the alternate screen was entered
}

// updateFullScreen enters the alternate screen if an overlay needs it, and otherwise leaves it.
func (l *loop) updateFullScreen(now time.Time) {
	want := l.state.hasScreen() && l.term != nil && hasAltScreen(l.caps)
	switch {
	case want && l.chrome.fullScreen == nil && l.resize.phase == steady:
		if quirksOf(l.caps).RedrawsPrompt {
			// No live row: kitty ignores marks on the alternate screen.
			l.renderFrame(renderer.Frame{Base: l.frames.committedRows})
		}
		l.term.SetAltScreen(true)
		l.dropScenes()
		l.chrome.mouse.beginFrame()
		l.chrome.fullScreen = &fullScreen{screen: renderer.NewScreen(renderer.Config{
			Out: countedDevice{l.term, &l.frames.writes}, Cols: l.cols, Rows: l.rows, Model: l.widthModel(),
			Sync:      l.caps.Sync,
			Links:     l.caps.Links,
			AltScroll: l.caps.Name != "urxvt", // it keeps those rows in its history
		})}
		l.chrome.fullScreen.screen.Enter(l.canvas.CaretShown())
		l.requestFrame(forced, "screen")
	case !want && l.chrome.fullScreen != nil:
		l.leaveFullScreen(now)
	}
}

// hasAltScreen reports whether the terminal has an alternate screen that does not affect history.
// GNU screen has one only if its user has enabled it, and Emacs' term (28.2) has none.
func hasAltScreen(c Caps) bool { return c.Mux != "screen" && c.Name != "emacs" }

// leaveFullScreen returns to the normal screen. If the size has changed in the meantime it begins a
// resize.
func (l *loop) leaveFullScreen(now time.Time) {
	f := l.chrome.fullScreen
	if f == nil {
		return
	}
	l.chrome.fullScreen = nil
	l.dropScenes()
	l.chrome.mouse.beginFrame()
	l.erasePictures(&l.pictures.alternate)
	if f.resized { // tmux 3.3a may put rows of this screen among those of the other one if it has grown
		if err := f.screen.Render(nil, nil); err != nil {
			l.fatalErr = err
		}
	}
	if err := f.screen.Leave(l.canvas.CaretShown()); err != nil {
		l.fatalErr = err
	}
	l.term.SetAltScreen(false)
	if f.resized && l.pictures.protocol.staysAfterRewrap {
		l.erasePictures(&l.pictures.normal)
	}
	l.markAllDirty()
	l.requestFrame(forced, "screen")
	if f.resized {
		l.canvas.Resize(l.cols, l.rows)
		l.resize = resizing{phase: settling, deadline: now} // it has settled long since
	}
}

// paintFullScreen paints the last overlay with Full on the alternate screen, and the layers above
// it.
func (l *loop) paintFullScreen(now time.Time) {
	base, layers := l.visibleOverlays()
	if base == nil {
		return // a callback has just closed it
	}
	s := l.baseSpace(now)
	l.chrome.mouse.beginFrame()
	s.Height, s.surface = l.rows, &l.pictures.alternate
	beside := l.composeBeside(s)
	v := base.currentView(l.overlaySpace(s, base, base == l.keyOverlay(false)), l.queue)
	rows := min(len(v.Lines), l.rows)
	l.chrome.mouse.addArea(base, v, mouseArea{width: l.cols, rows: rows, rowsBelow: l.rows - rows})
	over := l.composeLayers(layers, s, beside, beside == nil)
	if len(layers) == 0 {
		base.scene.noteFrame(v.Scene, len(v.Lines), len(v.Lines) <= l.rows && over == nil, now)
		if l.settings.drawCaret && v.Cursor != nil {
			v.Lines, v.Cursor = l.chrome.drawnCarets[1].drawAt(v.Lines, *v.Cursor, s), nil
		}
	}
	if err := l.chrome.fullScreen.screen.RenderLayers(v.Lines[:rows], over, l.fullCaret(&v, layers)); err != nil {
		l.fatalErr = err
	}
	l.updateMouse()
}

// fullCaret returns the position of the caret on the alternate screen: that of the topmost layer,
// or of the view v if there are no layers.
func (l *loop) fullCaret(v *View, layers []*overlay) *Pos {
	if len(layers) == 0 {
		return v.Cursor
	}
	p := &layers[len(layers)-1].picture
	if p.Cursor == nil {
		return nil
	}
	l.chrome.caret = Pos{Col: p.Col + p.Cursor.Col, Row: l.rows - p.Up - len(p.Lines) + p.Cursor.Row}
	return &l.chrome.caret
}
