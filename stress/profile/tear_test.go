package profile_test

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/stress/profile"
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// As measured in tmux 3.3a.
func TestTmuxTearsALineBeforeAWideCharacter(t *testing.T) {
	term := vt.New(vt.Config{Cols: 10, Rows: 8, Scrollback: 100,
		Personality: profile.Differences{Resizing: profile.Resizing{ReflowTears: true,
			ReflowBlanks: profile.BlankIsARow}}.Build()})
	term.Write([]byte("0123456789abcdefghij漢字\r\none\r\ntwo"))
	term.Resize(21, 8)
	rows := []string{"0123456789abcdefghij", "漢字", "one", "two", ""}
	for i, want := range rows {
		if got := term.Row(i); got.Text() != want || got.Wrapped() {
			t.Errorf("row %d is %q, wrapped %v, want %q", i, got.Text(), got.Wrapped(), want)
		}
	}
	if c := term.Cursor(); c.Row != 2 || c.Col != 3 {
		t.Errorf("the cursor is on row %d in column %d, want 2 and 3", c.Row, c.Col)
	}
}

// As read from tmux 3.7c: a wide character takes three columns where rows are laid out anew, and
// its second half may begin the next row, where it shows nothing; here it is a blank.
func TestTmuxCountsThreeColumnsForAWideCharacter(t *testing.T) {
	tmux := profile.Differences{Resizing: profile.Resizing{ReflowTears: true, ReflowPads: true,
		ReflowBlanks: profile.BlankIsARow}}
	for _, c := range []struct {
		text string
		cols []int
		want string
	}{
		{"漢字漢字漢字", []int{11}, "漢字漢字/漢字"},
		{"漢字漢字漢字", []int{12}, "漢字漢字/漢字"},
		{"漢字漢字漢字", []int{11, 20}, "漢字漢字漢字"},
		{"a漢字漢字漢", []int{12}, "a漢字漢字/漢"},
		{"a漢字漢字漢", []int{12, 15}, "a漢字漢字漢/"},
		{"a漢字漢字漢", []int{17, 30}, "a漢字漢字漢"},
		{"0123456789ab", []int{12}, "0123456789ab"},
	} {
		term := vt.New(vt.Config{Cols: 16, Rows: 8, Scrollback: 100, Personality: tmux.Build()})
		term.Write([]byte(c.text + "\r\nend"))
		for _, n := range c.cols {
			term.Resize(n, 8)
		}
		if got := strings.ReplaceAll(strings.Join(term.Tape(), "/"), " ", ""); got != c.want+"/end" {
			t.Errorf("%s at %d: %s, want %s/end", c.text, c.cols, got, c.want)
		}
	}
}

// As read from tmux 3.3a and 3.7c: what an erasure leaves of the length of a row is laid out anew
// with it.
func TestTmuxLaysOutWhatWasErased(t *testing.T) {
	tmux := profile.Differences{
		Personality: vt.Personality{EraseKeepsLength: true},
		Resizing:    profile.Resizing{ReflowTears: true, ReflowBlanks: profile.BlankIsARow},
	}
	for _, c := range []struct{ bytes, want string }{
		{"0123456789\x1b[9D\x1b[K\r\nend", "0///end"},
		{"0123456789\r\x1b[K0\r\nend", "0/end"},
		{"0123456789\r0\x1b[2X\r\nend", "0  3/4567/89/end"},
		{"0123456789\x1b[1K\r\nend", "///end"},
		{"0123456789\x1b[2K\r\nend", "/end"},
	} {
		term := vt.New(vt.Config{Cols: 16, Rows: 8, Scrollback: 100, Personality: tmux.Build()})
		term.Write([]byte(c.bytes))
		term.Resize(4, 8)
		if got := strings.Join(term.Tape(), "/"); got != c.want {
			t.Errorf("%q: %s, want %s", c.bytes, got, c.want)
		}
	}
}

// As read from tmux 3.3a and 3.7c: rows that a narrower window has pushed into a history that was
// empty stay there when it gets higher.
func TestTmuxTakesBackOnlyWhatHasScrolled(t *testing.T) {
	tmux := profile.Differences{
		Personality: vt.Personality{EraseKeepsLength: true},
		Resizing: profile.Resizing{ReflowTears: true, ReflowBlanks: profile.BlankIsARow, GrowPullsAnywhere: true,
			ShrinkDropsBelow: true},
	}
	for _, c := range []struct {
		text string
		cols int
		want string
	}{
		{"mmm\r\nooooooo\r\nggg", 6, "oooooo/o/ggg"},
		{"gggg\r\nwwwwwwwwwwwww", 4, "wwww/wwww/w"},
		{"a\r\nb\r\nc\r\nd", 6, "a/b/c/d"},
	} {
		term := vt.New(vt.Config{Cols: 7, Rows: 3, Scrollback: 100, Personality: tmux.Build()})
		term.Write([]byte(c.text))
		term.Resize(c.cols, 3)
		term.Resize(c.cols, 7)
		if got := strings.ReplaceAll(term.String(), "\n", "/"); got != c.want {
			t.Errorf("%q at %d: %s, want %s", c.text, c.cols, got, c.want)
		}
	}
}
