package image

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// picture returns w by h pixels; no two nearby are alike.
func picture(w, h int, opaque bool) *stdimage.NRGBA {
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{uint8(x * 7), uint8(y * 5), uint8(x ^ y), 255}
			if !opaque && x > y {
				c.A = 0
			}
			pix.SetNRGBA(x, y, c)
		}
	}
	return pix
}

func TestTransmitIsWrittenInPiecesOf4096(t *testing.T) {
	d := Data{Format: PNG, W: 1, H: 1, Bytes: bytes.Repeat([]byte("abc"), 2048+1)}
	b64 := base64.StdEncoding.EncodeToString(d.Bytes)
	want := "\x1b_Ga=t,q=2,i=77,f=100,m=1;" + b64[:4096] + "\x1b\\\x1b_Gm=1;" + b64[4096:8192] + "\x1b\\\x1b_Gm=0;" +
		b64[8192:] + "\x1b\\"
	if got := string(Wire{}.AppendTransmit(nil, 77, d)); got != want {
		t.Errorf("got  %.120q\nwant %.120q", got, want)
	}
	small := Data{Format: RGB, Zlib: true, W: 2, H: 3, Bytes: []byte{1, 2, 3, 4}}
	if got, want := string(Wire{}.AppendTransmit(nil, 9, small)),
		"\x1b_Ga=t,q=2,i=9,f=24,s=2,v=3,o=z;AQIDBA==\x1b\\"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestEachCommandIsWrappedForTmuxByItself(t *testing.T) {
	w := Wire{Tmux: true}
	got := w.AppendTransmit(nil, 300, Data{Format: PNG, Bytes: make([]byte, 3*maxCommandBytes)})
	got = w.AppendVirtual(got, 300, Box{4, 2})
	got = w.AppendDelete(got, 300)
	parts := strings.SplitAfter(string(got), "\x1b\x1b\\\x1b\\")
	if len(parts) != 6 || parts[5] != "" {
		t.Fatalf("%d pieces", len(parts))
	}
	var plain string
	for _, p := range parts[:5] {
		in, ok := strings.CutPrefix(p, "\x1bPtmux;")
		in, ok2 := strings.CutSuffix(in, "\x1b\\")
		if !ok || !ok2 || len(p) > 4200 {
			t.Fatalf("%d bytes: %.40q", len(p), p)
		}
		for i := 0; i < len(in); i++ { // every ESC is doubled: the first that is not would end the passthrough
			if in[i] == 0x1b {
				if i+1 >= len(in) || in[i+1] != 0x1b {
					t.Fatalf("a single ESC in %.40q", in)
				}
				i++
			}
		}
		plain += strings.ReplaceAll(in, "\x1b\x1b", "\x1b")
	}
	direct := Wire{}.AppendTransmit(nil, 300, Data{Format: PNG, Bytes: make([]byte, 3*maxCommandBytes)})
	direct = append(direct, "\x1b_Ga=p,U=1,q=2,i=300,c=4,r=2\x1b\\"...) // an answer would be typed into the pane
	direct = append(direct, "\x1b_Ga=d,d=I,q=2,i=300\x1b\\"...)
	if plain != string(direct) {
		t.Errorf("got  %.200q\nwant %.200q", plain, direct)
	}
}

func TestPlacementsAskForErrorsOnly(t *testing.T) {
	got := string(Wire{}.AppendVirtual(nil, 5, Box{80, 20})) + string(Wire{}.AppendPlace(nil, 5, Box{80, 20}))
	if want := "\x1b_Ga=p,U=1,q=1,i=5,c=80,r=20\x1b\\\x1b_Ga=p,C=1,q=1,i=5,c=80,r=20\x1b\\"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// The budget of the contract: what is not the picture itself is at most 1 % and 200 bytes.
func TestControlBytesOfATransmit(t *testing.T) {
	for _, n := range []int{1, 100, 3072, 3073, 100_000, 3_000_000} {
		for _, w := range []Wire{{}, {Tmux: true}} {
			out := w.AppendTransmit(nil, 1<<24-1,
				Data{Format: RGBA, W: 10000, H: 10000, Zlib: true, Bytes: make([]byte, n)})
			out = w.AppendVirtual(out, 1<<24-1, Box{300, 100})
			out = w.AppendDelete(out, 1<<24-1)
			payload := base64.StdEncoding.EncodedLen(n)
			if control := len(out) - payload; control > payload/100+200 {
				t.Errorf("%d bytes, tmux %v: %d bytes of control", n, w.Tmux, control)
			}
		}
	}
}

func TestPackKeepsEachPixelInTheShortestForm(t *testing.T) {
	noise := picture(40, 30, true)
	for i := range noise.Pix {
		if i%4 != 3 {
			noise.Pix[i] = byte(i * i * 31 >> 3)
		}
	}
	flat := stdimage.NewNRGBA(stdimage.Rect(0, 0, 200, 200))
	tiny := picture(1, 1, true)
	for name, pix := range map[string]*stdimage.NRGBA{"noise": noise, "flat": flat, "tiny": tiny,
		"clear": picture(60, 60, false),
		"part":  picture(50, 50, true).SubImage(stdimage.Rect(0, 0, 20, 10)).(*stdimage.NRGBA)} {
		d := Pack(pix, nil)
		var back *stdimage.NRGBA
		if d.Format == PNG {
			img, err := png.Decode(bytes.NewReader(d.Bytes))
			if err != nil {
				t.Fatal(name, err)
			}
			back = stdimage.NewNRGBA(img.Bounds())
			for y := range d.H {
				for x := range d.W {
					back.Set(x, y, img.At(x, y))
				}
			}
		} else {
			p := d.Bytes
			if d.Zlib {
				z, err := zlib.NewReader(bytes.NewReader(p))
				if err != nil {
					t.Fatal(name, err)
				}
				if p, err = io.ReadAll(z); err != nil {
					t.Fatal(name, err)
				}
			}
			n := map[Format]int{RGB: 3, RGBA: 4}[d.Format]
			if len(p) != d.W*d.H*n {
				t.Fatalf("%s: %d bytes for %d by %d", name, len(p), d.W, d.H)
			}
			back = stdimage.NewNRGBA(stdimage.Rect(0, 0, d.W, d.H))
			for i := range d.W * d.H {
				copy(back.Pix[4*i:], p[n*i:n*i+n])
				if n == 3 {
					back.Pix[4*i+3] = 255
				}
			}
		}
		if d.W != pix.Rect.Dx() || d.H != pix.Rect.Dy() || d.Size() != 4*d.W*d.H {
			t.Errorf("%s: %d by %d", name, d.W, d.H)
		}
		for y := range d.H {
			for x := range d.W {
				if g, w := back.NRGBAAt(x, y), pix.NRGBAAt(x, y); g != w && (g.A != 0 || w.A != 0) {
					t.Fatalf("%s: pixel %d,%d is %v, not %v", name, x, y, g, w)
				}
			}
		}
	}
	if d := Pack(tiny, nil); d.Format != RGB || d.Zlib || len(d.Bytes) != 3 {
		t.Errorf("one pixel is sent as %+v", d)
	}
	if d := Pack(flat, nil); len(d.Bytes) > 1000 {
		t.Errorf("a flat picture takes %d bytes", len(d.Bytes))
	}
	if d := Pack(picture(60, 60, true), []byte("short")); d.Format != PNG || string(d.Bytes) != "short" {
		t.Errorf("a PNG that is there is not used: %+v", d.Format)
	}
}

func TestPlaceholderRowsAreFiveBytesACellAtMost(t *testing.T) {
	seen := map[string]bool{}
	for row := range MaxRows {
		for _, cols := range []int{1, 2, 3, 80, 300} {
			s := Placeholder(row, cols)
			if !utf8.ValidString(s) || (width.Model{}).String(s) != cols ||
				(width.Model{Method: width.Grapheme}).String(s) != cols {
				t.Fatalf("row %d: %+q is %d columns", row, s, (width.Model{}).String(s))
			}
			if len(s) > 4*cols+2 || cols > 1 && len(s) > 5*cols {
				t.Errorf("row %d: %d bytes for %d cells", row, len(s), cols)
			}
			if seen[s] {
				t.Errorf("row %d is that of another", row)
			}
			seen[s] = true
		}
	}
	if got, want := Placeholder(0, 2)+Placeholder(2, 1), "\U0010eeee\u0305\U0010eeee\U0010eeee\u030e"; got != want {
		t.Errorf("got %+q, want %+q", got, want)
	}
}

func TestFitNeverExceedsTheBoxNorTheNeed(t *testing.T) {
	for _, c := range []struct {
		w, h       int
		cell       Cell
		cols, rows int
		want       Box
	}{
		{100, 100, Cell{10, 20}, 80, 24, Box{10, 5}},
		{101, 101, Cell{10, 20}, 80, 24, Box{11, 6}},
		{1600, 900, Cell{10, 20}, 80, 24, Box{80, 23}},
		{1600, 900, Cell{10, 20}, 80, 10, Box{36, 10}},
		{1, 100000, Cell{10, 20}, 80, 24, Box{1, 24}},
		{65535, 1, Cell{}, 80, 24, Box{80, 1}},
		{1, 1, Cell{}, 0, 0, Box{1, 1}},
		{5000, 100000, Cell{8, 16}, 1000, 1000, Box{11, MaxRows}},
		{100, 100, Cell{-1, 5000}, 80, 24, Box{10, 5}},
	} {
		if got := Fit(c.w, c.h, c.cell, c.cols, c.rows); got != c.want {
			t.Errorf("%d by %d in %+v, at most %d by %d: %+v, want %+v", c.w, c.h, c.cell, c.cols, c.rows, got, c.want)
		}
	}
	if w, h := (Box{1000, 108}).Pixels(Cell{1000, 1000}); w*h > maxPixels {
		t.Errorf("%d by %d pixels", w, h)
	}
}

func TestIDsAreStableAndNeverGivenTwice(t *testing.T) {
	for _, palette := range []bool{false, true} {
		x, other := IDs{Seed: 1, Palette: palette}, IDs{Seed: 2, Palette: palette}
		of := map[ID]int{}
		first := map[int]ID{}
		differ := 0
		for n := range 300 {
			key := Key([16]byte{byte(n), byte(n >> 8)}, Box{3, 4}, false)
			id, ok := x.Of(key)
			if palette && n >= 240 {
				if ok {
					t.Fatalf("the palette holds more than it can: %d", n)
				}
				continue
			}
			if !ok || id == 0 || id >= 1<<24 || palette && (id < 16 || id > 255) {
				t.Fatalf("palette %v: id %d, %v", palette, id, ok)
			}
			if old, taken := of[id]; taken {
				t.Fatalf("pictures %d and %d have the id %d", old, n, id)
			}
			of[id], first[n] = n, id
			if o, _ := other.Of(key); o != id {
				differ++
			}
		}
		for n, id := range first {
			if again, ok := x.Of(Key([16]byte{byte(n), byte(n >> 8)}, Box{3, 4}, false)); !ok || again != id {
				t.Errorf("picture %d had the id %d and has %d", n, id, again)
			}
		}
		if differ < 200 {
			t.Errorf("palette %v: another seed changes %d ids only", palette, differ)
		}
	}
	sum := [16]byte{1}
	keys := map[[16]byte]bool{Key(sum, Box{1, 2}, false): true, Key(sum, Box{2, 1}, false): true,
		Key(sum, Box{1, 2}, true): true, Key([16]byte{2}, Box{1, 2}, false): true}
	if len(keys) != 4 {
		t.Error("a box or a surface does not count")
	}
}

func TestBudgetKeepsTheNewest(t *testing.T) {
	var b Budget
	for id := ID(1); id <= 8; id++ {
		if gone := b.Show(id, 1); gone != nil {
			t.Fatalf("%v went at picture %d", gone, id)
		}
	}
	b.Show(1, 1) // seen again: the newest now
	if got := fmt.Sprint(b.Show(9, 1), b.Show(10, 1), b.Live(1), b.Live(2), b.Live(3),
		b.Live(4)); got != "[2] [3] true false false true" {
		t.Error(got)
	}
	b.Drop(4)
	if gone := b.Show(11, 1); gone != nil {
		t.Errorf("%v went although there was room", gone)
	}
	if got := fmt.Sprint(b.Clear(), b.Clear()); got != "[5 6 7 8 1 9 10 11] []" {
		t.Error(got)
	}
	b = Budget{Max: 3, Bytes: 100}
	if got := fmt.Sprint(b.Show(1, 40), b.Show(2, 40), b.Show(3, 40), b.Show(4, 500), b.Show(5, 10),
		b.Show(6, 95)); got != "[] [] [1] [2 3] [4] [5]" {
		t.Error(got)
	}
}

func TestColorHoldsTheID(t *testing.T) {
	r, g, b, ok := ID(0x123456).Color(false).RGB()
	if !ok || r != 0x12 || g != 0x34 || b != 0x56 {
		t.Error(r, g, b, ok)
	}
	if n, ok := ID(200).Color(true).Index(); !ok || n != 200 {
		t.Error(n, ok)
	}
}

func TestITermSequenceHoldsThePNG(t *testing.T) {
	got, err := AppendITerm(nil, picture(2, 2, true), []byte("file"), Box{7, 3})
	if want := "\x1b]1337;File=inline=1;size=4;width=7;height=3:ZmlsZQ==\a"; err != nil || string(got) != want {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
	got, err = AppendITerm(nil, picture(5, 4, false), nil, Box{1, 1})
	_, b64, _ := bytes.Cut(got, []byte(":"))
	file, err2 := base64.StdEncoding.DecodeString(strings.TrimSuffix(string(b64), "\a"))
	if img, err3 := png.Decode(bytes.NewReader(file)); err != nil || err2 != nil || err3 != nil ||
		img.Bounds().Dx() != 5 {
		t.Error(err, err2, err3)
	}
}
