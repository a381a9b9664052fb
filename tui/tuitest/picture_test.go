package tuitest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

// sheet has all that a picture can show.
const sheet = "plain \x1b[1mbold\x1b[m \x1b[2mfaint\x1b[m \x1b[3mitalic\x1b[m \x1b[7minverse\x1b[m " +
	"\x1b[8mhidden\x1b[m " +
	"\x1b[9mstruck\x1b[m \x1b[53mover\x1b[m\r\n" +
	"\x1b[4msingle\x1b[m \x1b[21mdouble\x1b[m \x1b[4:3mcurly\x1b[m \x1b[4:4mdotted\x1b[m \x1b[4:5mdashed\x1b[m " +
	"\x1b[4;58;5;1mred line\x1b[m\r\n" +
	"\x1b[30m0\x1b[31m1\x1b[32m2\x1b[33m3\x1b[34m4\x1b[35m5\x1b[36m6\x1b[37m7" +
	"\x1b[90m8\x1b[91m9\x1b[92ma\x1b[93mb\x1b[94mc\x1b[95md\x1b[96me\x1b[97mf\x1b[m " +
	"\x1b[41m 1 \x1b[42m 2 \x1b[44m 4 \x1b[m \x1b[38;5;208m208\x1b[48;5;236m 236\x1b[m " +
	"\x1b[38;2;255;0;128mdirect\x1b[m\r\n" +
	"日本語 wide, 👩‍👩‍👧 a family, e\u0301 two marks, <&\"'> escaped  two  blanks\r\n" +
	"┌──┬──┐ ┏━━┳━━┓ ╔══╦══╗ ╭─────╮ ▁▂▃▄▅▆▇█ ▖▗▘▙▚▛▜▝▞▟\r\n" +
	"│  │  │ ┃  ┃  ┃ ║  ║  ║ │ \x1b[34m╱ ╲\x1b[m │ █▉▊▋▌▍▎▏ ░▒▓ ▀▐▔▕\r\n" +
	"├──┼──┤ ┣━━╋━━┫ ╠══╬══╣ ╰─────╯ ⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏ ⣿\r\n" +
	"└──┴──┘ ┗━━┻━━┛ ╚══╩══╝ ╓╥╖╒╤╕╟╫╢╞╪╡╙╨╜╘╧╛ ┍┑┕┙┞┟┡┢"

func TestAPictureShowsWhatATerminalShows(t *testing.T) {
	for name, light := range map[string]bool{"dark": false, "light": true} {
		v := vt.New(vt.Config{Cols: 70, Rows: 8})
		v.WriteString(sheet)
		Golden(t, filepath.Join("testdata", name+".svg"), Look{Light: light, Name: "all that <a picture> shows"}.SVG(v))
	}
}

// element is what is read of an SVG file.
type element struct {
	name, text string
	attr       map[string]string
	dy         int    // of the groups that it is in
	moves      string // the class of the group that it is in
}

// elements reads an SVG file, and fails if it is no XML or refers to anything but itself.
func elements(t *testing.T, svg []byte) (all []element) {
	t.Helper()
	var open []element
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attr: map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
				if strings.Contains(a.Value, "url(") || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("<%s %s=%q> leads out of the file", e.name, a.Name.Local, a.Value)
				}
			}
			if _, err := fmt.Sscanf(e.attr["transform"], "translate(0 %d)", &e.dy); err != nil {
				e.dy = 0
			}
			if len(open) > 0 {
				e.dy += open[len(open)-1].dy
				e.moves = open[len(open)-1].attr["class"]
			}
			open = append(open, e)
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(token)
			}
		case xml.EndElement:
			switch e := open[len(open)-1]; e.name {
			case "svg", "g", "title", "rect", "path", "text", "style", "defs", "use":
				all = append(all, e)
			default:
				t.Errorf("<%s> in a picture", e.name)
			}
			open = open[:len(open)-1]
		}
	}
}

// grid returns the text of a still picture, put back on its columns.
func grid(t *testing.T, svg []byte, cols, rows int) []string {
	t.Helper()
	cells := make([][]string, rows)
	for y := range cells {
		cells[y] = make([]string, cols)
		for x := range cells[y] {
			cells[y][x] = " "
		}
	}
	for _, e := range elements(t, svg) {
		if e.name != "text" {
			continue
		}
		y := e.dy / cellHeight
		var at []int
		for _, x := range strings.Fields(e.attr["x"]) {
			n, err := strconv.Atoi(x)
			if err != nil || n%cellWidth != 0 {
				t.Fatalf("x is %q", e.attr["x"])
			}
			at = append(at, n/cellWidth)
		}
		length, _ := strconv.Atoi(e.attr["textLength"])
		switch n := utf8.RuneCountInString(e.text); {
		case e.attr["lengthAdjust"] != "": // one cluster
			cells[y][at[0]] = e.text
			if length == 2*cellWidth {
				cells[y][at[0]+1] = ""
			}
		case len(at) == n:
			for i, r := range []rune(e.text) {
				cells[y][at[i]] = string(r)
			}
		case length == n*cellWidth && n == len(e.text):
			for i, r := range e.text {
				cells[y][at[0]+i] = string(r)
			}
		default:
			t.Errorf("%q has the places %v and the length %d", e.text, at, length)
		}
	}
	lines := make([]string, rows)
	for y := range cells {
		lines[y] = strings.TrimRight(strings.Join(cells[y], ""), " ")
	}
	return lines
}

func TestEveryCharacterOfAPictureStandsOnItsColumn(t *testing.T) {
	pieces := []string{"a", "B", " ", "  ", "<", "&", "'", "é", "e\u0301", "日", "ｗ", "👩‍👩‍👧", "…",
		"\x1b[1m", "\x1b[m", "\x1b[31m",
		"\x1b[7m", "\x1b[4m", "\x1b[44m", "\x1b[2C", "\r\n", "word", "\x1b[2;3H", "\x1b[K", "\x7f", "\ufffe"}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		v := vt.New(vt.Config{Cols: 1 + random.IntN(30), Rows: 1 + random.IntN(5)})
		for range random.IntN(80) {
			v.WriteString(pieces[random.IntN(len(pieces))])
		}
		cols, rows := v.Size()
		got := grid(t, Look{}.SVG(v), cols, rows)
		want := v.Screen()
		for y := range want {
			want[y] = strings.ReplaceAll(want[y], "\ufffe", "\ufffd") // XML cannot hold it
			if got[y] != want[y] {
				t.Fatalf("seed %d, row %d: the picture shows\n%q, the terminal\n%q", seed, y, got[y], want[y])
			}
		}
	}
}

func TestBoxesTouchTheirNeighbours(t *testing.T) {
	for r := rune(0x2500); r < 0x25a0; r++ {
		all, _ := glyphShapes(r)
		if r >= 0x2571 && r <= 0x2573 {
			if all != nil {
				t.Errorf("%c is drawn by rectangles", r)
			}
			continue
		}
		if len(all) == 0 {
			t.Errorf("%c is not drawn", r)
		}
		var edges [4]bool // left, right, upper, lower
		for _, s := range all {
			if s.x < 0 || s.y < 0 || s.w < 1 || s.h < 1 || s.x+s.w > cellWidth || s.y+s.h > cellHeight {
				t.Errorf("%c has %+v outside of its cell", r, s)
			}
			for i, touches := range [4]bool{s.x == 0, s.x+s.w == cellWidth, s.y == 0, s.y+s.h == cellHeight} {
				edges[i] = edges[i] || touches
			}
		}
		for i := range edges {
			if r < 0x2580 && edges[i] != (arms[4*(r-0x2500)+rune(i)] != '0') {
				t.Errorf("%c touches %v", r, edges)
			}
		}
	}
}

func TestTheGroundOfAPictureIsThatOfTheScreen(t *testing.T) {
	for _, light := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var dark bool
			app := &tui.App{Footer: tui.ComponentFunc(func(s tui.Space) tui.View {
				dark = s.Look().Dark
				return tui.View{Lines: []tui.Line{s.Cut(tui.Span{Text: "here"})}}
			})}
			s := Start(t, app, Config{Cols: 10, Rows: 2, Light: light})
			if dark == light {
				t.Errorf("light %v: the program thinks that it is dark: %v", light, dark)
			}
			svg := s.SVG("a word")
			if got := grid(t, svg, 10, 2); got[0] != "here" {
				t.Errorf("%q", got)
			}
			ground := darkColors.bg
			if light {
				ground = lightColors.bg
			}
			if !bytes.Contains(svg, []byte(`rx="8" fill="`+ground+`"`)) {
				t.Errorf("light %v:\n%s", light, svg)
			}
		})
	}
}
