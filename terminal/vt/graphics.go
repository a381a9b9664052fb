package vt

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/png"
	"io"
)

// Limits of kitty graphics.
const (
	maxImageSide = 10_000 // pixels
	// Of all images of a screen, as pixels; the oldest go first, those without a placement before
	// the others.
	maxImageBytes = 320 << 20
	maxPlacements = 4096 // of a screen; the oldest go
)

// images holds the images of one screen: their sizes, not their pixels.
type images struct {
	byID       map[uint32]*image
	placements []placement // in the order in which they were made
	loading    *transfer   // an image that comes in several commands
	nextID     uint32      // for images without an id
	nextPlace  uint32      // for placements without an id
	bytes      int
	clock      int
}

type image struct {
	id, number    uint32
	width, height int // pixels
	bytes, time   int
	anonymous     bool // neither id nor number was given: no command about it is answered
}

// placement is a place that shows an image. Without a pin it is virtual: placeholder characters
// show it.
type placement struct {
	image            uint32
	id               uint32
	generatedID      bool // the id was not given, and may repeat one that was
	at               *pin
	xOffset, yOffset int // pixels
	srcW, srcH       int // pixels, 0 for all
	cols, rows       int // 0: from the size
	z                int
}

// transfer is an image that is being received.
type transfer struct {
	image       image
	format      int  // f: 24, 32 or 100
	zlib        bool // o=z
	data        []byte
	size        int              // bytes received; data holds them only if they are needed
	thenDisplay *graphicsCommand // of a=T
	quiet       uint32
}

// Placement is a place where a kitty graphics image is shown on the active screen.
type Placement struct {
	// i and p. An ID that was not given is made up.
	Image, ID     int
	Row, Col      int // of the top left corner; Row is negative above the grid
	Cols, Rows    int // cells covered
	Z             int
	Virtual       bool // shown by placeholder characters, not at Row and Col
	Width, Height int  // pixels of the image itself
}

// Placements lists the images of the active screen in the order in which they were placed.
func (t *Terminal) Placements() []Placement {
	s := t.active
	s.images.prunePlacements(s)
	var list []Placement
	for i := range s.images.placements {
		p := &s.images.placements[i]
		img := s.images.byID[p.image]
		if img == nil {
			continue
		}
		out := Placement{Image: int(img.id), ID: int(p.id), Z: p.z, Virtual: p.at == nil, Width: img.width,
			Height: img.height}
		if p.at != nil {
			out.Cols, out.Rows = t.placementSize(p, img)
			out.Col, out.Row = p.at.x, p.at.y-s.dropped-s.top()
		} else {
			out.Cols, out.Rows = p.cols, p.rows
		}
		list = append(list, out)
	}
	return list
}

// response is an answer to a graphics command.
type response struct {
	id, number, placement uint32
	message               string
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
	im := &t.active.images
	quiet := g.get('q', 0)
	var r response
	switch g.get('a', 't') {
	case 'q':
		r = t.queryImage(g)
	case 'p':
		r = t.displayImage(g, g.get('i', 0))
	case 'd':
		t.deleteImages(g)
		r.message = graphicsOK
	case 't', 'T':
		if l := im.loading; l != nil {
			if quiet == 0 {
				quiet = l.quiet
			} else {
				l.quiet = quiet
			}
		}
		r = t.transmitImage(g)
	default:
		r.message = "ERROR: unimplemented action"
	}
	if r.id == 0 && r.number == 0 || quiet == 2 || quiet == 1 && r.message == graphicsOK {
		return
	}
	b := []byte("\x1b_G")
	for _, kv := range []struct {
		key byte
		v   uint32
	}{{'i', r.id}, {'I', r.number}, {'p', r.placement}} {
		if kv.v > 0 {
			if len(b) > 3 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, "%c=%d", kv.key, kv.v)
		}
	}
	t.reply(fmt.Appendf(b, ";%s\x1b\\", r.message))
}

func newResponse(g *graphicsCommand) response {
	return response{g.get('i', 0), g.get('I', 0), g.get('p', 0), graphicsOK}
}

// queryImage implements a=q: it answers whether the image would load.
func (t *Terminal) queryImage(g *graphicsCommand) response {
	r := newResponse(g)
	if r.id == 0 {
		return response{message: "EINVAL: image ID required"}
	}
	if g.get('t', 'd') != 'd' {
		return r.fail(unsupportedMedium)
	}
	return r
}

// unsupportedMedium is the answer to files and shared memory: an emulator has no business reading
// them. The ghostty application does.
const unsupportedMedium = "EINVAL: unsupported medium"

// transmitImage implements a=t and a=T, and further pieces of them.
func (t *Terminal) transmitImage(g *graphicsCommand) response {
	im := &t.active.images
	r := newResponse(g)
	if r.id > 0 && r.number > 0 {
		return response{message: "EINVAL: image ID and number are mutually exclusive"}
	}
	direct := g.get('t', 'd') == 'd'
	more := direct && g.get('m', 0) > 0
	l := im.loading
	if l == nil {
		if !direct {
			return r.fail(unsupportedMedium)
		}
		l = &transfer{
			image:  image{id: r.id, number: r.number, width: int(g.get('s', 0)), height: int(g.get('v', 0))},
			format: int(g.get('f', 32)), zlib: g.present['o'], quiet: g.get('q', 0),
		}
		if g.get('a', 't') == 'T' {
			d := *g
			d.data = nil
			l.thenDisplay = &d
		}
		if l.image.id == 0 {
			if im.nextID == 0 {
				im.nextID = 1<<31 - 1 // half-way, away from the ids that programs choose
			}
			l.image.id = im.nextID
			im.nextID++
			l.image.anonymous = l.image.number == 0
		}
	}
	if err := l.addPiece(g.data); err != "" {
		return r.fail(err)
	}
	if more {
		im.loading = l
		return response{}
	}
	im.loading = nil
	if err := l.complete(); err != "" {
		return r.fail(err)
	}
	if !im.addImage(t.active, &l.image, t.imageLimit()) {
		return r.fail("ENOMEM: out of memory")
	}
	t.traffic.Images++
	if l.thenDisplay != nil {
		r = t.displayImage(l.thenDisplay, l.image.id)
	}
	if l.image.anonymous {
		return response{}
	}
	r.id = l.image.id
	return r
}

// addPiece takes a piece of the data. Raw pixels are only counted.
func (t *transfer) addPiece(b []byte) (problem string) {
	if t.size+len(b) > maxImageBytes {
		return "EINVAL: invalid data"
	}
	t.size += len(b)
	if t.zlib || t.format == 100 {
		t.data = append(t.data, b...)
	}
	return ""
}

// complete checks that the data is an image of the size that was announced.
func (t *transfer) complete() (problem string) {
	const (
		invalid  = "EINVAL: invalid data"
		tooLarge = "EINVAL: dimensions too large"
		noSize   = "EINVAL: dimensions required"
	)
	img := &t.image
	bpp := 4
	if t.format == 24 {
		bpp = 3
	}
	if t.zlib {
		limit := maxImageBytes
		if t.format != 100 {
			limit = img.width*img.height*bpp + 1
		}
		z, err := zlib.NewReader(bytes.NewReader(t.data))
		if err != nil {
			return "EINVAL: decompression failed"
		}
		var plain bytes.Buffer
		to := io.Discard
		if t.format == 100 {
			to = &plain
		}
		n, err := io.Copy(to, io.LimitReader(z, int64(min(limit, maxImageBytes))))
		if err != nil {
			return "EINVAL: decompression failed"
		}
		t.size, t.data = int(n), plain.Bytes()
	}
	if t.format == 100 {
		c, err := png.DecodeConfig(bytes.NewReader(t.data))
		if err != nil {
			return invalid
		}
		img.width, img.height = c.Width, c.Height
		t.size = c.Width * c.Height * bpp
	}
	switch {
	case img.width == 0 || img.height == 0:
		return noSize
	case img.width > maxImageSide || img.height > maxImageSide:
		return tooLarge
	case t.size != img.width*img.height*bpp:
		return invalid
	}
	img.bytes = t.size
	t.data = nil
	return ""
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
	if img.bytes > limit {
		return false
	}
	if need := im.bytes + img.bytes - limit; need > 0 && !im.evictImages(s, need) {
		return false
	}
	if im.byID == nil {
		im.byID = make(map[uint32]*image)
	}
	if old := im.byID[img.id]; old != nil {
		im.bytes -= old.bytes
	}
	im.clock++
	img.time = im.clock
	im.byID[img.id] = img
	im.bytes += img.bytes
	return true
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

// displayImage implements a=p, and the second half of a=T.
func (t *Terminal) displayImage(g *graphicsCommand, id uint32) response {
	r := newResponse(g)
	r.id = id
	if id == 0 && r.number == 0 {
		return response{message: "EINVAL: image ID or number required"}
	}
	s := t.active
	im := &s.images
	img := im.byID[id]
	if id == 0 {
		img = im.byNumber(r.number)
	}
	if img == nil {
		return r.fail("ENOENT: image not found")
	}
	r.id = img.id
	virtual := g.get('U', 0) == 1
	if virtual && g.get('P', 0) > 0 {
		return r.fail("EINVAL: virtual placement cannot refer to a parent")
	}
	p := placement{
		image: img.id, id: r.placement, generatedID: r.placement == 0,
		xOffset: int(g.get('X', 0)), yOffset: int(g.get('Y', 0)),
		srcW: int(g.get('w', 0)), srcH: int(g.get('h', 0)),
		cols: int(g.get('c', 0)), rows: int(g.get('r', 0)), z: g.signed('z'),
	}
	if !virtual {
		p.at = s.pinAt(s.cursor.x, s.cursor.y)
	}
	im.addPlacement(s, p)
	if !virtual && g.get('C', 0) == 0 {
		cols, rows := t.placementSize(&p, img)
		// One row is scrolled for each row of the image. The bound is ours: a few bytes can ask for
		// four billion.
		for range min(rows, maxImageScroll+t.rows) {
			t.indexDown()
		}
		t.moveTo(s.cursor.y, p.at.x+cols+1)
	}
	return r
}

// addPlacement adds p, in place of one with the same id.
func (im *images) addPlacement(s *screen, p placement) {
	if p.generatedID {
		p.id = im.nextPlace
		im.nextPlace++
	} else {
		im.removePlacements(s, false, func(q *placement) bool {
			return q.image == p.image && q.id == p.id &&
				!q.generatedID
		})
	}
	if len(im.placements) >= maxPlacements {
		im.prunePlacements(s)
	}
	if len(im.placements) >= maxPlacements { // many at once, so that it does not cost a walk each time
		n := 0
		im.removePlacements(s, false, func(*placement) bool { n++; return n <= maxPlacements/4 })
	}
	im.placements = append(im.placements, p)
}

// maxImageScroll is the most rows beyond a screen that the cursor goes down for one image.
const maxImageScroll = 512

// placementSize returns how many cells p covers.
func (t *Terminal) placementSize(p *placement, img *image) (cols, rows int) {
	if p.cols > 0 && p.rows > 0 {
		return p.cols, p.rows
	}
	w, h := img.width, img.height
	if p.srcW > 0 {
		w = p.srcW
	}
	if p.srcH > 0 {
		h = p.srcH
	}
	// DECCOLM changes the columns and not the window, and with it what ghostty takes for a cell
	// until the window changes, too.
	cw, ch := t.config.CellWidth*t.window.cols/t.cols, t.config.CellHeight
	switch { // the side that is not given follows from the aspect ratio
	case p.cols > 0:
		aspect := float64(h) / float64(w)
		w = cw * p.cols
		h = int(float64(w)*aspect + 0.5)
	case p.rows > 0:
		aspect := float64(w) / float64(h)
		h = ch * p.rows
		w = int(float64(h)*aspect + 0.5)
	}
	if cw > 0 {
		cols = (w + p.xOffset + cw - 1) / cw
	}
	return cols, (h + p.yOffset + ch - 1) / ch
}
