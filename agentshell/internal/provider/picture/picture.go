// Package picture holds image files in a form that the user can be shown and a model can be sent.
//
// A [Picture] exists only if its whole file can be decoded: a provider would refuse a broken file,
// and with it every later request of the conversation. A picture that is too large for models is
// scaled down once.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"path"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
)

// The limits of each picture that is sent to a model. Larger pictures are scaled down here, since
// providers would do so anyway.
const (
	MaxSide  = 1568      // Pixels of the longer side.
	MaxBytes = 3_500_000 // Bytes of the file that is sent. Providers accept 5 MB of base64.
	MaxFile  = 32 << 20  // Bytes of the largest file that is read.
)

// A Picture is an image file in a form that can be sent to a model. It is a value. Copies share
// Data, which is never changed.
type Picture struct {
	Name  string // The name that the owner of the file gave it, usually a path. It is untrusted text.
	Media string // The media type: image/png, image/jpeg, image/gif or image/webp.
	Data  []byte
	W, H  int // The size of the image in Data, in pixels.
	// The original size, as "from 4000 by 3000 pixels", if Data was scaled down or converted; ""
	// otherwise.
	Shrunk string
}

// Named reports whether the extension of the file name is one of a supported image format.
func Named(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// Is reports whether the file's first bytes are those of a supported image format.
func Is(file []byte) bool { return decode.Kind(file) != "" }

// New decodes the image file, and scales it down if it is too large for models. The caller must not
// change file afterwards. The error is one line that says what the file is, and why it is not
// accepted.
func New(name string, file []byte) (Picture, error) {
	d, err := decode.New(file, decode.Limits{File: MaxFile})
	if err != nil {
		return Picture{}, err
	}
	w, h := d.Size()
	p := Picture{Name: name, Media: "image/" + d.Kind(), Data: d.File(), W: w, H: h}
	if w <= MaxSide && h <= MaxSide && len(file) <= MaxBytes {
		if err := d.Check(); err != nil {
			return Picture{}, err
		}
		return p, nil
	}
	pix, _, err := d.Pixels(MaxSide, MaxSide)
	if err != nil {
		return Picture{}, err
	}
	p.W, p.H = pix.Rect.Dx(), pix.Rect.Dy()
	p.Shrunk = fmt.Sprintf("from %d by %d pixels", w, h)
	p.Media, p.Data, err = pack(pix)
	return p, err
}

// pack encodes an image as a file: as PNG, which keeps letters sharp, or as JPEG if the PNG would
// be large.
func pack(pix *image.NRGBA) (media string, file []byte, err error) {
	var b bytes.Buffer
	if err := png.Encode(&b, pix); err != nil {
		return "", nil, err
	}
	if b.Len() <= MaxBytes/2 {
		return "image/png", b.Bytes(), nil
	}
	flat := image.NewRGBA(pix.Rect) // a JPEG has no transparency
	draw.Draw(flat, flat.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, pix, pix.Rect.Min, draw.Over)
	b.Reset()
	if err := jpeg.Encode(&b, flat, &jpeg.Options{Quality: 85}); err != nil {
		return "", nil, err
	}
	if b.Len() > MaxBytes {
		return "", nil, fmt.Errorf("%w: %d bytes", decode.ErrTooLarge, b.Len())
	}
	return "image/jpeg", b.Bytes(), nil
}

// Facts returns the format and the size of the picture: "png, 640 by 480 pixels, 12 KiB".
func (p Picture) Facts() string {
	s := fmt.Sprintf("%s, %d by %d pixels", strings.TrimPrefix(p.Media, "image/"), p.W, p.H)
	if len(p.Data) > 0 { // a conversation forgets those of old pictures
		s += ", " + size(len(p.Data))
	}
	if p.Shrunk != "" {
		s += ", " + p.Shrunk
	}
	return s
}

// Line returns a description of the picture in one line, for a model or a screen that cannot show
// it.
func (p Picture) Line() string { return "picture " + p.Name + ": " + p.Facts() }

// size returns a number of bytes as text with a unit.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KiB", (n+1<<10-1)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
