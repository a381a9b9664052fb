package markdown

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/scrollkeep/scrollkeep/tui"
)

// judgePlain compares what plainPara makes of a piece, if it takes it, with what the parser makes.
func judgePlain(t *testing.T, src string, breaks bool) (taken bool) {
	t.Helper()
	d := &Document{Breaks: breaks, parse: newParser()}
	k := otherPiece
	if isItem([]byte(src)) {
		k = listItem
	}
	got, taken := d.plainPara(k, []byte(src))
	if !taken {
		return false
	}
	want := d.parseBlocks(tui.NewTheme(tui.Caps{Color: 16, Unicode: true}), []byte(src))
	if len(want) != 1 || !reflect.DeepEqual(want[0], got) {
		t.Fatalf("%q is\n%#v, to the parser\n%#v", src, got, want)
	}
	return true
}

// What is shown without the parser is what the parser would show.
func TestPlainTextIsWhatTheParserMakesOfIt(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	pieces := []string{"word", "Word", "x", "12", "7", "1.", "2)", ".", ",", ":", ";", "?", "!", "'", "\"", "(", ")",
		"/", "-", "--", "%", "é", "日本", "\u00a0", "\u200d", " ", " ", " ", "\n", "http", "https:", "www",
		"ftp://a.b", "a@b.c"}
	marks := []string{"*", "_", "`", "[", "]", "<", ">", "&amp;", "#", "=", "+", "|", "~", "$", "\\", "\t", "  ",
		"\n\n", "@", "\x00", "\xff", "===", "---", "> ", "- ", "10. "}
	taken := map[bool]int{}
	for round := range 4000 {
		var b strings.Builder
		if item := rng.IntN(3); item == 0 {
			b.WriteString([]string{"- ", "* ", "+ ", "1. ", "12) ", "007. ", "-  "}[rng.IntN(7)])
		}
		for range 1 + rng.IntN(14) {
			if rng.IntN(30) == 0 {
				b.WriteString(marks[rng.IntN(len(marks))])
			}
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		taken[judgePlain(t, b.String(), round%2 == 0)]++ // a text that fails is in the message
	}
	if taken[true] < 200 || taken[false] < 200 {
		t.Errorf("seed %d: %v were taken", seed, taken)
	}
}

func FuzzPlainTextIsWhatTheParserMakesOfIt(f *testing.F) {
	for _, text := range []string{"words as such, and so on", "two\nlines", "- an item", "3. third", "a: b (c) - d",
		"- - nested", "1. # heading", "http://x.y/z"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, breaks bool) {
		if len(text) < maxPieceBytes && !strings.Contains(strings.TrimRight(text, "\n"), "\n\n") {
			judgePlain(t, text, breaks)
		}
	})
}

// counting counts how often a piece is parsed.
type counting struct {
	parser.Parser
	calls int
}

func (c *counting) Parse(r text.Reader, options ...parser.ParseOption) ast.Node {
	c.calls++
	return c.Parser.Parse(r, options...)
}

// A frame parses the open piece once, and a second time only where a row more may be sure; words
// without marks are not parsed at all.
func TestTheOpenPieceIsParsedOnceAFrame(t *testing.T) {
	for _, c := range []struct {
		name, word string
		most       func(frames, rows int) int
	}{
		{"plain", "word, ", func(int, int) int { return 0 }},
		{"marked", "a **word** of it ", func(frames, rows int) int { return frames + 2*rows }},
		{"an open mark", "", func(frames, rows int) int { return frames + 2*rows }},
	} {
		t.Run(c.name, func(t *testing.T) {
			count := &counting{Parser: newParser()}
			d := &Document{Breaks: true, parse: count}
			if c.word == "" {
				c.word = "word "
				d.Write([]byte("some words **never "))
			}
			const frames = 200
			var v tui.View
			for range frames {
				d.Write([]byte(c.word))
				v = d.View(tui.Space{Width: 60})
			}
			if most := c.most(frames, len(v.Lines)); count.calls > most {
				t.Errorf("%d frames parse %d times, at most %d are needed", frames, count.calls, most)
			}
			if c.name != "an open mark" && v.Stable < len(v.Lines)-2 {
				t.Errorf("only %d of %d rows are sure", v.Stable, len(v.Lines))
			}
		})
	}
}
