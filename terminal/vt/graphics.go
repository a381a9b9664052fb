package vt

import "fmt"

// Limits of kitty graphics.
const (
	maxImageSide = 10_000 // pixels
	// Of all images of a screen, as pixels; the oldest go first, those without a placement before
	// the others.
	maxImageBytes = 320 << 20
	maxPlacements = 4096    // of a screen; the oldest go
	maxFrames     = 1 << 16 // of an image
)

// images holds the images of one screen: their sizes, not their pixels.
type images struct {
	byID       map[uint32]*image
	placements []placement // in the order in which they were made
	loading    *transfer   // an image or a frame that comes in several commands
	nextID     uint32      // for images without an id
	lowestFree uint32      // all ids below are taken; for images with a number
	nextPlace  uint32      // for placements without an id
	bytes      int
	clock      int
}

type image struct {
	id, number    uint32
	width, height int  // pixels
	bytes, time   int  // bytes without the frames
	opaque        bool // three bytes a pixel
	anonymous     bool // neither id nor number was given: no command about it is answered
	transient     bool // N=1: it goes before others
	animation     *animation
}

// Placement is a place where a kitty graphics image is shown on the active screen.
type Placement struct {
	// i and p. An ID that was not given is made up.
	Image, ID     int
	Row, Col      int // of the top left corner; Row is negative above the grid
	Cols, Rows    int // cells covered
	Z             int
	Virtual       bool // shown by placeholder characters, not at Row and Col
	Relative      bool // at its place beside another one (P); if that is virtual, Row and Col count from there
	Width, Height int  // pixels of the image itself
	// The part of the image that is shown, in pixels.
	SourceX, SourceY, SourceWidth, SourceHeight int
}

// Placements lists the images of the active screen in the order in which they were placed.
func (t *Terminal) Placements() []Placement {
	s := t.active
	s.images.prunePlacements(s)
	parents := s.images.parents()
	var list []Placement
	for i := range s.images.placements {
		p := &s.images.placements[i]
		img := s.images.byID[p.image]
		if img == nil {
			continue
		}
		out := Placement{Image: int(img.id), ID: int(p.id), Z: p.z, Relative: p.relative != nil, Width: img.width,
			Height: img.height}
		out.SourceX, out.SourceY, out.SourceWidth, out.SourceHeight = p.sourceRect(img)
		root, right, down := root(p, parents)
		if root == nil {
			continue // a chain that became too long is not drawn
		}
		out.Virtual = root.at == nil
		out.Cols, out.Rows = p.cols, p.rows
		if !p.virtual() {
			out.Cols, out.Rows = t.placementSize(p, img)
			out.Col, out.Row = right, down
		}
		if root.at != nil {
			out.Col, out.Row = root.at.x+right, root.at.y-s.dropped-s.top()+down
		}
		list = append(list, out)
	}
	return list
}

// response is an answer to a graphics command.
type response struct {
	id, number, placement, frame uint32
	message                      string
}

const graphicsOK = "OK"

func (r *response) fail(message string) response {
	r.message = message
	return *r
}

// runGraphics executes a command and answers it (graphics_exec.zig).
func (t *Terminal) runGraphics(g *graphicsCommand) {
	if t.config.Personality.NoPlaceholders && g.present['U'] {
		return
	}
	quiet := min(g.get('q', 0), 2)
	r := newResponse(g)
	if r.id > 0 && r.number > 0 {
		r.message = "EINVAL: image ID and number are mutually exclusive"
	} else {
		r = t.executeGraphics(g, &quiet)
	}
	if r.id == 0 && r.number == 0 || quiet == 2 || quiet == 1 && r.message == graphicsOK {
		return
	}
	t.reply(r.encode())
}

// executeGraphics does what a command says. The first piece of an image says for all of them
// whether they are answered.
func (t *Terminal) executeGraphics(g *graphicsCommand, quiet *uint32) response {
	switch a := g.get('a', 't'); a {
	case 'q':
		return t.queryImage(g)
	case 'p':
		return t.displayImage(g, g.get('i', 0))
	case 'd':
		t.active.images.loading = nil
		t.deleteImages(g)
		return response{}
	case 'a':
		return t.controlAnimation(g)
	case 'c':
		return t.composeFrame(g)
	default:
		if l := t.active.images.loading; l != nil {
			if *quiet == 0 {
				*quiet = l.quiet
			} else {
				l.quiet = *quiet
			}
		}
		if a == 'f' {
			return t.transmitFrame(g)
		}
		return t.transmitImage(g)
	}
}

// encode returns the bytes of the answer.
func (r *response) encode() []byte {
	b := []byte("\x1b_G")
	for _, kv := range []struct {
		key byte
		v   uint32
	}{{'i', r.id}, {'I', r.number}, {'p', r.placement}, {'r', r.frame}} {
		if kv.v > 0 {
			if len(b) > 3 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, "%c=%d", kv.key, kv.v)
		}
	}
	return fmt.Appendf(b, ";%s\x1b\\", r.message)
}

func newResponse(g *graphicsCommand) response {
	return response{id: g.get('i', 0), number: g.get('I', 0), placement: g.get('p', 0), message: graphicsOK}
}

// imageLimit returns the most bytes of pixels of a screen.
func (t *Terminal) imageLimit() int {
	if n := t.config.Personality.ImageLimit; n > 0 {
		return n
	}
	return maxImageBytes
}

// addImage stores img in place of one with the same id. It reports whether it fits into limit
// bytes.
func (im *images) addImage(s *screen, img *image, limit int) bool {
	if !im.reserve(s, img.id, img.bytes-im.size(img.id), img.bytes, limit) {
		return false
	}
	if im.byID == nil {
		im.byID = make(map[uint32]*image)
	}
	if im.byID[img.id] != nil { // with its placements and frames
		im.removePlacements(s, false, func(p *placement) bool { return p.image == img.id })
		im.free(img.id)
	}
	im.byID[img.id] = img
	im.bytes += img.bytes
	im.touch(img)
	return true
}

// reserve makes room for more bytes of image id, at the cost of others. It reports whether there is
// any; what is added has size bytes in all.
func (im *images) reserve(s *screen, id uint32, more, size, limit int) bool {
	if size > limit {
		return false
	}
	need := im.bytes + more - limit
	return need <= 0 || im.evictImages(s, need, id)
}

// touch notes that what is shown of img has changed.
func (im *images) touch(img *image) {
	im.clock++
	img.time = im.clock
}

// size returns the bytes that an image takes with its frames.
func (im *images) size(id uint32) int {
	img := im.byID[id]
	if img == nil {
		return 0
	}
	return img.bytes + img.frames()*img.frameBytes()
}

// free removes an image. Its placements are gone.
func (im *images) free(id uint32) {
	im.bytes -= im.size(id)
	delete(im.byID, id)
	im.lowestFree = min(im.lowestFree, id)
}

// byNumber returns the newest image with that number.
func (im *images) byNumber(n uint32) *image {
	var newest *image
	for _, img := range im.byID {
		if img.number == n && (newest == nil || img.time > newest.time) {
			newest = img
		}
	}
	return newest
}

// find returns the image that a command names by its id or its number.
func (im *images) find(id, number uint32) *image {
	if id > 0 {
		return im.byID[id]
	}
	return im.byNumber(number)
}
