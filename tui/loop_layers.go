package tui

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// composeLayers calls View of the overlays in layers and places them in the window. s is the Space
// of the largest layer. Its Height applies to a layer at the bottom; others can use the whole
// window. over is placed on top of all. complete is false if rows of the frame may be cut or
// covered. composeLayers returns the lowest layer, which links to those above it.
func (l *loop) composeLayers(layers []*overlay, s Space, over *renderer.Overlay, complete bool) *renderer.Overlay {
	keys := l.keyOverlay(false)
	for _, o := range layers {
		l.placeLayer(o, s, o == keys, complete)
	}
	for _, o := range slices.Backward(layers) {
		o.picture.Over, over = over, &o.picture
	}
	return over
}

// composeBeside places the overlays with Place.Passive on the alternate screen. It returns the
// lowest one, which links to those above it, or nil if none has rows. The scene of an overlay below
// them no longer counts as shown.
func (l *loop) composeBeside(s Space) (lowest *renderer.Overlay) {
	for _, o := range slices.Backward(l.state.passiveOverlays) {
		l.placeLayer(o, s, false, false)
		if len(o.picture.Lines) > 0 {
			o.picture.Over, lowest = lowest, &o.picture
		}
	}
	if top := l.state.topOverlay(); top != nil && lowest != nil {
		top.scene = sceneState{}
	}
	return lowest
}

// appendBeside appends the rows of overlays with Place.Passive to the live rows of f, which stand
// above a footer of footerRows rows. It does nothing in a careful frame, since the rows could be
// left in history.
func (l *loop) appendBeside(f *renderer.Frame, s Space, footerRows int) {
	if f.Careful {
		return
	}
	for _, o := range l.state.passiveOverlays {
		in := s
		in.Width, in.Height = o.place.MaxSize(l.cols, max(s.Height/2, 1))
		lines := o.currentView(in, l.queue).Lines
		n := min(len(lines), in.Height, max(l.rows-footerRows, 0))
		if n > 0 {
			l.trimLive(f, l.rows-footerRows-n)
			f.Live = append(f.Live, lines[len(lines)-n:]...)
		}
	}
}

// placeLayer calls View of o, and sets its picture and its mouse area for the next frame.
func (l *loop) placeLayer(o *overlay, s Space, focused, complete bool) {
	top := o == l.state.topOverlay()
	p := &o.place
	in := l.overlaySpace(s, o, focused)
	if p.Top || p.Center || p.Pointer {
		in.Height = l.rows
	}
	in.Width, in.Height = p.MaxSize(l.cols, in.Height)
	full := o.currentView(in, l.queue)
	v, fits := l.fitHeight(full, in.Height)
	size := Pos{Col: in.Width, Row: len(v.Lines)}
	if p.fitsContent() {
		size.Col = min(size.Col, widestRow(&v, &in))
	}
	corner := p.Corner(l.cols, l.rows, size)
	if p.Pointer {
		corner = atPointer(o.pointer, l.cols, l.rows, size)
	}
	below := l.rows - corner.Row - size.Row
	o.picture = renderer.Overlay{Lines: v.Lines, Col: corner.Col, Width: size.Col, Up: below, Cursor: v.Cursor,
		Shade: p.Shade}
	if top {
		if l.settings.drawCaret && v.Cursor != nil {
			o.picture.Lines, o.picture.Cursor = l.chrome.drawnCarets[1].drawAt(v.Lines, *v.Cursor, s), nil
		}
		o.scene.noteFrame(v.Scene, size.Row+below, fits && complete, s.Now)
	}
	if p.Passive {
		return
	}
	l.chrome.mouse.addArea(o, full, mouseArea{col: corner.Col, width: size.Col, rows: size.Row, rowsBelow: below,
		skippedRows: rowsSkipped(full, v)})
}

// overlaySpace returns the Space s adapted to o. Only the topmost overlay learns since when it is
// shown.
func (l *loop) overlaySpace(s Space, o *overlay, focused bool) Space {
	s.Focused = focused
	if o == l.state.topOverlay() {
		s.Shown, s.Unproven = o.scene.shownSince, l.proofFailure()
	}
	return s
}

// widestRow returns the width in columns of the widest row of v, including the caret.
func widestRow(v *View, s *Space) int {
	widest := 1
	if v.Cursor != nil {
		widest = v.Cursor.Col + 1
	}
	for i := range v.Lines {
		n := 0
		for k := range v.Lines[i].Spans {
			n += s.Model.String(v.Lines[i].Spans[k].Text)
		}
		widest = max(widest, n)
	}
	return widest
}
