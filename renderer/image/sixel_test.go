package image

import (
	stdimage "image"
	"image/color"
	"strconv"
	"strings"
	"testing"
)

// drawSixel returns a sixel terminal: the size that was announced and the colour of each pixel that
// was set.
func drawSixel(t *testing.T, s string) (w, h int, pix map[[2]int]color.NRGBA) {
	t.Helper()
	body, ok := strings.CutPrefix(s, "\x1bP0;1q\"1;1;")
	body, ok2 := strings.CutSuffix(body, "\x1b\\")
	if !ok || !ok2 {
		t.Fatalf("no sixel: %.30q", s)
	}
	num := func() int {
		i := 0
		for i < len(body) && body[i] >= '0' && body[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(body[:i])
		if err != nil {
			t.Fatalf("no number: %.20q", body)
		}
		body = body[i:]
		return n
	}
	next := func(c byte) bool {
		if body != "" && body[0] == c {
			body = body[1:]
			return true
		}
		return false
	}
	w = num()
	next(';')
	h = num()
	pix = map[[2]int]color.NRGBA{}
	colors := map[int]color.NRGBA{}
	x, y, run, pen := 0, 0, 1, -1
	for body != "" {
		switch {
		case next('#'):
			pen = num()
			if next(';') {
				var v [3]uint8
				if num() != 2 {
					t.Fatal("not RGB")
				}
				for i := range v {
					next(';')
					v[i] = uint8((num()*255 + 50) / 100)
				}
				colors[pen] = color.NRGBA{v[0], v[1], v[2], 255}
			}
		case next('!'):
			run = num()
		case next('$'):
			x = 0
		case next('-'):
			x, y = 0, y+6
		case body[0] >= '?' && body[0] <= '~':
			for range run {
				for r := range 6 {
					if (body[0]-'?')>>r&1 != 0 {
						pix[[2]int{x, y + r}] = colors[pen]
					}
				}
				x++
			}
			body, run = body[1:], 1
		default:
			t.Fatalf("%q in a sixel", body[0])
		}
	}
	return w, h, pix
}

func TestSixelDrawsThePicture(t *testing.T) {
	near := func(a, b uint8, by int) bool { return int(a)-int(b) <= by && int(b)-int(a) <= by }
	few := stdimage.NewNRGBA(stdimage.Rect(0, 0, 23, 20))
	for y := range 20 {
		for x := range 23 {
			if (x+y)%5 != 0 {
				few.SetNRGBA(x, y, color.NRGBA{uint8(x / 8 * 100), uint8(y / 4 * 60), 90, 255})
			}
		}
	}
	for name, c := range map[string]struct {
		pix *stdimage.NRGBA
		by  int
	}{"few colours": {few, 2}, "many": {picture(64, 48, false), 255}} {
		out := string(AppendSixel(nil, c.pix))
		w, h, got := drawSixel(t, out)
		if w != c.pix.Rect.Dx() || h != c.pix.Rect.Dy()/6*6 {
			t.Errorf("%s: %d by %d", name, w, h)
		}
		sum, want := [3]int{}, [3]int{}
		for y := range h {
			for x := range w {
				p := c.pix.NRGBAAt(x, y)
				g, set := got[[2]int{x, y}]
				if set != (p.A >= 128) || set && (!near(g.R, p.R, c.by) || !near(g.G, p.G, c.by) ||
					!near(g.B, p.B, c.by)) {
					t.Fatalf("%s: pixel %d,%d is %v (%v), not %v", name, x, y, g, set, p)
				}
				if set {
					sum[0], sum[1], sum[2] = sum[0]+int(g.R), sum[1]+int(g.G), sum[2]+int(g.B)
					want[0], want[1], want[2] = want[0]+int(p.R), want[1]+int(p.G), want[2]+int(p.B)
				}
			}
		}
		for i := range sum { // dithering keeps the mean
			if d := sum[i] - want[i]; d > want[i]/20 || -d > want[i]/20 {
				t.Errorf("%s: channel %d adds up to %d, not %d", name, i, sum[i], want[i])
			}
		}
		for xy := range got {
			if xy[0] >= w || xy[1] >= h {
				t.Errorf("%s: a pixel at %v", name, xy)
			}
		}
	}
}
