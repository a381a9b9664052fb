package tui

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// ImageBudget limits the pictures that the terminal stores, separately for its normal and its
// alternate screen. The zero value stands for useful limits.
type ImageBudget struct {
	Max   int    // maximum number of pictures, beyond which the oldest are deleted; 0: 8
	Bytes int    // maximum total size of their pixels; 0: 64 MiB
	Seed  uint64 // makes the picture ids differ from those of other programs; 0: random
}

const (
	// answerTime is the time after the start during which pictures wait for the terminal to report
	// what it is and how large its cells are.
	answerTime = 250 * time.Millisecond

	// maximum size of one encoded picture before base64; a larger one is scaled down until it fits
	maxPayloadBytes    = 2 << 20
	maxWaitingToSend   = 2 // no further picture is encoded while so many wait to be sent
	maxAwaitingDrawing = 8 // no further picture is encoded while so many wait for their rows to become final
)

// pictureState is the progress of a picture on its way to the terminal.
type pictureState uint8

const (
	pictureComing pictureState = iota // the picture is being encoded, or waits to be sent
	pictureShown                      // the terminal has the picture
	pictureGone                       // the picture was deleted in favour of newer ones; its text is shown
	pictureLost                       // the terminal has lost the picture; the next View requests it again
	pictureBad                        // the picture cannot be encoded, see err
)

// picture is an image of a certain content and size on one screen. Several components can show the
// same one.
type picture struct {
	state         pictureState
	surface       *surface
	id            image.ID
	palette       bool // the id is encoded in a palette colour, not in an RGB colour
	box           image.Box
	src           image.Source
	payload       []byte            // the bytes to send; nil once they are sent and not needed again
	overlay       *renderer.Picture // draws the picture over its rows; nil: it consists of placeholder cells
	awaitsDrawing bool              // the picture was not drawn yet
	memoryBytes   int               // memory that the picture takes in the terminal
	resent        bool              // the picture was sent a second time, after an error report
	// the picture was sent while the window had no focus, so that tmux may not have passed it on
	sentUnseen bool
	err        error
}

// surface is the normal or the alternate screen of the terminal. Each has pictures of its own.
type surface struct {
	*pictures
	alternate bool
	budget    image.Budget
}

// pictures manages the pictures of a run of an App. It encodes them in another goroutine, one at a
// time. The loop sends them between frames, and deletes those beyond the budget. Its methods must
// be called on the loop.
type pictures struct {
	queue    *queue
	onChange func()    // called when the state of a picture has changed
	start    time.Time // when the run began
	protocol pictureProtocol
	rows     int // number of rows of the screen

	ids         image.IDs
	knownByID   map[image.ID]*picture // pictures that are coming or shown
	encodeQueue []*picture            // pictures to encode
	isEncoding  bool                  // a goroutine is encoding a picture
	sendQueue   []*picture            // encoded pictures to send
	ended       bool                  // the run is ending
	unfocused   bool                  // another window has the focus

	normal, alternate surface
}

// pictureProtocol describes how pictures get to the terminal.
type pictureProtocol struct {
	images    terminal.Images
	usesCells bool // pictures consist of kitty's placeholder cells
	wire      image.Wire
	palette   bool       // picture ids are encoded in palette colours
	cell      image.Cell // size of a cell in pixels
	// A drawn picture stays where it is when the text around it moves at another width (kitty
	// 0.26).
	staysAfterRewrap bool
}

// newPictures returns the picture manager for a run that begins at now. It calls changed when the
// state of a picture has changed.
func newPictures(q *queue, b ImageBudget, now time.Time, changed func()) *pictures {
	if b.Seed == 0 {
		b.Seed = rand.Uint64()
	}
	p := &pictures{queue: q, onChange: changed, start: now, knownByID: make(map[image.ID]*picture),
		ids: image.IDs{Seed: b.Seed}}
	p.normal = surface{pictures: p, budget: image.Budget{Max: b.Max, Bytes: b.Bytes}}
	p.alternate = surface{pictures: p, budget: p.normal.budget, alternate: true}
	return p
}

// updateCaps chooses the protocol for the terminal's capabilities c. If the protocol changes, all
// pictures are sent again. rows is the height of the screen.
func (p *pictures) updateCaps(c Caps, rows int) {
	d := pictureProtocol{images: c.Images, palette: !c.ExactColors, cell: cellSize(c)}
	if d.images == terminal.ImagesKitty {
		d.wire.Tmux = c.Mux == "tmux"
		d.usesCells = c.Placeholders || d.wire.Tmux // tmux knows no pictures: only cells stay with the text
		d.staysAfterRewrap = !d.usesCells && c.Name != "wezterm" && c.Name != "ghostty"
	}
	if d.images == terminal.ImagesSixel && d.cell == (image.Cell{}) {
		d.images = terminal.ImagesOff // it would cover more rows than were reserved, or fewer
	}
	p.rows, p.ids.Palette = rows, d.usesCells && d.palette
	old := p.protocol
	p.protocol = d
	if old.images != d.images || old.usesCells != d.usesCells || old.wire != d.wire {
		p.markLost(func(*picture) bool { return true })
	}
}

// waitTime returns how long to wait at the start before pictures are laid out. As long as the
// terminal has not reported the shape of its cells, the layout could distort them for good.
func (su *surface) waitTime(now time.Time) time.Duration {
	if su == nil || su.protocol.cell != (image.Cell{}) || su.ended {
		return 0
	}
	return max(su.start.Add(answerTime).Sub(now), 0)
}

// canShow reports whether pictures can be displayed in s. Pictures that do not consist of cells can
// be drawn only over rows that become final.
func (su *surface) canShow(s Space) bool {
	if su == nil || su.protocol.images == terminal.ImagesOff {
		return false
	}
	return su.protocol.usesCells || !su.alternate && s.Height == 0
}

// findPicture returns the picture for im at the given width. If it is new it is queued for
// encoding.
func (su *surface) findPicture(im *Image, width int) *picture {
	p := su.pictures
	cols, rows := width, max(p.rows*2/3, 4)
	if im.MaxCols > 0 {
		cols = min(cols, im.MaxCols)
	}
	if im.MaxRows > 0 {
		rows = im.MaxRows
	}
	if !p.protocol.usesCells {
		rows = min(rows, p.rows-2)
	}
	pic := &picture{state: pictureGone, surface: su, src: im.pixelSource(), palette: p.protocol.palette,
		box: image.Fit(im.pixelWidth, im.pixelHeight, p.protocol.cell, cols, rows)}
	if pic.src == nil || p.ended {
		return pic
	}
	id, ok := p.ids.Of(image.Key(pic.src.Sum(), pic.box, su.alternate))
	if !ok { // all ids of the palette are in history
		pic.src = nil
		return pic
	}
	if old := p.knownByID[id]; old != nil {
		if su.budget.Live(id) {
			su.budget.Show(id, old.memoryBytes) // the newest again
		}
		return old
	}
	pic.id, pic.state = id, pictureComing
	p.knownByID[id] = pic
	p.encodeQueue = append(p.encodeQueue, pic)
	p.encodeNext()
	return pic
}

// encodeNext starts a goroutine to encode the next queued picture, if none is running and not too
// many wait.
func (p *pictures) encodeNext() {
	if p.isEncoding || len(p.encodeQueue) == 0 || p.isFull() {
		return
	}
	pic, way := p.encodeQueue[0], p.protocol
	p.encodeQueue, p.isEncoding = p.encodeQueue[1:], true
	result := *pic
	go func() {
		result.encode(way)
		p.queue.add(op{kind: opQuiet, fn: func() { p.handleEncoded(pic, &result) }})
	}()
}

// isFull reports whether so many pictures wait to be sent or drawn that encoding should pause.
// Encoded pictures are large.
func (p *pictures) isFull() bool {
	n := 0
	for _, pic := range p.knownByID {
		if pic.awaitsDrawing {
			n++
		}
	}
	return len(p.sendQueue) >= maxWaitingToSend || n >= maxAwaitingDrawing
}

// handleEncoded takes over the result of encoding pic.
func (p *pictures) handleEncoded(pic, result *picture) {
	p.isEncoding = false
	switch {
	case p.knownByID[pic.id] != pic: // nobody wants it any more
	case result.err != nil:
		pic.state, pic.err, pic.src = pictureBad, result.err, nil
		p.remove(pic)
	default:
		pic.payload, pic.memoryBytes = result.payload, result.memoryBytes
		if p.protocol.usesCells {
			p.sendQueue = append(p.sendQueue, pic)
			break
		}
		pic.state, pic.awaitsDrawing = pictureShown, true
		pic.overlay = &renderer.Picture{Rows: pic.box.Rows, Draw: func(dst []byte, there bool) []byte {
			return p.appendDraw(pic, dst, there)
		}}
	}
	p.encodeNext()
	p.onChange()
}

// encode decodes the source and encodes the payload. It runs outside the loop and must not touch
// the loop's data.
func (pic *picture) encode(way pictureProtocol) {
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
			if way.usesCells {
				pic.payload = way.wire.AppendVirtual(pic.payload, pic.id, pic.box)
			}
		}
		if n <= maxPayloadBytes || w < 64 || h < 64 {
			return
		}
		w, h = pix.Rect.Dx()*3/4, pix.Rect.Dy()*3/4
	}
}

// sendReady sends queued pictures while the terminal keeps up. Each is sent in one Write, with the
// deletions of the pictures that it replaces. full says that the alternate screen is shown. The
// result more says that some pictures are left.
func (p *pictures) sendReady(d device, full bool) (more bool) {
	sent := false
	later := p.sendQueue[:0]
	for i, pic := range p.sendQueue {
		switch {
		case p.knownByID[pic.id] != pic:
			continue
		case pic.surface.alternate != full:
			later = append(later, pic)
			continue
		case d.Behind():
			later, more = append(later, p.sendQueue[i:]...), true
		}
		if more {
			break
		}
		_, _ = d.Write(append(pic.surface.appendShow(pic, nil), pic.payload...)) // an error shows at the next frame
		pic.payload, pic.state, sent = nil, pictureShown, true
		pic.sentUnseen = p.unfocused && p.protocol.wire.Tmux
	}
	clear(p.sendQueue[len(later):])
	p.sendQueue = later
	if sent {
		p.encodeNext()
		p.onChange()
	}
	return more
}

// appendDraw appends to dst the bytes that draw pic at the cursor, if there is such a place on the
// screen. Deletions come first, and the placement follows the transmission directly: kitty's
// deletion by id frees every picture that has no placement (kitty 0.26 to 0.40, graphics.c).
func (p *pictures) appendDraw(pic *picture, dst []byte, there bool) []byte {
	pic.awaitsDrawing = false
	switch {
	case p.knownByID[pic.id] != pic:
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
	p.encodeNext()
	return dst
}

// appendShow marks pic as the newest picture. It appends to dst the deletions of the pictures
// beyond the budget.
func (su *surface) appendShow(pic *picture, dst []byte) []byte {
	for _, id := range su.budget.Show(pic.id, pic.memoryBytes) {
		dst = su.retire(id, dst)
	}
	return dst
}

// retire replaces a picture by its text and appends its deletion to dst.
func (p *pictures) retire(id image.ID, dst []byte) []byte {
	if pic := p.knownByID[id]; pic != nil {
		p.showAsText(pic)
	}
	if p.protocol.images == terminal.ImagesKitty {
		dst = p.protocol.wire.AppendDelete(dst, id)
	}
	return dst
}

// showAsText gives up pic: all components that show it show its text from now on.
func (p *pictures) showAsText(pic *picture) {
	pic.state, pic.src, pic.payload = pictureGone, nil, nil
	p.remove(pic)
}

func (p *pictures) remove(pic *picture) {
	if p.knownByID[pic.id] == pic {
		delete(p.knownByID, pic.id)
	}
}

// markLost marks the pictures for which the predicate which returns true as lost, so that the next
// View requests them again.
func (p *pictures) markLost(which func(*picture) bool) {
	for _, pic := range p.knownByID {
		if which(pic) {
			pic.state = pictureLost
			pic.surface.budget.Drop(pic.id)
			p.remove(pic)
		}
	}
}

// eraseSurface appends to dst the deletion of all pictures of a screen that is erased or left.
func (p *pictures) eraseSurface(su *surface, dst []byte) []byte {
	for _, id := range su.budget.Clear() {
		if p.protocol.images == terminal.ImagesKitty {
			dst = p.protocol.wire.AppendDelete(dst, id)
		}
	}
	p.markLost(func(pic *picture) bool { return pic.surface == su })
	return dst
}

// takeError handles the terminal's report that it does not have a picture. A picture of cells is
// sent a second time, and after another report becomes text. A drawn one becomes text at once: it
// was sent together with its placement, which would fail again.
func (p *pictures) takeError(id image.ID) {
	pic := p.knownByID[id]
	if pic == nil || pic.state != pictureShown {
		return
	}
	pic.surface.budget.Drop(id)
	if pic.resent || pic.overlay != nil {
		p.showAsText(pic)
	} else {
		pic.resent = true
		p.encodeQueue = append(p.encodeQueue, pic)
		p.encodeNext()
	}
	p.onChange()
}

// setFocus records whether the App's window has the focus. tmux passes nothing on from a window
// that is not visible (allow-passthrough on). When the window gets the focus, pictures that were
// sent without it are sent again.
func (p *pictures) setFocus(in bool) {
	p.unfocused = !in
	for _, pic := range p.knownByID {
		if in && pic.sentUnseen && pic.state == pictureShown {
			pic.sentUnseen = false
			p.encodeQueue = append(p.encodeQueue, pic)
		}
	}
	p.encodeNext()
}

// end marks the run as ending: pictures that are still on their way become text.
func (p *pictures) end() {
	p.ended = true
	for _, pic := range p.knownByID {
		if pic.state == pictureComing {
			pic.state = pictureGone
		}
	}
}

// isBusy reports whether a picture is being encoded, or waits to be encoded or sent.
func (p *pictures) isBusy() bool {
	return p.isEncoding || len(p.encodeQueue) > 0 && !p.isFull() || len(p.sendQueue) > 0
}

// cellSize returns the size of a cell that the terminal has reported, or the zero value.
func cellSize(c Caps) image.Cell { return image.Cell{W: c.CellWidth, H: c.CellHeight} }
