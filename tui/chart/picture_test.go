package chart_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/renderer/image"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/chart"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

var _ image.Source = (*chart.Picture)(nil)

// tide returns lines with a gap and values beyond the range.
func tide() *chart.Lines {
	values := append(wave(60, 5), math.NaN(), math.Inf(1), 2, 3)
	return &chart.Lines{Title: "Tide", Series: []*chart.Series{chart.NewSeries("Dover", values...), nil,
		chart.NewSeries("Calais", 1, 2, 3)}}
}

func TestAPictureHasItsLines(t *testing.T) {
	th := tui.NewTheme(tui.Caps{Unicode: true, Color: 256, Dark: true})
	l := tide()
	p := l.Picture(300, 100, th)
	for _, size := range [][2]int{{300, 100}, {900, 900}, {40, 10}, {1, 1}, {0, 0}} {
		pix, _, err := p.Pixels(size[0], size[1])
		if err != nil {
			t.Fatal(err)
		}
		w, h := pix.Rect.Dx(), pix.Rect.Dy()
		if w > max(min(size[0], 300), 1) || h > max(min(size[1], 100), 1) {
			t.Errorf("%v: %d by %d pixels", size, w, h)
		}
		inks := map[string]int{}
		for i := 0; i < len(pix.Pix); i += 4 {
			if pix.Pix[i+3] == 0xff {
				inks[fmt.Sprint(pix.Pix[i:i+3])]++
			}
		}
		if size[0] >= 300 && len(inks) != 2 {
			t.Errorf("%v: the colours %v", size, inks)
		}
	}
	if w, h := p.Size(); w != 300 || h != 100 {
		t.Errorf("its size is %d by %d", w, h)
	}
	sum := p.Sum()
	if l.Series[0].Add(1); p.Sum() != sum || l.Picture(300, 100, th).Sum() == sum {
		t.Error("the hash does not tell what is drawn")
	}
}

// A terminal with kitty graphics gets the pixels, another one a row of text.
func TestAPictureIsSentToATerminalThatShowsPictures(t *testing.T) {
	for protocol, sent := range map[string]bool{"kitty": true, "off": false} {
		synctest.Test(t, func(t *testing.T) {
			app := &tui.App{Footer: &tui.Editor{}}
			app.Transcript().Append(&tui.Image{Source: tide().Picture(160, 80, nil), Alt: "the tide at Dover"}).Done()
			s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 20,
				Env: map[string]string{"SCROLLKEEP_IMAGES": protocol}})
			s.Pass(1e9)
			if got := strings.Contains(string(s.Bytes()), "\x1b_Ga=t"); got != sent {
				t.Errorf("%s: a picture was sent: %t", protocol, got)
			}
			if text := strings.Contains(s.Visible(), "[the tide at Dover, 160 by 80 pixels]"); text == sent {
				t.Errorf("%s shows\n%s", protocol, s.Visible())
			}
		})
	}
}

func ExamplePicture() {
	lines := &chart.Lines{Series: []*chart.Series{chart.NewSeries("Dover", 1, 3, 5, 3, 1)}}
	picture := &tui.Image{Source: lines.Picture(640, 200, nil), Alt: "the tide at Dover"}
	show(picture, 60, 0)
	// Output: [the tide at Dover, 640 by 200 pixels]
}
