package vt

import (
	"bytes"
	"compress/zlib"
	"image/png"
	"io"
)

// transfer is an image, or a frame of one, whose data is being received.
type transfer struct {
	image       image
	format      int  // The key f: 24, 32 or 100.
	zlib        bool // o=z
	data        []byte
	size        int              // The number of bytes received. data holds them only if they are needed.
	thenDisplay *graphicsCommand // The display keys of a=T.
	frame       *frameTransfer   // The frame keys of a=f.
	quiet       uint32
	response    response // The answer, with the names of the first piece.
}

const (
	// The answer to files and shared memory: an emulator has no business reading them. The ghostty
	// application does.
	unsupportedMedium = "EINVAL: unsupported medium"
	unsupportedFormat = "EINVAL: unsupported format"
	invalidData       = "EINVAL: invalid data"
	noMemory          = "ENOMEM: out of memory"
	notFound          = "ENOENT: image not found"
	nameRequired      = "EINVAL: image ID or number required"
)

// newTransfer starts to receive an image or a frame, with the first piece of its data.
func newTransfer(g *graphicsCommand) (l *transfer, problem string) {
	l = &transfer{
		image: image{id: g.get('i', 0), number: g.get('I', 0), width: int(g.get('s', 0)), height: int(g.get('v', 0)),
			transient: g.get('N', 0)&1 != 0},
		format: int(g.get('f', 32)), zlib: g.present['o'], quiet: min(g.get('q', 0), 2), response: newResponse(g),
	}
	switch l.format {
	case 0:
		l.format = 32
	case 24, 32, 100:
	default:
		return nil, unsupportedFormat
	}
	if g.get('t', 'd') != 'd' {
		return nil, unsupportedMedium
	}
	return l, l.addPiece(g.data)
}

// hasMore reports whether more pieces of data follow.
func (g *graphicsCommand) hasMore() bool { return g.get('t', 'd') == 'd' && g.get('m', 0) > 0 }

// queryImage implements a=q: it answers whether the image could be loaded.
func (t *Terminal) queryImage(g *graphicsCommand) response {
	r := newResponse(g)
	if r.id == 0 {
		return response{message: "EINVAL: image ID required"}
	}
	l, problem := newTransfer(g)
	if problem == "" {
		problem = l.complete()
	}
	if problem != "" {
		return r.fail(problem)
	}
	return r
}

// transmitImage implements a=t and a=T: it receives an image, or a further piece of one.
func (t *Terminal) transmitImage(g *graphicsCommand) response {
	im := &t.active.images
	l := im.loading
	if l != nil && l.frame != nil {
		return t.transmitFrame(g)
	}
	r := newResponse(g)
	if l != nil {
		r = l.response
		if problem := l.addPiece(g.data); problem != "" {
			return r.fail(problem)
		}
	} else {
		if r.id > 0 { // a new image with the same id: the old one goes when it begins, with its placements
			im.deleteByID(t.active, r.id, 0, true)
		}
		var problem string
		if l, problem = newTransfer(g); problem != "" {
			return r.fail(problem)
		}
		if g.get('a', 't') == 'T' {
			d := *g
			d.data = nil
			l.thenDisplay = &d
		}
		if l.image.id == 0 {
			im.nameImage(&l.image)
		}
	}
	if g.hasMore() {
		im.loading = l
		return response{}
	}
	im.loading = nil
	if problem := l.complete(); problem != "" {
		return r.fail(problem)
	}
	if !im.addImage(t.active, &l.image, t.imageLimit()) {
		return r.fail(noMemory)
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

// nameImage gives img an id that no other image has. An image with a number gets the lowest free
// id, which is told to the application. The others get ids from the middle of the range on.
func (im *images) nameImage(img *image) {
	next := &im.nextID
	if img.number > 0 {
		next = &im.lowestFree
	} else {
		img.anonymous = true
		if *next == 0 {
			*next = 1<<31 - 1
		}
	}
	for *next == 0 || im.byID[*next] != nil {
		*next++
	}
	img.id = *next
	if img.anonymous {
		*next++
	}
}

// addPiece adds a piece of the data. Of raw pixels it keeps only the number of bytes.
func (t *transfer) addPiece(b []byte) (problem string) {
	if t.size+len(b) > maxImageBytes {
		return invalidData
	}
	t.size += len(b)
	if t.zlib || t.format == 100 {
		t.data = append(t.data, b...)
	}
	return ""
}

// complete checks that the data is an image of the announced size.
func (t *transfer) complete() (problem string) {
	img := &t.image
	bpp := 4
	if t.format == 24 {
		bpp = 3
	}
	if t.zlib {
		if problem := t.inflate(img.width * img.height * bpp); problem != "" {
			return problem
		}
	}
	if t.format == 100 {
		c, err := png.DecodeConfig(bytes.NewReader(t.data))
		if err != nil {
			return invalidData
		}
		img.width, img.height = c.Width, c.Height
		t.size = c.Width * c.Height * bpp
	}
	want := img.width * img.height * bpp
	switch {
	case img.width == 0 || img.height == 0:
		return "EINVAL: dimensions required"
	case img.width > maxImageSide || img.height > maxImageSide:
		return "EINVAL: dimensions too large"
	case t.frame != nil && t.size < want:
		return "ENODATA: insufficient data"
	case t.frame == nil && t.size != want:
		return invalidData
	}
	img.bytes, img.opaque = want, bpp == 3
	t.data = nil
	return ""
}

// inflate decompresses the data. Of raw pixels it keeps only the number of bytes; want is the
// number that is needed.
func (t *transfer) inflate(want int) (problem string) {
	const failed = "EINVAL: decompression failed"
	limit := want + 1
	if t.format == 100 {
		limit = maxImageBytes
	}
	z, err := zlib.NewReader(bytes.NewReader(t.data))
	if err != nil {
		return failed
	}
	var plain bytes.Buffer
	to := io.Discard
	if t.format == 100 {
		to = &plain
	}
	n, err := io.Copy(to, io.LimitReader(z, int64(min(limit, maxImageBytes))))
	if err != nil {
		return failed
	}
	t.size, t.data = int(n), plain.Bytes()
	return ""
}
