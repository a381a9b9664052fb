package vt

import (
	"bytes"
	"encoding/base64"
	"fmt"
	stdimage "image"
	"image/png"
	"strings"
	"testing"
)

// gfx returns a kitty graphics command.
func gfx(control, data string) string { return "\x1b_G" + control + ";" + data + "\x1b\\" }

// pixels returns the payload of a black image of n pixels.
func pixels(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, 4*n)) }

func placements(t *Terminal) string {
	var list []string
	for _, p := range t.Placements() {
		s := fmt.Sprintf("%d/%d at %d,%d %dx%d", p.Image, p.ID, p.Row, p.Col, p.Cols, p.Rows)
		if p.Z != 0 {
			s += fmt.Sprintf(" z%d", p.Z)
		}
		if p.Virtual {
			s += " virtual"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

// TestPlacements runs commands on a terminal of 20x6 with cells of 8x16 pixels; image 1 is 16x16,
// image 2 is 24x40.
func TestPlacements(t *testing.T) {
	setup := gfx("i=1,s=16,v=16,q=2", pixels(256)) + gfx("i=2,s=24,v=40,q=2", pixels(960))
	for _, c := range []struct{ name, in, want, cursor string }{
		{"the size follows from the pixels", gfx("a=p,i=2,p=1", ""), "2/1 at 0,0 3x3", "2,3"},
		{"columns alone keep the aspect", gfx("a=p,i=1,p=1,c=4", ""), "1/1 at 0,0 4x2", "1,4"},
		{"rows alone keep the aspect", gfx("a=p,i=1,p=1,r=2", ""), "1/1 at 0,0 4x2", "1,4"},
		{"both", gfx("a=p,i=1,p=1,c=7,r=3,z=-2", ""), "1/1 at 0,0 7x3 z-2", "2,7"},
		{"an offset in the cell counts", gfx("a=p,i=1,p=1,X=1,Y=1", ""), "1/1 at 0,0 3x2", "1,3"},
		{"a part of the image", gfx("a=p,i=2,p=1,w=8,h=8", ""), "2/1 at 0,0 1x1", "0,1"},
		{"C=1 leaves the cursor", "\x1b[2;3H" + gfx("a=p,i=1,p=1,C=1", ""), "1/1 at 1,2 2x1", "1,2"},
		{"the same id replaces", gfx("a=p,i=1,p=1,C=1", "") + "\x1b[3;3H" + gfx("a=p,i=1,p=1,C=1", ""),
			"1/1 at 2,2 2x1", "2,2"},
		{"no id adds", gfx("a=p,i=1,C=1", "") + gfx("a=p,i=1,C=1", ""), "1/0 at 0,0 2x1, 1/1 at 0,0 2x1", "0,0"},
		{"virtual", gfx("a=p,i=1,p=5,U=1,c=3,r=2", ""), "1/5 at 0,0 3x2 virtual", "0,0"},
		{"they scroll away with their row", gfx("a=p,i=1,p=1", "") + strings.Repeat("\n", 7), "1/1 at -2,0 2x1", "5,2"},
		{"ED 2 deletes what is not virtual", gfx("a=p,i=1,p=1", "") + gfx("a=p,i=2,p=5,U=1,c=3,r=2", "") + "\x1b[2J",
			"2/5 at 0,0 3x2 virtual", "0,2"},
		{"the alternate screen has its own", gfx("a=p,i=1,p=1", "") + "\x1b[?1049h", "", "0,2"},
		{"delete by id", gfx("a=p,i=1,p=1", "") + gfx("a=p,i=1,p=2", "") + gfx("a=d,d=i,i=1,p=1", ""),
			"1/2 at 0,2 2x1", "0,4"},
		{"delete at the cursor", gfx("a=p,i=1,p=1,C=1", "") + "\x1b[2;1H" + gfx("a=p,i=1,p=2,C=1", "") +
			gfx("a=d,d=c", ""), "1/1 at 0,0 2x1", "1,0"},
		{"delete at a cell", gfx("a=p,i=1,p=1,C=1", "") + gfx("a=d,d=p,x=2,y=1", ""), "", "0,0"},
		{"delete a column", gfx("a=p,i=1,p=1,C=1", "") + gfx("a=d,d=x,x=3", "") + gfx("a=p,i=2,p=1,C=1", "") +
			gfx("a=d,d=x,x=3", ""), "1/1 at 0,0 2x1", "0,0"},
		{"delete a row", gfx("a=p,i=2,p=1,C=1", "") + gfx("a=d,d=y,y=3", ""), "", "0,0"},
		{"delete by z", gfx("a=p,i=1,p=1,z=3", "") + gfx("a=p,i=1,p=2,z=4", "") + gfx("a=d,d=z,z=3", ""),
			"1/2 at 0,2 2x1 z4", "0,4"},
		{"delete at a cell by z", gfx("a=p,i=1,p=1,z=3,C=1", "") + gfx("a=p,i=1,p=2,z=4,C=1", "") +
			gfx("a=d,d=q,x=1,y=1,z=4", ""), "1/1 at 0,0 2x1 z3", "0,0"},
		{"a capital letter frees the image", gfx("a=d,d=I,i=1", "") + gfx("a=p,i=1,p=1", ""), "", "0,0"},
		{"transmit and display", gfx("a=T,i=3,p=1,s=8,v=16,q=2", pixels(128)), "3/1 at 0,0 1x1", "0,1"},
		{"in pieces", gfx("a=T,i=3,p=1,s=8,v=16,q=2,m=1", pixels(64)) + gfx("m=0", pixels(64)),
			"3/1 at 0,0 1x1", "0,1"},
		{"RIS drops everything", gfx("a=p,i=1,p=1", "") + "\x1bc" + gfx("a=p,i=1,p=1", ""), "", "0,0"},
		{"a bad value voids the command", gfx("a=p,i=1,p=x1", ""), "", "0,0"},
		{"unknown and overlong keys are skipped", gfx("a=p,i=1,p=1,foo=1,w12345678901=1", ""), "1/1 at 0,0 2x1", "0,2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := newTest(20, 6, 10)
			term.WriteString(setup + c.in)
			if got := placements(term); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if cur := term.Cursor(); fmt.Sprintf("%d,%d", cur.Row, cur.Col) != c.cursor {
				t.Errorf("cursor at %d,%d, want %s", cur.Row, cur.Col, c.cursor)
			}
			if err := term.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestPlacementsMoveWithRewrapping(t *testing.T) {
	term := newTest(20, 6, 10)
	term.WriteString(strings.Repeat("x", 15) + "\r\n" + gfx("a=T,i=1,p=1,s=8,v=16,q=2,C=1", pixels(128)))
	term.Resize(10, 6)
	if got, want := placements(term), "1/1 at 2,0 1x1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestThePNGHeaderGivesTheSize(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, stdimage.NewRGBA(stdimage.Rect(0, 0, 20, 40))); err != nil {
		t.Fatal(err)
	}
	term := newTest(20, 6, 0)
	term.WriteString(gfx("a=T,f=100,i=1,p=1", base64.StdEncoding.EncodeToString(b.Bytes())))
	if got, want := placements(term), "1/1 at 0,0 3x3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := string(term.TakeReplies()), "\x1b_Gi=1,p=1;OK\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if p := term.Placements()[0]; p.Width != 20 || p.Height != 40 {
		t.Errorf("%dx%d pixels", p.Width, p.Height)
	}
}

func TestTheOldestImagesMakeRoom(t *testing.T) {
	term := newTest(20, 6, 0)
	s := term.active
	for id := uint32(1); id <= 3; id++ {
		if !s.images.addImage(s, &image{id: id, width: 1, height: 1, bytes: maxImageBytes/2 - 1}, maxImageBytes) {
			t.Fatalf("no room for image %d", id)
		}
		if id == 1 {
			s.images.addPlacement(s, placement{placementKey: placementKey{image: 1, id: 1}, at: s.pinAt(0, 0)})
		}
	}
	if s.images.byID[1] == nil || s.images.byID[2] != nil || s.images.byID[3] == nil {
		t.Errorf("left are %v, want 1, which is shown, and 3", s.images.byID)
	}
	if s.images.addImage(s, &image{id: 4, bytes: maxImageBytes + 1}, maxImageBytes) {
		t.Error("an image larger than the limit was taken")
	}
}
