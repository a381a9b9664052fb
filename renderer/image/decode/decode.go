// Package decode reads picture files (PNG, JPEG, GIF, WebP) for package image: what they are and
// how large, before anything is decoded.
//
// Files come from models, tools and the network. [New] looks at headers only and refuses what would
// need more memory than [Limits] allow, by what the format's decoder is known to take for each
// pixel. Decoding happens in [Picture.Pixels]; a file that turns out to be broken there is an
// error, never a panic.
package decode

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	stdimage "image"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

var (
	ErrFormat   = errors.New("not a PNG, JPEG, GIF or WebP picture")
	ErrTooLarge = errors.New("the picture is too large")
	ErrBroken   = errors.New("the picture is broken")
)

// Limits bounds what decoding a file may take. The defaults for 0 keep the whole process below 256
// MB.
type Limits struct {
	File   int // The most bytes of the file; 0: 32 MiB.
	Memory int // The most bytes of memory for decoding; 0: 96 MiB.
}

// maxSide is the most pixels in the width or the height of an image. It is the limit of JPEG.
const maxSide = 1<<16 - 1

// Picture is an image file whose header was accepted, ready to be decoded. It keeps the bytes of
// the file.
type Picture struct {
	file []byte
	head header
	sum  [16]byte
	err  error
}

// New reads the header of file, whose bytes must not change afterwards. Its errors wrap ErrFormat,
// ErrTooLarge or ErrBroken. The Picture is never nil: after an error it has no size, and Pixels
// returns the same error.
func New(file []byte, l Limits) (*Picture, error) {
	p := &Picture{}
	p.err = p.read(file, l)
	return p, p.err
}

func (p *Picture) read(file []byte, l Limits) error {
	if l.File <= 0 {
		l.File = 32 << 20
	}
	if l.Memory <= 0 {
		l.Memory = 96 << 20
	}
	if len(file) > l.File {
		return fmt.Errorf("%w: %d bytes", ErrTooLarge, len(file))
	}
	h, err := readHeader(file)
	switch {
	case err != nil:
		return err
	case h.w <= 0 || h.h <= 0:
		return fmt.Errorf("%w: it has no pixels", ErrBroken)
	case h.w > maxSide || h.h > maxSide || h.w*h.h > l.Memory/h.bytesPerPixel:
		return fmt.Errorf("%w: %d by %d pixels", ErrTooLarge, h.w, h.h)
	}
	if h.kind == "png" {
		file = withoutBrokenParts(file)
	}
	p.file, p.head = file, h
	sum := sha256.Sum256(file)
	copy(p.sum[:], sum[:])
	return nil
}

// Kind returns the format of a file by its first bytes: "png", "jpeg", "gif", "webp", or "".
func Kind(file []byte) string {
	switch {
	case bytes.HasPrefix(file, []byte(pngMagic)):
		return "png"
	case bytes.HasPrefix(file, []byte("\xff\xd8\xff")):
		return "jpeg"
	case bytes.HasPrefix(file, []byte("GIF87a")), bytes.HasPrefix(file, []byte("GIF89a")):
		return "gif"
	case len(file) >= 12 && string(file[:4]) == "RIFF" && string(file[8:12]) == "WEBP":
		return "webp"
	}
	return ""
}

// Kind returns the format of the file: "png", "jpeg", "gif" or "webp".
func (p *Picture) Kind() string { return p.head.kind }

// Size returns the size in pixels, from the file's header.
func (p *Picture) Size() (w, h int) { return p.head.w, p.head.h }

// File returns the bytes of the file. From a PNG, parts that are broken and not needed are removed.
func (p *Picture) File() []byte { return p.file }

// Sum returns a hash of the file.
func (p *Picture) Sum() [16]byte { return p.sum }

// Check decodes the file and returns an error if it is broken. It takes less time than Pixels,
// since it does not convert the pixels.
func (p *Picture) Check() error {
	_, err := p.decode()
	return err
}

// Pixels decodes the file and scales it down to at most w by h pixels. Of an animation it returns
// the first image. file is a PNG of just these pixels if the file is one and was not scaled,
// otherwise nil.
func (p *Picture) Pixels(w, h int) (pix *stdimage.NRGBA, file []byte, err error) {
	img, err := p.decode()
	if err != nil {
		return nil, nil, err
	}
	full := stdimage.Rect(0, 0, p.head.w, p.head.h)
	w, h = fitInside(p.head.w, p.head.h, w, h)
	if w < p.head.w || h < p.head.h {
		return scale(img, full, w, h), nil, nil
	}
	if p.head.kind == "png" {
		file = p.file
	}
	if n, ok := img.(*stdimage.NRGBA); ok {
		return n, file, nil
	}
	pix = stdimage.NewNRGBA(full)
	draw.Draw(pix, img.Bounds(), img, img.Bounds().Min, draw.Src)
	return pix, file, nil
}

// decode returns the image in the file, in the size that the header says. A panic of a decoder
// becomes ErrBroken.
func (p *Picture) decode() (img stdimage.Image, err error) {
	defer func() {
		if r := recover(); r != nil { // in a decoder
			img, err = nil, fmt.Errorf("%w: %v", ErrBroken, r)
		}
	}()
	if p.err != nil {
		return nil, p.err
	}
	if img, err = p.decodeKind(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	full := stdimage.Rect(0, 0, p.head.w, p.head.h)
	if b := img.Bounds(); b.Empty() || !b.In(full) || p.head.kind != "gif" && b != full {
		return nil, fmt.Errorf("%w: its size is not what its header says", ErrBroken)
	}
	return img, nil
}

func (p *Picture) decodeKind() (stdimage.Image, error) {
	r := bytes.NewReader(p.file)
	switch p.head.kind {
	case "png":
		return png.Decode(r)
	case "jpeg":
		return jpeg.Decode(r)
	case "gif":
		return gif.Decode(r)
	}
	return webp.Decode(r)
}

// fitInside returns w by h in proportion, at most maxW by maxH.
func fitInside(w, h, maxW, maxH int) (int, int) {
	maxW, maxH = max(maxW, 1), max(maxH, 1)
	switch {
	case w <= maxW && h <= maxH:
		return w, h
	case w*maxH > h*maxW:
		return maxW, max((h*maxW+w/2)/w, 1)
	}
	return max((w*maxH+h/2)/h, 1), maxH
}
