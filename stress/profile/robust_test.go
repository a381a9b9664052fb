package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/oracle"
	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/stress/screen"
)

func TestNoProfileFailsOnRandomProgramsOrDependsOnChunks(t *testing.T) {
	for _, p := range profile.All() {
		t.Run(p.Name, func(t *testing.T) {
			for seed := range uint64(150) {
				prog := oracle.Generate(seed, 40, nil)
				prog.Size.Scrollback %= 50
				play := func(chunk int) (d *screen.Dump) {
					defer func() {
						if r := recover(); r != nil {
							t.Fatalf("seed %d: %v\n%v", seed, r, prog)
						}
					}()
					term := p.New(prog.Size.Cols, prog.Size.Rows, prog.Size.Scrollback)
					for op := range prog.Script() {
						switch {
						case op.Resize != nil:
							term.Resize(op.Resize.Cols, op.Resize.Rows)
						case op.Write != nil:
							for c := range slices.Chunk(op.Write, chunk) {
								term.Write(c)
							}
						case op.Dump != "":
							if err := term.Check(); err != nil {
								t.Fatalf("seed %d: %v\n%v", seed, err, prog)
							}
							d = screen.Of(term, screen.Full)
						}
					}
					return d
				}
				if diff := screen.Compare(play(1), play(1<<20),
					screen.Rules{Replies: true, Images: true, Protection: true}); len(diff) > 0 {
					t.Fatalf("seed %d: byte by byte and at once differ: %v\n%v", seed, diff, prog)
				}
			}
		})
	}
}

func TestTheCursorFollowsItsRowWhenRowsAboveItAreWrapped(t *testing.T) {
	for _, p := range profile.All() {
		// kitty 0.26.5 finds the cursor a second time, one row below its text
		if p.Differs.Reflow == profile.Cut || p.Differs.Layout == profile.LayoutApart {
			continue
		}
		term := p.New(103, 37, 200)
		for i := range 18 {
			fmt.Fprintf(term, "row %d\r\n", i)
		}
		term.WriteString(strings.Repeat("w", 70) + "\r\nn11\r\nn7\x1b7\r\nn6\x1b8")
		term.Resize(56, 35)
		if c := term.Cursor(); term.Row(c.Row).Text() != "n7" || c.Col != 2 {
			t.Errorf("%s: the cursor is at row %d col %d on %q", p.Name, c.Row, c.Col, term.Row(c.Row).Text())
		}
	}
}

func TestOnlyGhosttyStopsRewrappingWithoutAutowrap(t *testing.T) {
	for _, p := range profile.All() {
		term := p.New(20, 5, 20)
		term.WriteString(strings.Repeat("x", 20) + "yy\r\nend\x1b[?7l")
		term.Resize(30, 5)
		want := "xxxxxxxxxxxxxxxxxxxxyy"
		if p.Name == "ghostty" || p.Differs.Reflow == profile.Cut ||
			p.Differs.Layout == profile.LayoutTopLine { // urxvt without history
			want = "xxxxxxxxxxxxxxxxxxxx"
		}
		// GNU screen has blank ones above
		rows := slices.DeleteFunc(term.Tape(), func(r string) bool { return r == "" })
		if rows[0] != want {
			t.Errorf("%s: the first row is %q, want %q", p.Name, rows[0], want)
		}
	}
}

func TestXtermCutsForGood(t *testing.T) {
	p, _ := profile.ByName("xterm")
	term := p.New(10, 3, 100)
	term.WriteString("0123456789\r\nabcdefghij\r\n")
	term.WriteString("k\r\nl")         // 0123456789 is history now
	term.Resize(8, 3)                  // which cuts the others
	term.Resize(8, 4)                  // and pulls it back
	term.WriteString("\x1b[H\x1b[K01") // to be written anew
	term.WriteString("\x1b[4;1H\r\n\n")
	term.Resize(12, 4)
	if got, want := term.Tape(), []string{"01", "abcdefgh", "k", "l"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	term = p.New(10, 1, 100)
	term.WriteString("0123456789\r\nx")
	term.Resize(5, 1)
	if got := term.Tape(); got[0] != "01234" {
		t.Errorf("cut: %q", got)
	}
	term.Resize(8, 1)
	term.Resize(20, 1)
	if got := term.Tape(); got[0] != "0123456789" {
		t.Errorf("the history keeps what is out of sight: %q", got)
	}
}

func TestAMarkBehindAFullRowJoinsTheLastCharacter(t *testing.T) {
	for _, p := range profile.All() {
		term := p.New(8, 2, 10)
		term.WriteString("wörter e\u0301")
		if got := term.Row(0).Text(); got != "wörter e\u0301" {
			t.Errorf("%s: %q", p.Name, got)
		}
	}
}

func TestACursorBehindARowThatIsFullAfterwardsWaitsAtTheEdge(t *testing.T) {
	for _, p := range profile.All() {
		// these put it on the last column, and forget that the row was full
		if p.Name == "ghostty" || p.Differs.Reflow == profile.Cut || p.Differs.Layout.In(profile.LayoutApart,
			profile.LayoutJoined, profile.LayoutByEnds, profile.LayoutTopLine) {
			continue
		}
		term := p.New(57, 2, 100)
		term.WriteString("old\r\n" + strings.Repeat("a", 56) + "\r\n" + strings.Repeat("b", 56))
		term.Resize(56, 2)
		term.WriteString("c")
		if got, want := strings.Join(term.Tape(), "\n"),
			"old\n"+strings.Repeat("a", 56)+"\n"+strings.Repeat("b", 56)+"\nc"; got != want &&
			p.Differs.Reflow != profile.RewrapButCursor {
			t.Errorf("%s: %q", p.Name, got)
		}
		term = p.New(56, 2, 100)
		term.WriteString(strings.Repeat("b", 56))
		term.Resize(60, 2)
		term.WriteString("c")
		if got, want := term.Row(0).Text(), strings.Repeat("b", 56)+"c"; got != want &&
			p.Differs.Reflow != profile.RewrapButCursor {
			t.Errorf("%s, made wider: %q", p.Name, got)
		}
	}
}

// A cursor that rests on the last row in use keeps its text through every change of size, except
// where the table says that text is lost.
func TestTheCursorKeepsItsRowThroughResizes(t *testing.T) {
	for _, p := range profile.All() {
		for _, to := range [][2]int{{86, 27}, {60, 12}, {40, 37}, {85, 20}, {120, 50}, {85, 37}, {79, 36}} {
			term := p.New(85, 37, 200)
			for i := range 40 {
				fmt.Fprintf(term, "row %d\r\n", i)
			}
			term.WriteString("\x1b[30;1H\x1b[Jhere")
			term.Resize(to[0], to[1])
			c := term.Cursor()
			if got := term.Row(c.Row).Text(); got != "here" || c.Col != 4 {
				t.Errorf("%s, 85x37 to %dx%d: the cursor is at row %d col %d on %q", p.Name, to[0], to[1], c.Row,
					c.Col, got)
			}
			seen := strings.Join(term.Tape(), "\n")
			for i := range 32 {
				if !strings.Contains(seen+"\n", fmt.Sprintf("row %d\n", i)) {
					t.Errorf("%s, 85x37 to %dx%d: row %d is lost", p.Name, to[0], to[1], i)
				}
			}
		}
	}
}
