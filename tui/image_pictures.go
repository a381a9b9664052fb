package tui

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// ImageBudget is what pictures may cost the terminal, on its normal and on its alternate screen
// each. The zero value is useful.
type ImageBudget struct {
	Max   int    // pictures that it keeps, the newest; 0: 8
	Bytes int    // of their pixels; 0: 64 MiB
	Seed  uint64 // of the ids, which keep apart from those of other programs; 0: a random one
}

const (
	// For the terminal to say what it is and how large its cells are, from the start on.
	answerTime = 250 * time.Millisecond

	maxPayload = 2 << 20 // bytes of one picture before base64; it is made smaller until it fits
	maxReady   = 2       // pictures that wait to be sent, before the next one is made
	maxUndrawn = 8       // pictures that wait for their rows to become final, before the next one is made
)

// pictureState is how far a picture is.
type pictureState uint8

const (
	pictureComing pictureState = iota // it is made, or waits to be sent
	pictureShown                      // the terminal has it
	pictureGone                       // it has had its time: text from now on
	pictureLost                       // the terminal has it no more, and should: it is asked for anew
	pictureBad                        // there is none: err
)

// picture is one content in one box on one surface, however many components show it.
type picture struct {
	state   pictureState
	on      *surface
	id      image.ID
	palette bool // the id is read from a palette colour
	box     image.Box
	src     image.Source
	wire    []byte            // to be sent; nil when it was, if it need not be sent again
	drawn   *renderer.Picture // nil: it is made of cells
	waits   bool              // to be drawn for the first time
	size    int               // bytes of the terminal's memory
	again   bool              // it was sent a second time, after an error
	unseen  bool              // it was sent while tmux may not have passed it on
	err     error
}

// surface is a screen of the terminal, which keeps its own pictures.
type surface struct {
	*pictures
	alternate bool
	budget    image.Budget
}

// pictures are those of a run: made beside the loop one at a time, sent by it between frames, kept
// within the budget. Its methods belong to the loop.
type pictures struct {
	q       *queue
	changed func() // a picture has changed its state
	start   time.Time
	how     drawing
	rows    int // of the screen

	ids    image.IDs
	known  map[image.ID]*picture // coming and shown
	todo   []*picture            // to be made
	making bool
	ready  []*picture // to be sent
	ended  bool
	unseen bool // another window has the focus

	normal, alternate surface
}

// drawing is how pictures get to the terminal.
type drawing struct {
	images  terminal.Images
	cells   bool // they are made of cells: kitty's placeholders
	wire    image.Wire
	palette bool
	cell    image.Cell
	floats  bool // what was drawn stays where it is when the text moves at another width (kitty 0.26)
}

func newPictures(q *queue, b ImageBudget, now time.Time, changed func()) *pictures {
	if b.Seed == 0 {
		b.Seed = rand.Uint64()
	}
	p := &pictures{q: q, changed: changed, start: now, known: make(map[image.ID]*picture), ids: image.IDs{Seed: b.Seed}}
	p.normal = surface{pictures: p, budget: image.Budget{Max: b.Max, Bytes: b.Bytes}}
	p.alternate = surface{pictures: p, budget: p.normal.budget, alternate: true}
	return p
}

// learn takes over what is known about the terminal.
func (p *pictures) learn(c Caps, rows int) {
	d := drawing{images: c.Images, palette: !c.ExactColors, cell: cellSize(c)}
	if d.images == terminal.ImagesKitty {
		d.wire.Tmux = c.Mux == "tmux"
		d.cells = c.Placeholders || d.wire.Tmux // which knows nothing of pictures: only cells stay where the text is
		d.floats = !d.cells && c.Name != "wezterm" && c.Name != "ghostty"
	}
	if d.images == terminal.ImagesSixel && d.cell == (image.Cell{}) {
		d.images = terminal.ImagesOff // it would cover more rows than were reserved, or fewer
	}
	p.rows, p.ids.Palette = rows, d.cells && d.palette
	old := p.how
	p.how = d
	if old.images != d.images || old.cells != d.cells || old.wire != d.wire {
		p.lose(func(*picture) bool { return true })
	}
}

// waits returns how long to wait, at the start, before a picture is laid out: a cell of another
// shape than was thought would distort it for good.
func (su *surface) waits(now time.Time) time.Duration {
	if su == nil || su.how.cell != (image.Cell{}) || su.ended {
		return 0
	}
	return max(su.start.Add(answerTime).Sub(now), 0)
}

// shows reports whether pictures can be seen in s. Those that are no text can be drawn only over
// rows that become final.
func (su *surface) shows(s Space) bool {
	if su == nil || su.how.images == terminal.ImagesOff {
		return false
	}
	return su.how.cells || !su.alternate && s.Height == 0
}

// find returns the picture for im at a width, asked for if it is new.
func (su *surface) find(im *Image, width int) *picture {
	p := su.pictures
	cols, rows := width, max(p.rows*2/3, 4)
	if im.MaxCols > 0 {
		cols = min(cols, im.MaxCols)
	}
	if im.MaxRows > 0 {
		rows = im.MaxRows
	}
	if !p.how.cells {
		rows = min(rows, p.rows-2)
	}
	pic := &picture{state: pictureGone, on: su, src: im.source(), palette: p.how.palette,
		box: image.Fit(im.w, im.h, p.how.cell, cols, rows)}
	if pic.src == nil || p.ended {
		return pic
	}
	id, ok := p.ids.Of(image.Key(pic.src.Sum(), pic.box, su.alternate))
	if !ok { // all ids of the palette are in history
		pic.src = nil
		return pic
	}
	if old := p.known[id]; old != nil {
		if su.budget.Live(id) {
			su.budget.Show(id, old.size) // the newest again
		}
		return old
	}
	pic.id, pic.state = id, pictureComing
	p.known[id] = pic
	p.todo = append(p.todo, pic)
	p.work()
	return pic
}

// work makes the next picture, beside the loop.
func (p *pictures) work() {
	if p.making || len(p.todo) == 0 || p.full() {
		return
	}
	pic, how := p.todo[0], p.how
	p.todo, p.making = p.todo[1:], true
	made := *pic
	go func() {
		made.make(how)
		p.q.add(op{kind: opQuiet, f: func() { p.made(pic, &made) }})
	}()
}

// full reports whether enough pictures are made that have not gone out: they are large.
func (p *pictures) full() bool {
	n := 0
	for _, pic := range p.known {
		if pic.waits {
			n++
		}
	}
	return len(p.ready) >= maxReady || n >= maxUndrawn
}

// made takes over a picture that has been made.
func (p *pictures) made(pic, made *picture) {
	p.making = false
	switch {
	case p.known[pic.id] != pic: // nobody wants it any more
	case made.err != nil:
		pic.state, pic.err, pic.src = pictureBad, made.err, nil
		p.forget(pic)
	default:
		pic.wire, pic.size = made.wire, made.size
		if p.how.cells {
			p.ready = append(p.ready, pic)
			break
		}
		pic.state, pic.waits = pictureShown, true
		pic.drawn = &renderer.Picture{Rows: pic.box.Rows, Draw: func(dst []byte, there bool) []byte {
			return p.draw(pic, dst, there)
		}}
	}
	p.work()
	p.changed()
}

// make decodes and encodes; nothing of the loop is touched.
func (pic *picture) make(how drawing) {
	defer func() {
		if r := recover(); r != nil {
			pic.err = fmt.Errorf("it could not be decoded: %v", r)
		}
	}()
	w, h := pic.box.Pixels(how.cell)
	for {
		pix, file, err := pic.src.Pixels(w, h)
		if err != nil {
			pic.err = err
			return
		}
		n := 0
		pic.size = 4 * pix.Rect.Dx() * pix.Rect.Dy()
		switch how.images {
		case terminal.ImagesITerm:
			pic.wire, pic.err = image.AppendITerm(nil, pix, file, pic.box)
			n = len(pic.wire) * 3 / 4
		case terminal.ImagesSixel:
			pic.wire = image.AppendSixel(nil, pix)
			n = len(pic.wire)
		default:
			d := image.Pack(pix, file)
			n = len(d.Bytes)
			pic.wire = how.wire.AppendTransmit(nil, pic.id, d)
			if how.cells {
				pic.wire = how.wire.AppendVirtual(pic.wire, pic.id, pic.box)
			}
		}
		if n <= maxPayload || w < 64 || h < 64 {
			return
		}
		w, h = pix.Rect.Dx()*3/4, pix.Rect.Dy()*3/4
	}
}

// send hands pictures that are ready to the terminal, each with what has to go for it as one Write,
// while the terminal keeps up. full: the alternate screen is shown. more: some are left.
func (p *pictures) send(d device, full bool) (more bool) {
	sent := false
	later := p.ready[:0]
	for i, pic := range p.ready {
		switch {
		case p.known[pic.id] != pic:
			continue
		case pic.on.alternate != full:
			later = append(later, pic)
			continue
		case d.Behind():
			later, more = append(later, p.ready[i:]...), true
		}
		if more {
			break
		}
		_, _ = d.Write(append(pic.on.show(pic, nil), pic.wire...)) // an error shows at the next frame
		pic.wire, pic.state, sent = nil, pictureShown, true
		pic.unseen = p.unseen && p.how.wire.Tmux
	}
	clear(p.ready[len(later):])
	p.ready = later
	if sent {
		p.work()
		p.changed()
	}
	return more
}

// draw appends what draws pic at the cursor. Deletions come first and the placement follows the
// transmission at once: kitty's deletion by id frees every picture that has no placement (kitty
// 0.26 to 0.40, graphics.c).
func (p *pictures) draw(pic *picture, dst []byte, there bool) []byte {
	pic.waits = false
	switch {
	case p.known[pic.id] != pic:
	case !there:
		if !pic.on.budget.Live(pic.id) {
			p.over(pic)
		}
	case p.how.images != terminal.ImagesKitty:
		pic.on.show(pic, nil)
		dst = append(dst, pic.wire...)
	default:
		dst = append(pic.on.show(pic, dst), pic.wire...)
		dst = p.how.wire.AppendPlace(dst, pic.id, pic.box)
		pic.wire = nil
	}
	p.work()
	return dst
}

// show makes pic the newest and appends to dst what has to go for it.
func (su *surface) show(pic *picture, dst []byte) []byte {
	for _, id := range su.budget.Show(pic.id, pic.size) {
		dst = su.retire(id, dst)
	}
	return dst
}

// retire ends a picture that has had its time and appends its deletion to dst.
func (p *pictures) retire(id image.ID, dst []byte) []byte {
	if pic := p.known[id]; pic != nil {
		p.over(pic)
	}
	if p.how.images == terminal.ImagesKitty {
		dst = p.how.wire.AppendDelete(dst, id)
	}
	return dst
}

// over makes pic text from now on, wherever it is shown.
func (p *pictures) over(pic *picture) {
	pic.state, pic.src, pic.wire = pictureGone, nil, nil
	p.forget(pic)
}

func (p *pictures) forget(pic *picture) {
	if p.known[pic.id] == pic {
		delete(p.known, pic.id)
	}
}

// lose makes pictures be asked for anew.
func (p *pictures) lose(which func(*picture) bool) {
	for _, pic := range p.known {
		if which(pic) {
			pic.state = pictureLost
			pic.on.budget.Drop(pic.id)
			p.forget(pic)
		}
	}
}

// erase appends the deletion of all pictures of a surface to dst: its screen is erased, or left.
func (p *pictures) erase(su *surface, dst []byte) []byte {
	for _, id := range su.budget.Clear() {
		if p.how.images == terminal.ImagesKitty {
			dst = p.how.wire.AppendDelete(dst, id)
		}
	}
	p.lose(func(pic *picture) bool { return pic.on == su })
	return dst
}

// failed takes an error that the terminal reports about a picture: it does not have it. If it is
// made of cells it is sent once more, then it is text. One that is drawn was sent with its
// placement: there is nothing to try again.
func (p *pictures) failed(id image.ID) {
	pic := p.known[id]
	if pic == nil || pic.state != pictureShown {
		return
	}
	pic.on.budget.Drop(id)
	if pic.again || pic.drawn != nil {
		p.over(pic)
	} else {
		pic.again = true
		p.todo = append(p.todo, pic)
		p.work()
	}
	p.changed()
}

// focus says whether our window has the focus. tmux passes nothing on from a window that is not
// seen (allow-passthrough on): what was sent meanwhile is sent again.
func (p *pictures) focus(in bool) {
	p.unseen = !in
	for _, pic := range p.known {
		if in && pic.unseen && pic.state == pictureShown {
			pic.unseen = false
			p.todo = append(p.todo, pic)
		}
	}
	p.work()
}

// end says that the run ends: what is not there does not come any more.
func (p *pictures) end() {
	p.ended = true
	for _, pic := range p.known {
		if pic.state == pictureComing {
			pic.state = pictureGone
		}
	}
}

// busy reports whether a picture is under way.
func (p *pictures) busy() bool { return p.making || len(p.todo) > 0 && !p.full() || len(p.ready) > 0 }

// cellSize returns the size of a cell, as far as the terminal has told.
func cellSize(c Caps) image.Cell { return image.Cell{W: c.CellWidth, H: c.CellHeight} }
