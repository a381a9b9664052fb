package picture_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
)

// file returns a PNG of w by h pixels: one colour, or noise, which does not get smaller.
func file(t *testing.T, w, h int, noise bool) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = 200
		if noise {
			img.Pix[i] = byte(rng.Uint32())
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatFitsIsSentAsItIs(t *testing.T) {
	f := file(t, 64, 48, false)
	p, err := picture.New("a.png", f)
	if err != nil || !bytes.Equal(p.Data, f) || p.Media != "image/png" || p.W != 64 || p.H != 48 || p.Shrunk != "" {
		t.Errorf("%+v, %v", p, err)
	}
	if want := fmt.Sprintf("picture a.png: png, 64 by 48 pixels, %d bytes", len(f)); p.Line() != want {
		t.Errorf("%q, want %q", p.Line(), want)
	}
}

func TestWhatIsTooLargeIsMadeSmaller(t *testing.T) {
	for _, c := range []struct {
		name  string
		file  []byte
		media string
		w, h  int
	}{
		{"many pixels", file(t, 4000, 1000, false), "image/png", picture.MaxSide, picture.MaxSide / 4},
		{"many bytes", file(t, 1500, 1000, true), "image/jpeg", 1500, 1000},
	} {
		p, err := picture.New(c.name, c.file)
		if err != nil || p.Media != c.media || p.W != c.w || p.H != c.h || len(p.Data) > picture.MaxBytes ||
			p.Shrunk == "" {
			t.Errorf("%s: %s, %d bytes, %d by %d, %q, %v", c.name, p.Media, len(p.Data), p.W, p.H, p.Shrunk, err)
		}
		img, kind, err := image.Decode(bytes.NewReader(p.Data))
		if err != nil || "image/"+kind != p.Media || img.Bounds().Dx() != p.W {
			t.Errorf("%s: what is sent is %s, %v", c.name, kind, err)
		}
		if c.media == "image/png" {
			if got := color.NRGBAModel.Convert(img.At(3, 3)); got != (color.NRGBA{200, 200, 200, 200}) {
				t.Errorf("%s: a pixel is %v", c.name, got)
			}
		}
	}
}

func TestABrokenFileIsNoPicture(t *testing.T) {
	whole := file(t, 64, 48, true)
	for name, f := range map[string][]byte{"text": []byte("not a picture"), "nothing": nil,
		"half": whole[:len(whole)/2], "a header": whole[:40]} {
		p, err := picture.New(name, f)
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	if _, err := picture.New("text", []byte("x")); !errors.Is(err, decode.ErrFormat) {
		t.Error(err)
	}
	if picture.Is([]byte("text")) || !picture.Is(whole) {
		t.Error("a picture is known by its first bytes")
	}
}
