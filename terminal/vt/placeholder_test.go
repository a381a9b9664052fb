package vt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const cellOfImage = "\U0010eeee"

// shown returns what the placeholders of a row show: image, placement, row and column, for each
// cell.
func shown(r Row) string {
	var list []string
	for x, p := range r.Placeholders() {
		list = append(list, fmt.Sprintf("%d:%d/%d %d,%d", x, p.Image, p.Placement, p.Row, p.Col))
	}
	return strings.Join(list, " ")
}

// The rules are those of ghostty's graphics_unicode.zig.
func TestPlaceholders(t *testing.T) {
	const r0, r1, r2 = "\u0305", "\u030d", "\u030e" // the numbers 0, 1, 2
	c := cellOfImage
	for _, x := range []struct{ name, in, want string }{
		{"the palette", "\x1b[38;5;42m" + c + r0 + r0, "0:42/0 0,0"},
		{"a direct colour", "\x1b[38;2;1;2;3m" + c + r1 + r2, "0:66051/0 1,2"},
		{"the third mark is the highest byte", "\x1b[38;2;0;0;5m" + c + r0 + r0 + r2, "0:33554437/0 0,0"},
		{"the underline colour is the placement", "\x1b[38;5;1m\x1b[58;5;9m" + c + r0 + r0, "0:1/9 0,0"},
		{"bare cells go on", "\x1b[38;5;1m" + c + r1 + c + c, "0:1/0 1,0 1:1/0 1,1 2:1/0 1,2"},
		{"a mark for the row alone goes on, too", "\x1b[38;5;1m" + c + r1 + r2 + c + r1 + c + r2,
			"0:1/0 1,2 1:1/0 1,3 2:1/0 2,0"},
		{"another column begins anew", "\x1b[38;5;1m" + c + r1 + c + r1 + r0, "0:1/0 1,0 1:1/0 1,0"},
		{"another image begins anew", "\x1b[38;5;1m" + c + r1 + c + "\x1b[38;5;2m" + c,
			"0:1/0 1,0 1:1/0 1,1 2:2/0 0,0"},
		{"text in between begins anew", "\x1b[38;5;1m" + c + r1 + "x" + c, "0:1/0 1,0 2:1/0 0,0"},
		{"a mark that stands for nothing ends them", "\x1b[38;5;1m" + c + "\u0301" + r2, "0:1/0 0,0"},
		{"the last mark", "\x1b[38;5;1m" + c + "\U0001d244" + "\u1dfe", "0:1/0 296,197"},
		{"no colour is image 0", c + r0, "0:0/0 0,0"},
		{"erased", "\x1b[38;5;1m" + c + r0 + c + c + "\x1b[2G\x1b[X", "0:1/0 0,0 2:1/0 0,0"},
	} {
		t.Run(x.name, func(t *testing.T) {
			term := newTest(20, 3, 10)
			term.WriteString(x.in)
			if got := shown(term.Row(0)); got != x.want {
				t.Errorf("got %q, want %q", got, x.want)
			}
			term.WriteString("\x1b[m\r\n\n\n")
			if got := shown(term.ScrollbackRow(0)); got != x.want {
				t.Errorf("in the scrollback: %q, want %q", got, x.want)
			}
		})
	}
}

// A row of placeholders that is cut by a narrower window keeps its numbers where it goes on only if
// it says them itself.
func TestPlaceholdersWrapWithTheirRow(t *testing.T) {
	term := newTest(6, 4, 10)
	term.WriteString("ab\x1b[38;5;7m" + cellOfImage + "\u0305" + strings.Repeat(cellOfImage, 3))
	term.Resize(4, 4)
	if got, want := shown(term.Row(0))+" | "+shown(term.Row(1)),
		"2:7/0 0,0 3:7/0 0,1 | 0:7/0 0,0 1:7/0 0,0"; got == want {
		t.Errorf("every cell of the second row is the image's first: %q", got)
	} else if want = "2:7/0 0,0 3:7/0 0,1 | 0:7/0 0,0 1:7/0 0,1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	term.Resize(6, 4)
	if got, want := shown(term.Row(0)), "2:7/0 0,0 3:7/0 0,1 4:7/0 0,2 5:7/0 0,3"; got != want {
		t.Errorf("after widening: %q, want %q", got, want)
	}
}

func TestImagesListsWhatIsKept(t *testing.T) {
	list := func(term *Terminal) string {
		var ids []string
		for _, i := range term.Images() {
			ids = append(ids, fmt.Sprintf("%d %dx%d %d bytes, %d placements, virtual %v", i.ID, i.Width, i.Height,
				i.Bytes, i.Placements, i.Virtual))
		}
		return strings.Join(ids, "; ")
	}
	transmit := gfx("i=9,s=16,v=16,q=2", pixels(256)) + gfx("i=4,s=8,v=2,q=2", pixels(16))
	for _, c := range []struct{ name, in, want string }{
		{"transmitted", transmit, "4 8x2 64 bytes, 0 placements, virtual false; 9 16x16 1024 bytes, 0 placements, " +
			"virtual false"},
		{"placed", transmit + gfx("a=p,i=4,U=1,c=2,r=1,q=2", "") + gfx("a=p,i=9,C=1,q=2", "") + gfx("a=p,i=9,C=1,q=2",
			""), "4 8x2 64 bytes, 1 placements, virtual true; 9 16x16 1024 bytes, 2 placements, virtual false"},
		{"deleted", transmit + gfx("a=d,d=I,i=9", ""), "4 8x2 64 bytes, 0 placements, virtual false"},
		{"only its placements are", transmit + gfx("a=p,i=4,U=1,q=2", "") + gfx("a=d,d=i,i=4", "") + gfx("a=d,d=I,i=9",
			""), "4 8x2 64 bytes, 0 placements, virtual false"},
		{"ED 2 frees what has no placement", transmit + gfx("a=p,i=4,U=1,c=2,r=1,q=2", "") + "\x1b[2J",
			"4 8x2 64 bytes, 1 placements, virtual true"},
		{"ED 3 frees nothing", transmit + "\x1b[3J",
			"4 8x2 64 bytes, 0 placements, virtual false; 9 16x16 1024 bytes, 0 placements, virtual false"},
		{"the other screen has its own", transmit + "\x1b[?1049h", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := newTest(20, 6, 10)
			term.WriteString(c.in)
			if got := list(term); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, i := range term.Images() {
				if one, ok := term.Image(i.ID); !ok || one != i {
					t.Errorf("Image(%d) = %+v, %v", i.ID, one, ok)
				}
			}
			if _, ok := term.Image(77); ok {
				t.Error("there is an image 77")
			}
		})
	}
}

func TestALowerLimitEvictsEarlier(t *testing.T) {
	term := New(Config{Cols: 20, Rows: 6, Personality: Personality{ImageLimit: 3000}})
	for id := 1; id <= 4; id++ {
		term.WriteString(gfx(fmt.Sprintf("i=%d,s=16,v=16,q=2", id), pixels(256)))
	}
	var ids []int
	for _, i := range term.Images() {
		ids = append(ids, i.ID)
	}
	if !slices.Equal(ids, []int{3, 4}) {
		t.Errorf("kept are %v, want the two newest", ids)
	}
	term.WriteString(gfx("a=p,i=1", ""))
	if got, want := string(term.TakeReplies()), "\x1b_Gi=1;ENOENT: image not found\x1b\\"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTrafficCountsBytes(t *testing.T) {
	term := newTest(20, 6, 0)
	for _, s := range []string{gfx("i=1,s=8,v=2,m=1", pixels(12)), gfx("m=0", pixels(4)), "\x1b_Ga=d\x1b\\",
		"text\x1b]0;title\x1b\\", gfx("i=2,s=8,v=2", pixels(3))} {
		for i := range len(s) { // however it is cut
			term.WriteString(s[i : i+1])
		}
	}
	want := Traffic{Commands: 4,
		Control: len("\x1b_Gi=1,s=8,v=2,m=1;\x1b\\\x1b_Gm=0;\x1b\\\x1b_Ga=d\x1b\\\x1b_Gi=2,s=8,v=2;\x1b\\"),
		Payload: len(pixels(12)) + len(pixels(4)) + len(pixels(3)), Images: 1}
	if got := term.Traffic(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Some terminals leave placements in the scrollback alone when the screen is erased, and take all
// with ED 3; some do not know placeholders.
func TestPersonalitiesOfImages(t *testing.T) {
	term := New(Config{Cols: 20, Rows: 4, Scrollback: 20,
		Personality: Personality{ImagesScroll: true, EraseScrollback: ClearBoth, NoPlaceholders: true}})
	put := gfx("a=T,p=1,s=8,v=16,q=2,C=1,i=1", pixels(128))
	term.WriteString(put + "\r\n\n\n\n\n\n" + strings.ReplaceAll(put, "i=1", "i=2") + "\x1b[2J")
	if got, want := placements(term), "1/1 at -3,0 1x1"; got != want {
		t.Errorf("after ED 2: %q, want %q", got, want)
	}
	if n := len(term.Images()); n != 1 {
		t.Errorf("%d images are left, want the one in the scrollback", n)
	}
	term.WriteString("\x1b[3J")
	if n := len(term.Images()); n != 0 {
		t.Errorf("ED 3 leaves %d images", n)
	}
	term.WriteString(gfx("i=7,s=8,v=16,q=2", pixels(128)) + gfx("a=d,d=I,i=99", ""))
	if n := len(term.Images()); n != 1 {
		t.Errorf("%d images are left by a delete of another", n)
	}
	other := New(Config{Personality: Personality{DeleteFreesAll: true}})
	other.WriteString(gfx("i=7,s=8,v=16,q=2", pixels(128)) + gfx("a=T,i=8,s=8,v=16,q=2", pixels(128)) +
		gfx("a=d,d=i,i=99", "") + gfx("a=d,d=I,i=99", ""))
	if _, ok := other.Image(7); ok || len(other.Images()) != 1 {
		t.Errorf("there are %+v, want the placed one alone", other.Images())
	}
	term.WriteString(gfx("a=d,d=I,i=7", "") + gfx("a=T,U=1,p=1,s=8,v=16,i=3", pixels(128)) + "\x1b[38;5;3m" +
		cellOfImage)
	if n := len(term.Images()); n != 0 || shown(term.Row(0))+shown(term.Row(3)) != "" || term.TakeReplies() != nil {
		t.Errorf("%d images, placeholders %q", n, shown(term.Row(3)))
	}
}
