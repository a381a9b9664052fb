package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// wrap returns a sequence as tmux wants it.
func wrap(seq string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}

func TestPassthroughReachesTheTerminalAround(t *testing.T) {
	image := "\x1b_Gi=7,s=1,v=1,q=2;AAAAAA==\x1b\\" + "\x1b_Ga=p,U=1,i=7,c=2,r=1,q=2\x1b\\"
	output := "one" + wrap(image) + "two\x1b[1mthree\x1b[m\x1bP$qm\x1b\\\x1bPtmuX;no\x1b\\\x1b]0;t\x1b\\four" +
		wrap("\x1b]2;outer\x1b\\")
	for _, size := range []int{1, 2, 5, 1000} {
		tmux, _ := profile.ByName("tmux")
		ghostty, _ := profile.ByName("ghostty")
		pane, outer := tmux.New(40, 3, 10), ghostty.New(40, 3, 10)
		p := profile.Passthrough{To: outer}
		for rest := output; rest != ""; {
			n := min(size, len(rest))
			pane.Write(p.Strip([]byte(rest[:n])))
			rest = rest[n:]
		}
		if got := pane.Row(0).Text(); got != "onetwothreefour" {
			t.Errorf("in pieces of %d bytes the pane reads %q", size, got)
		}
		if _, ok := outer.Image(7); !ok || outer.Title() != "outer" || p.Taken != 2 {
			t.Errorf("in pieces of %d bytes the terminal around has images %v, title %q, of %d sequences", size,
				outer.Images(), outer.Title(), p.Taken)
		}
		if pane.Title() != "t" || outer.String() != "" {
			t.Errorf("title %q, the terminal around reads %q", pane.Title(), outer.String())
		}
	}
}

func TestPassthroughIsOffByDefault(t *testing.T) {
	var p profile.Passthrough
	if got := string(p.Strip([]byte("a" + wrap("\x1b]2;x\x1b\\") + "b"))); got != "ab" || p.Taken != 1 {
		t.Errorf("%q is left, %d sequences taken", got, p.Taken)
	}
}

func TestATooLongPassthroughIsDropped(t *testing.T) {
	outer := vt.New(vt.Config{})
	p := profile.Passthrough{To: outer}
	rest := p.Strip([]byte(wrap("\x1b]2;"+strings.Repeat("x", 1<<20)+"\x1b\\") + wrap("\x1b]2;short\x1b\\") + "text"))
	if string(rest) != "text" || outer.Title() != "short" {
		t.Errorf("%q is left, the title is %.20q", rest, outer.Title())
	}
}

func TestDrawShowsThePlaceholdersOfAPane(t *testing.T) {
	tmux, _ := profile.ByName("tmux")
	pane, outer := tmux.New(10, 2, 10), vt.New(vt.Config{Cols: 10, Rows: 2})
	pane.WriteString("x\x1b[38;2;0;1;2m\U0010eeee\u030d\U0010eeee\x1b[m\r\n\n\n")
	places := func() string {
		var list []string
		for y := range 2 {
			for x, p := range outer.Row(y).Placeholders() {
				list = append(list, fmt.Sprintf("%d,%d shows %d at %d,%d", y, x, p.Image, p.Row, p.Col))
			}
		}
		return strings.Join(list, "; ")
	}
	profile.Draw(outer, pane, 0)
	if got := places(); got != "" {
		t.Errorf("at the end: %s", got)
	}
	profile.Draw(outer, pane, 2)
	if got, want := places(), "0,1 shows 258 at 1,0; 0,2 shows 258 at 1,1"; got != want {
		t.Errorf("two rows up: %s, want %s", got, want)
	}
}
