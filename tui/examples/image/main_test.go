package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

func TestPicturesAreShownAndWhatIsNoneSaysSo(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 24, 32))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, data := range map[string]string{"a.png": b.String(), "b.png": b.String()[:40]} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := tuitest.Start(t, gallery("a.png", "b.png"), tuitest.Config{Cols: 60, Rows: 8})
		s.Type("no.png")
		s.Press("enter")
		rows := strings.Split(s.Visible(), "\n")
		if len(rows) != 5 || !strings.HasPrefix(rows[0], "\U0010eeee") || !strings.HasPrefix(rows[2], "! [b.png: ") ||
			!strings.HasPrefix(rows[3], "[open no.png: ") {
			t.Errorf("%q", rows)
		}
		s.Inspect(func(v *vt.Terminal) {
			if im := v.Images(); len(im) != 1 || im[0].Width != 24 || im[0].Height != 32 {
				t.Errorf("%+v", im)
			}
		})
	})
}
