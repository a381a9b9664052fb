package tui

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/renderer"
)

// composeLayers calls layers for their views and places them in the window. s is the space of the
// largest one: its Height holds for a layer at the bottom, and others have the window. complete is
// false if rows of the frame may be cut or covered. It returns the lowest layer, with the others
// over it, and over above all of them.
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
// lowest one, with the others over it, nil if none has rows. What they stand over does not count as
// shown.
func (l *loop) composeBeside(s Space) (lowest *renderer.Overlay) {
	for _, o := range slices.Backward(l.state.beside) {
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

// appendBeside appends the rows of overlays with Place.Passive to the live rows of f, above a
// footer of so many rows. In a careful frame they could be left behind.
func (l *loop) appendBeside(f *renderer.Frame, s Space, footerRows int) {
	if f.Careful {
		return
	}
	for _, o := range l.state.beside {
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

// placeLayer makes the picture of o for the next frame, and the area of the mouse for it.
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
	l.chrome.mouse.addArea(o, full, area{col: corner.Col, width: size.Col, rows: size.Row, rowsBelow: below,
		skippedRows: rowsSkipped(full, v)})
}

// overlaySpace returns s for o. Only the overlay on top is told since when it is shown.
func (l *loop) overlaySpace(s Space, o *overlay, focused bool) Space {
	s.Focused = focused
	if o == l.state.topOverlay() {
		s.Shown, s.Unproven = o.scene.shownSince, l.proofFailure()
	}
	return s
}

// widestRow returns the columns of the widest row of v, with the caret.
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
