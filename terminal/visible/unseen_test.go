package visible

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/unseen"
)

func TestEachCharacterThatIsNotSeenIsAToken(t *testing.T) {
	all := unseen.Points()
	for _, r := range []rune{0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x200d, 0x202e, 0x2065, 0x2800, 0x3164,
		0xfe0f, 0xffa0, 0xe0001, 0xe0100, 0xe0fff} {
		if !strings.ContainsRune(string(all), r) {
			t.Fatalf("the list lacks U+%04X", r)
		}
	}
	for _, o := range []Options{{}, {Newline: true, Tab: true}, {Newline: true, Tab: true, Joiners: true},
		{ASCII: true}} {
		for _, r := range all {
			want := fmt.Sprintf("x<U+%04X>y", r)
			if got, n := o.String("x" + string(r) + "y"); got != want || n.Total() != 1 {
				t.Errorf("%+v: %s is %q, %v", o, want, got, n)
			}
			if Rune(r) == Text {
				t.Errorf("U+%04X is text by itself", r)
			}
		}
	}
	for _, r := range "aä漢€😀\u00a0\u3000한ᄀ\u0301\u0600" {
		if Rune(r) != Text {
			t.Errorf("U+%04X is %v", r, Rune(r))
		}
	}
}

func TestABlankCellIsKeptBesideCellsWithDots(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"⣿⠀⠀⡇", "⣿⠀⠀⡇"}, {"⠀⠀⢀", "⠀⠀⢀"}, {"⢀⠀⠀", "⢀⠀⠀"},
		{"rm⠀-rf", "rm<U+2800>-rf"}, {"⠀⠀", "<U+2800><U+2800>"}, {"⠀ ⢀", "<U+2800> ⢀"},
	} {
		if got, _ := Line(c.in); got != c.want {
			t.Errorf("%q is %q, want %q", c.in, got, c.want)
		}
	}
	if got, _ := Line(strings.Repeat("⠀", 1<<18)); strings.Contains(got, "⠀") {
		t.Error("blank cells alone are kept")
	}
}
