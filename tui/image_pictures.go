package tui

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// ImageBudget limits what pictures may cost the terminal, on its normal and on its alternate screen
// each. The zero value is useful.
type ImageBudget struct {
	Max   int    // the most pictures that the terminal holds, the newest; 0: 8
	Bytes int    // of their pixels; 0: 64 MiB
	Seed  uint64 // of the ids, so that they differ from those of other programs; 0: a random one
}

const (
	// answerTime is how long, from the start on, we wait for the terminal to report what it is and
	// how large its cells are.
	answerTime = 250 * time.Millisecond

	maxPayload = 2 << 20 // bytes of one picture before base64; it is made smaller until it fits
	maxReady   = 2       // pictures that wait to be sent, before the next one is made
	maxUndrawn = 8       // pictures that wait for their rows to become final, before the next one is made
)

// pictureState is the progress of a picture.
type pictureState uint8

const (
	pictureComing pictureState = iota // it is being made, or waits to be sent
	pictureShown                      // the terminal has it
	pictureGone                       // it was dropped for newer ones: text from now on
	pictureLost                       // the terminal has lost it and shall have it: it is asked for again
	pictureBad                        // it cannot be made: err
)

// picture is one content in one box on one surface, however many components show it.
type picture struct {
	state       pictureState
	surface     *surface
	id          image.ID
	palette     bool // the id is read from a palette colour
	box         image.Box
	src         image.Source
	payload     []byte            // The bytes to be sent; nil when they were, if they need not be sent again.
	overlay     *renderer.Picture // nil: it is made of cells
	undrawn     bool              // it is to be drawn for the first time
	memoryBytes int               // of the terminal's memory
	resent      bool              // it was sent a second time, after an error
	sentUnseen  bool              // it was sent while tmux may not have passed it on
	err         error
}

// surface is a screen of the terminal, which has pictures of its own.
type surface struct {
	*pictures
	alternate bool
	budget    image.Budget
}

// pictures holds the pictures of a run. They are made in another goroutine one at a time, sent by
// the loop between frames, and limited by the budget. Its methods belong to the loop.
type pictures struct {
	queue    *queue
	onChange func() // called when a picture has changed its state
	start    time.Time
	protocol protocol
	rows     int // of the screen

	ids       image.IDs
	known     map[image.ID]*picture // coming and shown
	toMake    []*picture            // to be made
	making    bool
	toSend    []*picture // to be sent
	ended     bool
	unfocused bool // another window has the focus

	normal, alternate surface
}

// protocol is the way in which pictures get to the terminal.
type protocol struct {
	images  terminal.Images
	cells   bool // they are made of cells: kitty's placeholders
	wire    image.Wire
	palette bool
	cell    image.Cell
	// a drawn picture stays where it is when the text moves at another width (kitty 0.26)
	floats bool
}

// newPictures returns the pictures of a run that starts now.
func newPictures(q *queue, b ImageBudget, now time.Time, changed func()) *pictures {
	if b.Seed == 0 {
		b.Seed = rand.Uint64()
	}
	p := &pictures{queue: q, onChange: changed, start: now, known: make(map[image.ID]*picture),
		ids: image.IDs{Seed: b.Seed}}
	p.normal = surface{pictures: p, budget: image.Budget{Max: b.Max, Bytes: b.Bytes}}
	p.alternate = surface{pictures: p, budget: p.normal.budget, alternate: true}
	return p
}

// updateCaps applies what is known about the terminal.
func (p *pictures) updateCaps(c Caps, rows int) {
	d := protocol{images: c.Images, palette: !c.ExactColors, cell: cellSize(c)}
	if d.images == terminal.ImagesKitty {
		d.wire.Tmux = c.Mux == "tmux"
		d.cells = c.Placeholders || d.wire.Tmux // which knows nothing of pictures: only cells stay where the text is
		d.floats = !d.cells && c.Name != "wezterm" && c.Name != "ghostty"
	}
	if d.images == terminal.ImagesSixel && d.cell == (image.Cell{}) {
		d.images = terminal.ImagesOff // it would cover more rows than were reserved, or fewer
	}
	p.rows, p.ids.Palette = rows, d.cells && d.palette
	old := p.protocol
	p.protocol = d
	if old.images != d.images || old.cells != d.cells || old.wire != d.wire {
		p.loseWhere(func(*picture) bool { return true })
	}
}

// waitTime returns how long to wait, at the start, before a picture is laid out: a cell of another
// shape than assumed would distort it for good.
func (su *surface) waitTime(now time.Time) time.Duration {
	if su == nil || su.protocol.cell != (image.Cell{}) || su.ended {
		return 0
	}
	return max(su.start.Add(answerTime).Sub(now), 0)
}

// canShow reports whether pictures can be seen in s. A picture that is not made of cells can be
// drawn only over rows that become final.
func (su *surface) canShow(s Space) bool {
	if su == nil || su.protocol.images == terminal.ImagesOff {
		return false
	}
	return su.protocol.cells || !su.alternate && s.Height == 0
}

// findPicture returns the picture for im at a width. It starts to make it if it is new.
func (su *surface) findPicture(im *Image, width int) *picture {
	p := su.pictures
	cols, rows := width, max(p.rows*2/3, 4)
	if im.MaxCols > 0 {
		cols = min(cols, im.MaxCols)
	}
	if im.MaxRows > 0 {
		rows = im.MaxRows
	}
	if !p.protocol.cells {
		rows = min(rows, p.rows-2)
	}
	pic := &picture{state: pictureGone, surface: su, src: im.source(), palette: p.protocol.palette,
		box: image.Fit(im.pixelWidth, im.pixelHeight, p.protocol.cell, cols, rows)}
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
			su.budget.Show(id, old.memoryBytes) // the newest again
		}
		return old
	}
	pic.id, pic.state = id, pictureComing
	p.known[id] = pic
	p.toMake = append(p.toMake, pic)
	p.makeNext()
	return pic
}

// makeNext makes the next picture, in another goroutine.
func (p *pictures) makeNext() {
	if p.making || len(p.toMake) == 0 || p.isFull() {
		return
	}
	pic, way := p.toMake[0], p.protocol
	p.toMake, p.making = p.toMake[1:], true
	result := *pic
	go func() {
		result.encode(way)
		p.queue.add(op{kind: opQuiet, fn: func() { p.takeMade(pic, &result) }})
	}()
}

// isFull reports whether enough pictures wait to be sent or drawn: they are large.
func (p *pictures) isFull() bool {
	n := 0
	for _, pic := range p.known {
		if pic.undrawn {
			n++
		}
	}
	return len(p.toSend) >= maxReady || n >= maxUndrawn
}

// takeMade takes a picture that has been made.
func (p *pictures) takeMade(pic, result *picture) {
	p.making = false
	switch {
	case p.known[pic.id] != pic: // nobody wants it any more
	case result.err != nil:
		pic.state, pic.err, pic.src = pictureBad, result.err, nil
		p.remove(pic)
	default:
		pic.payload, pic.memoryBytes = result.payload, result.memoryBytes
		if p.protocol.cells {
			p.toSend = append(p.toSend, pic)
			break
		}
		pic.state, pic.undrawn = pictureShown, true
		pic.overlay = &renderer.Picture{Rows: pic.box.Rows, Draw: func(dst []byte, there bool) []byte {
			return p.appendDraw(pic, dst, there)
		}}
	}
	p.makeNext()
	p.onChange()
}

// encode decodes the source and encodes the payload. It touches nothing of the loop.
func (pic *picture) encode(way protocol) {
	defer func() {
		if r := recover(); r != nil {
			pic.err = fmt.Errorf("it could not be decoded: %v", r)
		}
	}()
	w, h := pic.box.Pixels(way.cell)
	for {
		pix, file, err := pic.src.Pixels(w, h)
		if err != nil {
			pic.err = err
			return
		}
		n := 0
		pic.memoryBytes = 4 * pix.Rect.Dx() * pix.Rect.Dy()
		switch way.images {
		case terminal.ImagesITerm:
			pic.payload, pic.err = image.AppendITerm(nil, pix, file, pic.box)
			n = len(pic.payload) * 3 / 4
		case terminal.ImagesSixel:
			pic.payload = image.AppendSixel(nil, pix)
			n = len(pic.payload)
		default:
			d := image.Pack(pix, file)
			n = len(d.Bytes)
			pic.payload = way.wire.AppendTransmit(nil, pic.id, d)
			if way.cells {
				pic.payload = way.wire.AppendVirtual(pic.payload, pic.id, pic.box)
			}
		}
		if n <= maxPayload || w < 64 || h < 64 {
			return
		}
		w, h = pix.Rect.Dx()*3/4, pix.Rect.Dy()*3/4
	}
}

// sendReady sends the pictures that are ready to the terminal, while the terminal keeps up. Each is
// one Write, with the deletions of the pictures that it replaces. full: the alternate screen is
// shown. more: some are left.
func (p *pictures) sendReady(d device, full bool) (more bool) {
	sent := false
	later := p.toSend[:0]
	for i, pic := range p.toSend {
		switch {
		case p.known[pic.id] != pic:
			continue
		case pic.surface.alternate != full:
			later = append(later, pic)
			continue
		case d.Behind():
			later, more = append(later, p.toSend[i:]...), true
		}
		if more {
			break
		}
		_, _ = d.Write(append(pic.surface.appendShow(pic, nil), pic.payload...)) // an error shows at the next frame
		pic.payload, pic.state, sent = nil, pictureShown, true
		pic.sentUnseen = p.unfocused && p.protocol.wire.Tmux
	}
	clear(p.toSend[len(later):])
	p.toSend = later
	if sent {
		p.makeNext()
		p.onChange()
	}
	return more
}

// appendDraw appends the bytes that draw pic at the cursor. Deletions come first and the placement
// follows the transmission at once: kitty's deletion by id frees every picture that has no
// placement (kitty 0.26 to 0.40, graphics.c).
func (p *pictures) appendDraw(pic *picture, dst []byte, there bool) []byte {
	pic.undrawn = false
	switch {
	case p.known[pic.id] != pic:
	case !there:
		if !pic.surface.budget.Live(pic.id) {
			p.showAsText(pic)
		}
	case p.protocol.images != terminal.ImagesKitty:
		pic.surface.appendShow(pic, nil)
		dst = append(dst, pic.payload...)
	default:
		dst = append(pic.surface.appendShow(pic, dst), pic.payload...)
		dst = p.protocol.wire.AppendPlace(dst, pic.id, pic.box)
		pic.payload = nil
	}
	p.makeNext()
	return dst
}

// appendShow makes pic the newest and appends to dst the deletions of the pictures above the
// budget.
func (su *surface) appendShow(pic *picture, dst []byte) []byte {
	for _, id := range su.budget.Show(pic.id, pic.memoryBytes) {
		dst = su.retire(id, dst)
	}
	return dst
}

// retire makes a picture text and appends its deletion to dst.
func (p *pictures) retire(id image.ID, dst []byte) []byte {
	if pic := p.known[id]; pic != nil {
		p.showAsText(pic)
	}
	if p.protocol.images == terminal.ImagesKitty {
		dst = p.protocol.wire.AppendDelete(dst, id)
	}
	return dst
}

// showAsText gives pic up: from now on its text stands in its place, wherever it is shown.
func (p *pictures) showAsText(pic *picture) {
	pic.state, pic.src, pic.payload = pictureGone, nil, nil
	p.remove(pic)
}

// remove removes pic from the known pictures.
func (p *pictures) remove(pic *picture) {
	if p.known[pic.id] == pic {
		delete(p.known, pic.id)
	}
}

// loseWhere marks the pictures for which which returns true as lost, so that they are asked for
// again.
func (p *pictures) loseWhere(which func(*picture) bool) {
	for _, pic := range p.known {
		if which(pic) {
			pic.state = pictureLost
			pic.surface.budget.Drop(pic.id)
			p.remove(pic)
		}
	}
}

// eraseSurface appends the deletion of all pictures of a surface to dst: its screen is erased, or
// left.
func (p *pictures) eraseSurface(su *surface, dst []byte) []byte {
	for _, id := range su.budget.Clear() {
		if p.protocol.images == terminal.ImagesKitty {
			dst = p.protocol.wire.AppendDelete(dst, id)
		}
	}
	p.loseWhere(func(pic *picture) bool { return pic.surface == su })
	return dst
}

// takeError takes the terminal's report that it does not have a picture. A picture that is made of
// cells is sent a second time, and then becomes text. A drawn one was sent together with its
// placement, so that sending it again is no use.
func (p *pictures) takeError(id image.ID) {
	pic := p.known[id]
	if pic == nil || pic.state != pictureShown {
		return
	}
	pic.surface.budget.Drop(id)
	if pic.resent || pic.overlay != nil {
		p.showAsText(pic)
	} else {
		pic.resent = true
		p.toMake = append(p.toMake, pic)
		p.makeNext()
	}
	p.onChange()
}

// setFocus notes whether our window has the focus. tmux passes nothing on from a window that is not
// seen (allow-passthrough on): pictures that were sent in that time are sent again.
func (p *pictures) setFocus(in bool) {
	p.unfocused = !in
	for _, pic := range p.known {
		if in && pic.sentUnseen && pic.state == pictureShown {
			pic.sentUnseen = false
			p.toMake = append(p.toMake, pic)
		}
	}
	p.makeNext()
}

// end notes that the run ends: a picture that is not there will not come.
func (p *pictures) end() {
	p.ended = true
	for _, pic := range p.known {
		if pic.state == pictureComing {
			pic.state = pictureGone
		}
	}
}

// isBusy reports whether a picture is under way.
func (p *pictures) isBusy() bool {
	return p.making || len(p.toMake) > 0 && !p.isFull() || len(p.toSend) > 0
}

// cellSize returns the size of a cell, as far as the terminal has reported it.
func cellSize(c Caps) image.Cell { return image.Cell{W: c.CellWidth, H: c.CellHeight} }
