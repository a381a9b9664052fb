package tui

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer/image"
)

// Image shows a picture if the terminal can display it, and otherwise the text Alt. Its rows are
// reserved as soon as its size is known. Until the terminal has the picture they show Alt and do
// not become final.
//
// App.Images limits the number of pictures that the terminal stores. Beyond it the oldest ones
// become text again, in the same number of rows. A picture that cannot be decoded or displayed
// takes a single row.
type Image struct {
	// Source is the picture to show; nil: none. Package renderer/image/decode reads one from a
	// file. The first View sets the field to nil, so that the memory can be freed.
	Source image.Source
	Alt    string // describes the picture; may be untrusted text

	// MaxCols and MaxRows limit the size in terminal cells. 0 is the available width, and two
	// thirds of the screen's height.
	MaxCols, MaxRows int

	pixelWidth, pixelHeight int // size in pixels; 0: not known yet
	// the picture in the terminal, which then has the source; nil: it was not requested yet
	picture    *picture
	rows       []Line       // the result of the last layout
	shownState pictureState // state of picture when rows was laid out
	laidSpace  Space        // the Space for which rows was laid out
}

// View returns the rows of the picture, or of its text. Nothing is drawn before the terminal has
// the picture.
func (im *Image) View(s Space) View {
	if im.pixelWidth == 0 && im.Source != nil {
		im.pixelWidth, im.pixelHeight = im.Source.Size()
	}
	switch {
	case im.pixelWidth < 1 || im.pixelHeight < 1:
		return View{Lines: im.textRow(s, im.sourceError()), Stable: 1}
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

// layOut sets rows according to the state of the picture.
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

// textRow returns the row of text that replaces the picture. It includes reason if that is not nil.
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

// pixelSource returns the source of the pixels, or nil if the picture was dropped.
func (im *Image) pixelSource() image.Source {
	if im.picture != nil {
		return im.picture.src
	}
	return im.Source
}

// sourceError returns the error that explains why the source has no size.
func (im *Image) sourceError() error {
	if im.Source == nil {
		return nil
	}
	_, _, err := im.Source.Pixels(1, 1)
	return err
}
