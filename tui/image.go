package tui

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer/image"
)

// Image is a component that shows a picture where the terminal can, and Alt where it cannot. Its
// rows are reserved as soon as the size is known. Until the picture is there they show Alt and do
// not become final. App.Images limits the number of pictures in the terminal: an older one becomes
// text again, in as many rows. A picture that cannot be decoded, or cannot be shown at all, is one
// row.
type Image struct {
	// The picture; nil: there is none. Package renderer/image/decode makes one from a file. The
	// first View sets it to nil, so that it can be freed.
	Source image.Source
	Alt    string // describes the picture; untrusted text is harmless here

	// In cells; 0: the width, and two thirds of the screen's height.
	MaxCols, MaxRows int

	pixelWidth, pixelHeight int      // pixels
	picture                 *picture // holds the source now; nil: not asked for
	rows                    []Line
	shownState              pictureState // the state of pic that rows show
	laidSpace               Space        // the space of rows
}

// View returns the picture's rows. Nothing is drawn before the terminal has the picture.
func (im *Image) View(s Space) View {
	if im.pixelWidth == 0 && im.Source != nil {
		im.pixelWidth, im.pixelHeight = im.Source.Size()
	}
	switch {
	case im.pixelWidth < 1 || im.pixelHeight < 1:
		return View{Lines: im.textRow(s, im.problem()), Stable: 1}
	case s.surface.waitTime(s.Now) > 0:
		return View{Lines: im.textRow(s, nil), Hold: true, RefreshAfter: s.surface.waitTime(s.Now)}
	case !s.surface.canShow(s):
		im.rows = nil
		return View{Lines: im.textRow(s, nil)}
	}
	old := im.laidSpace
	if im.picture == nil || im.picture.state == pictureLost ||
		im.picture.state != pictureBad && (old.Width != s.Width || old.surface != s.surface) {
		im.picture, im.rows = s.surface.findPicture(im, s.Width), nil
		im.Source = nil
	}
	if im.rows == nil || im.shownState != im.picture.state || old.Width != s.Width || old.Model != s.Model ||
		old.Theme != s.Theme {
		im.layOut(s)
	}
	if im.shownState == pictureComing {
		return View{Lines: im.rows, Hold: true}
	}
	return View{Lines: im.rows, Stable: len(im.rows)}
}

// layOut makes the rows for the state of the picture.
func (im *Image) layOut(s Space) {
	p := im.picture
	im.shownState, im.laidSpace = p.state, s
	if p.state == pictureBad {
		im.rows = im.textRow(s, p.err)
		return
	}
	im.rows = make([]Line, p.box.Rows)
	switch {
	case p.state == pictureShown && p.overlay != nil:
		im.rows[0].Picture = p.overlay
	case p.state == pictureShown:
		ink := Style{Fg: p.id.Color(p.palette)}
		for i := range im.rows {
			im.rows[i].Spans = []Span{{Text: image.Placeholder(i, p.box.Cols), Style: ink}}
		}
	default:
		im.rows[0] = im.textRow(s, nil)[0]
	}
}

// textRow returns the row that stands for the picture, or says why there is none.
func (im *Image) textRow(s Space, reason error) []Line {
	text := im.Alt
	if text == "" {
		text = "picture"
	}
	th := s.Look()
	if reason != nil {
		return []Line{s.Cut(Span{Text: th.Glyphs.Problem + " ", Style: th.Warning},
			Span{Text: "[" + text + ": " + reason.Error() + "]", Style: th.Dim})}
	}
	if im.pixelWidth > 0 && im.pixelHeight > 0 {
		text += fmt.Sprintf(", %d by %d pixels", im.pixelWidth, im.pixelHeight)
	}
	return []Line{s.Cut(Span{Text: "[" + text + "]", Style: th.Dim})}
}

// source returns the source of the pixels, nil if the picture was dropped.
func (im *Image) source() image.Source {
	if im.picture != nil {
		return im.picture.src
	}
	return im.Source
}

// problem returns the reason why the source has no size.
func (im *Image) problem() error {
	if im.Source == nil {
		return nil
	}
	_, _, err := im.Source.Pixels(1, 1)
	return err
}
