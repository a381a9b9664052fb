package ansi

import (
	"strings"
	"testing"
)

func TestSGRTakesTheShorterWay(t *testing.T) {
	red := Style{Fg: Indexed(1)}
	for _, c := range []struct {
		name     string
		from, to Style
		want     string
	}{
		{"equal", red, red, ""},
		{"to default", red.With(Bold), Style{}, "\x1b[m"},
		{"from default", Style{}, red.With(Bold), "\x1b[1;31m"},
		{"one colour", red, Style{Fg: Indexed(2)}, "\x1b[32m"},
		{"bright", Style{}, Style{Fg: Indexed(9), Bg: Indexed(15)}, "\x1b[91;107m"},
		{"palette", Style{}, Style{Fg: Indexed(200)}, "\x1b[38;5;200m"},
		{"direct", Style{}, Style{Bg: RGB(1, 2, 3)}, "\x1b[48;2;1;2;3m"},
		{"bold to faint", Style{Attr: Bold}, Style{Attr: Faint}, "\x1b[0;2m"},
		{"colour away, attribute stays", red.With(Bold), Style{Attr: Bold}, "\x1b[39m"},
		{"many away", Style{Attr: Bold | Italic | Underline | Strike}, Style{Attr: Italic}, "\x1b[0;3m"},
	} {
		if got := string(AppendSGR(nil, c.from, c.to)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAttributesHaveNamesAndALineAboveThem(t *testing.T) {
	all := Bold | Faint | Italic | Underline | Blink | Inverse | Invisible | Strike | Overline
	want := "bold faint italic underline blink inverse invisible strike overline"
	if got := strings.Join(all.Names(), " "); got != want {
		t.Errorf("%q", got)
	}
	red := Style{Fg: Indexed(1), Bg: Indexed(2)}
	if got := string(AppendSGR(nil, red, red.With(Overline))); got != "\x1b[53m" {
		t.Errorf("%q", got)
	}
	if got := string(AppendSGR(nil, red.With(Overline), red)); got != "\x1b[55m" {
		t.Errorf("%q", got)
	}
}

func TestMovesOfNothingAreNoBytes(t *testing.T) {
	b := AppendCUU(nil, 0)
	b = AppendCUD(b, -1)
	b = AppendIL(b, 0)
	if len(b) != 0 {
		t.Errorf("%q", b)
	}
	b = AppendCHA(AppendCHA(AppendCUF(AppendCUU(b, 1), 12), 0), 4)
	if got, want := string(b), "\x1b[A\x1b[12C\x1b[G\x1b[5G"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
