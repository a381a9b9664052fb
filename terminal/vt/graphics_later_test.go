package vt

import (
	"fmt"
	"strings"
	"testing"
)

// graphicsTerminal has cells of 10x10 pixels, as ghostty's own tests have.
func graphicsTerminal() *Terminal {
	return New(Config{Cols: 10, Rows: 6, Scrollback: 10, CellWidth: 10, CellHeight: 10})
}

// column returns the command that transmits image 1 of one column and some rows, and an id more for
// each call of placeAt.
func column(height int) string {
	return gfx(fmt.Sprintf("a=t,q=2,i=1,s=10,v=%d", height), pixels(10*height))
}

func placeAt(row, col int, keys string) string {
	return fmt.Sprintf("\x1b[%d;%dH", row+1, col+1) + gfx("a=p,q=2,i=1,C=1,"+keys, "")
}

// source returns what is shown of the first placement, and where.
func source(t *Terminal) string {
	for _, p := range t.Placements() {
		return fmt.Sprintf("%d+%d at %d of %d rows", p.SourceY, p.SourceHeight, p.Row, p.Rows)
	}
	return ""
}

// The cases are those of ghostty's tests (graphics_storage.zig, "scroll margins").
func TestPicturesScrollWithinTheMargins(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // behind each line feed on the last row of the region, or each step
		step     string
	}{
		{"it is cut at the top", column(20) + placeAt(2, 0, "p=1") + "\x1b[2;5r\x1b[5H",
			[]string{"0+20 at 1 of 2 rows", "10+10 at 1 of 1 rows", ""}, "\n"},
		{"it straddles the region", column(30) + placeAt(0, 0, "p=1") + "\x1b[1;2r\x1b[2H",
			[]string{"0+30 at 0 of 3 rows"}, "\n"},
		{"it is below", column(10) + placeAt(5, 0, "p=1") + "\x1b[1;4r\x1b[4H",
			[]string{"0+10 at 5 of 1 rows", "0+10 at 5 of 1 rows"}, "\n"},
		{"it is cut at the bottom", column(20) + placeAt(3, 0, "p=1") + "\x1b[2;5r\x1b[2H",
			[]string{"0+10 at 4 of 1 rows", ""}, "\x1bM"},
		{"one that is scaled is cut in proportion", column(40) + placeAt(1, 0, "p=1,c=1,r=2") + "\x1b[2;3r\x1b[3H",
			[]string{"20+20 at 1 of 1 rows"}, "\n"},
		{"outside of the columns", column(10) + placeAt(2, 0, "p=1") + "\x1b[?69h\x1b[2;8s",
			[]string{"0+10 at 2 of 1 rows"}, "\x1b[S"},
		{"inside of them", column(10) + placeAt(2, 2, "p=1") + "\x1b[?69h\x1b[2;8s", []string{"0+10 at 1 of 1 rows"},
			"\x1b[S"},
		{"IL and DL move none", column(10) + placeAt(2, 0, "p=1") + "\x1b[2;5r\x1b[2H",
			[]string{"0+10 at 2 of 1 rows", "0+10 at 2 of 1 rows"}, "\x1b[L\x1b[M\x1b[M"},
		{"without margins it goes with its row", column(20) + placeAt(0, 0, "p=1") + "\x1b[6H",
			[]string{"0+20 at -1 of 2 rows"}, "\n"},
		{"far", column(10) + placeAt(2, 0, "p=1") + "\x1b[2;5r", []string{""}, "\x1b[10S"},
		{"its corner is inside, its end is not", column(20) + placeAt(4, 0, "p=1") + "\x1b[2;5r\x1b[5H",
			[]string{"0+20 at 4 of 2 rows"}, "\n"},
		{"rows go to the scrollback", column(10) + placeAt(2, 0, "p=1") + "\x1b[1;4r", []string{"0+10 at 0 of 1 rows",
			""}, "\x1b[2S"},
	} {
		term := graphicsTerminal()
		term.WriteString(c.in)
		for i, want := range c.want {
			term.WriteString(c.step)
			if got := source(term); got != want {
				t.Errorf("%s, step %d: %q, want %q", c.name, i+1, got, want)
			}
		}
		if _, ok := term.Image(1); !ok {
			t.Errorf("%s: the picture itself is gone", c.name)
		}
	}
}

func TestPlacementsBesideOthers(t *testing.T) {
	chain := column(10) + placeAt(0, 0, "p=1")
	for id := 2; id < 10; id++ {
		chain += gfx(fmt.Sprintf("a=p,q=2,i=1,p=%d,P=1,Q=%d,H=1,V=-1", id, id-1), "")
	}
	pair := column(10) + placeAt(3, 3, "p=1") + gfx("a=p,q=2,i=1,p=2,P=1,Q=1,H=2,V=-1", "")
	two := pair + gfx("a=t,q=2,i=2,s=10,v=10", pixels(100)) + gfx("a=p,q=2,i=2,p=1,P=1,Q=2,V=1", "")
	for _, c := range []struct{ name, in, reply, want string }{
		{"it stands where its parent does", pair, "", "1/1 at 3,3 1x1, 1/2 at 2,5 1x1"},
		{"the cursor stays", pair + "\x1b[6n", "\x1b[4;4R", "1/1 at 3,3 1x1, 1/2 at 2,5 1x1"},
		{"it goes with it", pair + "\x1b[6H\n\n", "", "1/1 at 1,3 1x1, 1/2 at 0,5 1x1"},
		{"it stays when the parent is placed anew", pair + placeAt(0, 0, "p=1"), "", "1/2 at -1,2 1x1, 1/1 at 0,0 1x1"},
		{"beside the oldest, if none is named", column(10) + placeAt(1, 1, "p=7") + placeAt(2, 2, "p=3") +
			gfx("a=p,q=2,i=1,p=9,P=1,H=1", ""), "", "1/7 at 1,1 1x1, 1/3 at 2,2 1x1, 1/9 at 2,3 1x1"},
		{"it is deleted with its parent, and others with it", two + gfx("a=d,d=i,i=1,p=1", ""), "", ""},
		{"with all that it is beside", two + gfx("a=d,d=p,x=4,y=4", ""), "", ""},
		{"a cell does not find it", pair + gfx("a=d,d=p,x=6,y=3", ""), "", "1/1 at 3,3 1x1, 1/2 at 2,5 1x1"},
		{"a capital letter frees its picture, too", two + gfx("a=d,d=C", "") + gfx("a=p,i=2", ""),
			"\x1b_Gi=2;ENOENT: image not found\x1b\\", ""},
		{"no parent", column(10) + gfx("a=p,i=1,P=2", ""), "\x1b_Gi=1;ENOPARENT: parent image not found\x1b\\", ""},
		{"no placement of it", column(10) + gfx("a=p,i=1,P=1", ""),
			"\x1b_Gi=1;ENOPARENT: parent placement not found\x1b\\", ""},
		{"itself", column(10) + placeAt(0, 0, "p=1") + gfx("a=p,i=1,p=1,P=1,Q=1", ""),
			"\x1b_Gi=1,p=1;EINVAL: placement cannot be its own parent\x1b\\", "1/1 at 0,0 1x1"},
		{"in a circle", pair + gfx("a=p,i=1,p=1,P=1,Q=2", ""),
			"\x1b_Gi=1,p=1;ECYCLE: parent chain creates a cycle\x1b\\", "1/1 at 3,3 1x1, 1/2 at 2,5 1x1"},
		{"too long", chain + gfx("a=p,i=1,p=10,P=1,Q=9", "") + gfx("a=d,d=z,z=1", ""),
			"\x1b_Gi=1,p=10;ETOODEEP: parent chain too deep\x1b\\",
			"1/1 at 0,0 1x1, 1/2 at -1,1 1x1, 1/3 at -2,2 1x1, 1/4 at -3,3 1x1, 1/5 at -4,4 1x1, " +
				"1/6 at -5,5 1x1, 1/7 at -6,6 1x1, 1/8 at -7,7 1x1, 1/9 at -8,8 1x1"},
		{"virtual", column(10) + gfx("a=p,i=1,P=1,U=1", ""),
			"\x1b_Gi=1;EINVAL: virtual placement cannot refer to a parent\x1b\\", ""},
		{"its parent scrolled out of history", column(10) + placeAt(0, 0, "p=1") + "\x1b[6H" + strings.Repeat("\n",
			9000) +
			gfx("a=p,i=1,P=1", ""), "\x1b_Gi=1;ENOPARENT: parent placement not found\x1b\\", ""},
	} {
		term := graphicsTerminal()
		term.WriteString(c.in)
		if got := string(term.TakeReplies()); got != c.reply {
			t.Errorf("%s: it says %q, want %q", c.name, got, c.reply)
		}
		if got := placements(term); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestFramesOfAnAnimation(t *testing.T) {
	one := gfx("a=t,q=2,f=24,i=1,s=1,v=1", "/wAA")
	frame := func(keys string) string { return gfx("a=f,i=1,f=24,s=1,v=1"+keys, "AAD/") }
	quiet := func(keys string) string { return frame(",q=2" + keys) }
	const reply = "\x1b_Gi=1"
	for _, c := range []struct {
		name, in, want string
		frames, frame  int // 0: there is no picture
		bytes          int
	}{
		{"a picture", one, "", 1, 1, 3},
		{"a frame more", one + frame(""), reply + ",r=2;OK\x1b\\", 2, 1, 8},
		{"one is drawn in", one + quiet("") + frame(",r=1"), reply + ",r=1;OK\x1b\\", 2, 1, 8},
		{"a number behind the last is a new one", one + frame(",r=9"), reply + ",r=2;OK\x1b\\", 2, 1, 8},
		{"in pieces, whose names are in the first", one + gfx("a=f,i=1,f=24,s=1,v=1,m=1", "AA") + gfx("m=0", "D/8="),
			reply + ",r=2;OK\x1b\\", 2, 1, 8},
		{"more than is needed", one + gfx("a=f,i=1,f=24,s=1,v=1", "AAD/////"), reply + ",r=2;OK\x1b\\", 2, 1, 8},
		{"less than is needed", one + gfx("a=f,i=1,f=24,s=1,v=1", "AA=="), reply + ";ENODATA: insufficient data\x1b\\",
			1, 1, 3},
		{"larger than the picture", one + gfx("a=f,i=1,f=24,s=2,v=1", "////////"),
			reply + ";EINVAL: frame dimensions exceed image\x1b\\", 1, 1, 3},
		{"made of one that is not there", one + frame(",c=5"), reply + ",r=2;EINVAL: base frame not found\x1b\\", 1, 1,
			4},
		{"what is shown changes in between", one + quiet("") + gfx("a=f,i=1,f=24,s=1,v=1,m=1", "AA") +
			gfx("a=a,i=1,c=2", "") +
			gfx("m=0", "D/8="), reply + ";ENOENT: image not found\x1b\\", 2, 2, 8},
		{"the picture is replaced in between", one + gfx("a=f,i=1,f=24,s=1,v=1,m=1", "AA") + "\x1b_Ga=d,d=I,i=1\x1b\\" +
			one +
			gfx("m=0", "D/8="), "", 1, 1, 3},
		{"another one is shown", one + quiet("") + gfx("a=a,i=1,c=2", ""), "", 2, 2, 8},
		{"no such one", one + quiet("") + gfx("a=a,i=1,c=3,s=9,r=7,z=3", ""), "", 2, 1, 8},
		{"control of nothing", gfx("a=a,i=1,c=3", ""), reply + ";ENOENT: image not found\x1b\\", 0, 0, 0},
		{"compose", one + quiet("") + gfx("a=c,i=1,r=2,c=1", ""), reply + ";OK\x1b\\", 2, 1, 8},
		{"compose from nothing", one + gfx("a=c,i=1,r=2,c=1", ""), reply + ";ENOENT: source frame not found\x1b\\", 1,
			1, 3},
		{"compose to nothing", one + gfx("a=c,i=1,r=1,c=2", ""), reply + ";ENOENT: destination frame not found\x1b\\",
			1, 1, 3},
		{"compose over the edge", one + gfx("a=c,i=1,r=1,c=1,x=1", "") + gfx("a=c,i=1,r=1,c=1,X=1", ""),
			reply + ";EINVAL: destination rectangle out of bounds\x1b\\" + reply +
				";EINVAL: source rectangle out of bounds\x1b\\", 1, 1, 3},
		{"compose over itself", one + gfx("a=c,i=1,r=1,c=1", ""),
			reply + ";EINVAL: source and destination rectangles overlap\x1b\\", 1, 1, 3},
		{"the first is deleted", one + quiet("") + quiet("") + gfx("a=d,d=f,i=1", ""), "", 2, 1, 8},
		{"the last is", one + quiet("") + quiet("") + gfx("a=a,i=1,c=3", "") + gfx("a=d,d=f,i=1,r=9", ""), "", 2, 2, 8},
		{"the only one is not", one + gfx("a=d,d=f,i=1", ""), "", 1, 1, 3},
		{"but with a capital letter", one + placeAt(0, 0, "p=1") + gfx("a=d,d=F,i=1", ""), "", 0, 0, 0},
		{"the picture again", one + quiet("") + one, "", 1, 1, 3},
	} {
		term := graphicsTerminal()
		term.WriteString(c.in)
		if got := string(term.TakeReplies()); got != c.want {
			t.Errorf("%s: it says %q, want %q", c.name, got, c.want)
		}
		img, _ := term.Image(1)
		if img.Frames != c.frames || img.Frame != c.frame || img.Bytes != c.bytes {
			t.Errorf("%s: %+v, want frame %d of %d, %d bytes", c.name, img, c.frame, c.frames, c.bytes)
		}
		if got := term.active.images.bytes; got != c.bytes {
			t.Errorf("%s: %d bytes are counted, want %d", c.name, got, c.bytes)
		}
	}
}

// Image 1 has 16x16 pixels, image 2 24x40; the cells have 8x16.
func TestWhatIsDeletedAndWhereTheCursorGoes(t *testing.T) {
	setup := gfx("i=1,s=16,v=16,q=2", pixels(256)) + gfx("i=2,s=24,v=40,q=2", pixels(960))
	for _, c := range []struct{ name, in, want, cursor string }{
		{"a range", gfx("a=p,i=1,C=1", "") + gfx("a=p,i=2,C=1", "") + gfx("a=d,d=r,x=2,y=7", ""), "1/0 at 0,0 2x1",
			"0,0"},
		{"an empty one", gfx("a=p,i=1,C=1", "") + gfx("a=d,d=r,x=2,y=1", "") + gfx("a=d,d=r,x=1", ""), "1/0 at 0,0 2x1",
			"0,0"},
		{"a capital range frees what was not shown", gfx("a=d,d=R,x=1,y=1", "") + gfx("a=p,i=1", ""), "", "0,0"},
		{"a cell of a row that is not the first", gfx("a=p,i=2,C=1", "") + gfx("a=d,d=p,x=4,y=2", ""), "2/0 at 0,0 3x3",
			"0,0"},
		{"what is above the grid stays", gfx("a=p,i=1,p=1,C=1", "") + "\x1b[6H\n" + gfx("a=p,i=1,p=2,C=1", "") +
			gfx("a=d,d=A", "") + gfx("a=p,i=2,C=1", ""), "1/1 at -1,0 2x1, 2/0 at 5,0 3x3", "5,0"},
		{"what ends on the grid does not", gfx("a=p,i=2,p=1,C=1", "") + "\x1b[6H\n\n" + gfx("a=d", ""), "", "5,0"},
		{"ED 2 frees what is not shown", gfx("a=p,i=1,p=1,C=1", "") + "\x1b[6H\n\x1b[2J" + gfx("a=p,i=2,C=1", ""),
			"1/1 at -1,0 2x1", "5,0"},
		{"transmitted again, placed no more", gfx("a=p,i=1,C=1", "") + gfx("i=1,s=8,v=16,q=2,m=1", pixels(64)), "",
			"0,0"},
		{"a part that is not in the picture", gfx("a=p,i=2,C=1,x=16,y=24,w=99,h=99", ""), "2/0 at 0,0 1x1", "0,0"},
		{"an offset beyond the cell", gfx("a=p,i=1,C=1,X=80,Y=80", ""), "1/0 at 0,0 3x2", "0,0"},
		{"an offset within the columns", gfx("a=p,i=1,C=1,c=2,X=7", ""), "1/0 at 0,0 2x1", "0,0"},
		{"the edge is a new row", gfx("a=p,i=1,c=20,r=2", ""), "1/0 at 0,0 20x2", "2,0"},
		{"no row too many is scrolled", "\x1b[6H" + gfx("a=p,i=1", ""), "1/0 at 5,0 2x1", "5,2"},
		{"a tall one", gfx("a=p,i=1,c=20,r=9", "") + gfx("a=p,i=2,C=1", ""), "1/0 at -4,0 20x9, 2/1 at 5,0 3x3", "5,0"},
		{"a piece is given up by a delete", gfx("i=3,s=1,v=2,q=2,m=1", pixels(1)) + gfx("a=d,d=i,i=9", "") + gfx("m=0",
			pixels(1)) +
			gfx("a=p,i=3", ""), "", "0,0"},
		{"another value of C moves, another U is virtual", gfx("a=p,i=1,C=2", "") + gfx("a=p,i=1,U=4,c=1,r=1", ""),
			"1/0 at 0,0 2x1, 1/1 at 0,0 1x1 virtual", "0,2"},
	} {
		term := newTest(20, 6, 10)
		term.WriteString(setup + c.in)
		if got := placements(term); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		if cur := term.Cursor(); fmt.Sprintf("%d,%d", cur.Row, cur.Col) != c.cursor {
			t.Errorf("%s: cursor at %d,%d, want %s", c.name, cur.Row, cur.Col, c.cursor)
		}
	}
}

func TestPicturesAreAnsweredAsInAugust(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a query is loaded", gfx("a=q,i=3,s=2,v=2", "AAAA"), "\x1b_Gi=3;EINVAL: invalid data\x1b\\"},
		{"a format that is unknown", gfx("a=q,i=3,f=7,s=1,v=1", "AAAA") + gfx("i=3,f=7,s=1,v=1", "AAAA"),
			"\x1b_Gi=3;EINVAL: unsupported format\x1b\\\x1b_Gi=3;EINVAL: unsupported format\x1b\\"},
		{"format 0 is 32", gfx("i=3,f=0,s=1,v=1", pixels(1)), "\x1b_Gi=3;OK\x1b\\"},
		{"q=3 is 2", gfx("a=p,i=7,q=3", ""), ""},
		{"a number gets the lowest id", gfx("i=2,q=2,s=1,v=1", pixels(1)) + gfx("I=9,s=1,v=1", pixels(1)) +
			gfx("I=9,s=1,v=1", pixels(1)),
			"\x1b_Gi=1,I=9;OK\x1b\\\x1b_Gi=3,I=9;OK\x1b\\"},
		{"one that was freed", gfx("I=9,s=1,v=1,q=2", pixels(1)) + gfx("I=8,s=1,v=1,q=2", pixels(1)) +
			gfx("a=d,d=N,I=9", "") +
			gfx("I=7,s=1,v=1", pixels(1)), "\x1b_Gi=1,I=7;OK\x1b\\"},
		{"the last piece answers for the first", gfx("i=3,p=4,s=1,v=2,m=1", pixels(1)) + gfx("m=0", pixels(1)),
			"\x1b_Gi=3,p=4;OK\x1b\\"},
		{"no placement was named, none is freed", gfx("i=3,s=1,v=1,q=2", pixels(1)) + gfx("a=d,d=I,i=3,p=5", "") +
			gfx("a=p,i=3,C=1", ""),
			"\x1b_Gi=3;OK\x1b\\"},
		{"an id and a number", gfx("a=a,i=1,I=2,p=3", ""),
			"\x1b_Gi=1,I=2,p=3;EINVAL: image ID and number are mutually exclusive\x1b\\"},
	} {
		term := newTest(20, 6, 10)
		term.WriteString(c.in)
		if got := string(term.TakeReplies()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTransientPicturesGoFirst(t *testing.T) {
	term := New(Config{Cols: 10, Rows: 6, Personality: Personality{ImageLimit: 192 * 4}})
	for _, keys := range []string{"i=1", "i=2,N=1", "i=3,N=1"} {
		term.WriteString(gfx("q=2,s=8,v=8,"+keys, pixels(64)))
	}
	term.WriteString(gfx("a=p,q=2,i=2", "") + gfx("q=2,i=4,s=8,v=8", pixels(64)))
	var left []int
	for _, img := range term.Images() {
		left = append(left, img.ID)
	}
	if fmt.Sprint(left) != "[1 2 4]" {
		t.Errorf("%v are left, want the older 1, which is not transient, 2, which is shown, and the new 4", left)
	}
}
