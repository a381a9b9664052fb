package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/examples/trial"
)

func TestTheFilmIsUpToDate(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 120, 80))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("moon.png", b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	trial.Film(t, "image", "The place of a picture between rows of text", 12,
		func() *tui.App { return gallery() }, "moon.png", "<enter>", "~1s", "none.png", "<enter>")
}
