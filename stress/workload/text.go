package workload

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// text creates random rows for a transcript. Each row is 2 to 7 columns narrower than the screen
// and begins with a word of 7 columns. So every greedy word wrapper breaks a paragraph at the same
// places, and no row is exactly full.
type text struct {
	rng  *rand.Rand
	cols int
	next int // number of the next row, which stands in its first word
	wide bool
}

var graphemes = width.Model{Method: width.Grapheme}

// rowName returns the first word of the next row, such as "r000123", and counts the row.
func (t *text) rowName() string {
	t.next++
	return fmt.Sprintf("r%06d", t.next-1)
}

// row returns the next row of prose, of random words.
func (t *text) row() string {
	row := t.rowName()
	for n := len(row); n < t.cols-7; {
		room := t.cols - 2 - n - 1
		w := t.spokenWord(min(2+t.rng.IntN(8), room))
		if t.wide {
			w = t.unicodeWord(room)
		}
		row += " " + w
		n += 1 + graphemes.String(w)
	}
	return row
}

// rows returns the next n rows of prose.
func (t *text) rows(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = t.row()
	}
	return out
}

// spokenWord returns a random word of n letters, consonants and vowels in turn.
func (t *text) spokenWord(n int) string {
	b := make([]byte, n)
	for i := range b {
		from := "bcdfghklmnprstvz"
		if i%2 == 1 {
			from = "aeiou"
		}
		b[i] = from[t.rng.IntN(len(from))]
	}
	return string(b)
}

// words returns random words that take at most n columns together.
func (t *text) words(n int) string {
	var b strings.Builder
	for b.Len()+4 < n {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.spokenWord(min(2+t.rng.IntN(8), n-b.Len())))
	}
	return b.String()
}

var (
	ideographs = []rune("漢字書道山川空海風花言葉語文終端画面行列幅高左右上下前後東西南北")
	syllables  = []rune("가나다라마바사아자차카타파하한글말씀")
	marks      = []string{"e\u0301", "a\u030a", "u\u0308", "n\u0303", "o\u0302", "e\u0323\u0300"}
	emoji      = []string{
		"\U0001f680", "\u2705", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
		"\U0001f1eb\U0001f1f7", "\U0001f1ef\U0001f1f5",
		"\U0001f3f3\ufe0f\u200d\U0001f308", "\u2764\ufe0f", "\U0001f9d1\U0001f3fe\u200d\U0001f52c", "\U0001f389",
	}
)

// unicodeWord returns a random word with wide or combining characters, of at most n columns.
func (t *text) unicodeWord(n int) string {
	var w string
	switch t.rng.IntN(4) {
	case 0:
		for range 1 + t.rng.IntN(4) {
			w += string(ideographs[t.rng.IntN(len(ideographs))])
		}
	case 1:
		w = string(syllables[t.rng.IntN(len(syllables))]) + "a"
	case 2:
		w = t.spokenWord(2+t.rng.IntN(3)) + marks[t.rng.IntN(len(marks))] + t.spokenWord(1+t.rng.IntN(2)) +
			marks[t.rng.IntN(len(marks))]
	default:
		w = emoji[t.rng.IntN(len(emoji))]
		if t.rng.IntN(2) == 0 {
			w = t.spokenWord(1+t.rng.IntN(6)) + w
		}
	}
	return graphemes.Truncate(w, n)
}

// toolRow returns the next row of a tool's output, with colours.
func (t *text) toolRow() string {
	id := t.rowName()
	switch t.rng.IntN(4) {
	case 0:
		return fmt.Sprintf("%s \x1b[1m%s.go:%d:%d:\x1b[0m \x1b[31merror:\x1b[0m undefined: %s", id, t.spokenWord(7),
			1+t.rng.IntN(999), 1+t.rng.IntN(99), t.spokenWord(9))
	case 1:
		return fmt.Sprintf("%s \x1b[32mok\x1b[0m   pkg/%s/%s \x1b[2m%d.%03ds\x1b[0m", id,
			t.spokenWord(6), t.spokenWord(5),
			t.rng.IntN(9), t.rng.IntN(1000))
	case 2:
		return fmt.Sprintf("%s \x1b[33mwarn\x1b[0m %s %s %s", id, t.spokenWord(8), t.spokenWord(7), t.spokenWord(5))
	}
	return id + " " + t.words(t.cols-2-8-t.rng.IntN(t.cols/4))
}

// diffRow returns row i of a diff, with colours.
func (t *text) diffRow(i int) string {
	body := t.words(t.cols/4 + t.rng.IntN(t.cols/2))
	switch t.rng.IntN(5) {
	case 0:
		return fmt.Sprintf("\x1b[31m%5d - %s\x1b[0m", i, body)
	case 1:
		return fmt.Sprintf("\x1b[32m%5d + %s\x1b[0m", i, body)
	}
	return fmt.Sprintf("\x1b[2m%5d\x1b[0m   %s", i, body)
}
