package tui

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

var proseParts = []string{
	"word ", "a ", "well-known ", "--option ", "  ", "\n", "\n\n", "\t", "averylongwordthatfillsmorethanonerow", "漢字",
	"日 ", "\u2764\ufe0f", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
	"\U0001f1eb\U0001f1f7", "e\u0323\u0300", "cubuk\U0001f3f3\ufe0f\u200d\U0001f308 ", "\x1b", "한글", "x.", "\r\n", "-",
	"a/path/of-a-file ", "s\U0001f680 ", "r000123 ", "a\u0301",
}

// However the text comes in, the rows are those of the whole text, and a row that was called stable
// stays as it is.
func TestProseIsTheSameInPieces(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := Space{Width: 12 + rng.IntN(30), Model: width.Model{Method: width.Method(rng.IntN(2))},
			Native: rng.IntN(4) == 0}
		p := &Prose{}
		if rng.IntN(3) == 0 {
			p.FirstPrefix, p.NextPrefix = []Span{{Text: "- "}}, []Span{{Text: "  "}}
		}
		var all strings.Builder
		var stable []Line
		part := ""
		for range 60 {
			rest := proseParts[rng.IntN(len(proseParts))]
			for rest != "" {
				runes := []rune(rest)
				n := 1 + rng.IntN(len(runes))
				piece := string(runes[:n])
				rest = string(runes[n:])
				part += piece
				n = completeLen([]byte(part)) // as a block writes
				p.Write([]byte(part[:n]))
				all.WriteString(part[:n])
				part = part[n:]
				if rng.IntN(3) == 0 {
					continue
				}
				if rng.IntN(40) == 0 {
					s.Width, stable = 12+rng.IntN(30), nil
				}
				v := p.View(s)
				whole := Layout{Width: s.Width, Native: s.Native, FirstPrefix: p.FirstPrefix, NextPrefix: p.NextPrefix,
					Model: s.Model}.Append(nil, 0, Span{Text: all.String()})
				for i, l := range stable {
					if !reflect.DeepEqual(v.Lines[i], l) {
						t.Fatalf("seed %d: stable row %d was %q, is %q", seed, i, texts([]Line{l}),
							texts(v.Lines[i:i+1]))
					}
				}
				for _, l := range v.Lines[len(stable):v.Stable] {
					l.Spans = append([]Span(nil), l.Spans...)
					stable = append(stable, l)
				}
				if got, want := texts(v.Lines), texts(whole); !reflect.DeepEqual(got, want) {
					for i := range min(len(got), len(want)) {
						if got[i] != want[i] {
							t.Fatalf("seed %d, width %d, %q: row %d is %q, of the whole text %q", seed, s.Width,
								all.String(), i, got[max(i-1, 0):], want[max(i-1, 0):])
						}
					}
					t.Fatalf("seed %d: %d rows, of the whole text %d", seed, len(got), len(want))
				}
			}
		}
	}
}

// Marks of text from right to left are out of sight, and End counts them: nothing is twice or lost
// at any width, and in any pieces.
func TestDirectionalMarksOfProseAreOutOfSight(t *testing.T) {
	const text = "\u05e9\u05dc\u05d5\u05dd!\u200f C++\u200e \u05e2\u05d5\u05dc\u05dd " +
		"\u0645\u0631\u062d\u0628\u0627\u061c 12"
	want := strings.NewReplacer("\u200f", "", "\u200e", "", "\u061c", "").Replace(text)
	for cols := 3; cols < 40; cols++ {
		p := &Prose{}
		for piece := range slices.Chunk([]rune(text), 1+cols%3) {
			p.Write([]byte(string(piece)))
			p.View(Space{Width: cols})
		}
		got, v := "", p.View(Space{Width: cols})
		for _, l := range v.Lines {
			for _, s := range l.Spans {
				got += s.Text
			}
			if cols > 6 {
				got += " "
			}
		}
		if strings.Join(strings.Fields(got), "") != strings.Join(strings.Fields(want), "") ||
			v.Lines[len(v.Lines)-1].End != len(text) {
			t.Errorf("%d columns: %+q, ends at %d of %d", cols, got, v.Lines[len(v.Lines)-1].End, len(text))
		}
	}
}
