package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer/image"
)

var _ image.Source = (*Picture)(nil)

// scene returns a picture with edges, gradients and, if it may, transparency.
func scene(w, h int, opaque bool) *stdimage.NRGBA {
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(255 * x / w), uint8(255 * y / h), 90, 255}
			if !opaque && x < w/4 {
				c.A = 0
			}
			pix.SetNRGBA(x, y, c)
		}
	}
	return pix
}

func pngFile(t testing.TB, img stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func jpegFile(t testing.TB, img stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gifFile(t testing.TB, img stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// webpFile returns a lossless WebP of one pixel, written by hand from the format's specification:
// no transforms, no cache, codes of one symbol each.
func webpFile(w, h int, green byte) []byte {
	var bits []byte
	n := 0
	put := func(v uint32, width int) {
		for i := range width {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(v>>i&1) << (n % 8)
			n++
		}
	}
	put(uint32(w-1), 14)
	put(uint32(h-1), 14)
	put(0, 1) // alpha is not used
	put(0, 3) // version
	put(0, 1) // no transform
	put(0, 1) // no colour cache
	put(0, 1) // no meta prefix codes
	for _, symbol := range []uint32{uint32(green), 200, 30, 255, 0} {
		put(1, 1) // simple code
		put(0, 1) // one symbol
		put(1, 1) // of 8 bits
		put(symbol, 8)
	}
	body := append([]byte{0x2f}, bits...)
	if len(body)%2 == 1 {
		body = append(body, 0)
	}
	out := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8L"), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(out[16:], uint32(len(body)))
	out = append(out, body...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func TestEachFormatIsRead(t *testing.T) {
	src := scene(64, 48, true)
	for kind, file := range map[string][]byte{
		"png": pngFile(t, src), "jpeg": jpegFile(t, src), "gif": gifFile(t, src), "webp": webpFile(64, 48, 77),
	} {
		p, err := New(file, Limits{})
		if err != nil {
			t.Fatal(kind, err)
		}
		if w, h := p.Size(); p.Kind() != kind || w != 64 || h != 48 {
			t.Errorf("%s is taken for %s of %d by %d", kind, p.Kind(), w, h)
		}
		pix, own, err := p.Pixels(1000, 1000)
		if err != nil || pix.Rect != stdimage.Rect(0, 0, 64, 48) || (own != nil) != (kind == "png") {
			t.Fatalf("%s: %v, %v, own file %v", kind, pix.Rect, err, own != nil)
		}
		for _, xy := range [][2]int{{1, 1}, {40, 20}, {63, 47}} {
			want := src.NRGBAAt(xy[0], xy[1])
			if kind == "webp" {
				want = color.NRGBA{200, 77, 30, 255}
			}
			got := pix.NRGBAAt(xy[0], xy[1])
			for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B),
				int(got.A) - int(want.A)} {
				if d < -40 || d > 40 {
					t.Errorf("%s: pixel %v is %v, not %v", kind, xy, got, want)
				}
			}
		}
		small, own, err := p.Pixels(16, 100)
		if err != nil || small.Rect != stdimage.Rect(0, 0, 16, 12) || own != nil {
			t.Errorf("%s scaled: %v, %v", kind, small.Rect, err)
		}
		again, _ := New(file, Limits{})
		if again.Sum() != p.Sum() || p.Sum() == [16]byte{} {
			t.Errorf("%s: the sum is not of the content", kind)
		}
	}
}

func TestScalingKeepsColoursAndTransparency(t *testing.T) {
	src := stdimage.NewNRGBA(stdimage.Rect(0, 0, 400, 300))
	for y := range 300 {
		for x := range 400 {
			switch {
			case x < 100: // transparent, and of a colour that must not bleed
				src.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 0})
			case (x+y)%2 == 0:
				src.SetNRGBA(x, y, color.NRGBA{200, 0, 100, 255})
			default:
				src.SetNRGBA(x, y, color.NRGBA{100, 0, 200, 255})
			}
		}
	}
	for _, w := range []int{399, 200, 77, 40, 7} {
		p, err := New(pngFile(t, src), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := p.Pixels(w, 10000)
		if err != nil || out.Rect.Dx() != w {
			t.Fatal(out.Rect, err)
		}
		near := func(x int, want color.NRGBA, by int) {
			got := out.NRGBAAt(x, out.Rect.Dy()/2)
			for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B),
				int(got.A) - int(want.A)} {
				if d < -by || d > by {
					t.Errorf("%d wide: column %d is %v, not %v", w, x, got, want)
				}
			}
		}
		if got := out.NRGBAAt(0, 0); got.A > 2 {
			t.Errorf("%d wide: what was transparent is %v", w, got)
		}
		if w <= 200 { // the checks are averaged out
			near(w*7/8, color.NRGBA{150, 0, 150, 255}, 8)
		}
	}
	// One colour stays what it is, whatever the ratio.
	for _, n := range []int{2, 3, 10, 99, 100} {
		flat := stdimage.NewUniform(color.NRGBA{13, 77, 200, 255})
		out := scale(flat, stdimage.Rect(0, 0, 100, 100), n, n)
		for i := 0; i < len(out.Pix); i += 4 {
			if !bytes.Equal(out.Pix[i:i+4], []byte{13, 77, 200, 255}) {
				t.Fatalf("%d wide: %v", n, out.Pix[i:i+4])
			}
		}
	}
}

func TestGIFFrameSmallerThanItsScreen(t *testing.T) {
	pal := color.Palette{color.NRGBA{}, color.NRGBA{9, 8, 7, 255}}
	frame := stdimage.NewPaletted(stdimage.Rect(10, 5, 20, 10), pal)
	for i := range frame.Pix {
		frame.Pix[i] = 1
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &gif.GIF{Image: []*stdimage.Paletted{frame}, Delay: []int{0},
		Config: stdimage.Config{ColorModel: pal, Width: 40, Height: 30}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(b.Bytes(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pix, _, err := p.Pixels(100, 100)
	if err != nil || pix.Rect != stdimage.Rect(0, 0, 40, 30) || pix.NRGBAAt(0, 0).A != 0 ||
		pix.NRGBAAt(15, 7) != (color.NRGBA{9, 8, 7, 255}) {
		t.Errorf("%v, %v", pix.Rect, err)
	}
	if pix, _, err = p.Pixels(20, 100); err != nil || pix.NRGBAAt(0, 0).A != 0 || pix.NRGBAAt(7, 3).A < 250 {
		t.Errorf("scaled: %v", err)
	}
}

// crc makes the checksum of a PNG's first chunk right.
func crc(file []byte) []byte {
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

// bombs returns files that say that they are huge, and are small.
func bombs(t testing.TB) map[string][]byte {
	small := scene(8, 8, true)
	p := pngFile(t, small)
	giga := bytes.Clone(p)
	binary.BigEndian.PutUint32(giga[16:], 32000)
	binary.BigEndian.PutUint32(giga[20:], 32000)
	huge := bytes.Clone(p)
	binary.BigEndian.PutUint32(huge[16:], 1<<31-1)
	binary.BigEndian.PutUint32(huge[20:], 1<<31-1)
	line := bytes.Clone(p)
	binary.BigEndian.PutUint32(line[16:], 20_000_000)
	binary.BigEndian.PutUint32(line[20:], 1)
	j := jpegFile(t, small)
	sof := bytes.Index(j, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(j[sof+5:], 65000)
	binary.BigEndian.PutUint16(j[sof+7:], 65000)
	progressive := bytes.Clone(j)
	progressive[sof+1] = 0xc2
	binary.BigEndian.PutUint16(progressive[sof+5:], 5000)
	binary.BigEndian.PutUint16(progressive[sof+7:], 5000)
	g := gifFile(t, small)
	binary.LittleEndian.PutUint16(g[6:], 65000)
	binary.LittleEndian.PutUint16(g[8:], 65000)
	// The outer size is small, the frame's is not.
	liar := append([]byte("RIFF\xff\xff\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00"),
		webpFile(16000, 16000, 1)[12:]...)
	lossy := append([]byte("RIFF\xff\xff\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x07\x00\x00"),
		"VP8 \x20\x00\x00\x00\x10\x00\x00\x9d\x01\x2a\xff\x3f\xff\x3f0000000000000000000000"...)
	return map[string][]byte{
		"png of a gigapixel": crc(giga), "png of 2^62 pixels": crc(huge), "png of one line": crc(line), "jpeg": j,
		"progressive jpeg": progressive, "gif": g,
		"webp": webpFile(16384, 16384, 1), "webp in a small canvas": liar, "lossy webp in a small canvas": lossy,
	}
}

func TestBombsAreRefusedByTheirHeaders(t *testing.T) {
	for name, file := range bombs(t) {
		p, err := New(file, Limits{})
		if !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if w, h := p.Size(); w != 0 || h != 0 {
			t.Errorf("%s has a size", name)
		}
		if _, _, again := p.Pixels(10, 10); !errors.Is(again, ErrTooLarge) {
			t.Errorf("%s: %v", name, again)
		}
	}
	if _, err := New(make([]byte, 100), Limits{File: 99}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if _, err := New([]byte("<svg/>"), Limits{}); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

func TestBrokenFilesAreErrors(t *testing.T) {
	src := scene(40, 30, true)
	for kind, file := range map[string][]byte{
		"png": pngFile(t, src), "jpeg": jpegFile(t, src), "gif": gifFile(t, src), "webp": webpFile(40, 30, 3),
	} {
		whole := 0
		for n := range len(file) {
			p, err := New(file[:n], Limits{})
			if err == nil {
				_, _, err = p.Pixels(20, 20)
			}
			switch {
			case err == nil:
				whole++ // what is missing was not needed
			case !errors.Is(err, ErrBroken) && !errors.Is(err, ErrFormat):
				t.Errorf("%s cut at %d: %v", kind, n, err)
			}
		}
		if whole > 16 {
			t.Errorf("%s: %d of %d beginnings are taken for the whole", kind, whole, len(file))
		}
		for at := range file { // one byte wrong
			bad := slices.Clone(file)
			bad[at] ^= 0x55
			p, err := New(bad, Limits{})
			if err == nil {
				_, _, err = p.Pixels(20, 20)
			}
			if err != nil && !errors.Is(err, ErrBroken) && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s with byte %d changed: %v", kind, at, err)
			}
		}
	}
}

// Whatever a file holds, it is pixels within the box that was asked for, or an error.
func FuzzHostileFilesGivePixelsOrAnError(f *testing.F) {
	src := scene(20, 10, false)
	for _, file := range [][]byte{pngFile(f, src), jpegFile(f, src), gifFile(f, src), webpFile(20, 10, 5)} {
		f.Add(file)
	}
	for _, b := range bombs(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := New(file, Limits{Memory: 1 << 20})
		w, h := p.Size()
		if err != nil {
			if w != 0 || h != 0 {
				t.Fatal("a refused file has a size")
			}
			return
		}
		if w < 1 || h < 1 || w*h > 1<<20 {
			t.Fatalf("%d by %d pixels within 1 MiB", w, h)
		}
		pix, own, err := p.Pixels(16, 8)
		if err != nil {
			return
		}
		if pw, ph := pix.Rect.Dx(), pix.Rect.Dy(); pw < 1 || ph < 1 || pw > 16 || ph > 8 || pw > w || ph > h ||
			len(pix.Pix) < 4*pw*ph {
			t.Fatalf("%v out of %d by %d", pix.Rect, w, h)
		}
		if own != nil && (p.Kind() != "png" || w > 16 || h > 8) {
			t.Fatal("a file is passed on that does not fit")
		}
	})
}
