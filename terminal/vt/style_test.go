package vt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/ansi"
)

// describeStyle spells a style as a test wants to read it.
func describeStyle(s Style) string {
	var b strings.Builder
	color := func(name string, c ansi.Color) {
		if n, ok := c.Index(); ok {
			fmt.Fprintf(&b, " %s=%d", name, n)
		} else if r, g, bl, ok := c.RGB(); ok {
			fmt.Fprintf(&b, " %s=%d,%d,%d", name, r, g, bl)
		}
	}
	color("fg", s.Fg)
	color("bg", s.Bg)
	color("ul", s.UnderlineColor)
	for _, name := range s.Attr.Names() {
		b.WriteString(" " + name)
	}
	if s.Underline != NoUnderline {
		b.WriteString(" underline=" + s.Underline.String())
	}
	return strings.TrimPrefix(b.String(), " ")
}

func TestSGR(t *testing.T) {
	for in, want := range map[string]string{
		"1;2;3;5;7;8;9;53":           "bold faint italic blink inverse invisible strike overline",
		"1;2;3;5;7;8;9;53;22;23":     "blink inverse invisible strike overline",
		"6":                          "blink",
		"1;25;27;28;29;55":           "bold",
		"21":                         "underline=double",
		"4:0":                        "",
		"4:3;24":                     "",
		"4:1":                        "underline=single",
		"4:5":                        "underline=dashed",
		"4:9":                        "underline=single",
		"4:3:2":                      "",
		"1:2":                        "",
		"31;102":                     "fg=1 bg=10",
		"31;39;42;49":                "",
		"38;5;300":                   "fg=44",
		"38:5:99":                    "fg=99",
		"48;2;1;2;3":                 "bg=1,2,3",
		"38:2:1:2:3":                 "fg=1,2,3",
		"38:2:9:1:2:3":               "fg=1,2,3",
		"38:2:9:9:1:2:3":             "",
		"38;2;1;2":                   "bold faint",
		"38;5":                       "blink",
		"58;5;3;4":                   "ul=3 underline=single",
		"58:2::1:2:3":                "ul=1,2,3",
		"58;5;3;59":                  "",
		"1;0":                        "",
		"1;":                         "bold",
		"1;;":                        "",
		"10;11;73;999":               "",
		"38;2;1;2;3;48;5;7;1;4:3;53": "fg=1,2,3 bg=7 bold overline underline=curly",
	} {
		term := newTest(4, 2, 0)
		term.WriteString("\x1b[" + in + "mx")
		if got := describeStyle(term.Row(0).Cell(0).Style); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
}

func TestErasedCellsKeepTheBackgroundAlone(t *testing.T) {
	for in, row := range map[string]int{
		"\x1b[44;1;4mx\x1b[K":           0,
		"\x1b[44;1mx\x1b[J":             3,
		"\x1b[44;1m\x1b[2J":             2,
		"\x1b[44;1m\x1b[2L":             1,
		"\x1b[44;1m\x1b[M":              3,
		"\x1b[44;1m\n\n\n\n":            3,
		"\x1b[44;1m\x1b[T":              0,
		"abc\x1b[1;1H\x1b[44;1m\x1b[2X": 0,
	} {
		term := newTest(4, 4, 0)
		term.WriteString(in)
		x := 1
		if got := describeStyle(term.Row(row).Cell(x).Style); got != "bg=4" {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestHyperlinks(t *testing.T) {
	links := func(in string) string {
		term := newTest(6, 2, 0)
		term.WriteString(in)
		var b strings.Builder
		for _, c := range term.Row(0).Cells() {
			b.WriteString(c.Text + "(" + c.Link + ")")
		}
		return strings.TrimRight(strings.ReplaceAll(b.String(), "()", " "), " ")
	}
	for in, want := range map[string]string{
		"\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\y":              "x(http://a)y",
		"\x1b]8;id=1:k=v;u\x1b\\x\x1b[0my\x1b]8;id=1;\x1b\\z": "x(u)y(u)z(u)",
		"\x1b]8;;u\x1b\\日\x1b]8;;\x1b\\":                      "日(u)(u)",
		"\x1b]8;;u\x1b\\xy\x1b[1;2H\x1b[K":                    "x(u)",
		"\x1b]8;;u\x1b\\x\x1b[?1049h\x1b[?1049ly":             "x(u)y",
		"\x1b]8;;" + strings.Repeat("u", 2050) + "\x1b\\x":    "x",
		"\x1b]8;nonsense\x1b\\x":                              "x",
		"\x1b]8;;a;b\x1b\\x\x1b]8;;\x1b\\":                    "x(a;b)",
	} {
		if got := links(in); got != want {
			t.Errorf("%.60q: got %q, want %q", in, got, want)
		}
	}
}

func TestUnusedPensLinksAndClustersAreFreed(t *testing.T) {
	term := newTest(10, 2, 10)
	for i := range 200_000 {
		fmt.Fprintf(term, "\x1b[38;2;%d;%d;%dm\x1b]8;;http://%d\x1b\\e%c\x1b[H", i&255, i>>8&255, i>>16, i,
			0x300+i%0x70)
	}
	if n := term.pens.len(); n > 2*minPens {
		t.Errorf("%d pens for 20 cells", n)
	}
	if n := term.links.bytes; n > 2*minLinkBytes {
		t.Errorf("%d bytes of links for 20 cells", n)
	}
	if got := term.Row(0).Cell(0); got.Link != "http://199999" || describeStyle(got.Style) != "fg=63,13,3" {
		t.Errorf("the last cell is %+v", got)
	}
	if err := term.Check(); err != nil {
		t.Error(err)
	}
}
