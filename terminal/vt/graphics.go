package vt

import "fmt"

// Limits of kitty graphics.
const (
	maxImageSide = 10_000 // In pixels.
	// The most bytes of all images of a screen. The oldest are removed first, and those without a
	// placement before the others.
	maxImageBytes = 320 << 20
	maxPlacements = 4096    // The most placements of a screen. The oldest are removed first.
	maxFrames     = 1 << 16 // The most frames of an image.
)

// images holds the images of one screen (kitty graphics): their sizes, not their pixels.
type images struct {
	byID       map[uint32]*image
	placements []placement // In the order in which they were made.
	loading    *transfer   // An image or a frame whose data comes in several commands.
	nextID     uint32      // The next id for an image without an id.
	lowestFree uint32      // All smaller ids are in use. It is for images that have a number.
	nextPlace  uint32      // The next id for a placement without an id.
	bytes      int
	clock      int
}

type image struct {
	id, number    uint32
	width, height int  // In pixels.
	bytes, time   int  // bytes without the frames
	opaque        bool // Three bytes a pixel, without an alpha channel.
	anonymous     bool // The application gave neither an id nor a number. No command for this image is answered.
	transient     bool // N=1: it is removed before other images.
	animation     *animation
}

// Placement describes where an image is shown on the active screen (kitty graphics).
type Placement struct {
	// i and p. An ID that was not given is made up.
	Image, ID  int
	Row, Col   int // of the top left corner; Row is negative above the grid
	Cols, Rows int // cells covered
	Z          int
	Virtual    bool // It is shown by placeholder characters, not at Row and Col.
	// It is placed relative to another placement (P). If that one is virtual, Row and Col are the
	// distance to it.
	Relative      bool
	Width, Height int // pixels of the image itself
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

// response is the answer to a kitty graphics command.
type response struct {
	id, number, placement, frame uint32
	message                      string
}

const graphicsOK = "OK"

func (r *response) fail(message string) response {
	r.message = message
	return *r
}

// runGraphics executes a kitty graphics command and sends the answer (graphics_exec.zig).
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

// executeGraphics executes a command and returns the answer. If an image comes in pieces, the first
// piece decides whether they are answered.
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

// encode returns the answer as the terminal sends it.
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

// imageLimit returns the most bytes of pixels that a screen keeps.
func (t *Terminal) imageLimit() int {
	if n := t.config.Personality.ImageLimit; n > 0 {
		return n
	}
	return maxImageBytes
}

// addImage stores img, in place of an image with the same id. It returns false if img is larger
// than limit bytes.
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

// reserve removes other images until image id can grow by more bytes. It returns false if that is
// not possible. size is the number of bytes that are added in all.
func (im *images) reserve(s *screen, id uint32, more, size, limit int) bool {
	if size > limit {
		return false
	}
	need := im.bytes + more - limit
	return need <= 0 || im.evictImages(s, need, id)
}

// touch records that what img shows has changed.
func (im *images) touch(img *image) {
	im.clock++
	img.time = im.clock
}

// size returns the bytes of an image, including all its frames.
func (im *images) size(id uint32) int {
	img := im.byID[id]
	if img == nil {
		return 0
	}
	return img.bytes + img.frames()*img.frameBytes()
}

// free removes an image whose placements were removed before.
func (im *images) free(id uint32) {
	im.bytes -= im.size(id)
	delete(im.byID, id)
	im.lowestFree = min(im.lowestFree, id)
}

// byNumber returns the newest image with a number, or nil.
func (im *images) byNumber(n uint32) *image {
	var newest *image
	for _, img := range im.byID {
		if img.number == n && (newest == nil || img.time > newest.time) {
			newest = img
		}
	}
	return newest
}

// find returns the image that a command names by its id or its number, or nil.
func (im *images) find(id, number uint32) *image {
	if id > 0 {
		return im.byID[id]
	}
	return im.byNumber(number)
}
