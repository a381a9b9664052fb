// Package soak makes what a live soak plays in a real terminal, and judges what the terminal has
// kept of it.
package soak

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Row is one row of a Text. Its words are w00000, w00001 and so on through the whole text, so
// that each is told from all others; clusters may follow a word.
type Row struct {
	Words  []int
	Plain  string // the words with a blank between them
	Source string // the same in Markdown, with what opens and closes its block
	Opens  bool   // a block begins here
}

// A Text is what a model says.
type Text []Row

// clusters are what terminals measure in different ways: wide characters, emoji of one and of
// several characters, flags, and marks that stand on another character. None of them holds an ASCII
// letter, by which Judge reads.
var clusters = []string{
	"漢字", "かな", "한국어", "👍", "👍🏽", "👩‍👩‍👧", "❤️", "🇩🇪", "α\u0301", "ж\u0306\u0323", "क्षि", "①",
}

// maker writes a text.
type maker struct {
	rng  *rand.Rand
	next int
	text Text
}

// row returns the next row: prefix, words and suffix. With wide some words are followed by
// clusters.
func (m *maker) row(opens bool, prefix string, words int, sep string, wide bool, suffix string) {
	r := Row{Opens: opens}
	var parts []string
	for range words {
		w := fmt.Sprintf("w%05d", m.next)
		r.Words = append(r.Words, m.next)
		m.next++
		if wide && m.rng.IntN(4) == 0 {
			w += []string{"", " "}[m.rng.IntN(2)] + clusters[m.rng.IntN(len(clusters))]
		}
		parts = append(parts, w)
	}
	r.Plain = strings.Join(parts, " ")
	r.Source = prefix + strings.Join(parts, sep) + suffix
	m.text = append(m.text, r)
}

// Plain returns rows of three to nine words, every tenth of 20, in paragraphs of five rows. The
// same seed gives the same text.
func Plain(seed uint64, rows int) Text {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 1))}
	for i := range rows {
		words, gap := 3+m.rng.IntN(7), ""
		if i%10 == 9 {
			words = 20
		}
		if i%5 == 0 {
			gap = "\n"
		}
		m.row(i%5 == 0, gap, words, " ", false, "\n")
	}
	return m.text
}

// Markdown returns rows in headings, paragraphs, lists, tables, quotes and code, with CJK, emoji
// and combining marks. The same seed gives the same text.
func Markdown(seed uint64, rows int) Text {
	m := &maker{rng: rand.New(rand.NewPCG(seed, 2))}
	for len(m.text) < rows {
		switch m.rng.IntN(8) {
		case 0:
			m.row(true, "\n## ", 2+m.rng.IntN(3), " ", true, "\n")
		case 1, 2:
			m.row(true, "\n", 15+m.rng.IntN(40), " ", true, "\n")
		case 3:
			m.block(4+m.rng.IntN(8), func(int) string { return "- " }, " ", true, "", "")
		case 4:
			m.block(3+m.rng.IntN(12), func(i int) string { return fmt.Sprintf("%d. ", i+1) }, " ", true, "", "")
		case 5:
			m.table(2 + m.rng.IntN(8))
		case 6:
			m.block(2+m.rng.IntN(4), func(int) string { return "> " }, " ", true, "", "")
		case 7:
			indent := func(i int) string { return strings.Repeat("  ", i%3) }
			m.block(4+m.rng.IntN(10), indent, " ", false, "```\n", "```\n")
		}
	}
	return m.text[:m.nextBlock(rows)]
}

// nextBlock returns the first row from n on that opens a block, or the end.
func (m *maker) nextBlock(n int) int {
	for n < len(m.text) && !m.text[n].Opens {
		n++
	}
	return n
}

// block returns rows of one block.
func (m *maker) block(rows int, prefix func(i int) string, sep string, wide bool, open, shut string) {
	for i := range rows {
		before, after := prefix(i), "\n"
		if i == 0 {
			before = "\n" + open + before
		}
		if i == rows-1 {
			after += shut
		}
		m.row(i == 0, before, 2+m.rng.IntN(9), sep, wide, after)
	}
}

// table writes a table of three columns. Its headings are no words of the text: a narrow window may
// show them with each row.
func (m *maker) table(rows int) {
	before := "\n| 漢 | 字 | かな |\n|---|---|---|\n| "
	for i := range rows {
		m.row(i == 0, before, 3, " | ", true, " |\n")
		before = "| "
	}
}

// Source returns the Markdown of t.
func (t Text) Source() string {
	var b strings.Builder
	for _, r := range t {
		b.WriteString(r.Source)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// Split parts t at the first block that begins behind row n.
func (t Text) Split(n int) (head, tail Text) {
	for n < len(t) && !t[n].Opens {
		n++
	}
	return t[:n], t[n:]
}

// Last returns the last word of t.
func (t Text) Last() string {
	r := t[len(t)-1]
	return fmt.Sprintf("w%05d", r.Words[len(r.Words)-1])
}

// On returns the rows of t from the second one on that begins on tape: what a terminal without
// history still shows.
func (t Text) On(tape string) Text {
	first := slices.IndexFunc(t, func(r Row) bool { return strings.Contains(tape, fmt.Sprintf("w%05d", r.Words[0])) })
	if first < 0 {
		return t
	}
	return t[min(first+1, len(t)-1):]
}
