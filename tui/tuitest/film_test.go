package tuitest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
)

var (
	rowOf   = regexp.MustCompile(`(?s)<g id="(r\d+)">\n(.*?)</g>\n`)
	ruleOf  = regexp.MustCompile(`@keyframes (k\d+)\{(.*)\}\n`)
	frameOf = regexp.MustCompile(`([\d.]+)%\{(?:visibility:(visible|hidden)|transform:translateY\((-?\d+)px\))\}`)
	wholeOf = regexp.MustCompile(`\.k\{visibility:hidden\}\n\.k,\.s\{animation:(\d+)ms step-end infinite\}`)
)

// projector shows a film as a browser does that keeps the rules of CSS.
type projector struct {
	t          *testing.T
	svg        []byte
	cols, rows int
	whole      time.Duration
	texts      map[string]string // rows by their id
	rules      map[string][][]string
}

func project(t *testing.T, svg []byte, cols, rows int) *projector {
	t.Helper()
	p := &projector{t: t, svg: svg, cols: cols, rows: rows, texts: map[string]string{}, rules: map[string][][]string{}}
	for _, m := range rowOf.FindAllSubmatch(svg, -1) {
		p.texts[string(m[1])] = grid(t, slices.Concat([]byte("<svg>"), m[2], []byte("</svg>")), cols, 1)[0]
	}
	for _, m := range ruleOf.FindAllSubmatch(svg, -1) {
		p.rules[string(m[1])] = frameOf.FindAllStringSubmatch(string(m[2]), -1)
	}
	if m := wholeOf.FindSubmatch(svg); m != nil {
		ms, _ := strconv.Atoi(string(m[1]))
		p.whole = time.Duration(ms) * time.Millisecond
	}
	return p
}

// rule returns the key frame in force at a time for something of a class; nil if none is.
func (p *projector) rule(class string, when time.Duration) (now []string) {
	p.t.Helper()
	if class == "" || when < 0 {
		return nil
	}
	for _, key := range p.rules[strings.Fields(class)[1]] {
		percent, err := strconv.ParseFloat(key[1], 64)
		if err != nil {
			p.t.Fatal(err)
		}
		if percent/100*float64(p.whole) <= float64(when) {
			now = key
		}
	}
	return now
}

// at returns the text of the screen at a time; a negative one is the picture that does not move.
func (p *projector) at(when time.Duration) string {
	p.t.Helper()
	lines := make([]string, p.rows)
	for _, e := range elements(p.t, p.svg) {
		if e.name != "use" {
			continue
		}
		visible := e.attr["visibility"] != "hidden"
		if e.attr["class"] != "" && when >= 0 {
			key := p.rule(e.attr["class"], when)
			visible = key != nil && key[2] == "visible"
		}
		y, _ := strconv.Atoi(e.attr["y"])
		if key := p.rule(e.moves, when); key != nil {
			e.dy, _ = strconv.Atoi(key[3])
		}
		y = (y + e.dy) / cellHeight
		text := p.texts[e.attr["href"][1:]]
		if !visible || text == "" || y < 0 || y >= p.rows {
			continue
		}
		if lines[y] != "" {
			p.t.Errorf("at %v row %d shows %q and %q", when, y, lines[y], text)
		}
		lines[y] = text
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestAFilmShowsAtEachTimeWhatWasOnTheScreen(t *testing.T) {
	pieces := []string{"one", "\r\n", "two\r\n", "\x1b[H", "\x1b[K", "\x1b[2J", "\x1b[?25l", "日", "\x1b[?1049h",
		"\x1b[?1049l", "a\r\nb\r\n",
		"\n\n\n"}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 2))
		v := vt.New(vt.Config{Cols: 12, Rows: 4, Scrollback: 5})
		var f Film
		type moment struct {
			at    time.Duration
			shows string
		}
		var seen []moment
		at := time.Duration(0)
		for range 1 + random.IntN(25) {
			v.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(10) == 0 {
				v.Resize(8+random.IntN(5), 2+random.IntN(3))
			}
			f.Frame(v, at)
			seen = append(seen, moment{at, v.String()})
			at += time.Duration(random.IntN(20)) * 50 * time.Millisecond
		}
		f.Frame(v, at+time.Second)
		p := project(t, f.SVG(), 12, 4)
		for i, m := range seen {
			until := at + time.Second
			if i+1 < len(seen) {
				until = seen[i+1].at
			}
			if until-m.at < 2*filmTick {
				continue // too short to be seen
			}
			if got := p.at(m.at + (until-m.at)/2); got != m.shows {
				t.Fatalf("seed %d: after %v the film shows\n%q, the terminal\n%q\n%s", seed, m.at, got, m.shows, p.svg)
			}
		}
		if got := p.at(-1); got != v.String() {
			t.Errorf("seed %d: without motion it shows %q, want %q", seed, got, v.String())
		}
	}
}

// typed returns a film of a program in a bubble.
func typed(t *testing.T) (svg []byte) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		app := &tui.App{}
		app.Footer = &tui.Editor{OnSubmit: func(text string) { fmt.Fprintln(app.Transcript(), "hello,", text) }}
		s := Start(t, app, Config{Cols: 20, Rows: 4, Before: "$ hello\n"})
		f := s.Film("somebody says a name & is greeted")
		for _, r := range "you" {
			s.Pass(100 * time.Millisecond)
			s.Type(string(r))
		}
		s.Pass(time.Second)
		s.Press("enter")
		s.Pass(2 * time.Second)
		svg = f.SVG()
	})
	return svg
}

func TestAFilmOfAProgramIsTheSameAtEachRun(t *testing.T) {
	svg := typed(t)
	p := project(t, svg, 20, 4)
	if p.whole < 3*time.Second || p.whole > 4*time.Second {
		t.Errorf("it takes %v", p.whole)
	}
	if got := p.at(0); got != "$ hello\n›" {
		t.Errorf("at first it shows %q", got)
	}
	if got := p.at(time.Second); got != "$ hello\n› you" {
		t.Errorf("after a second it shows %q", got)
	}
	if got := p.at(p.whole - filmTick); got != "$ hello\nhello, you\n›" {
		t.Errorf("at the end it shows %q", got)
	}
	if !bytes.Contains(svg, []byte("<title>somebody says a name &amp; is greeted</title>")) {
		t.Errorf("it has no name:\n%s", svg)
	}
	for range 5 {
		if again := typed(t); !bytes.Equal(svg, again) {
			t.Fatalf("another run is\n%s\nnot\n%s", again, svg)
		}
	}
}

func TestRowsThatStandTwiceInAFilmAreInItOnce(t *testing.T) {
	v := vt.New(vt.Config{Cols: 60, Rows: 20, Scrollback: 1000})
	var f Film
	for n := range 500 { // rows move up, one new each time
		fmt.Fprintf(v, "row %d\r\n", n)
		f.Frame(v, time.Duration(n)*100*time.Millisecond)
	}
	svg := f.SVG()
	if got := bytes.Count(svg, []byte("<text")); got != 500 {
		t.Errorf("%d texts for 500 rows", got)
	}
	if len(svg) > 200_000 {
		t.Errorf("%d bytes", len(svg))
	}
}
