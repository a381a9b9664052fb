package tui

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/renderer/image"
)

// Image is a component that shows a picture where the terminal can, and Alt where it cannot. Its
// rows are reserved as soon as the size is known; until the picture is there they show Alt and do
// not become final. App.Images says how many pictures the terminal keeps; an older one is text
// again, in as many rows. What cannot be decoded is one row, as is a picture where none can be
// shown.
type Image struct {
	// nil: there is none; package renderer/image/decode makes it of a file. The first View takes it
	// away, to let it go in time
	Source image.Source
	Alt    string // says what is to be seen; untrusted text is harmless here

	MaxCols, MaxRows int // of cells; 0: the width, and two thirds of the screen's height

	w, h int      // pixels
	pic  *picture // which has the source now; nil: none has been asked for
	rows []Line
	made pictureState // of pic, for rows
	at   Space        // for which rows were made
}

// View returns the picture's rows. None is drawn before the picture is with the terminal.
func (im *Image) View(s Space) View {
	if im.w == 0 && im.Source != nil {
		im.w, im.h = im.Source.Size()
	}
	switch {
	case im.w < 1 || im.h < 1:
		return View{Lines: im.one(s, im.problem()), Stable: 1}
	case s.pics.waits(s.Now) > 0:
		return View{Lines: im.one(s, nil), Hold: true, Again: s.pics.waits(s.Now)}
	case !s.pics.shows(s):
		im.rows = nil
		return View{Lines: im.one(s, nil)}
	}
	old := im.at
	if im.pic == nil || im.pic.state == pictureLost ||
		im.pic.state != pictureBad && (old.Width != s.Width || old.pics != s.pics) {
		im.pic, im.rows = s.pics.find(im, s.Width), nil
		im.Source = nil
	}
	if im.rows == nil || im.made != im.pic.state || old.Width != s.Width || old.Model != s.Model ||
		old.Theme != s.Theme {
		im.layout(s)
	}
	if im.made == pictureComing {
		return View{Lines: im.rows, Hold: true}
	}
	return View{Lines: im.rows, Stable: len(im.rows)}
}

// layout makes the rows for the state that the picture is in.
func (im *Image) layout(s Space) {
	p := im.pic
	im.made, im.at = p.state, s
	if p.state == pictureBad {
		im.rows = im.one(s, p.err)
		return
	}
	im.rows = make([]Line, p.box.Rows)
	switch {
	case p.state == pictureShown && p.drawn != nil:
		im.rows[0].Picture = p.drawn
	case p.state == pictureShown:
		ink := Style{Fg: p.id.Color(p.palette)}
		for i := range im.rows {
			im.rows[i].Spans = []Span{{Text: image.Placeholder(i, p.box.Cols), Style: ink}}
		}
	default:
		im.rows[0] = im.one(s, nil)[0]
	}
}

// one returns the row that stands for the picture, or says why there is none.
func (im *Image) one(s Space, why error) []Line {
	text := im.Alt
	if text == "" {
		text = "picture"
	}
	th := s.Look()
	if why != nil {
		return []Line{s.Cut(Span{Text: th.Glyphs.Problem + " ", Style: th.Warning},
			Span{Text: "[" + text + ": " + why.Error() + "]", Style: th.Dim})}
	}
	if im.w > 0 && im.h > 0 {
		text += fmt.Sprintf(", %d by %d pixels", im.w, im.h)
	}
	return []Line{s.Cut(Span{Text: "[" + text + "]", Style: th.Dim})}
}

// source returns where the pixels come from; nil: the picture has had its time.
func (im *Image) source() image.Source {
	if im.pic != nil {
		return im.pic.src
	}
	return im.Source
}

// problem returns why the source has no size.
func (im *Image) problem() error {
	if im.Source == nil {
		return nil
	}
	_, _, err := im.Source.Pixels(1, 1)
	return err
}
