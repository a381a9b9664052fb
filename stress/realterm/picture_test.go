//go:build terminals

package realterm

import (
	"bytes"
	"context"
	"fmt"
	stdimage "image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
	"github.com/scrollkeep/scrollkeep/renderer/image/decode"
	term "github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// ink returns the colour of picture n: no two are alike, and no text has one of them.
func ink(n int) color.NRGBA {
	c := []byte{40, 130, 220}
	n++ // never the darkest
	return color.NRGBA{c[n%3], c[n/3%3], c[n/9%3] + byte(n), 255}
}

// paint is picture n: one colour.
func paint(n int) *decode.Picture {
	pix := stdimage.NewNRGBA(stdimage.Rect(0, 0, 120, 60))
	for i := range 120 * 60 {
		pix.SetNRGBA(i%120, i/120, ink(n))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, pix); err != nil {
		panic(err)
	}
	p, err := decode.New(b.Bytes(), decode.Limits{})
	if err != nil {
		panic(err)
	}
	return p
}

// gallery returns the program: p appends a picture between two rows, t ten rows of text, q quits.
func gallery() error {
	app := &tui.App{Footer: &tui.Editor{Placeholder: "gallery"}}
	app.Terminal.Tmux = func(ctx context.Context, args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, "tmux", args...).Output()
	}
	n := 0
	app.Footer = keys{app.Footer, func(k term.Key) {
		switch k.Code {
		case 'p':
			fmt.Fprintf(app.Transcript(), "above %d\n", n)
			app.Transcript().Append(&tui.Image{Source: paint(n), Alt: fmt.Sprint("picture ", n), MaxCols: 20,
				MaxRows: 4}).Done()
			fmt.Fprintf(app.Transcript(), "below %d\n", n)
			n++
		case 't':
			for i := range 10 {
				fmt.Fprintln(app.Transcript(), "text", i)
			}
		case 'q':
			app.Quit(nil)
		}
	}}
	return app.Run(context.Background())
}

// keys is a component whose keys go to f.
type keys struct {
	tui.Component
	f func(term.Key)
}

func (k keys) HandleEvent(e tui.Event, _ tui.Space) bool {
	if key, ok := e.(term.Key); ok {
		k.f(key)
	}
	return true
}

// album is a kitty whose window is looked at.
type album struct {
	kitty
	t *testing.T
}

// photo returns what the display shows, and the size of a cell in it.
func (a *album) photo() (img stdimage.Image, cell stdimage.Point) {
	a.t.Helper()
	c := exec.Command("import", "-window", "root", "png:-")
	c.Env = append(os.Environ(), "DISPLAY="+a.show)
	img, err := png.Decode(strings.NewReader(output(a.t, c)))
	if err != nil {
		a.t.Fatal(err)
	}
	c = exec.Command("sh", "-c", "xdotool getwindowgeometry --shell $(xdotool search --class kitty | tail -1)")
	c.Env = append(os.Environ(), "DISPLAY="+a.show)
	size := map[string]int{}
	for line := range strings.Lines(output(a.t, c)) {
		k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
		size[k], _ = strconv.Atoi(v)
	}
	var cols, rows int
	for line := range strings.Lines(a.order(a.t, "ls", nil)) {
		k, v, _ := strings.Cut(strings.Trim(strings.TrimSpace(line), ","), ": ")
		switch k {
		case `"columns"`:
			cols, _ = strconv.Atoi(v)
		case `"lines"`:
			rows, _ = strconv.Atoi(v)
		}
	}
	if cols == 0 || rows == 0 || size["WIDTH"] == 0 {
		a.t.Fatalf("%d columns, %d rows, window %v", cols, rows, size)
	}
	return img, stdimage.Pt(size["WIDTH"]/cols, size["HEIGHT"]/rows)
}

// area is where a picture is seen, in pixels, and how many of them.
type area struct {
	box   stdimage.Rectangle
	count int
}

// areas finds the first n pictures by their colours.
func areas(img stdimage.Image, n int) []area {
	list := make([]area, n)
	of := map[color.NRGBA]int{}
	for i := range n {
		of[ink(i)] = i
	}
	b := img.Bounds()
	flat := stdimage.NewNRGBA(b)
	draw.Draw(flat, b, img, b.Min, draw.Src)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := flat.NRGBAAt(x, y)
			if c == (color.NRGBA{A: 255}) {
				continue
			}
			if i, ok := of[c]; ok {
				list[i].box = list[i].box.Union(stdimage.Rect(x, y, x+1, y+1))
				list[i].count++
			}
		}
	}
	return list
}

// judge requires that each of the pictures from to to is seen between its rows of text, or not at
// all if it is gone or out of view.
func (a *album) judge(what string, to int, gone func(n int) bool) {
	a.t.Helper()
	var last string
	for range 40 { // until it is as it should be: drawing takes its time
		if last = a.wrong(to, gone); last == "" {
			a.t.Logf("%s: as it should be", what)
			return
		}
		<-time.After(150 * time.Millisecond)
	}
	img, _ := a.photo()
	name := filepath.Join(os.TempDir(), "scrollkeep-pictures.png")
	if f, err := os.Create(name); err == nil {
		_ = png.Encode(f, img)
		f.Close()
	}
	a.t.Errorf("%s: %s; the photo is %s; the text is\n%s", what, last, name, a.text(a.t, "screen"))
}

func (a *album) wrong(to int, gone func(n int) bool) string {
	rows := strings.Split(a.text(a.t, "screen"), "\n")
	img, cell := a.photo()
	seen := 0
	found := areas(img, to)
	for n := range to {
		above, below := -1, -1
		for i, row := range rows {
			switch strings.TrimSpace(row) {
			case fmt.Sprint("above ", n):
				above = i
			case fmt.Sprint("below ", n):
				below = i
			}
		}
		box, count := found[n].box, found[n].count
		switch {
		case gone(n) || above < 0 && below < 0: // a part of it may still be seen if only one of its rows is
			if count > 0 {
				return fmt.Sprintf("picture %d is seen at %v", n, box)
			}
		case above >= 0 && below >= 0:
			seen++
			room := stdimage.Rect(0, (above+1)*cell.Y, 20*cell.X, below*cell.Y)
			if count == 0 || !box.In(room) || box.Dx() < room.Dx()/4 || box.Dy() < room.Dy()/3 ||
				count < box.Dx()*box.Dy()*9/10 {
				return fmt.Sprintf("picture %d is seen at %v, %d pixels, want within %v", n, box, count, room)
			}
		}
	}
	if seen == 0 {
		return "no picture is in view"
	}
	return ""
}

func (a *album) press(keys string) {
	for _, k := range keys {
		a.send(a.t, string(k))
		<-time.After(50 * time.Millisecond)
	}
}

// TestPicturesInKitty looks at the pixels: pictures are where the transcript says, after scrolling,
// when they have had their time, and after a resize; and the same within tmux.
func TestPicturesInKitty(t *testing.T) {
	p := needKitty(t)
	for _, p := range []string{"import", "xdotool"} {
		need.Program(t, p)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cells := !p.Differs.NoPlaceholders
	none := func(int) bool { return false }
	t.Run("alone", func(t *testing.T) {
		a := &album{t: t}
		a.start(t, "clear; SCROLLKEEP_GALLERY=1 "+self)
		eventually(t, "the gallery", func() bool { return strings.Contains(a.tape(t), "gallery") })
		a.press("pp")
		a.judge("two pictures", 2, none)
		a.press("tp")
		a.judge("scrolled by text", 3, none)
		a.scroll(t, -6)
		a.judge("scrolled back by the reader", 3, none)
		a.scrollToEnd(t)
		a.press("pppppppp")
		old := func(n int) bool { return n < 11-8 }
		a.judge("eleven pictures, of which eight are kept", 11, old)
		a.scroll(t, -40)
		a.judge("the oldest have no pixels", 11, old)
		a.scrollToEnd(t)
		a.resize(t, 60, 20)
		<-time.After(time.Second)
		a.press("p")
		after := func(n int) bool { return n < 12-8 }
		if !cells { // what was drawn is deleted: it would float over other text
			after = func(n int) bool { return n < 11 }
		}
		a.judge("after a resize, and one more", 12, after)
		a.press("q")
	})
	t.Run("tmux", func(t *testing.T) {
		need.Program(t, "tmux")
		if !cells {
			need.Missing(t, "kitty0.28",
				"this kitty does not know placeholders, without which tmux cannot show pictures")
		}
		a := &album{t: t}
		socket := filepath.Join(t.TempDir(), "s")
		conf := filepath.Join(t.TempDir(), "conf")
		if err := os.WriteFile(conf, []byte("set -g allow-passthrough on\nset -g status off\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a.start(t, "clear; tmux -S "+socket+" -f "+conf+" new 'SCROLLKEEP_GALLERY=1 "+self+"'")
		t.Cleanup(func() { _ = exec.Command("tmux", "-S", socket, "kill-server").Run() })
		eventually(t, "the gallery", func() bool { return strings.Contains(a.tape(t), "gallery") })
		a.press("pp")
		a.judge("two pictures", 2, none)
		a.press("tp")
		a.judge("scrolled by text", 3, none)
		a.press("pppppppp")
		a.judge("eleven pictures, of which eight are kept", 11, func(n int) bool { return n < 11-8 })
		output(t, exec.Command("tmux", "-S", socket, "copy-mode"))
		output(t, exec.Command("tmux", "-S", socket, "send-keys", "-X", "-N", "12", "scroll-up"))
		a.judge("in copy mode", 11, func(n int) bool { return n < 11-8 })
		output(t, exec.Command("tmux", "-S", socket, "send-keys", "-X", "cancel"))
		a.resize(t, 60, 20)
		<-time.After(time.Second)
		a.judge("after a resize", 11, func(n int) bool { return n < 11-8 })
		a.press("q")
	})
}
