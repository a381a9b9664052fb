package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"slices"
	"testing"
)

// Each model gets a picture in a format and a size that it takes, as its makers say.
func TestAPictureFitsWhatAModelTakes(t *testing.T) {
	pal := image.NewPaletted(image.Rect(0, 0, 40, 20), color.Palette{color.White, color.Black})
	pal.SetColorIndex(3, 4, 1)
	var file bytes.Buffer
	if err := gif.Encode(&file, pal, nil); err != nil {
		t.Fatal(err)
	}
	p, err := New("x.gif", file.Bytes())
	if err != nil || p.Media != "image/gif" {
		t.Fatal(p.Media, err)
	}
	for model, want := range map[string]string{"claude-haiku-4-5": "image/gif", "gpt-5.4-mini": "image/png",
		"o4-mini": "image/png", "gemini-2.5-flash": "image/png", "google/gemini-3-pro": "image/png",
		"anthropic/claude-sonnet-5": "image/gif", "llava": "image/png", "": "image/png", "a/": "image/png"} {
		l := LimitsOf(model)
		got, err := p.Fit(l)
		if err != nil || got.Media != want || got.W != 40 || got.H != 20 || !slices.Contains(l.Media, got.Media) ||
			l.Side > MaxSide || l.Bytes > MaxBytes {
			t.Errorf("%s: %s of %d by %d, %+v, %v", model, got.Media, got.W, got.H, l, err)
		}
		if again, err := New("x", got.Data); err != nil || again.Media != want || again.W != 40 {
			t.Errorf("%s: what is sent is no picture: %v", model, err)
		}
	}
	small, err := p.Fit(Limits{Media: []string{"image/gif"}, Side: 10, Bytes: MaxBytes})
	if err != nil || small.W != 10 || small.H != 5 || small.Media != "image/png" {
		t.Errorf("%d by %d, %s, %v", small.W, small.H, small.Media, err)
	}
	if p.Media != "image/gif" || !bytes.Equal(p.Data, file.Bytes()) {
		t.Error("the picture itself is changed")
	}
	if _, err := (Picture{Media: "image/bmp", Data: []byte("no picture")}).Fit(LimitsOf("llava")); err == nil {
		t.Error("what is no picture fits")
	}
}
