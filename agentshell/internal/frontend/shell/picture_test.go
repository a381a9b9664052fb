package shell

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// drawing returns a PNG of w by h pixels.
func drawing(t *testing.T, w, h int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// seen lists, for each row of the grid, the width in pixels of the picture that it shows, 0 for
// none.
func (s *session) seen() (widths []int) {
	s.Inspect(func(v *vt.Terminal) {
		_, rows := v.Size()
		for y := range rows {
			w := 0
			for _, c := range v.Row(y).Placeholders() {
				if img, ok := v.Image(c.Image); ok && img.Virtual {
					w = img.Width
				}
			}
			widths = append(widths, w)
		}
	})
	return widths
}

var look = []string{
	`{"say":"I look.","tool_calls":[{"id":"a","name":"read_file","input":{"path":"plot\u001b[2J.png"}}],"delay_ms":0}`,
	`{"say":"It is empty.","delay_ms":0}`,
}

// What the person names and what a tool reads is seen in the transcript, in its place.
func TestPicturesAreShownWhereTheyBelong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := map[string]string{"plot\x1b[2J.png": drawing(t, 40, 48), "shot.png": drawing(t, 24, 32)}
		s := begin(t, tuitest.Config{Cols: 60, Rows: 24, Env: map[string]string{"COLORTERM": "truecolor"}},
			files, look...)
		s.sh.cfg.Files.Pictures = func(_ context.Context, text string) ([]picture.Picture, []string) {
			p, err := picture.New("shot\x1b[3J.png", []byte(files["shot.png"]))
			if err != nil || text != "see @shot.png and @none.png" {
				t.Errorf("%q, %v", text, err)
			}
			return []picture.Picture{p}, []string{"The picture none.png is not sent"}
		}
		s.Type("see @shot.png and @none.png")
		s.Press("enter")
		s.pass(3 * time.Second)
		rows, widths := strings.Split(s.Visible(), "\n"), s.seen()
		at := func(text string) int {
			for i, row := range rows {
				if strings.Contains(row, text) {
					return i
				}
			}
			t.Fatalf("%q does not stand in\n%s", text, s.Visible())
			return 0
		}
		said, failed, looks, read, end := at("see @shot.png"), at("none.png is not sent"), at("I look."),
			at("read_file plot"), at("It is empty.")
		for i, w := range widths {
			want := 0
			switch {
			case i > said && i < failed:
				want = 24
			case i > read && i < end-1: // a blank row stands before the answer
				want = 40
			}
			if w != want {
				t.Errorf("row %d shows a picture of %d pixels, want %d\n%s", i, w, want, s.Visible())
			}
		}
		if !(said+1 < failed && failed < looks && looks < read && read+1 < end-1) {
			t.Errorf("rows %d %d %d %d %d\n%s", said, failed, looks, read, end, s.Visible())
		}
	})
}

// Where no picture can be shown it is one row, and a name is text.
func TestAPictureIsARowWhereNoneCanBeShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t, tuitest.Config{Cols: 60, Rows: 24, Env: map[string]string{"SCROLLKEEP_IMAGES": "off"}},
			map[string]string{"plot\x1b[2J.png": drawing(t, 40, 48)}, look...)
		s.Type("go")
		s.Press("enter")
		s.pass(3 * time.Second)
		s.holds(`[picture plot\x1b[2J.png, 40 by 48 pixels]`, "It is empty.")
		s.Inspect(func(v *vt.Terminal) {
			if n := v.Traffic().Images; n != 0 {
				t.Errorf("%d pictures were sent", n)
			}
		})
	})
}
